import { sameText } from './typed.ts';

// Whole names of files in their parts; the page shows with the same functions what the server will do.

const titles = new Set('mr mrs ms miss shri sri shree smt kum kumari dr prof er master mst late mx'.split(' '));

/** A name without the titles before it. */
export function withoutTitles(name: string): string {
  const words = name.trim().split(/\s+/);
  while (words.length > 1 && titles.has(sameText(words[0] ?? '').replaceAll('.', ''))) words.shift();
  // "Mr.Patel" is written together.
  return words.join(' ').replace(/^(?:mr|mrs|ms|dr|smt|shri|kum)\.(?=\p{L})/iu, '');
}

/** Whether a cell begins with a title. */
export const hasTitle = (name: string): boolean => withoutTitles(name) !== name.trim().replaceAll(/\s+/g, ' ');

/** A whole name as first, middle and last name; of two parts as first and last. Beside a surname it has no last name. */
export function splitName(name: string, order: string, parts: number): string[] {
  const words = name.trim().split(/\s+/).filter(Boolean);
  if (order === 'First Middle') return [words[0] ?? '', words.slice(1).join(' ')];
  if (words.length < 2) return [words[0] ?? '', ...Array.from({ length: parts - 1 }, () => '')];
  const isLastFirst = order.startsWith('Last');
  const last = (isLastFirst ? words[0] : words.at(-1)) ?? '';
  const others = isLastFirst ? words.slice(1) : words.slice(0, -1);
  const hasMiddle = parts > 2 && order.includes('Middle');
  const first = hasMiddle ? (others[0] ?? '') : others.join(' ');
  const middle = hasMiddle ? others.slice(1).join(' ') : '';
  return parts > 2 ? [first, middle, last] : [first, last];
}
