import { expect, test } from 'vitest';
import { megabyte } from '#kit/contract/uploads.ts';
import { homeworkFile as rule } from '../contract/file.ts';
import { homeworkMessages } from '../contract/words.ts';
import { takeFiles } from './take-files.ts';

const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]);
const photo = (name: string, size: number) =>
  new File([jpeg, new Uint8Array(size - jpeg.length)], name, { type: 'image/jpeg' });
/** As the worker draws a picture again. */
const smaller = async (file: File, { maxBytes }: { maxBytes: number }) => photo(file.name, maxBytes - 1000);

test('FM15 of ten photos of 4 MB five are taken, each below 1 MB, and the others are named', async () => {
  const photos = Array.from({ length: 10 }, (_, place) => photo(`${place + 1}.jpg`, 4 * megabyte));
  const { taken, refused } = await takeFiles(photos, { rule, room: 5, smaller });
  expect(taken.map(({ name }) => name)).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg']);
  expect(taken.every(({ size }) => size < megabyte)).toBe(true);
  expect(refused.map(({ name }) => name)).toEqual(['6.jpg', '7.jpg', '8.jpg', '9.jpg', '10.jpg']);
  expect(refused.every(({ reason }) => reason === homeworkMessages.files)).toBe(true);
});

test('FM15 a file of another kind, and a photo that can’t be made smaller, are refused, and those after them taken', async () => {
  const chosen = [
    new File(['hello'], 'notes.txt'),
    photo('large.jpg', 9 * megabyte),
    photo('small.jpg', 20_000),
    photo('board.jpg', 3 * megabyte),
  ];
  const { taken, refused } = await takeFiles(chosen, { rule, room: 5, smaller: async () => undefined });
  expect(taken.map(({ name, size }) => [name, size])).toEqual([
    ['small.jpg', 20_000],
    ['board.jpg', 3 * megabyte],
  ]);
  expect(refused).toEqual([
    { name: 'notes.txt', reason: rule.wrongType },
    { name: 'large.jpg', reason: rule.tooLarge },
  ]);
});
