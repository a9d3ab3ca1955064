import { type DayParts, monthNames, readDay, readMonth } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import { cleanCode } from '#kit/contract/typed.ts';
import { today as todayHere } from './show.ts';

/**
 * Which day is meant where the year, or the week, is not typed: the next one, the last one or the nearest. A birth has
 * its year.
 */
export type Toward = 'future' | 'past' | 'near' | 'birth';

interface Reading {
  /** Today's date, YYYY-MM-DD. */
  today?: string;
  toward?: Toward;
}

const months = monthNames.map((name) => name.toLowerCase());
const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const relative: Record<string, number> = { today: 0, tomorrow: 1, yesterday: -1 };

const dayAndMonth = /^([0-9]{1,2})(?: ?[-/.] ?|,? |(?=[a-z]))([0-9]{1,2}|[a-z]{3,9})(?:(?: ?[-/.] ?|,? )([0-9]{2}))?$/;

/**
 * Parses a typed date to YYYY-MM-DD: "21-11-2026", "21112026", "29/11", "30 nov", "tomorrow", "+3" or "sat"; day first unless the
 * year comes first. Undefined where it is not a date.
 */
export function readDate(typed: string, { today = todayHere(), toward = 'near' }: Reading = {}): string | undefined {
  const words = cleanCode(typed)
    .replace(/\s+/g, ' ')
    .replace(',', '')
    .replace(/^([0-9]{2})([0-9]{2})((?:19|20)[0-9]{2})$/, '$1-$2-$3')
    .toLowerCase();
  const whole = readDay(words);
  if (whole) return dateOf(whole, words);
  return (toward === 'birth' ? undefined : readRelative(words, today, toward)) ?? readShort(words, today, toward);
}

/** Whether only the year is missing, as in "29/11". */
export function lacksYear(typed: string): boolean {
  const words = cleanCode(typed).toLowerCase();
  return dayAndMonth.exec(words)?.[3] === undefined && readShort(words, '2024-01-01', 'future') !== undefined;
}

function dateOf({ day, month, year }: DayParts, words: string): string | undefined {
  const word = /[a-z]{3,}/.exec(words)?.[0];
  if (word && !months.some((name) => name.startsWith(word) || word === 'sept')) return undefined;
  const date = `${year}-${month}-${day}`;
  return isRealDate(date) ? date : undefined;
}

/** "today", "+3", "-2" and the days of the week: the next one, or the last one in the past; never today. */
function readRelative(words: string, today: string, toward: Toward): string | undefined {
  const days = /^([+-])([0-9]{1,3})$/.exec(words);
  if (days) return addDays(today, Number(`${days[1]}${days[2]}`));
  if (!/^[a-z]{3,}$/.test(words)) return undefined;
  const near = Object.keys(relative).find((word) => word.startsWith(words));
  if (near) return addDays(today, relative[near] ?? 0);
  const weekday = weekdays.findIndex((name) => name.startsWith(words));
  if (weekday === -1) return undefined;
  const ahead = (weekday - dayOf(today).getUTCDay() + 7) % 7 || 7;
  return addDays(today, toward === 'past' ? ahead - 7 || -7 : ahead);
}

/** A day and month without a year, or with its last two digits. */
function readShort(words: string, today: string, toward: Toward): string | undefined {
  const [, day = '', month = '', short] = dayAndMonth.exec(words) ?? [];
  if (!day) return undefined;
  const on = (year: number) =>
    dateOf({ day: day.padStart(2, '0'), month: readMonth(month), year: String(year) }, words);
  if (short) {
    const date = on(2000 + Number(short));
    return toward === 'birth' && date && date > today ? on(1900 + Number(short)) : date;
  }
  if (toward === 'birth') return undefined;
  const now = Number(today.slice(0, 4));
  // 29 February is at most eight years away.
  const dates = Array.from({ length: 17 }, (_, index) => on(now - 8 + index)).filter((date) => date !== undefined);
  if (toward === 'future') return dates.find((date) => date >= today);
  if (toward === 'past') return dates.findLast((date) => date <= today);
  const away = (date: string) => Math.abs(dayOf(date).getTime() - dayOf(today).getTime());
  return dates.toSorted((one, other) => away(one) - away(other))[0];
}

const dayOf = (date: string) => new Date(`${date}T00:00:00Z`);

/** The date so many days later. */
export function addDays(date: string, days: number): string {
  const day = dayOf(date);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}
