import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { restore } from '../src/app/backup/restore.ts';
import type { Config } from '../src/kit/server/config.ts';
import { keyFile, keyNames } from '../src/kit/server/security/keys.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const begin = 'verify-';

/**
 * Restores an archive into a PostgreSQL and folder of its own, which it always deletes. It needs no rights on the
 * school's database. Returns what was compared; throws when the archive cannot be restored.
 */
export async function tryRestore(config: Config, archive: string, signal: AbortSignal) {
  removeLeftovers(config.folder);
  const folder = join(config.folder, `${begin}${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const { url, stop } = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), forgetful: true });
    const place = { ...config, databaseUrl: url, databaseOwnerUrl: url, folder, keys: keysOf(config) };
    return await restore(place, archive, { signal }).finally(stop);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The school's own keys, which the trial's folder lacks. */
const keysOf = ({ folder, keys }: Config): Config['keys'] =>
  Object.fromEntries(
    keyNames.map((name) => {
      const file = keyFile(folder, name);
      return [name, keys[name] ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)];
    }),
  );

/** Deletes what a killed trial left behind. */
function removeLeftovers(folder: string) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(begin) && /^\d+$/.exec(name.slice(begin.length))?.[0];
    if (pid && !isRunning(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // It runs, as another user.
  }
}
