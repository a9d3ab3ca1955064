import { readDay } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';

const oneTime = /([0-9]{1,2})[:.]([0-9]{2})(?:[:.][0-9]{2})?(?: ?([ap])m)?/gi;
/** What devices write between times: separators, and which way a person went. */
const between = /^(?:[ ,;|/()[\]-]|in|out)*$/i;

function timeOf([, hours = '', minutes = '', half]: RegExpMatchArray): string | undefined {
  const hour = Number(hours);
  if (Number(minutes) > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return undefined;
  const full = half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour;
  return `${String(full).padStart(2, '0')}:${minutes}`;
}

/** The times of a cell, as 09:05; undefined where it holds anything else. */
export function readTimes(cell: string): string[] | undefined {
  const typed = cell.replaceAll('.m.', 'm').replaceAll('.M.', 'm');
  const found = [...typed.matchAll(oneTime)].map(timeOf);
  if (!between.test(typed.replaceAll(oneTime, ' '))) return undefined;
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
  const at = cell.search(/[0-9]{1,2}:[0-9]{2}/);
  if (at < 1) return undefined;
  const before = cell.slice(0, at).trim();
  const day = readPunchDay(before.endsWith('T') ? before.slice(0, -1) : before);
  const [time, another] = readTimes(cell.slice(at)) ?? [];
  return day && time && !another ? { day, time } : undefined;
}
