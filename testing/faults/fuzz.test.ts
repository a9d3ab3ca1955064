import { expect, test } from 'vitest';
import { badRequests } from './fuzz.ts';
import { breachesOf } from './outcome.ts';

test('W1 W19 F4 F5 F6 E6 a thousand bad requests over every operation: no 5xx, no hang, no word of the inside', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const outcome = await badRequests(1000, seed);
  expect(breachesOf(outcome).slice(0, 10), `seed ${seed}`).toEqual([]);
  expect(outcome.runs).toBe(1000);
});
