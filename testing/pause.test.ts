import { expect, test } from 'vitest';
import { pauseGrowth } from './pause.ts';

/** Work of this many steps, in as many parts between which the event loop turns. */
const workOf = (steps: number, parts: number) => async () => {
  let sum = 0;
  for (let part = 0; part < parts; part++) {
    for (let left = steps / parts; left > 0; left--) sum = (sum + Math.sqrt(left)) % 1000;
    await new Promise((done) => setImmediate(done));
  }
  return sum;
};

test('a pause that grows with the square of the size is found, one that grows with the size is not', async () => {
  // Long enough that the clock's steps of some milliseconds do not count.
  expect(await pauseGrowth(workOf(120_000_000, 1), workOf(1_200_000, 1))).toContain('stops the event loop');
  expect(await pauseGrowth(workOf(24_000_000, 1), workOf(2_400_000, 1))).toBeUndefined();
});

test('work in parts is no pause, however much it is', async () => {
  expect(await pauseGrowth(workOf(24_000_000, 100), workOf(1, 1))).toBeUndefined();
});
