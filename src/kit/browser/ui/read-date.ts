import { readDay } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';

const months = 'january february march april may june july august september october november december'.split(' ');

/** What somebody typed as YYYY-MM-DD, the day first unless the year is; undefined where it is no date. */
export function readDate(typed: string): string | undefined {
  const parts = readDay(typed.replace(/\s+/g, ' ').replace(',', ''));
  if (!parts) return undefined;
  const word = /[a-z]{3,}/i.exec(typed)?.[0].toLowerCase();
  if (word && !months.some((month) => month.startsWith(word) || word === 'sept')) return undefined;
  const date = `${parts.year}-${parts.month}-${parts.day}`;
  return isRealDate(date) ? date : undefined;
}
