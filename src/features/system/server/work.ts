import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { giveUpRun } from '#kit/server/job/runs.ts';
import { giveUpMessage } from '#kit/server/messages/outbox.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { workApi } from '../contract/work.ts';

const pageSize = 50;
const mostShown = 50;

/** What a kind of job does, with the number of its message or run. */
const kinds: Record<string, (subject: number) => Text> = {
  'send-message': (subject) => text`Send message ${{ subject: String(subject) }}`,
  run: (subject) => text`Work on run ${{ subject: String(subject) }}`,
};

interface FailedJob {
  id: string;
  kind: string;
  subject_id: number;
  tries: number;
  most_tries: number;
  error: string;
  run_at: Date;
  is_running: boolean;
}

async function readJobs({ db }: Context, before: number | null) {
  const { rows } = await sql<FailedJob>`select * from failed_jobs(${before}::bigint, ${pageSize + 1})`.execute(db);
  const jobs = rows
    .slice(0, pageSize)
    .map(({ id, kind, subject_id, tries, most_tries, error, run_at, is_running }) => ({
      id: Number(id),
      does: kinds[kind]?.(subject_id) ?? verbatim(kind),
      tries,
      isOver: tries >= most_tries,
      error,
      nextAt: run_at.toISOString(),
      isRunning: is_running,
    }));
  return { jobs, before: rows.length > pageSize ? (jobs.at(-1)?.id ?? null) : null };
}

async function readUpkeep({ db }: Context) {
  const rows = await db
    .selectFrom('upkeep')
    .where('tries', '>', 0)
    .select(['name', 'tries', 'error', 'last_ok_at'])
    .orderBy('name')
    .execute();
  return rows.map(({ last_ok_at, ...piece }) => ({ ...piece, lastOkAt: last_ok_at?.toISOString() ?? null }));
}

async function readLostMessages({ db, now }: Context) {
  const { rows } = await sql<{ template: string; channel: 'email' | 'sms'; error: string; messages: number }>`
    select template, channel, coalesce(last_error, '') as error, count(*)::integer as messages
    from outbox where status = 'failed' and queued_at > ${now()}::timestamptz - interval '30 days'
    group by template, channel, coalesce(last_error, '') order by count(*) desc, template, channel limit ${mostShown}`.execute(
    db,
  );
  return rows;
}

async function readFailedRuns({ db, now }: Context) {
  const { rows } = await sql<{ id: number; title: Text | null; started_at: Date; failed: number }>`
    select run.id, run.title, run.started_at, count(*)::integer as failed
    from run join run_row on run_row.run_id = run.id and run_row.status = 'Failed'
    where run.started_at > ${now()}::timestamptz - interval '30 days'
    group by run.id order by run.id desc limit ${mostShown}`.execute(db);
  return rows.map(({ id, title, started_at, failed }) => ({
    id,
    title: title ?? text`Daily work`,
    startedAt: started_at.toISOString(),
    failed,
  }));
}

async function readAlerts({ db }: Context) {
  const rows = await db
    .selectFrom('alert')
    .where('told_at', 'is not', null)
    .select(['name', 'text', 'began_at', 'told_at', 'ended_at'])
    .orderBy('began_at', 'desc')
    .limit(mostShown)
    .execute();
  return rows.map(({ name, text: words, began_at, told_at, ended_at }) => ({
    name,
    text: words as unknown as Text,
    beganAt: began_at.toISOString(),
    toldAt: told_at?.toISOString() ?? null,
    endedAt: ended_at?.toISOString() ?? null,
  }));
}

export const read: Handler<typeof workApi.read> = async (ctx: Context, { before }) => ({
  ...(await readJobs(ctx, before)),
  upkeep: await readUpkeep(ctx),
  messages: await readLostMessages(ctx),
  runs: await readFailedRuns(ctx),
  alerts: await readAlerts(ctx),
});

const isRunning = text`It is running now. Check again in a minute.`;

/** Locks a job that has failed. Throws `conflict` while a worker holds it: that one would not notice. */
async function lockJob({ db }: Context, id: number) {
  const { rows } = await sql<{ state: string; kind: string; subject_id: number }>`
    select * from lock_failed_job(${id}::bigint)`.execute(db);
  const job = rows[0];
  if (!job || job.state === 'gone') throw notFound();
  if (job.state === 'running') throw new AppError('conflict', isRunning);
  return { kind: job.kind, subjectId: job.subject_id };
}

/** The record that the audit log names: the message or run of the job. */
const entityOf = (kind: string) => (kind === 'run' ? 'run' : 'outbox');

export const tryNow: Handler<typeof workApi.tryNow> = async (ctx: UserContext, { id }) => {
  const { kind, subjectId } = await lockJob(ctx, id);
  await sql`select try_job(${id}::bigint)`.execute(ctx.db);
  await audit(ctx, { action: 'system.job-tried', entity: entityOf(kind), entityId: subjectId });
  return {};
};

export const giveUp: Handler<typeof workApi.giveUp> = async (ctx: UserContext, { id }) => {
  const { kind, subjectId } = await lockJob(ctx, id);
  await sql`select remove_job(${id}::bigint)`.execute(ctx.db);
  if (kind === 'run') await giveUpRun(ctx, subjectId);
  else await giveUpMessage(ctx, subjectId);
  await audit(ctx, { action: 'system.job-given-up', entity: entityOf(kind), entityId: subjectId });
  return {};
};
