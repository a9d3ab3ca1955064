import { expect, test } from 'vitest';
import { growthOf } from './growth.ts';

/** Work of this many steps for a size. */
const workOf = (steps: (size: number) => number) => (size: number) => () => {
  let sum = 0;
  for (let left = steps(size); left > 0; left--) sum = (sum + Math.sqrt(left)) % 1000;
  return sum;
};

test.each([10_000, 30_000])('a cost that rises fourfold once, at a size of %i, is no growth', async (size) => {
  expect(await growthOf(workOf((n) => (n > size ? 40 : 10) * n))).toBeUndefined();
});

test('a cost that grows with the square, or with the power of one and a half, is found', async () => {
  expect(await growthOf(workOf((n) => (n * n) / 200))).toContain('over');
  expect(await growthOf(workOf((n) => 1.5 * n ** 1.5))).toContain('over');
});
