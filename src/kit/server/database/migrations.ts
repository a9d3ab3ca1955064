import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrateJobs } from '#kit/server/job/jobs.ts';
import { programVersion } from '#kit/server/version.ts';
import { appRole } from './database.ts';
import { needsPostgres, oldestPostgres } from './oldest.ts';

export const migrationsFolder = join(import.meta.dirname, '../../../../database/migrations');

export interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/** The first migrations are numbered 0001 to 0023; later ones are named by their time of writing. */
const named = /^([0-9]{4}|[0-9]{12})_[a-z0-9_]+\.sql$/;

/** The migrations of a folder in the order of their names; throws when a name has neither number nor time. */
export function readMigrations(folder = migrationsFolder): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((name) => {
    if (!named.test(name)) {
      throw new Error(`Migration ${name} needs a name such as 202611230900_club.sql: year to minute, then the table.`);
    }
    const text = readFileSync(join(folder, name), 'utf8');
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

/** Any number, the same in every process. A migration takes it, a backup shares it, a restore holds it. */
export const startersLock = 7_364_252;

/** What an upgrade is about to change. */
export interface Upgrade {
  /** The version that upgraded the database last; undefined before versions were recorded. */
  from: string | undefined;
  to: string;
  /** The number of waiting files. */
  migrations: number;
  /** Whether no file was applied yet. */
  isFirst: boolean;
}

interface Options {
  folder?: string;
  /** The version that is recorded; this program's. */
  version?: string;
  /**
   * Called under the lock before the first waiting file; returns the archive to go back to, if one was made. What it
   * throws stops the upgrade.
   */
  prepare?: (upgrade: Upgrade) => Promise<string | undefined>;
}

/**
 * Migrates the database to this version: all waiting files in one transaction, one process at a time. Returns the number
 * of applied files. Refuses a database newer than the program, or whose applied files were changed since (J5).
 */
export async function migrate(
  ownerUrl: string,
  { folder = migrationsFolder, version = programVersion(), prepare }: Options = {},
): Promise<number> {
  const migrations = readMigrations(folder);
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // The running statement fails with the same message.
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [startersLock]);
    await prepareServer(client);
    const applied = await readApplied(client);
    const last = await readLastUpgrade(client);
    const ours = new Map(migrations.map((migration) => [migration.name, migration]));
    for (const one of applied) check(one, ours.get(one.name), { last, version });
    const names = new Set(applied.map(({ name }) => name));
    const waiting = migrations.filter(({ name }) => !names.has(name));
    const isFirst = applied.length === 0;
    const upgrade = { from: last?.to_version, to: version, migrations: waiting.length, isFirst };
    const archive = waiting.length > 0 ? await prepare?.(upgrade) : undefined;
    if (waiting.length > 0 || (last && last.to_version !== version)) await apply(client, waiting, upgrade, archive);
    await migrateJobs(ownerUrl);
    return waiting.length;
  } finally {
    await client.end(); // Releases the lock too.
  }
}

const migrationTable = `
  create table if not exists migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now()
  )`;

const hasTable = async (client: pg.Client, name: string) => {
  const { rows } = await client.query<{ has: boolean }>('select to_regclass($1) is not null as has', [
    `public.${name}`,
  ]);
  return rows[0]?.has === true;
};

async function readApplied(client: pg.Client) {
  if (!(await hasTable(client, 'migration'))) return [];
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migration order by name',
  );
  return rows;
}

interface LastUpgrade {
  to_version: string;
  at: Date;
  backup: string | null;
}

async function readLastUpgrade(client: pg.Client): Promise<LastUpgrade | undefined> {
  if (!(await hasTable(client, 'upgrade'))) return undefined;
  const { rows } = await client.query<LastUpgrade>(
    'select to_version, at, backup from upgrade order by id desc limit 1',
  );
  return rows[0];
}

/**
 * Applies these migrations within the caller's transaction, so that all can be rolled back. After each one deferred
 * triggers have fired: a later one could not alter their table otherwise, and a failure has the name of its file.
 */
export async function makeTables(client: pg.Client, migrations: readonly Migration[]) {
  await client.query(migrationTable);
  for (const { name, text } of migrations) {
    try {
      await client.query(text);
      await client.query('set constraints all immediate');
      await client.query('set constraints all deferred');
    } catch (error) {
      throw new Error(`Migration ${name} failed: ${explained(error as pg.DatabaseError)}`, { cause: error });
    }
  }
}

const explained = ({ code, message }: pg.DatabaseError) =>
  code === '53200'
    ? 'PostgreSQL has no room for its locks. Set max_locks_per_transaction = 256 there and restart it'
    : message;

/** Refuses a PostgreSQL that is too old before it changes anything there, then creates the application's role. */
export async function prepareServer(client: pg.Client) {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::integer as number, current_setting('server_version') as version`,
  );
  const { number, version } = rows[0] ?? { number: 0, version: 'unknown' };
  if (number < oldestPostgres * 10_000) {
    const [found] = version.split(' ');
    throw new Error(`${needsPostgres}; this server is ${found}. Nothing was changed.`);
  }
  await makeAppRole(client);
}

/** The role belongs to the server, not the database: a start on another database may just have created it. */
async function makeAppRole(client: pg.Client) {
  const { rows } = await client.query('select 1 from pg_roles where rolname = $1', [appRole]);
  if (rows.length === 0) {
    try {
      await client.query(`create role ${appRole} nologin`);
      await client.query(`grant ${appRole} to current_user`);
    } catch (error) {
      const { code } = error as pg.DatabaseError;
      if (code === '42501') {
        throw new Error(
          `The owner of the database may not make roles. As an administrator run: ` +
            `create role ${appRole} nologin; grant ${appRole} to <the user of DATABASE_URL>;`,
        );
      }
      if (code !== '42710' && code !== '23505') throw error; // Another process has just created it.
    }
  }
  await client.query(`grant usage on schema public to ${appRole}`);
}

function check(
  applied: { name: string; checksum: string },
  ours: Migration | undefined,
  { last, version }: { last: LastUpgrade | undefined; version: string },
) {
  if (!ours) {
    throw new Error(`The database is newer than this program: it has ${applied.name}. ${remedy(last, version)}`);
  }
  if (ours.checksum !== applied.checksum) {
    throw new Error(`Migration ${applied.name} was changed after it was applied. Put it back and add a new one.`);
  }
}

function remedy(last: LastUpgrade | undefined, version: string): string {
  if (!last || last.to_version === version) return 'Start the newer version.';
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(last.at);
  const back = last.backup ? `, or restore the archive made before: ${last.backup}` : '';
  return (
    `It was upgraded to ${last.to_version} on ${day}; this program is ${version}. ` +
    `Start ${last.to_version} or later${back}.`
  );
}

async function apply(client: pg.Client, waiting: Migration[], upgrade: Upgrade, archive: string | undefined) {
  const began = performance.now();
  await client.query('begin');
  try {
    // Waiting long for a lock would block all requests behind it; it is better to fail and start again.
    await client.query(`set local lock_timeout = '5s'; set local statement_timeout = 0`);
    await makeTables(client, waiting);
    for (const { name, checksum } of waiting) {
      await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
    }
    if (waiting.length > 0 && !upgrade.isFirst) await client.query('analyze');
    if (await hasTable(client, 'upgrade')) {
      await client.query(
        `insert into upgrade (from_version, to_version, migrations, backup, seconds) values ($1, $2, $3, $4, $5)`,
        [upgrade.from, upgrade.to, waiting.length, archive, Math.round((performance.now() - began) / 1000)],
      );
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // A broken connection has rolled back already.
    const earlier = upgrade.from ? `version ${upgrade.from}` : 'the version before';
    const back = upgrade.isFirst ? '' : `: ${earlier} can be started again`;
    throw new Error(`${(error as Error).message.replace(/\.$/, '')}. Nothing was changed${back}.`, { cause: error });
  }
}
