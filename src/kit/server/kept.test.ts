import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openKept } from './kept.ts';

/** Reads numbers that rise with each read. */
function counting() {
  let reads = 0;
  return async () => ++reads;
}

test('a slow answer is kept, and never given to another account', async () => {
  const kept = openKept({ slow: 0 });
  const read = counting();
  expect(await kept.read(1, 'students', read)).toBe(1);
  expect(await kept.read(1, 'students', read)).toBe(1);
  expect(await kept.read(1, 'girls', read)).toBe(2);
  expect(await kept.read(2, 'students', read)).toBe(3);
});

test('a quick answer is read each time', async () => {
  const kept = openKept({ slow: Number.POSITIVE_INFINITY });
  const read = counting();
  await kept.read(1, 'students', read);
  expect(await kept.read(1, 'students', read)).toBe(2);
});

test('an answer is read again after its time, and after an act of its account', async () => {
  const kept = openKept({ slow: 0, keptFor: 1 });
  const read = counting();
  await kept.read(1, 'students', read);
  await wait(2);
  expect(await kept.read(1, 'students', read)).toBe(2);

  const long = openKept({ slow: 0 });
  await long.read(1, 'students', read);
  long.forget(1);
  expect(await long.read(1, 'students', read)).toBe(4);
});

test('an answer that was being read during an act of its account is not kept', async () => {
  const kept = openKept({ slow: 0 });
  const read = counting();
  const held = Promise.withResolvers<void>();
  const before = kept.read(1, 'students', async () => {
    await held.promise;
    return read();
  });
  kept.forget(1);
  held.resolve();
  expect(await before).toBe(1);
  expect(await kept.read(1, 'students', read)).toBe(2);
});

test('a read that fails keeps nothing', async () => {
  const kept = openKept({ slow: 0 });
  await expect(kept.read(1, 'students', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await kept.read(1, 'students', counting())).toBe(1);
});

test('a thousand accounts have kept answers at most', async () => {
  const kept = openKept({ slow: 0 });
  const read = counting();
  for (let account = 0; account <= 1000; account++) await kept.read(account, 'students', read);
  expect(await kept.read(1000, 'students', read)).toBe(1001);
  expect(await kept.read(0, 'students', read)).toBe(1002);
});
