import { expect, test } from 'vitest';
import { lacksYear, readDate, type Toward } from './read-date.ts';

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
  '21112026',
  '२१११२०२६',
])('a date typed as "%s" is 21 November 2026', (typed) => {
  expect(readDate(typed)).toBe('2026-11-21');
});

test('the day comes first, and a single digit is enough', () => {
  expect(readDate('2/3/2026')).toBe('2026-03-02');
});

test.each([
  '',
  '21',
  '2111',
  '20261121',
  '20121015',
  '32012026',
  '32/1',
  'su',
  '31-02-2026',
  '11-21-2026',
  '21 Nowhere 2026',
  'Nov 21 2026',
  '21 Nov 2026 x',
])('"%s" is no date', (typed) => {
  expect(readDate(typed)).toBeUndefined();
});

const thursday = '2026-11-26';

test.each<[string, Toward, string]>([
  ['29/11', 'future', '2026-11-29'],
  ['26/11', 'future', '2026-11-26'],
  ['25/11', 'future', '2027-11-25'],
  ['30 nov', 'future', '2026-11-30'],
  ['30nov', 'future', '2026-11-30'],
  ['29-11-26', 'future', '2026-11-29'],
  ['29/2', 'future', '2028-02-29'],
  ['+3', 'future', '2026-11-29'],
  ['-2', 'future', '2026-11-24'],
  ['today', 'future', '2026-11-26'],
  ['tomorrow', 'future', '2026-11-27'],
  ['yesterday', 'near', '2026-11-25'],
  ['sun', 'future', '2026-11-29'],
  ['Thursday', 'future', '2026-12-03'],
  ['thu', 'past', '2026-11-19'],
  ['wed', 'past', '2026-11-25'],
  ['25/11', 'past', '2026-11-25'],
  ['27/11', 'past', '2025-11-27'],
  ['29/2', 'past', '2024-02-29'],
  ['1/1', 'near', '2027-01-01'],
  ['1/11', 'near', '2026-11-01'],
  ['૨૯/૧૧', 'future', '2026-11-29'],
  ['२९/११', 'future', '2026-11-29'],
  ['5-1-20', 'birth', '2020-01-05'],
  ['5-1-88', 'birth', '1988-01-05'],
])('on 26 November 2026 "%s" toward the %s is %s', (typed, toward, date) => {
  expect(readDate(typed, { today: thursday, toward })).toBe(date);
});

test.each<[string, string, Toward, string]>([
  ['29/2', '2028-02-28', 'future', '2028-02-29'],
  ['1/3', '2028-02-28', 'future', '2028-03-01'],
  ['+2', '2028-02-28', 'future', '2028-03-01'],
  ['31/12', '2027-01-01', 'past', '2026-12-31'],
  ['31/12', '2027-01-01', 'near', '2026-12-31'],
  ['yesterday', '2027-01-01', 'past', '2026-12-31'],
])('"%s" on %s toward the %s is %s', (typed, today, toward, date) => {
  expect(readDate(typed, { today, toward })).toBe(date);
});

test.each(['29/11', '30 nov', 'tomorrow', '+3', 'sun'])('a birth is not read from "%s"', (typed) => {
  expect(readDate(typed, { today: thursday, toward: 'birth' })).toBeUndefined();
});

test('only a day and month without a year lack the year', () => {
  expect(['29/11', '30 nov', '29-11-26', '31/2', 'tomorrow', '29'].map(lacksYear)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
