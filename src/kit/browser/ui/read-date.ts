import { readDay } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';

const months = 'january february march april may june july august september october november december'.split(' ');

/** Parses a typed date to YYYY-MM-DD: day first unless the year comes first; undefined where it is not a date. */
export function readDate(typed: string): string | undefined {
  const parts = readDay(typed.replace(/\s+/g, ' ').replace(',', ''));
  if (!parts) return undefined;
  const word = /[a-z]{3,}/i.exec(typed)?.[0].toLowerCase();
  if (word && !months.some((month) => month.startsWith(word) || word === 'sept')) return undefined;
  const date = `${parts.year}-${parts.month}-${parts.day}`;
  return isRealDate(date) ? date : undefined;
}
