import { expect, test } from 'vitest';
import { type CalendarEntry, calendarFile } from './calendar-file.ts';

const now = new Date('2026-12-03T05:30:07.250Z');
const written = (...entries: CalendarEntry[]) =>
  calendarFile({ name: 'Shala, Rajkot', host: 'school.example', now, entries });
const day: CalendarEntry = { key: 'a-1', title: 'A: Maths due', when: { from: '2026-12-31', to: '2026-12-31' } };

test('FM25 whole days end before the day after, and times are in UTC', () => {
  const lines = written(day, {
    key: 'b-2',
    title: 'Meeting',
    place: 'Room 4',
    when: { starts: new Date('2026-12-05T15:00:00+05:30'), ends: new Date('2026-12-05T15:10:00+05:30') },
  });
  expect(lines).toBe(
    `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Shala//Calendar//EN
METHOD:PUBLISH
NAME:Shala\\, Rajkot
X-WR-CALNAME:Shala\\, Rajkot
REFRESH-INTERVAL;VALUE=DURATION:PT4H
X-PUBLISHED-TTL:PT4H
BEGIN:VEVENT
UID:a-1@school.example
DTSTAMP:20261203T053007Z
DTSTART;VALUE=DATE:20261231
DTEND;VALUE=DATE:20270101
TRANSP:TRANSPARENT
SUMMARY:A: Maths due
END:VEVENT
BEGIN:VEVENT
UID:b-2@school.example
DTSTAMP:20261203T053007Z
DTSTART:20261205T093000Z
DTEND:20261205T094000Z
SUMMARY:Meeting
LOCATION:Room 4
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n'),
  );
});

test('FM25 a text with signs of the format, line breaks and half a letter is written so that it is read as it was', () => {
  const lines = written({ ...day, title: 'a,b;c\\d\ne\r\nf\u0007g\ud83d' });
  expect(lines).toContain('SUMMARY:a\\,b\\;c\\\\d\\ne\\nfg\ufffd\r\n');
});

test('FM25 a line has at most 75 bytes, and is broken between letters', () => {
  const title = 'ગણિત 😀 '.repeat(40).trim();
  const lines = written({ ...day, title }).split('\r\n');
  const bytes = lines.map((line) => Buffer.byteLength(line));
  expect(Math.max(...bytes)).toBeLessThanOrEqual(75);
  expect(Math.max(...bytes)).toBeGreaterThan(70);
  expect(lines.join('\r\n')).not.toContain('\ufffd');
  const whole = lines.join('\r\n').replaceAll('\r\n ', '');
  expect(whole).toContain(`SUMMARY:${title}\r\n`);
});
