import { readDay } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';

const oneTime = /([0-9]{1,2})[:.]([0-9]{2})(?:[:.][0-9]{2})?(?:\.[0-9]{1,3})? ?(am|pm|a\.m\.|p\.m\.)?/gi;
/** What devices write between times: separators, and which way a person went. */
const between = /^(?:[ ,;|/()[\]-]|in|out)*$/i;

function timeOf([, hours = '', minutes = '', half]: RegExpMatchArray): string | undefined {
  const hour = Number(hours);
  if (Number(minutes) > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return undefined;
  const full = half ? (hour % 12) + (/^p/i.test(half) ? 12 : 0) : hour;
  return `${String(full).padStart(2, '0')}:${minutes}`;
}

/** The times of a cell, as 09:05; undefined where it holds anything else. */
export function readTimes(cell: string): string[] | undefined {
  const found = [...cell.matchAll(oneTime)].map(timeOf);
  if (!between.test(cell.replaceAll(oneTime, ' '))) return undefined;
  return found.every((time) => time !== undefined) ? found : undefined;
}

/** The day of a cell, as 2026-12-02; years may have two digits. */
export function readPunchDay(cell: string): string | undefined {
  const short = /^([0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ])([0-9]{2})$/.exec(cell.trim());
  const found = readDay(short ? `${short[1]}20${short[2]}` : cell);
  const day = found && `${found.year}-${found.month}-${found.day}`;
  return day && isRealDate(day) ? day : undefined;
}

/** A day and a time in one cell: 02/12/2026 9:05 PM, 2026-12-02T21:05:00. */
export function readMoment(cell: string): { day: string; time: string } | undefined {
  const parts = /^([^:T]{6,20})(?:T| ) ?([0-9]{1,2}[:.][0-9].*)$/.exec(cell.trim());
  const day = readPunchDay(parts?.[1] ?? '');
  const [time, another] = readTimes(parts?.[2] ?? '') ?? [];
  return day && time && !another ? { day, time } : undefined;
}
