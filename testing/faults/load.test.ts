import { expect, test } from 'vitest';
import { overload, stopInFlight } from './load.ts';
import { breachesOf } from './outcome.ts';

test('J12 four times the load it holds: refused early with Retry-After or done, and nothing lost', async () => {
  const outcome = await overload(4);
  expect(breachesOf(outcome)).toEqual([]);
  expect(outcome.acknowledged).toBeGreaterThan(50);
});

test('J13 told to stop, the server finishes what is under way, begins nothing new and ends with 0', async () => {
  expect(breachesOf(await stopInFlight(1))).toEqual([]);
});
