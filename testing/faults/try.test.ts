import { expect, test } from 'vitest';
import { badRequests } from './fuzz.ts';

test('x', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const outcome = await badRequests(12000, seed);
  console.log(seed, outcome.breaches.slice(0, 20), outcome.worstFirstAnswer);
  expect(outcome.breaches).toEqual([]);
}, 300_000);
