import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Context, Services } from './context.ts';
import type { Database } from './database/database.ts';
import { programVersion } from './version.ts';

const writeEvery = 10_000;

/** Seconds after which a process that was not seen is taken for ended. */
const seenWithin = 30;

/** A process that serves, as it wrote itself down. */
export interface ServerProcess {
  id: string;
  version: string;
  host: string;
  pid: number;
  /** Whether it also sends messages, seals and backs up. */
  doesJobs: boolean;
  startedAt: string;
  /** The most connections to the database that it takes. */
  connections: number;
}

/** How many connections jobs take, besides the one that hears of new jobs; a process with a small pool takes fewer. */
export const jobConnections = (pool: number): number => (pool < 8 ? 2 : 4);

/** The most connections that a process takes while it serves; a start takes three more for seconds, a backup two. */
export const mostConnections = ({ pool, doesJobs }: { pool: number; doesJobs: boolean }): number =>
  pool + (doesJobs ? jobConnections(pool) + 1 : 0);

/** The processes that serve now, the oldest first. */
export async function listProcesses({ db }: Pick<Context, 'db'>): Promise<ServerProcess[]> {
  const rows = await db
    .selectFrom('server_process')
    .select(['id', 'version', 'host', 'pid', 'does_jobs', 'started_at', 'connections'])
    .where('seen_at', '>', sql<Date>`now() - make_interval(secs => ${seenWithin})`)
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  return rows.map(({ does_jobs, started_at, ...row }) => ({
    ...row,
    doesJobs: does_jobs,
    startedAt: started_at.toISOString(),
  }));
}

/** Writes this process down until `stop`, which removes its row; also removes rows of processes that were killed. */
export async function announceProcess(
  { db }: Pick<Services, 'db'>,
  log: Pick<Logger, 'warn'>,
  own: { pool: number; doesJobs: boolean },
): Promise<{ stop: () => Promise<void> }> {
  const id = randomUUID();
  await write(db, id, own);
  let writing: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing
      .then(() => write(db, id, own))
      .catch((error: unknown) => log.warn({ error }, 'This process was not written down; it is tried again'));
  }, writeEvery);
  return {
    stop: async () => {
      clearInterval(timer);
      await writing;
      // An unreachable database must not hold up the stop: the row is old after half a minute anyhow.
      await db
        .deleteFrom('server_process')
        .where('id', '=', id)
        .execute()
        .catch(() => undefined);
    },
  };
}

async function write(db: Database, id: string, own: { pool: number; doesJobs: boolean }) {
  await db
    .insertInto('server_process')
    .values({
      id,
      version: programVersion(),
      host: hostname().slice(0, 100),
      pid: process.pid,
      does_jobs: own.doesJobs,
      connections: mostConnections(own),
      started_at: sql<Date>`now()`,
      seen_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: sql<Date>`now()` }))
    .execute();
  await db.deleteFrom('server_process').where('seen_at', '<', sql<Date>`now() - interval '1 day'`).execute();
}

/** Milliseconds for which an upgrade waits for processes of the version before to stop. */
const waitsForEarlier = 120_000;

interface Waiting {
  /** The version that is being started. */
  to: string;
  patience: number;
  say: (words: string) => void;
}

/** Waits until no process of another version serves the school; refuses when one still does after two minutes. */
export async function waitForEarlier(ownerUrl: string, { to, patience, say }: Waiting): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // The running statement fails with the same message.
  await client.connect();
  try {
    const until = performance.now() + waitsForEarlier * patience;
    for (let tries = 0; ; tries++) {
      const earlier = await findEarlier(client, to);
      if (!earlier) return;
      const { pid, version, host } = earlier;
      const named = `process ${pid} of version ${version} on ${host}`;
      if (performance.now() > until)
        throw new Error(
          `${named.replace('p', 'P')} still serves. Stop it, and start ${to} again. Nothing was changed.`,
        );
      if (tries === 0) say(`Waiting for ${named} to stop`);
      await pause(1000);
    }
  } finally {
    await client.end();
  }
}

async function findEarlier(client: pg.Client, to: string) {
  const { rows: tables } = await client.query(`select where to_regclass('public.server_process') is not null`);
  if (tables.length === 0) return undefined; // The version before wrote no processes down.
  const { rows } = await client.query<Pick<ServerProcess, 'pid' | 'version' | 'host'>>(
    `select pid, version, host from public.server_process
     where version <> $1 and seen_at > now() - make_interval(secs => $2) order by started_at limit 1`,
    [to, seenWithin],
  );
  return rows[0];
}
