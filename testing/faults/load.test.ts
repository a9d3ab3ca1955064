import { expect, test } from 'vitest';
import { stopInFlight } from './load.ts';
import { breachesOf } from './outcome.ts';

test('J13 told to stop, the server finishes what is under way, begins nothing new and ends with 0', async () => {
  expect(breachesOf(await stopInFlight(1))).toEqual([]);
});
