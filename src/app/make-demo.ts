import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { startersLock } from '#kit/server/database/migrations.ts';
import { waitForDatabase } from '#kit/server/database/wait.ts';
import { removeAll } from '#kit/server/files/bytes.ts';
import { openBytes } from '#kit/server/files/open-bytes.ts';
import { buildServer } from './server.ts';
import { openServices } from './services.ts';

/** Any number, the same in every process; held while a demo school is made. */
const demoLock = 7_364_253;

type Demo = 'none' | 'unfinished' | 'made';

const asOwner = async <Result>(url: string, act: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // The running statement fails with the same message.
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end(); // Releases its locks too.
  }
};

const hasRows = async (client: pg.Client, table: string, condition = 'true'): Promise<boolean> => {
  const { rows: found } = await client.query(`select where to_regclass('public.${table}') is not null`);
  if (found.length === 0) return false;
  const { rows } = await client.query(`select from public.${table} where ${condition} limit 1`);
  return rows.length > 0;
};

/** A school without a row in `demo` is real, or older than that table: it counts as made and is never touched. */
async function readDemo(client: pg.Client): Promise<Demo> {
  if (await hasRows(client, 'demo', 'finished_at is null')) return 'unfinished';
  return (await hasRows(client, 'academic_school')) ? 'made' : 'none';
}

/** Whether a start needs to make the demo school, for the first time or again. */
export async function needsDemo(config: Config, say: (words: string) => void): Promise<boolean> {
  await waitForDatabase(config.databaseOwnerUrl, config.patience, say);
  return (await asOwner(config.databaseOwnerUrl, readDemo)) !== 'made';
}

interface Making {
  config: Config;
  log: Logger;
  say: (words: string) => void;
}

/**
 * Opens a school for making the demo, one process at a time. What is left of a demo that was cut off is removed first,
 * with all tables and files: nothing unfinished was ever served.
 */
export const withEmptySchool = (
  { config, log, say }: Making,
  act: (app: FastifyInstance, services: Services) => Promise<void>,
): Promise<void> =>
  asOwner(config.databaseOwnerUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [demoLock]);
    if ((await readDemo(client)) === 'unfinished') {
      say('The demo school was not finished; making it again');
      await removeAll(openBytes(config));
      await dropTables(client);
    }
    // A statement may write a year of marks, which takes longer than the limit of a request.
    const patient = { ...config, patience: 20 * config.patience };
    const { services, close } = await openServices(patient, log);
    // Without pages: a first start builds them at the same time.
    const app = await buildServer(services, patient, log, { hasPages: false });
    try {
      await act(app, services);
    } finally {
      await app.close();
      await close();
    }
  });

async function dropTables(client: pg.Client) {
  await client.query('select pg_advisory_lock($1)', [startersLock]);
  await client.query(
    'begin; drop schema if exists graphile_worker cascade; drop schema public cascade; create schema public; commit',
  );
  await client.query('select pg_advisory_unlock($1)', [startersLock]);
}
