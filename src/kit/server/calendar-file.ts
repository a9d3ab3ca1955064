import { addDays } from '#kit/server/day.ts';

/** Whole days, or a time between two moments. */
export type EntryTime = { from: string; to: string } | { starts: Date; ends: Date };

export interface CalendarEntry {
  /** The same as long as it is the same matter, and no other entry's. */
  key: string;
  title: string;
  details?: string;
  place?: string;
  when: EntryTime;
}

interface CalendarFile {
  name: string;
  /** The host of the program, which makes the keys unique in the world. */
  host: string;
  now: Date;
  entries: readonly CalendarEntry[];
}

const escaped = (value: string): string =>
  value
    .toWellFormed()
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r?\n/g, '\\n')
    .replace(/\p{Cc}/gu, '');

const mostBytes = 75;

/** A line in pieces of at most 75 bytes; each further piece begins with a blank. */
function folded(line: string): string {
  let [whole, bytes] = ['', 0];
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (bytes + size > mostBytes) [whole, bytes] = [`${whole}\r\n `, 1];
    [whole, bytes] = [whole + letter, bytes + size];
  }
  return whole;
}

const ofDay = (day: string) => day.replaceAll('-', '');
const ofMoment = (moment: Date) => `${moment.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

/** The last day of an entry is the first that is not part of it. Whole days don't make their reader busy. */
const linesOf = (when: EntryTime): string[] =>
  'from' in when
    ? [`DTSTART;VALUE=DATE:${ofDay(when.from)}`, `DTEND;VALUE=DATE:${ofDay(addDays(when.to, 1))}`, 'TRANSP:TRANSPARENT']
    : [`DTSTART:${ofMoment(when.starts)}`, `DTEND:${ofMoment(when.ends)}`];

/** An iCalendar (RFC 5545) that a calendar program reads again every few hours. */
export function calendarFile({ name, host, now, entries }: CalendarFile): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Shala//Calendar//EN',
    'METHOD:PUBLISH',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT4H',
    'X-PUBLISHED-TTL:PT4H',
    ...entries.flatMap(({ key, title, details = '', place = '', when }) => [
      'BEGIN:VEVENT',
      `UID:${key}@${host}`,
      `DTSTAMP:${ofMoment(now)}`,
      ...linesOf(when),
      `SUMMARY:${escaped(title)}`,
      ...(details ? [`DESCRIPTION:${escaped(details)}`] : []),
      ...(place ? [`LOCATION:${escaped(place)}`] : []),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}
