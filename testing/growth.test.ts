import { expect, test } from 'vitest';
import { growthOf } from './growth.ts';

// Steps are counted, not timed: a machine that is slow for a moment changes nothing.

let done = 0;
/** Work of this many steps for a size. */
const workOf = (steps: (size: number) => number) => (size: number) => () => {
  done += steps(size);
};
/** The steps of work, in thousands. */
async function stepsOf(run: () => unknown): Promise<number> {
  const before = done;
  await run();
  return (done - before) / 1000;
}
const growthOfSteps = (steps: (size: number) => number) => growthOf(workOf(steps), 60_000, 60, stepsOf);

test.each([10_000, 30_000])('a cost that rises fourfold once, at a size of %i, is no growth', async (size) => {
  expect(await growthOfSteps((n) => (n > size ? 40 : 10) * n)).toBeUndefined();
});

test('a cost that grows with the square, or with the power of one and a half, is found', async () => {
  expect(await growthOfSteps((n) => (n * n) / 200)).toContain('over');
  expect(await growthOfSteps((n) => 1.5 * n ** 1.5)).toContain('over');
});
