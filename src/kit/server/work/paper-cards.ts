// A sheet of cards, eight to an A4 page.
import { Document, Image, Page, StyleSheet, View } from '@react-pdf/renderer';
import { createElement as h, type ReactElement } from 'react';
import { initialsOf } from '#kit/contract/initials.ts';
import type { PaperHead, WrittenCards } from '#kit/server/paper/paper.ts';
import { type Box, brokenLinesOf, cut, fitted, latin, leading, slack, widthOf, words } from './paper-fonts.ts';

type Card = WrittenCards['cards'][number];

/** Points to a millimetre. */
const mm = 72 / 25.4;
const page = { width: 210 * mm, height: 297 * mm };
const card = { width: 85.6 * mm, height: 54 * mm };
const columns = 2;
const rows = 4;
const grid = { width: columns * card.width, height: rows * card.height };
const edge = { left: (page.width - grid.width) / 2, top: (page.height - grid.height) / 2 };

/** The parts of a card, in points. */
const side = 9;
const logoSize = 26;
const headGap = 7;
const picture = { width: 60, height: 77 };
const gap = 8;
const inner = card.width - 2 * side;
const beside = inner - picture.width - gap;
const nameHeight = 28;
const factsHeight = 58;

const grey = '#555555';
const cutLine = '0.5 solid #999999';
/** How far the lines go beyond the cards, in points. */
const beyond = 8;
const styles = StyleSheet.create({
  page: { fontFamily: latin.family, fontSize: 8 },
  notes: { position: 'absolute', left: edge.left, width: grid.width, bottom: edge.top + grid.height + 6, color: grey },
  number: { position: 'absolute', right: edge.left, top: edge.top + grid.height + 6, color: grey },
  grid: {
    position: 'absolute',
    left: edge.left,
    top: edge.top,
    width: grid.width,
    height: grid.height,
    flexDirection: 'row',
    flexWrap: 'wrap',
    alignContent: 'flex-start',
  },
  card: { width: card.width, height: card.height, padding: `7 ${side} 5`, overflow: 'hidden' },
  head: { flexDirection: 'row', alignItems: 'center', gap: headGap, height: logoSize + 4, paddingBottom: 4 },
  logo: { width: logoSize, height: logoSize, objectFit: 'contain' },
  body: { flexDirection: 'row', gap, paddingTop: 6, borderTop: '0.5 solid #888888' },
  picture: { ...picture, objectFit: 'cover' },
  initials: {
    ...picture,
    backgroundColor: '#e6e8e8',
    alignItems: 'center',
    justifyContent: 'center',
  },
  name: { paddingBottom: 3 },
  facts: { height: factsHeight, overflow: 'hidden' },
  fact: { flexDirection: 'row' },
  cut: { position: 'absolute', borderTop: cutLine, borderLeft: cutLine },
  foot: { position: 'absolute', left: side, width: inner, bottom: 5 },
});

/** A sheet of cards as a document; the fonts must be loaded. */
export function sheetOf({ head, title, cards, foot = '', notes }: WrittenCards) {
  const perPage = columns * rows;
  const pages = Array.from({ length: Math.ceil(cards.length / perPage) }, (_, index) =>
    cards.slice(index * perPage, (index + 1) * perPage),
  );
  const headOfCard = cardHead(head, title);
  const footOfCard = textIn({ width: inner, height: 9, weight: 400, sizes: small }, foot);
  return h(
    Document,
    { title, author: head.name, language: 'en' },
    ...pages.map((some, index) =>
      h(
        Page,
        { size: 'A4', style: styles.page },
        h(View, { style: styles.notes }, ...notes.map((note) => words(note))),
        h(View, { style: styles.number }, words(`${index + 1} / ${pages.length}`)),
        ...cutLines(some.length),
        h(View, { style: styles.grid }, ...some.map((one) => cardOf(one, headOfCard, footOfCard))),
      ),
    ),
  );
}

/** Around and between so many cards, and a little beyond them. */
function cutLines(count: number) {
  const across = Math.min(count, columns);
  const down = Math.ceil(count / columns);
  const [width, height] = [across * card.width + 2 * beyond, down * card.height + 2 * beyond];
  const lineAt = (left: number, top: number, size: { width?: number; height?: number }) =>
    h(View, { style: { ...styles.cut, left: edge.left + left, top: edge.top + top, ...size } });
  return [
    ...Array.from({ length: down + 1 }, (_, row) => lineAt(-beyond, row * card.height, { width, height: 0 })),
    ...Array.from({ length: across + 1 }, (_, column) => lineAt(column * card.width, -beyond, { width: 0, height })),
  ];
}

const smallest = 5;
const small = [6.5, 6, 5.5, smallest];

function cardHead({ name, logo }: PaperHead, title: string) {
  const width = logo ? inner - logoSize - headGap : inner;
  // Given as an address, the library embeds the picture once for all cards.
  const address =
    logo && `data:image/${logo[0] === 0xff ? 'jpeg' : 'png'};base64,${Buffer.from(logo).toString('base64')}`;
  return h(
    View,
    { style: styles.head },
    address && h(Image, { style: styles.logo, src: address }),
    h(
      View,
      { style: { width } },
      ...textIn({ width, height: 18, weight: 600, sizes: [11, 10, 9, 8, 7, ...small, 4.5] }, name),
      ...textIn({ width, height: 9, weight: 400, sizes: small, color: grey }, title),
    ),
  );
}

function cardOf({ picture, name, facts }: Card, head: ReactElement, foot: ReactElement[]) {
  return h(
    View,
    { style: styles.card },
    head,
    h(
      View,
      { style: styles.body },
      picture
        ? h(Image, { style: styles.picture, src: Buffer.from(picture) })
        : h(View, { style: styles.initials }, words(initialsOf(name), { fontSize: 22, fontWeight: 600, color: grey })),
      h(
        View,
        { style: { width: beside } },
        h(
          View,
          { style: styles.name },
          ...textIn({ width: beside, height: nameHeight, weight: 600, sizes: [12, 11, 10, 9, 8, 7, ...small] }, name),
        ),
        h(View, { style: styles.facts }, ...factsOf(facts)),
      ),
    ),
    h(View, { style: styles.foot }, ...foot),
  );
}

interface TextBox extends Box {
  color?: string;
}

/** A text in a box, each line at its height. */
function textIn({ color = '#000000', ...box }: TextBox, text: string) {
  const { size, lines } = fitted(text, box);
  return linesAt(lines, { fontSize: size, fontWeight: box.weight, color });
}

const linesAt = (lines: readonly string[], style: { fontSize: number; fontWeight: number; color: string }) =>
  lines.map((line) => h(View, { style: { height: style.fontSize * leading } }, words(line, style)));

const noLimit = Number.POSITIVE_INFINITY;
/** The sizes to try; at the smallest, values are cut to fewer and fewer lines. */
const factSizes = [
  ...[7, 6.5, 6, 5.5, smallest].map((size) => ({ size, most: noLimit })),
  ...[4, 3, 2, 1].map((most) => ({ size: smallest, most })),
];
const labelGap = 5;

/** Facts at the largest size at which all of them fit beside the picture. */
function factsOf(facts: Card['facts']) {
  const setAt = (size: number, most: number) => {
    const widest = Math.max(...facts.map(([name]) => widthOf(name, 400))) * size;
    const labelWidth = Math.min(widest + slack, beside * 0.45);
    const valueWidth = beside - labelWidth - labelGap;
    const rows = facts.map(([name, value]) => ({
      label: brokenLinesOf(name, (labelWidth - slack + 0.01) / size, 400),
      value: cut(brokenLinesOf(value, (valueWidth - slack) / size, 600), most),
    }));
    const count = rows.reduce((sum, { label, value }) => sum + Math.max(label.length, value.length), 0);
    return { size, labelWidth, valueWidth, rows, isWhole: count * size * leading <= factsHeight };
  };
  let set = setAt(7.5, noLimit);
  for (const { size, most } of factSizes) if (!set.isWhole) set = setAt(size, most);
  const { size, labelWidth, valueWidth, rows } = set;
  return rows.map(({ label, value }) =>
    h(
      View,
      { style: styles.fact },
      h(
        View,
        { style: { width: labelWidth + labelGap } },
        ...linesAt(label, { fontSize: size, fontWeight: 400, color: grey }),
      ),
      h(
        View,
        { style: { width: valueWidth } },
        ...linesAt(value, { fontSize: size, fontWeight: 600, color: '#000000' }),
      ),
    ),
  );
}
