import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type JobHelpers,
  Logger as JobLogger,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import { sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from '#kit/server/database/database.ts';
import { jobConnections } from '#kit/server/server-process.ts';

/**
 * Runs a background job unless another process is running it (K8); returns whether it ran. The lock is the
 * transaction's, so a process that dies releases it; the job must use `db` at least every 15 seconds to keep it.
 */
export async function withAdvisoryLock(
  db: Database,
  job: string,
  act: (db: Database) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (locked) => {
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`shala job ${job}`}, 0)) as "isOurs"
    `.execute(locked);
    if (!rows[0]?.isOurs) return false;
    await act(locked);
    return true;
  });
}

const silent = new JobLogger(() => () => undefined);

/** Our own connections: an error while the library closes one of its own would end the process. */
function openPool(ownerUrl: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: ownerUrl, max, connectionTimeoutMillis: 5000, query_timeout: 10_000 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Migrates the jobs' tables, which have a schema of their own. */
export async function migrateJobs(ownerUrl: string): Promise<void> {
  const pool = openPool(ownerUrl, 2);
  try {
    await runMigrations({ pgPool: pool, logger: silent });
  } finally {
    await pool.end();
  }
}

export interface Job {
  isLastTry: boolean;
}

interface Jobs {
  ownerUrl: string;
  /** The connections that are left for requests; a process with few takes fewer for jobs too. */
  pool: number;
  log: Logger;
  /** The function of each kind of job. A job that throws is retried after increasing pauses. */
  tasks: Record<string, (payload: unknown, job: Job) => Promise<void>>;
}

/** The longest time of a job, in milliseconds; a job that takes longer belonged to a process that died. */
const jobTakes = 60_000;
const lookAfterLostEvery = 30_000;
const startAgainAfter = 3000;
/** Milliseconds that a running job gets at a stop (J13); a later retry sends the message under the same id. */
const finishWithin = 10_000;

/**
 * Works on the jobs of the database until `stop`, which lets running jobs finish. While the database is unreachable it
 * waits, and jobs of a killed process are taken up within two minutes.
 */
export function startJobs({ ownerUrl, pool: ofRequests, log, tasks }: Jobs): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const taskList: TaskList = Object.fromEntries(
    Object.entries(tasks).map(([name, act]) => [
      name,
      (payload: unknown, { job }: JobHelpers) => act(payload, { isLastTry: job.attempts >= job.max_attempts }),
    ]),
  );
  // The library retries only batched completions: a failed single completion would end the process.
  const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };
  // A worker for each queue of the database, so that none waits for another: two for the messages of each kind and
  // channel, and one for runs.
  const options = { taskList, concurrency: 9, pollInterval: 5000, noHandleSignals: true, logger: silent, preset };

  /** Works until stopped, or until an error that needs a restart of the runner. */
  const workOnce = async () => {
    const pool = openPool(ownerUrl, jobConnections(ofRequests));
    const events: WorkerEvents = new EventEmitter();
    // After a failed completion of a job, the library wants to stop by itself and may wait forever.
    const broken = once(events, 'pool:fatalError', { signal }).then(
      () => 'broken',
      () => 'told',
    );
    const deaf = foundDeaf(events, pool);
    const runner = await run({ ...options, pgPool: pool, events }).catch((error: unknown) => {
      void pool.end();
      throw error;
    });
    const ended = runner.promise.catch((error: unknown) => log.warn({ error }, 'Background jobs stopped'));
    if ((await Promise.race([ended, broken, deaf])) === 'broken')
      log.warn('Background jobs broke off; they are started again');
    const stopped = runner.stop().catch(() => undefined); // Already stopped by an error of its own.
    await Promise.race([stopped.then(() => ended), wait(finishWithin, undefined, { ref: false })]);
    // Not waited for: a hanging job keeps its connection.
    void pool.end();
  };
  const work = async () => {
    while (!signal.aborted) {
      await workOnce().catch((error: unknown) => log.warn({ error }, 'Background jobs could not be started'));
      if (!signal.aborted) await wait(startAgainAfter, undefined, { signal }).catch(() => undefined);
    }
  };
  const working = work();
  const pool = openPool(ownerUrl, 1);
  const freeLost = () =>
    unlockLost(pool).catch((error: unknown) => log.warn({ error }, 'Jobs of lost processes were not looked for'));
  const lostJobs = setInterval(freeLost, lookAfterLostEvery);
  const first = freeLost();

  return {
    stop: async () => {
      clearInterval(lostJobs);
      stopping.abort();
      await Promise.all([working, first]);
      await pool.end();
    },
  };
}

/**
 * Resolves when no job could be taken although the database answers. The library looks the kinds of jobs up once, and keeps
 * a look-up that failed for ever.
 */
const foundDeaf = (events: WorkerEvents, pool: pg.Pool) =>
  new Promise<'broken'>((resolve) => {
    events.on('worker:getJob:error', () => {
      pool.query('select').then(
        () => resolve('broken'),
        () => undefined,
      );
    });
  });

/** The library itself waits four hours. */
const unlockLost = (pool: pg.Pool) =>
  pool.query(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
      where locked_at < now() - make_interval(secs => $1) having count(*) > 0`,
    [jobTakes / 1000 + 30],
  );
