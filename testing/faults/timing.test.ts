import { expect, test } from 'vitest';
import { knownAndUnknown } from './timing.ts';

test('A9 somebody known and nobody are answered alike, by password, code and link, and in about the same time', async () => {
  const { breaches, runs } = await knownAndUnknown(15);
  expect(runs).toBe(150);
  // Times are judged in the long run, since machines are shared: here only what is plainly apart is told.
  expect(breaches.filter((breach) => !breach.endsWith('ms apart') || Number(/[\d.]+/.exec(breach)) > 30)).toEqual([]);
});
