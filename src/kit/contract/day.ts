import { showDay } from './format.ts';
import { dateMonths } from './languages.ts';
import { cleanCode } from './typed.ts';

/** The names of the months in English, from January. */
export { monthNames } from './languages.ts';

export type DayParts = { day: string; month: string; year: string };

/** Days and times are those of the school's time zone, and schools of this product are in India. */
export const localTimeZone = 'Asia/Kolkata';

/** A moment by the clock of India, "2026-11-28T00:12:…": five and a half hours ahead all year. */
const inIndia = (moment: Date) => new Date(moment.getTime() + 330 * 60_000).toISOString();

/** The school's day at a moment, YYYY-MM-DD. */
export const toLocalDate = (moment: Date): string => inIndia(moment).slice(0, 10);

/** The school's time at a moment, as "08:12". */
export const toLocalTime = (moment: Date): string => inIndia(moment).slice(11, 16);

/** A date as in ISO 8601 or as written in India, with any of the usual separators. */
export function readDay(value: string): DayParts | undefined {
  const typed = cleanCode(value);
  const iso = /^([0-9]{4}) ?[-/.] ?([0-9]{1,2}) ?[-/.] ?([0-9]{1,2})$/.exec(typed);
  const indian = /^([0-9]{1,2})(?: ?[-/.] ?|,? )([0-9]{1,2}|[A-Za-z]{3,9})(?: ?[-/.] ?|,? )([0-9]{4})$/.exec(typed);
  const found = iso ? [iso[3], iso[2], iso[1]] : indian?.slice(1);
  if (!found) return undefined;
  const [day = '', month = '', year = ''] = found;
  return { day: day.padStart(2, '0'), month: readMonth(month), year };
}

/** "3", "03" and "March" as 03; other text unchanged, for the rule to refuse. */
export function readMonth(value: string): string {
  const typed = cleanCode(value);
  const start = typed.toLowerCase().slice(0, 3);
  const number = dateMonths.en.findIndex((month) => month.toLowerCase() === start) + 1;
  if (number > 0) return String(number).padStart(2, '0');
  return /^[0-9]$/.test(typed) ? `0${typed}` : typed;
}

/** Whether a value is a calendar date as YYYY-MM-DD, from 1900 on. */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^(?:19|[2-9][0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}$/.test(value) &&
  new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true;

/** A calendar date, YYYY-MM-DD, as "21 Nov 2026"; without the year where it is that of `now`. No time zone is involved. */
export const showDate = (date: string, now = ''): string => showDay(date, 'en', now);
