import { dateMonths, type Language, monthNames } from './languages.ts';

// Dates for people. The words come from our own tables, so that page, server and paper agree; digits are Latin.

/** A calendar date, YYYY-MM-DD, as "21 Nov 2026" and "21 નવેમ્બર 2026"; without the year where it is that of `now`. */
export function showDay(date: string, language: Language, now = ''): string {
  const [year, month, day] = date.slice(0, 10).split('-').map(Number);
  const names = dateMonths[language] ?? dateMonths.en;
  const short = `${day} ${names[(month ?? 1) - 1]}`;
  return now.startsWith(`${year}-`) ? short : `${short} ${year}`;
}

/** A calendar date for a text message: of another script each letter costs twice, so the month is a number there. */
export const showShortDay = (date: string, language: Language): string =>
  language === 'en' ? showDay(date, language) : date.slice(0, 10).split('-').toReversed().join('-');

/** The month of a calendar date by its whole name. */
export const showMonthName = (date: string, language: Language): string =>
  (language === 'en' ? monthNames : (dateMonths[language] ?? monthNames))[Number(date.slice(5, 7)) - 1] ?? '';

/** The first letter of a word, with the vowel sign that belongs to it. */
export const firstLetter = (word: string): string => /^.\p{M}*/u.exec(word)?.[0] ?? '';
