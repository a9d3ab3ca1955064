import { expect, test } from 'vitest';
import { readDate } from './read-date.ts';

test.each([
  '21-11-2026',
  '21/11/2026',
  '21.11.2026',
  '21 11 2026',
  '21 Nov 2026',
  '21 nov 2026',
  '21 November 2026',
  '21-Nov-2026',
  ' 21  Nov, 2026 ',
  '2026-11-21',
])('a date typed as "%s" is 21 November 2026', (typed) => {
  expect(readDate(typed)).toBe('2026-11-21');
});

test('the day comes first, and a single digit is enough', () => {
  expect(readDate('2/3/2026')).toBe('2026-03-02');
});

test.each([
  '',
  '21',
  '21-11',
  '21-11-26',
  '31-02-2026',
  '11-21-2026',
  '21 Nowhere 2026',
  'Nov 21 2026',
  '21 Nov 2026 x',
])('"%s" is no date', (typed) => {
  expect(readDate(typed)).toBeUndefined();
});
