import { describe, expect, test } from 'vitest';
import { financialYearOf, formatNumber, type NumberForm, patternProblem } from './numbering.ts';
import { english } from './text.ts';

const years = { academicYear: '2026-27', financialYear: '2027-28' };
const form = (values: Partial<NumberForm>): NumberForm => ({
  prefix: 'REC',
  pattern: '{prefix}/{FY}/{seq:5}',
  resetOn: 'never',
  ...values,
});

test.each([
  ['{prefix}/{AY}/{seq:5}', 42, 'REC/2026-27/00042'],
  ['{prefix}/{FY}/{seq:5}', 100_000, 'REC/2027-28/100000'],
  ['{seq}', 7, '7'],
  ['TC {seq:3} of {AY}', 1, 'TC 001 of 2026-27'],
])('%s with %d reads %s', (pattern, value, number) => {
  expect(formatNumber(form({ pattern }), years, value)).toBe(number);
});

test('a prefix stays as it is, whatever is in it', () => {
  expect(formatNumber({ prefix: '{seq}$&', pattern: '{prefix}-{seq}' }, years, 1)).toBe('{seq}$&-1');
});

describe('a pattern is refused', () => {
  const part = 'Use only {prefix}, {FY}, {AY} and {seq}; {seq} can have 1 to 9 digits, as in {seq:5}.';
  const characters = 'Between the parts, use only letters, digits, spaces and / - . _';
  const seq = 'Use {seq} exactly once.';
  const academicYear = 'Add {AY}, or numbers would repeat each year.';
  const financialYear = 'Add {FY}, or numbers would repeat each year.';
  const long = 'A number could be longer than 30 characters. Shorten the pattern or prefix.';
  test.each([
    ['an unknown part', { pattern: '{prefix}/{YEAR}/{seq}' }, part],
    ['ten digits', { pattern: '{seq:10}' }, part],
    ['digits of a year', { pattern: '{FY:2}/{seq}' }, part],
    ['half a brace', { pattern: '{seq}}' }, part],
    ['a character that no number should have', { pattern: '{seq}=1' }, characters],
    ['no count', { pattern: '{prefix}/{FY}' }, seq],
    ['two counts', { pattern: '{seq}/{seq:5}' }, seq],
    ['a reset each academic year that it does not name', { resetOn: 'academicYear' as const }, academicYear],
    [
      'a reset each financial year that it does not name',
      { resetOn: 'financialYear' as const, pattern: '{AY}/{seq}' },
      financialYear,
    ],
    ['numbers of 31 characters', { prefix: 'ABCDEFGHIJKLMN', pattern: '{prefix}/{AY}/{seq:6}' }, long],
  ])('for %s', (_what, values, message) => {
    const problem = patternProblem(form(values));
    expect(problem && english(problem)).toBe(message);
  });

  test('and not for numbers of 30 characters', () => {
    expect(patternProblem(form({ prefix: 'ABCDEFGHIJKLM', pattern: '{prefix}{AY}/{seq:7}' }))).toBeUndefined();
    expect(patternProblem(form({ prefix: 'ABCDEFGHIJKL', pattern: '{prefix}/{AY}/{seq:5}' }))).toBeUndefined();
  });
});

test.each([
  ['2027-03-31', 4, '2026-27'],
  ['2027-04-01', 4, '2027-28'],
  ['2099-12-31', 4, '2099-00'],
  ['2027-01-01', 1, '2027'],
])('the day %s lies, where years begin in month %d, in %s', (day, month, name) => {
  expect(financialYearOf(day, month)).toBe(name);
});
