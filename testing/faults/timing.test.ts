import { expect, test } from 'vitest';
import { breachesOf } from './outcome.ts';
import { knownAndUnknown } from './timing.ts';

// `npm run soak` compares times; the tests of each operation compare statements.
test('A9 W18 somebody known and nobody are answered alike, whatever is asked at the sign-in', async () => {
  const outcome = await knownAndUnknown(1);
  expect(outcome.runs).toBe(22);
  expect(breachesOf(outcome)).toEqual([]);
});
