// Runs in a child process: sets a paper as a PDF.
import { deserialize } from 'node:v8';
import { Document, Image, Page, renderToBuffer, StyleSheet, Text, View } from '@react-pdf/renderer';
import { createElement as h } from 'react';
import type { PaperHead, WrittenCards, WrittenPaper } from '#kit/server/paper/paper.ts';
import { sheetOf } from './paper-cards.ts';
import { graphemes, latin, loadFonts, words } from './paper-fonts.ts';
import { serve } from './serve.ts';

/** Between two columns, in points. */
const gap = 6;
const line = '0.5 solid #888888';
const styles = StyleSheet.create({
  // No line height: with a page number below, the library multiplies it again for each page.
  page: { fontFamily: latin.family, fontSize: 9, padding: '14mm 12mm 20mm' },
  head: { flexDirection: 'row', alignItems: 'center', gap: 10, paddingBottom: 8, borderBottom: line },
  logo: { width: 44, height: 44, objectFit: 'contain' },
  name: { fontSize: 14, fontWeight: 600, marginBottom: 1 },
  soft: { fontSize: 8, color: '#444444' },
  title: { fontSize: 12, fontWeight: 600, marginTop: 12, marginBottom: 4 },
  facts: { flexDirection: 'row', flexWrap: 'wrap', columnGap: 20, rowGap: 2, marginBottom: 10 },
  row: { flexDirection: 'row', borderBottom: line },
  heads: { flexDirection: 'row', borderBottom: '1 solid #000000', fontWeight: 600 },
  cell: { paddingVertical: 3, paddingRight: gap },
  made: { marginTop: 10, fontSize: 8, color: '#444444' },
  signatures: { flexDirection: 'row', alignItems: 'flex-end', justifyContent: 'space-between', gap: 40, marginTop: 56 },
  signer: { flex: 1, maxWidth: 200 },
  signature: { height: 32, marginBottom: 2, objectFit: 'contain' },
  signed: { paddingTop: 3, borderTop: line, textAlign: 'center' },
  number: { position: 'absolute', bottom: '9mm', right: '12mm', fontSize: 8 },
});

const headOf = ({ name, lines, logo }: PaperHead) =>
  h(
    View,
    { style: styles.head },
    logo && h(Image, { style: styles.logo, src: Buffer.from(logo) }),
    h(View, { style: { flex: 1 } }, words(name, styles.name), ...lines.map((line) => words(line, styles.soft))),
  );

/** The printable size of a page in points, portrait and landscape. */
const upright = 527;
const lying = 774;
/** Nearly all letters are narrower than this, in points. */
const letter = 5.6;

/** The width of each column in points: that of its content, with long texts wrapped. */
const widthsOf = ({ heads, rows }: WrittenPaper['table']) =>
  heads.map((head, column) => {
    const longest = Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0));
    return Math.min(Math.max(longest, 3), 30) * letter + gap;
  });

/** A text whose words fit into this many points: a longer word continues on the next line. */
function folded(text: string, width: number): string {
  const most = Math.max(Math.floor((width - gap) / letter), 1);
  return text.replaceAll(/\S+/gu, (word) => {
    if (word.length <= most) return word;
    const signs = [...graphemes.segment(word)].map(({ segment }) => segment);
    return signs.map((sign, index) => (index > 0 && index % most === 0 ? `\n${sign}` : sign)).join('');
  });
}

function tableOf({ heads, rows }: WrittenPaper['table'], values: readonly number[], room: number) {
  const all = values.reduce((sum, width) => sum + width, 0);
  const widths = values.map((width) => (width / all) * room);
  const cells = (texts: string[]) =>
    texts.map((text, column) => {
      const width = widths[column] ?? 0;
      return h(View, { style: { ...styles.cell, width } }, words(folded(text, width)));
    });
  return [
    h(View, { style: styles.heads, fixed: true }, ...cells(heads)),
    ...rows.map((row) => h(View, { style: styles.row, wrap: false }, ...cells(row))),
  ];
}

const signatureOf = ({ who, picture }: WrittenPaper['signatures'][number]) =>
  h(
    View,
    { style: styles.signer },
    picture && h(Image, { style: styles.signature, src: Buffer.from(picture) }),
    h(View, { style: styles.signed }, words(who)),
  );

function documentOf({ head, title, facts, table, made, signatures }: WrittenPaper) {
  const widths = widthsOf(table);
  const isWide = widths.reduce((sum, width) => sum + width, 0) > upright;
  return h(
    Document,
    { title, author: head.name, language: 'en' },
    h(
      Page,
      { size: 'A4', orientation: isWide ? 'landscape' : 'portrait', style: styles.page },
      headOf(head),
      words(title, styles.title),
      h(View, { style: styles.facts }, ...facts.map(([name, value]) => words(`${name}: ${value}`))),
      ...tableOf(table, widths, isWide ? lying : upright),
      words(made, styles.made),
      signatures.length > 0 && h(View, { style: styles.signatures, wrap: false }, ...signatures.map(signatureOf)),
      h(Text, {
        style: styles.number,
        fixed: true,
        render: ({ pageNumber, totalPages }) => `${pageNumber} / ${totalPages}`,
      }),
    ),
  );
}

serve(async (sent) => {
  const paper = deserialize(sent) as WrittenPaper | WrittenCards;
  if (!('cards' in paper)) return { bytes: await renderToBuffer(documentOf(paper)) };
  await loadFonts();
  return { bytes: await renderToBuffer(sheetOf(paper)) };
});
