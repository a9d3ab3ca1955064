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

/**
 * Does a background job unless another instance is doing it at this moment (K8); says whether it was done. The lock is
 * the transaction's, so that an instance that dies gives it back. The job works with `db` again and again, since a
 * transaction that rests for 15 seconds is ended by the database.
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

/** Connections of our own making: one that breaks while it is closed would end the process in the library's. */
function openPool(ownerUrl: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: ownerUrl, max, connectionTimeoutMillis: 5000, query_timeout: 10_000 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Brings the jobs' tables, a schema of their own, to this version. */
export async function migrateJobs(ownerUrl: string): Promise<void> {
  const pool = openPool(ownerUrl, 2);
  try {
    await runMigrations({ pgPool: pool, logger: silent });
  } finally {
    await pool.end();
  }
}

export interface Job {
  /** Whether it is given up if it fails now. */
  isLastTry: boolean;
}

interface Jobs {
  ownerUrl: string;
  log: Logger;
  /** What each kind of job does. One that throws is tried again, after longer and longer waits. */
  tasks: Record<string, (payload: unknown, job: Job) => Promise<void>>;
}

/** No job takes longer, in milliseconds; one that does belonged to a process that is gone. */
const jobTakes = 60_000;
const lookAfterLostEvery = 30_000;
const startAgainAfter = 3000;
/** What is under way at a stop gets so long (J13): who takes a message up later sends it under the same id. */
const finishWithin = 10_000;

/**
 * Works on the jobs of the database until `stop`, which lets those under way finish. Heals by itself: a database that
 * is away only makes it wait, and jobs of a process that was killed are taken up within two minutes.
 */
export function startJobs({ ownerUrl, log, tasks }: Jobs): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const taskList: TaskList = Object.fromEntries(
    Object.entries(tasks).map(([name, act]) => [
      name,
      (payload: unknown, { job }: JobHelpers) => act(payload, { isLastTry: job.attempts >= job.max_attempts }),
    ]),
  );
  // Only ends of jobs that go through its batches are tried again and waited for: one alone that fails would end the process.
  const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };
  const options = { taskList, concurrency: 3, noHandleSignals: true, logger: silent, preset };

  /** Works until told to stop, or until something went wrong that takes a new beginning. */
  const workOnce = async () => {
    const pool = openPool(ownerUrl, 4);
    const events: WorkerEvents = new EventEmitter();
    // After the end of a job could not be written down the library means to stop by itself, and may wait for ever.
    const broken = once(events, 'pool:fatalError', { signal }).then(
      () => 'broken',
      () => 'told',
    );
    const runner = await run({ ...options, pgPool: pool, events }).catch((error: unknown) => {
      void pool.end();
      throw error;
    });
    const ended = runner.promise.catch((error: unknown) => log.warn({ error }, 'Background jobs stopped'));
    if ((await Promise.race([ended, broken])) === 'broken')
      log.warn('Background jobs broke off; they are started again');
    const stopped = runner.stop().catch(() => undefined); // Stopped already, by an error of its own.
    await Promise.race([stopped.then(() => ended), wait(finishWithin, undefined, { ref: false })]);
    // Not waited for: a job that hangs keeps its connection.
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

/** The library itself waits four hours. */
const unlockLost = (pool: pg.Pool) =>
  pool.query(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
      where locked_at < now() - make_interval(secs => $1) having count(*) > 0`,
    [jobTakes / 1000 + 30],
  );
