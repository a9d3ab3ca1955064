import { expect, test } from 'vitest';
import { slowClients, stopDespite } from './load.ts';
import { breachesOf } from './outcome.ts';

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
