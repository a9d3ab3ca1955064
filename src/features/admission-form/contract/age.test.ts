import { expect, test } from 'vitest';
import { ageOn } from '#kit/contract/age.ts';
import { isYoungFor } from './age.ts';

const grade1 = { years: 6, on: '2026-06-01' };

test('B30 a child of 5 years 11 months on 1 June is young for Grade 1, one whose sixth birthday that is is not', () => {
  expect(isYoungFor('2020-07-01', grade1)).toBe(true);
  expect(isYoungFor('2020-06-02', grade1)).toBe(true);
  expect(isYoungFor('2020-06-01', grade1)).toBe(false);
  expect(isYoungFor('2019-01-01', grade1)).toBe(false);
});

test('an age is whole years and months, also for a child of 29 February, and nothing for half a date', () => {
  expect(ageOn('2020-03-12', '2026-06-01')).toEqual({ years: 6, months: 2 });
  expect(ageOn('2020-06-02', '2026-06-01')).toEqual({ years: 5, months: 11 });
  expect(ageOn('2020-02-29', '2026-02-28')).toEqual({ years: 5, months: 11 });
  expect(ageOn('2020--', '2026-06-01')).toBeUndefined();
  expect(ageOn('2027-01-01', '2026-06-01')).toBeUndefined();
});
