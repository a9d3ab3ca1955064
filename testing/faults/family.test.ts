import { expect, test } from 'vitest';
import { diskFull } from './disk.ts';
import { senderHangs, submitAgainstRemoval, submitTogether } from './family.ts';
import { breachesOf } from './outcome.ts';

test('K5 of twenty submits at once through two servers one is made', async () => {
  expect(breachesOf(await submitTogether(1))).toEqual([]);
});

test('K5 C8 a submit against the removal of a document it needs: one wins, nothing is half done', async () => {
  expect(breachesOf(await submitAgainstRemoval(4))).toEqual([]);
});

test('J16 while the sender of messages hangs, saves, the submission and new links are answered within three seconds', async () => {
  expect(breachesOf(await senderHangs(1))).toEqual([]);
});

test('J8 with store and temporary folder full, uploads are refused in clear words, all else goes on, and room heals it', async () => {
  expect(breachesOf(await diskFull(1))).toEqual([]);
});
