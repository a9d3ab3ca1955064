import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { seedSchool } from '../database/seed/school.ts';
import { appUrlOf, openAppLogin } from '../scripts/app-login.ts';
import { startEmbeddedPostgres } from '../scripts/embedded-postgres.ts';
import { localTimeZone } from '../src/kit/contract/day.ts';
import { openDatabase } from '../src/kit/server/database/database.ts';
import { migrate } from '../src/kit/server/database/migrations.ts';
import { bringPostgres } from './older-postgres.ts';
import { testPatience } from './patience.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL that can create databases, with a migrated template that has a school's lists. */
    postgres: { url: string; template: string };
  }
}

export const testSchool = {
  name: 'Test School',
  city: 'Surat',
  phone: '0261 222 1100',
  email: 'office@test-school.example',
};

/** Provides a real PostgreSQL for the tests: the one DATABASE_URL names, or an embedded one in a folder of its own. */
export default async function setUp(project: TestProject) {
  const { url, template, drop } = await openTestPostgres();
  project.provide('postgres', { url, template });
  return drop;
}

/**
 * Starts (or finds) the server and creates the template; `drop` removes both. Those of `npm test` serve all its programs,
 * but those of another version: POSTGRES=17.
 */
export async function openTestPostgres() {
  const { TEST_POSTGRES: shared, POSTGRES: version } = process.env;
  if (shared && !version) {
    const { url, template }: ProvidedContext['postgres'] = JSON.parse(shared);
    return { url, template, drop: async () => undefined };
  }
  const configured = version ? undefined : process.env.DATABASE_URL;
  const folder = mkdtempSync(join(tmpdir(), 'shala-test-'));
  const binaries = version ? bringPostgres(version) : undefined;
  const own = configured
    ? undefined
    : await startEmbeddedPostgres({ folder: join(folder, 'postgres'), forgetful: true, binaries });
  const url = configured ?? own?.url ?? '';
  const template = await makeTemplate(url);
  return {
    url,
    template,
    drop: async () => {
      await dropSchools(url, template);
      await execute(url, `drop database if exists ${template}`);
      await own?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a migrated template with a school's lists; returns its name. */
export async function makeTemplate(url: string): Promise<string> {
  await openAppLogin(url);
  const template = `shala_template_${process.pid}`;
  await execute(url, `create database ${template}`);
  await migrate(urlOf(url, template));
  const db = openDatabase({ url: urlOf(url, template), named: true, patience: testPatience, onLost: () => undefined });
  await seedSchool(db, testSchool, 2026);
  await db.destroy();
  return template;
}

/** A new name for a school's database and folder of this run. */
export const newDatabaseName = (template: string) => `${template}_${randomUUID().slice(0, 8)}`;

/** Drops the schools that nothing has closed: workers end without notice. */
async function dropSchools(url: string, template: string) {
  const rows = await execute(url, `select datname as name from pg_database where starts_with(datname, '${template}_')`);
  for (const { name } of rows) await execute(url, `drop database if exists ${name} with (force)`);
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(`${template}_`));
  for (const name of folders) rmSync(join(tmpdir(), name), { recursive: true, force: true });
}

/** The address of another database on the same server. */
export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** The addresses of a database: for the application's login, and for the owner. */
export function databaseOf(server: string, database: string) {
  const owner = urlOf(server, database);
  return { DATABASE_URL: appUrlOf(owner), DATABASE_OWNER_URL: owner };
}

/** Copies a database file by file: this takes a third of the time of PostgreSQL's default. */
export const copyDatabase = (url: string, name: string, template: string) =>
  execute(url, `create database ${name} template ${template} strategy file_copy`);

/**
 * What a connection of a test asks for: "current_date" is the school's day, as it is for the application. A statement over all
 * tables would start processes for rows that one reads in a millisecond.
 */
export const schoolDays = `-c timezone=${localTimeZone} -c max_parallel_workers_per_gather=0`;

/** Runs one statement as the server's owner, by the school's day unless other options are given. */
export async function execute(url: string, statement: string, options = schoolDays) {
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
