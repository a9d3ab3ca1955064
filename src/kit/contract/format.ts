import { dateMonths, type Language } from './languages.ts';

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
