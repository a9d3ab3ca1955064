import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '#kit/server/config.ts';
import { startersLock } from '#kit/server/database/migrations.ts';
import { isKeptTable } from '#kit/server/database/passing-tables.ts';
import type { School } from './school.ts';

/** Every row of every table as text, except those that pass and the given tables. */
export async function everyRow(sql: School['sql'], without: string[] = []) {
  const tables = await sql(
    `select relname::text as name from pg_class where relkind = 'r' and ${isKeptTable}
      and relnamespace = 'public'::regnamespace order by 1`,
  );
  const names = tables.map(({ name }) => String(name)).filter((name) => !without.includes(name));
  const rows = names.map(
    async (name) => [name, await sql(`select t::text as row from "${name}" t order by 1`)] as const,
  );
  return Object.fromEntries(await Promise.all(rows));
}

/** The encrypted bytes of every file in a store, by name. */
export function everyFile(config: Config): Record<string, string> {
  const at = join(config.folder, 'files');
  const paths = readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(at, path)).isFile(),
  );
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(at, path)).toString('base64')]));
}

/** Holds back a backup that is about to read the tables, until it is released. */
export async function holdSnapshots({ config }: School) {
  const client = new pg.Client({ connectionString: config.databaseUrl });
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [startersLock]);
  return { letGo: () => client.end() };
}

/** Locks a table against others until it is released. */
export async function holdTable({ config }: School, table: string) {
  const client = new pg.Client({ connectionString: config.databaseOwnerUrl });
  await client.connect();
  await client.query(`begin; lock table ${pg.escapeIdentifier(table)}`);
  return { letGo: () => client.end() };
}

/** The number of requests that wait for such a lock in this mode. */
export async function waitingForLock({ sql }: School, mode: 'ShareLock' | 'ExclusiveLock'): Promise<number> {
  const rows = await sql(`select from pg_locks join pg_database d on d.oid = database where locktype = 'advisory'
    and not granted and mode = '${mode}' and datname = current_database()`);
  return rows.length;
}
