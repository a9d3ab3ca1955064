import { expect, test } from 'vitest';
import { overload, slowClients, stopDespite, stopInFlight } from './load.ts';
import { breachesOf } from './outcome.ts';

test('J12 four times the load it holds: refused early with Retry-After or done, and nothing lost', async () => {
  const outcome = await overload(4);
  expect(breachesOf(outcome)).toEqual([]);
  expect(outcome.acknowledged).toBeGreaterThan(50);
});

test('J13 told to stop, the server finishes what is under way, begins nothing new and ends with 0', async () => {
  expect(breachesOf(await stopInFlight(1))).toEqual([]);
});

// These wait for limits of ten and twenty seconds, so they wait together.
test.concurrent('J11 two hundred clients that hardly send are shed, and families go on meanwhile', async () => {
  const outcome = await slowClients(200);
  expect(breachesOf(outcome)).toEqual([]);
  expect(outcome.acknowledged).toBeGreaterThan(10);
});

test.concurrent('J13 what never ends is given up after twenty seconds', async () => {
  expect(breachesOf(await stopDespite(1))).toEqual([]);
});

test.concurrent('J13 a second signal ends the server at once', async () => {
  expect(breachesOf(await stopDespite(2))).toEqual([]);
});
