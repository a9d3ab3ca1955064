// The fonts of papers, and texts set in them.
import { createRequire } from 'node:module';
import { Font, Text, type TextProps } from '@react-pdf/renderer';
import { createElement as h } from 'react';

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
export const [latin, ...others] = scripts;
const runs = new RegExp(`(${others.map(({ signs }) => signs).join('|')})`, 'u');

const weights = [400, 600] as const;
type Weight = (typeof weights)[number];

for (const { family, font, subset } of scripts)
  Font.register({
    family,
    fonts: weights.map((fontWeight) => ({
      fontWeight,
      src: resolve(`@fontsource/${font}/files/${font}-${subset}-${fontWeight}-normal.woff`),
    })),
  });
// The library must not break a word, which would add a hyphen, nor break where the font changes.
Font.registerHyphenationCallback((word) => [word]);
const never = 10_000;

/** A text split into parts, each in a font that has its letters. */
export function words(text: string, style: Exclude<TextProps['style'], readonly unknown[]> = {}) {
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

const graphemes = new Intl.Segmenter('en');

/** Loads all fonts, so that texts can be measured. */
export const loadFonts = () =>
  Promise.all(
    scripts.flatMap(({ family }) => weights.map((fontWeight) => Font.load({ fontFamily: family, fontWeight }))),
  );

/** The height of a line, as a multiple of its size: the highest and lowest letters of all fonts. */
export const leading = 1.37;

/** Points by which the library may measure a line wider than we do. */
export const slack = 0.5;

const widths = new Map<string, number>();

/** The width of a text at size 1; its fonts must be loaded. */
export function widthOf(text: string, weight: Weight): number {
  const key = `${weight} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  let width = 0;
  for (const part of text.split(runs)) {
    const font = part && Font.getFont({ fontFamily: familyOf(part), fontWeight: weight }).data;
    if (font) width += font.layout(part).advanceWidth / font.unitsPerEm;
  }
  widths.set(key, width);
  return width;
}

export interface Box {
  width: number;
  height: number;
  weight: Weight;
  /** The sizes to try, the largest first. */
  sizes: readonly number[];
}

/** A text in lines at the largest size at which it fits into a box; at the smallest one it is cut if need be. */
export function fitted(text: string, { width, height, weight, sizes }: Box): { size: number; lines: string[] } {
  for (const size of sizes) {
    const lines = linesOf(text, (width - slack) / size, weight);
    if (lines && lines.length * size * leading <= height) return { size, lines };
  }
  const size = sizes.at(-1) ?? 1;
  const most = Math.max(Math.floor(height / size / leading), 1);
  return { size, lines: cut(brokenLinesOf(text, (width - slack) / size, weight), most) };
}

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);

/** The lines of a text at size 1; undefined where a word is wider than a line. */
function linesOf(text: string, width: number, weight: Weight): string[] | undefined {
  return wordsOf(text).some((word) => widthOf(word, weight) > width)
    ? undefined
    : fill(wordsOf(text), ' ', width, weight);
}

/** As `linesOf`, with words that are wider than a line broken between letters. */
export const brokenLinesOf = (text: string, width: number, weight: Weight): string[] =>
  fill(
    wordsOf(text).flatMap((word) => {
      const letters = [...graphemes.segment(word)].map(({ segment }) => segment);
      return widthOf(word, weight) > width ? fill(letters, '', width, weight) : word;
    }),
    ' ',
    width,
    weight,
  );

/** Joins parts to lines that are no wider than this. */
function fill(parts: readonly string[], between: string, width: number, weight: Weight): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)}${between}${part}`;
    if (lines.length > 0 && widthOf(longer, weight) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/** The first lines, with a mark where some are missing. */
export const cut = (lines: readonly string[], most: number): string[] =>
  lines.length <= most ? [...lines] : [...lines.slice(0, most - 1), `${lines[most - 1]?.slice(0, -1)}…`];
