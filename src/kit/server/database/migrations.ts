import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrateJobs } from '#kit/server/job/jobs.ts';
import { appRole } from './database.ts';

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

/**
 * Migrates the database to this version: one transaction per file, one process at a time. Returns the number of applied
 * files. Refuses a database newer than the program, or whose applied files were changed since (J5).
 */
export async function migrate(ownerUrl: string, folder = migrationsFolder): Promise<number> {
  const migrations = readMigrations(folder);
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // The running statement fails with the same message.
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [startersLock]);
    await prepare(client);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from migration order by name',
    );
    const ours = new Map(migrations.map((migration) => [migration.name, migration]));
    for (const applied of rows) check(applied, ours.get(applied.name));
    const applied = new Set(rows.map(({ name }) => name));
    const waiting = migrations.filter(({ name }) => !applied.has(name));
    for (const migration of waiting) await apply(client, migration);
    await migrateJobs(ownerUrl);
    return waiting.length;
  } finally {
    await client.end(); // Releases the lock too.
  }
}

async function prepare(client: pg.Client) {
  await prepareServer(client);
  await client.query(migrationTable);
}

const migrationTable = `
  create table if not exists migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now()
  )`;

/** Applies these migrations within the caller's transaction, so that all can be rolled back; for a restore. */
export async function makeTables(client: pg.Client, migrations: Migration[]) {
  await client.query(migrationTable);
  for (const { text } of migrations) await client.query(text);
}

/** Refuses a PostgreSQL that is too old, and creates the application's role. */
export async function prepareServer(client: pg.Client) {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::integer as version`,
  );
  if ((rows[0]?.version ?? 0) < 150_000) throw new Error('Shala needs PostgreSQL 15 or newer.');
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

function check(applied: { name: string; checksum: string }, ours: Migration | undefined) {
  if (!ours) {
    throw new Error(`The database is newer than this program: it has ${applied.name}. Start the newer version.`);
  }
  if (ours.checksum !== applied.checksum) {
    throw new Error(`Migration ${applied.name} was changed after it was applied. Put it back and add a new one.`);
  }
}

async function apply(client: pg.Client, { name, text, checksum }: Migration) {
  await client.query('begin');
  try {
    // Waiting long for a lock would block all requests behind it; it is better to fail and start again.
    await client.query(`set local lock_timeout = '5s'`);
    await client.query(text);
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // A broken connection has rolled back already.
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
