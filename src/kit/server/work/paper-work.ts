// Runs in a child process: sets a paper as a PDF.
import { deserialize } from 'node:v8';
import { Document, Image, Page, renderToBuffer, StyleSheet, Text, View } from '@react-pdf/renderer';
import { createElement as h } from 'react';
import type { PaperHead, WrittenCards, WrittenPaper, WrittenSlip } from '#kit/server/paper/paper.ts';
import { sheetOf } from './paper-cards.ts';
import { brokenLinesOf, latin, loadFonts, slack, widthOf, words } from './paper-fonts.ts';
import { sectionsOf } from './paper-sections.ts';
import { slipOf } from './paper-slip.ts';
import { serve } from './serve.ts';

/** In points, as all lengths. */
const fontSize = 9;
/** Between two columns. */
const gap = 6;
const line = '0.5 solid #888888';
const styles = StyleSheet.create({
  // No line height: with a page number below, the library multiplies it again for each page.
  page: { fontFamily: latin.family, fontSize, padding: '14mm 12mm 20mm' },
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
  foot: { position: 'absolute', bottom: '9mm', left: '12mm', fontSize: 8 },
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
/** The most that a column takes of a page which is too narrow for its texts. */
const mostWidth = 160;

type Table = NonNullable<WrittenPaper['table']>;

/** Each column's width for its longest text, and for its longest word, so that words stay whole where there is room. */
const columnsOf = ({ heads, rows }: Table) =>
  heads.map((head, column) => {
    const whole = { text: 0, word: 0 };
    for (const [text, weight] of [[head, 600] as const, ...rows.map((row) => [row[column] ?? '', 400] as const)]) {
      const words = text.split(/\s+/).map((word) => widthOf(word, weight) * fontSize);
      const spaces = (words.length - 1) * widthOf(' ', weight) * fontSize;
      whole.text = Math.max(whole.text, spaces + words.reduce((sum, width) => sum + width, 0));
      whole.word = Math.max(whole.word, ...words);
    }
    const text = Math.max(Math.min(whole.text, mostWidth), 16) + gap + slack;
    return { text, word: Math.min(whole.word + gap + slack, text) };
  });
type Column = ReturnType<typeof columnsOf>[number];

const sum = (columns: readonly Column[], what: keyof Column) =>
  columns.reduce((total, column) => total + column[what], 0);

/** The width of each column on a page: texts on one line if they fit, else words whole, else words broken. */
function widthsOf(columns: readonly Column[], room: number): number[] {
  const [texts, words] = [sum(columns, 'text'), sum(columns, 'word')];
  if (texts <= room) return columns.map(({ text }) => (text * room) / texts);
  if (words >= room) return columns.map(({ word }) => (word * room) / words);
  const share = (room - words) / (texts - words);
  return columns.map(({ text, word }) => word + (text - word) * share);
}

function tableOf({ heads, rows }: Table, widths: readonly number[]) {
  const cells = (texts: string[], weight: 400 | 600) =>
    texts.map((text, column) => {
      const width = widths[column] ?? 0;
      const lines = brokenLinesOf(text, (width - gap) / fontSize, weight);
      return h(View, { style: { ...styles.cell, width } }, words(lines.join('\n')));
    });
  return [
    h(View, { style: styles.heads, fixed: true }, ...cells(heads, 600)),
    ...rows.map((row) => h(View, { style: styles.row, wrap: false }, ...cells(row, 400))),
  ];
}

const signatureOf = ({ who, picture }: WrittenPaper['signatures'][number]) =>
  h(
    View,
    { style: styles.signer },
    picture && h(Image, { style: styles.signature, src: Buffer.from(picture) }),
    h(View, { style: styles.signed }, words(who)),
  );

function documentOf({ head, title, facts, table, sections = [], foot, number, made, signatures }: WrittenPaper) {
  const columns = table ? columnsOf(table) : [];
  const isWide = sum(columns, 'text') > upright;
  return h(
    Document,
    { title, author: head.name, language: 'en' },
    h(
      Page,
      { size: 'A4', orientation: isWide ? 'landscape' : 'portrait', style: styles.page },
      headOf(head),
      words(title, styles.title),
      h(View, { style: styles.facts }, ...facts.map(([name, value]) => words(`${name}: ${value}`))),
      ...(table ? tableOf(table, widthsOf(columns, isWide ? lying : upright)) : []),
      ...sectionsOf(sections, { width: upright, fontSize }),
      words(made, styles.made),
      signatures.length > 0 && h(View, { style: styles.signatures, wrap: false }, ...signatures.map(signatureOf)),
      foot && h(View, { style: styles.foot, fixed: true }, words(foot)),
      h(Text, {
        style: styles.number,
        fixed: true,
        render: ({ pageNumber, totalPages }) =>
          number.replace('{page}', String(pageNumber)).replace('{pages}', String(totalPages)),
      }),
    ),
  );
}

function anyDocumentOf(paper: WrittenPaper | WrittenCards | WrittenSlip) {
  if ('address' in paper) return slipOf(paper);
  return 'cards' in paper ? sheetOf(paper) : documentOf(paper);
}

serve(async (sent) => {
  const paper = deserialize(sent) as Parameters<typeof anyDocumentOf>[0];
  await loadFonts();
  return { bytes: await renderToBuffer(anyDocumentOf(paper)) };
});
