import { expect, test } from 'vitest';
import { lockProblems, nextLock, readLock } from './migrations-lock.ts';

const sums = { a: 'a'.repeat(64), b: 'b'.repeat(64), c: 'c'.repeat(64) };
const lock = (values: Record<string, string>) => new Map(Object.entries(values));
const merged = lock({ '0001_a.sql': sums.a, '0002_b.sql': sums.b });

test('migrations as they were merged are accepted, with a new one in the lock', () => {
  const all = new Map([...merged, ['0003_c.sql', sums.c]]);
  expect(lockProblems({ lock: merged, merged, migrations: merged })).toEqual([]);
  expect(lockProblems({ lock: all, merged, migrations: all })).toEqual([]);
});

test('a merged migration that was changed or removed is refused, even with a new checksum in the lock', () => {
  const changed = new Map([...merged, ['0001_a.sql', sums.c]]);
  const refused = [expect.stringContaining('0001_a.sql was merged and is not as it was')];
  expect(lockProblems({ lock: merged, merged, migrations: changed })).toEqual(refused);
  expect(lockProblems({ lock: changed, merged, migrations: changed })).toEqual(refused);
  const removed = lock({ '0002_b.sql': sums.b });
  expect(lockProblems({ lock: removed, merged, migrations: removed })).toEqual(refused);
});

test('in a clone that does not know main, the lock alone finds a changed migration', () => {
  const changed = new Map([...merged, ['0001_a.sql', sums.c]]);
  expect(lockProblems({ lock: merged, merged: new Map(), migrations: changed })).toHaveLength(1);
});

test('a new migration is missing in the lock until npm run db:types adds it, and may change until it is merged', () => {
  const withNew = (checksum: string) => new Map([...merged, ['0003_c.sql', checksum]]);
  const stale = [expect.stringContaining('0003_c.sql. Run npm run db:types')];
  expect(lockProblems({ lock: merged, merged, migrations: withNew(sums.c) })).toEqual(stale);
  const written = readLock(nextLock(merged, withNew(sums.c)));
  expect(lockProblems({ lock: written, merged, migrations: withNew(sums.c) })).toEqual([]);
  expect(lockProblems({ lock: written, merged, migrations: withNew(sums.a) })).toEqual(stale);
  const again = readLock(nextLock(merged, withNew(sums.a)));
  expect(lockProblems({ lock: again, merged, migrations: withNew(sums.a) })).toEqual([]);
});

test('writing the lock does not accept a changed migration, and sorts its lines by name', () => {
  const changed = lock({ '0003_c.sql': sums.c, '0001_a.sql': sums.c, '0002_b.sql': sums.b });
  expect(nextLock(merged, changed)).toBe(`${sums.a}  0001_a.sql\n${sums.b}  0002_b.sql\n${sums.c}  0003_c.sql\n`);
});
