import { expect, test } from 'vitest';
import { lastTaken, markOf, monthRows, weekdayOf } from './family-month.ts';

test('a month is in weeks from Monday, and two halves make a half day', () => {
  expect(monthRows('2026-11-26')[0]).toEqual(['', '', '', '', '', '', '2026-11-01']);
  expect(monthRows('2026-11-26')).toHaveLength(6);
  expect(monthRows('2027-02-01')).toHaveLength(4);
  const day = (...kinds: string[]) => markOf(kinds.map((kind) => ({ kind })));
  expect([day(), day(''), day('On duty'), day('Present', 'Absent'), day('Absent', 'Absent'), day('Late', '')]).toEqual([
    'Open',
    'Open',
    'Present',
    'Half day',
    'Absent',
    'Late',
  ]);
  expect([weekdayOf('2026-11-16'), weekdayOf('2026-11-22')]).toEqual([0, 6]);
});

test('of a day with two registers the later one says whether the child is at school', () => {
  const half = (number: number, kind: string) => ({ half: number, kind });
  expect(lastTaken([half(2, 'Absent'), half(1, 'Present')])?.kind).toBe('Absent');
  expect(lastTaken([half(1, 'Absent'), half(2, '')])?.kind).toBe('Absent');
  expect(lastTaken([half(1, ''), half(2, '')])).toBeUndefined();
});
