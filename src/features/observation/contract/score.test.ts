import { expect, test } from 'vitest';
import { scoreOf, showScore } from './score.ts';

const five = [2000, 3000, 2000, 2000, 1000];
const score = (weights: readonly number[], points: readonly (readonly (number | null)[])[]) =>
  showScore(
    scoreOf(
      weights.map((weight, place) => ({
        weight,
        points: (points[place] ?? []).map((point) => (point === null ? null : Math.round(point * 100))),
      })),
    ),
  );

test.each([
  [five, [[3, 3], [3, 3, 3], [3], [3], [3]], '3.00'],
  [five, [[3, 4], [2, 3, 3], [4], [null], [0]], '2.88'],
  [five, [[3, 4], [2, 3, 3], [4], [null], [null]], '3.29'],
  [five, [[4, 4], [4, 4, 0], [4], [4], [4]], '3.60'],
  [five, [[4, 4], [4, 4, 1], [4], [4], [4]], '3.70'],
  [five, [[4, 4], [4, 4, null], [4], [4], [4]], '4.00'],
  [[3000, 5500, 1500], [[2, 2, 3], [3], [2, 3]], '2.73'],
  [
    [3333, 3333, 3334],
    [
      [1, 2],
      [2, 2, 3],
      [4, 4, 3],
    ],
    '2.50',
  ],
  [five, [[0], [null], [], [], []], '0.00'],
  [five, [[null], [], [], [], []], ''],
  [[2000, 8000], [[2.5], [3.5, 3]], '3.10'],
] as const)('H3.4 weights %j with ratings %j score %s', (weights, points, expected) => {
  expect(score(weights, points)).toBe(expected);
});

test('H3.4 the order of ratings and those not observed do not change a score', () => {
  const points = [[1, 2, 3], [4, 0], [2]];
  const same = points.map((domain) => [null, ...domain.toReversed(), null]);
  expect(score([3333, 3333, 3334], same)).toBe(score([3333, 3333, 3334], points));
});
