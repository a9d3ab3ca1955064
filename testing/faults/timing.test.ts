import { expect, test } from 'vitest';
import { knownAndUnknown } from './timing.ts';

test('A9 W18 somebody known and nobody are answered alike, whatever is asked at the sign-in', async () => {
  const { breaches, runs } = await knownAndUnknown(5);
  expect(runs).toBe(110);
  // Times are compared in the long run, since machines are shared; which statements are made, beside each operation.
  expect(breaches.filter((breach) => !breach.endsWith('ms apart'))).toEqual([]);
});
