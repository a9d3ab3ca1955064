// A slip of A6 with an address.
import { Document, Page, Path, StyleSheet, Svg, View } from '@react-pdf/renderer';
import { createElement as h } from 'react';
import type { WrittenSlip } from '#kit/server/paper/paper.ts';
import { qrCode } from '#kit/server/paper/qr-code.ts';
import { type Box, fitted, latin, leading, words } from './paper-fonts.ts';

/** Points to a millimetre. */
const mm = 72 / 25.4;
const margin = 10 * mm;
const width = 105 * mm - 2 * margin;
/** At arm's length a camera reads its squares of 1.5 mm. */
const codeSize = 58 * mm;

const styles = StyleSheet.create({
  page: { fontFamily: latin.family, padding: margin, alignItems: 'center', justifyContent: 'space-between' },
  block: { width, alignItems: 'center' },
});

/** A slip as a document; the fonts must be loaded. */
export function slipOf({ head, name, title, address, lines }: WrittenSlip) {
  const { size, path } = qrCode(address);
  const row = (text: string, weight: Box['weight'], sizes: readonly number[]) => linesIn(text, { weight, sizes });
  return h(
    Document,
    { title, author: head.name, language: 'en' },
    h(
      Page,
      { size: 'A6', style: styles.page },
      h(View, { style: styles.block }, ...row(head.name, 600, [13, 12, 11, 10, 9])),
      h(View, { style: styles.block }, ...row(name, 600, [18, 16, 14, 12, 10]), ...row(title, 400, [12, 11, 10])),
      h(
        Svg,
        { viewBox: `0 0 ${size} ${size}`, width: codeSize, height: codeSize },
        h(Path, { d: path, fill: '#000000' }),
      ),
      h(View, { style: styles.block }, ...row(address, 600, [12, 11, 10, 9, 8, 7])),
      h(View, { style: styles.block }, ...lines.flatMap((line) => row(line, 400, [10, 9, 8]))),
    ),
  );
}

/** At most two lines at the largest size at which they fit. */
function linesIn(text: string, { weight, sizes }: Pick<Box, 'weight' | 'sizes'>) {
  const [largest = 0] = sizes;
  const { size, lines } = fitted(text, { width, height: 2 * largest * leading, weight, sizes });
  return lines.map((line) =>
    h(View, { style: { height: size * leading } }, words(line, { fontSize: size, fontWeight: weight })),
  );
}
