import { expect, test } from 'vitest';
import { diskFull } from './disk.ts';
import { submitTogether } from './family.ts';
import { breachesOf } from './outcome.ts';

test('K5 of twenty submits at once through two servers one is made', async () => {
  expect(breachesOf(await submitTogether(1))).toEqual([]);
});

test('J8 with store and temporary folder full, uploads are refused in clear words, all else goes on, and room heals it', async () => {
  expect(breachesOf(await diskFull(1))).toEqual([]);
});
