import { expect, test } from 'vitest';
import { flipOf, linesOf } from './plan-flips.ts';

test('a statement whose kept plan is slow is a flip; a slow first run and one slow run are not', () => {
  expect(flipOf([40, 5, 5, 6, 5, 230, 232, 231, 240, 235])).toEqual({ before: 5, after: 230 });
  expect(flipOf([40, 5, 5, 6, 5, 5, 5, 90, 5, 6])).toBeUndefined();
  expect(flipOf([0.4, 0.2, 0.2, 0.2, 0.2, 1, 1, 1, 1, 1])).toBeUndefined();
});

test('flips are listed by what they cost, each on one line of its own', () => {
  const flip = { page: 'Staff list', statement: 'select\n  1', before: 5, after: 10 };
  const lines = linesOf([flip, { ...flip, page: 'Export', after: 200 }]).split('\n');
  expect(lines.map((line) => line.trim())).toEqual([
    '5.0 -> 200.0 ms  Export',
    'select 1',
    '5.0 -> 10.0 ms  Staff list',
    'select 1',
    '',
  ]);
});
