import { i18n } from '@lingui/core';
import { showDate } from '#kit/contract/day.ts';

/** The first of January 2001 was a Monday. */
const monday = Date.UTC(2001, 0, 1);
const aDay = 24 * 60 * 60 * 1000;

/** The name of a weekday by its index; Monday is 0. */
export const weekdayWord = (place: number, length: 'long' | 'short'): string =>
  new Intl.DateTimeFormat(i18n.locale, { weekday: length, timeZone: 'UTC' }).format(monday + place * aDay);

/** A month, `2026-10`, as "October 2026". */
export const monthWords = (month: string, length: 'long' | 'short' = 'long'): string =>
  new Intl.DateTimeFormat(i18n.locale, { month: length, year: 'numeric', timeZone: 'UTC' }).format(Date.parse(month));

/** One day, or the first and the last of several. */
export const spanWords = ({ from, to }: { from: string; to: string }): string => {
  if (from === to) return showDate(from);
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `${isOneYear ? showDate(from).slice(0, -5) : showDate(from)} – ${showDate(to)}`;
};

/** A count of days, including half days. */
export const countWords = (count: number): string =>
  Number.isInteger(count) ? String(count) : `${Math.floor(count) || ''}½`;

/** Joins words as in speech: "2nd and 4th". */
export const listWords = (words: string[]): string => new Intl.ListFormat(i18n.locale).format(words);

/** The suffix of a class name that gives a kind of day its colours. */
export const classOf = (kind: string): string => kind.toLowerCase().replace(' ', '-');
