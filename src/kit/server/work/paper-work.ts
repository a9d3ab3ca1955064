// Runs in a child process: sets a paper as a PDF.
import { createRequire } from 'node:module';
import { deserialize } from 'node:v8';
import {
  Document,
  Font,
  Image,
  Page,
  renderToBuffer,
  StyleSheet,
  Text,
  type TextProps,
  View,
} from '@react-pdf/renderer';
import { createElement as h } from 'react';
import type { PaperHead, WrittenPaper } from '#kit/server/paper/paper.ts';
import { serve } from './serve.ts';

const { resolve } = createRequire(import.meta.url);

/** The supported scripts with their fonts; other characters use the first. */
const scripts = [
  { family: 'Latin', font: 'noto-sans', subset: 'latin', signs: '' },
  {
    family: 'More Latin',
    font: 'noto-sans',
    subset: 'latin-ext',
    signs: '[\\u0100-\\u02BA\\u02BD-\\u02C5\\u02C7-\\u02D9\\u1D00-\\u1EFF\\u20A0-\\u20C0]+',
  },
  // Joiners stand between letters of a script and use its font.
  {
    family: 'Gujarati',
    font: 'noto-sans-gujarati',
    subset: 'gujarati',
    signs: '\\p{Script=Gujarati}[\\p{Script=Gujarati}\\u200C\\u200D]*',
  },
  {
    family: 'Devanagari',
    font: 'noto-sans-devanagari',
    subset: 'devanagari',
    signs: '[\\p{Script=Devanagari}\\u0964\\u0965][\\p{Script=Devanagari}\\u200C\\u200D\\u0964\\u0965]*',
  },
] as const;
const [latin, ...others] = scripts;
const runs = new RegExp(`(${others.map(({ signs }) => signs).join('|')})`, 'u');

for (const { family, font, subset } of scripts)
  Font.register({
    family,
    fonts: [400, 600].map((fontWeight) => ({
      fontWeight,
      src: resolve(`@fontsource/${font}/files/${font}-${subset}-${fontWeight}-normal.woff`),
    })),
  });
// The library must not break a word, which would add a hyphen, nor break where the font changes.
Font.registerHyphenationCallback((word) => [word]);
const never = 10_000;

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

/** A text split into parts, each in a font that has its letters. */
function words(text: string, style: Exclude<TextProps['style'], readonly unknown[]> = {}) {
  const parts = text.split(runs).filter((part) => part !== '');
  const [only] = parts;
  if (parts.length < 2) return h(Text, { style: { ...style, fontFamily: familyOf(only ?? '') } }, text);
  return h(
    Text,
    { style, hyphenationPenalty: never },
    ...parts.map((part) => h(Text, { style: { fontFamily: familyOf(part) } }, part)),
  );
}
const familyOf = (part: string) =>
  (others.find(({ signs }) => new RegExp(`^${signs}$`, 'u').test(part)) ?? latin).family;

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

const graphemes = new Intl.Segmenter('en');

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

serve(async (sent) => ({ bytes: await renderToBuffer(documentOf(deserialize(sent) as WrittenPaper)) }));
