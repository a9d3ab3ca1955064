import { showDate } from '#kit/contract/day.ts';
import type { FrequencyRow } from '../contract/frequency.ts';
import { daysOf, monthOf, type YearDays } from '../contract/months.ts';

const monthName = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });
const monthAndYear = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const dateOf = (year: Pick<YearDays, 'startsOn'>, offset: number) => new Date(`${monthOf(year, offset)}-01T00:00:00Z`);

/** A month of a year, counted from its first: "Jun", or "Jun 2026". */
export const monthWords = (year: YearDays, offset: number, hasYear = false) =>
  (hasYear ? monthAndYear : monthName).format(dateOf(year, offset));

/** The months of an instalment: "Apr", or "Apr–Jun". */
export function periodWords(year: YearDays, { fromMonth, months }: { fromMonth: number; months: number }): string {
  const first = monthWords(year, fromMonth);
  return months === 1 ? first : `${first}–${monthWords(year, fromMonth + months - 1)}`;
}

/** The due days of a year: "10-04-2026, 10-07-2026"; of more than four the first and the last. */
export function dueDaysWords(year: YearDays, rows: readonly FrequencyRow[]): string {
  const days = rows.map((row) => showDate(daysOf(year, row).dueOn));
  return days.length <= 4 ? days.join(', ') : `${days[0]}, ${days[1]} … ${days.at(-1)}`;
}

/** The months of a mask: "Sep, Feb". */
export const monthsWords = (year: YearDays, mask: number): string =>
  Array.from({ length: 12 }, (_, month) => month)
    .filter((month) => ((mask >> month) & 1) === 1)
    .map((month) => monthWords(year, month))
    .join(', ');
