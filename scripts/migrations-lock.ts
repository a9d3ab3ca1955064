// Checks that merged migrations are unchanged: database/migrations.lock has the checksum of each. `npm run db:types`
// writes those of new migrations.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrations } from '../src/kit/server/database/migrations.ts';
import { git, mergedCommit } from './merged.ts';

const path = 'database/migrations.lock';
const file = join(import.meta.dirname, '..', path);

/** Checksums by the names of migrations. */
export type Lock = ReadonlyMap<string, string>;

/** Reads the lines of sha256sum. */
export const readLock = (text: string): Lock =>
  new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [checksum = '', name = ''] = line.split('  ');
        return [name, checksum];
      }),
  );

const linesOf = (lock: Lock) =>
  [...lock]
    .map(([name, checksum]) => `${checksum}  ${name}\n`)
    .sort((line, other) => (line.slice(66) < other.slice(66) ? -1 : 1))
    .join('');

/** The lock with every migration of the folder; merged lines stay as they are. */
export const nextLock = (merged: Lock, migrations: Lock): string => linesOf(new Map([...migrations, ...merged]));

/** Compares the migrations with the lock, and the lock with that of main. */
export function lockProblems({ lock, merged, migrations }: { lock: Lock; merged: Lock; migrations: Lock }): string[] {
  const restore = 'Restore it, and correct it with a new migration.';
  const isMerged = (name: string) => merged.has(name);
  const changed = (name: string) => `database/migrations/${name} was merged and is not as it was. ${restore}`;
  const stale = (name: string) => `${path} is stale for ${name}. Run npm run db:types.`;
  const names = [...new Set([...merged.keys(), ...lock.keys(), ...migrations.keys()])].sort();
  return names.flatMap((name) => {
    const expected = merged.get(name) ?? lock.get(name);
    if (expected === migrations.get(name) && expected === lock.get(name)) return [];
    return expected !== migrations.get(name) && isMerged(name) ? [changed(name)] : [stale(name)];
  });
}

const lockOfFolder = (): Lock => new Map(readMigrations().map(({ name, checksum }) => [name, checksum]));
const mergedLock = (): Lock => {
  const commit = mergedCommit();
  return readLock((commit && git('show', `${commit}:${path}`)) ?? '');
};

/** Adds new migrations to the lock. */
export function writeLock() {
  const text = nextLock(mergedLock(), lockOfFolder());
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

if (import.meta.main) {
  const lock = readLock(readFileSync(file, 'utf8'));
  const problems = lockProblems({ lock, merged: mergedLock(), migrations: lockOfFolder() });
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
