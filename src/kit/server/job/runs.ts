import { sql } from 'kysely';
import { type Access, isGranted } from '#kit/contract/endpoint.ts';
import { AppError, unexpectedMessage } from '#kit/contract/errors.ts';
import { mostListed, mostRunsListed, type rowResults } from '#kit/contract/run.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import { type Context, contextOutside, type Services, type User, type UserContext } from '#kit/server/context.ts';
import { unaskedRefusal } from '#kit/server/master/constraint-messages.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { notify } from '../messages/notifications.ts';

/** The context of one record of a run. `db` is the transaction of that record. */
export interface RunContext extends Context {
  /** The run's number: part of the key under which it sends a message only once. */
  run: number;
  /** Who started it, for the audit log. */
  actor: string;
  /** The account that started it with its rights of this turn; undefined for the system's own work. */
  starter: User | undefined;
}

/**
 * Does a run's act on one record. Returns the reason where the record is skipped; throws an `AppError` where it is
 * refused. A record that has its result is never done again, so its messages need no other protection than that.
 */
export type RunAct = (ctx: RunContext, subjectId: number, input: never) => Promise<Text | undefined>;

/** What became of a record that a batch did not do. */
export interface NotDone {
  status: 'Skipped' | 'Failed';
  reason: Text;
}

/**
 * A run's act on up to `most` records in one transaction. Returns what it did not do; every other record is done. If it
 * throws, it is called for each half, down to the record that is refused.
 */
export interface RunBatch {
  most: number;
  act: (ctx: RunContext, subjectIds: readonly number[], input: never) => Promise<ReadonlyMap<number, NotDone>>;
}

export interface NewRun {
  kind: string;
  input: object;
  rows: readonly { id: number; name: string }[];
  /** Tells the account that started it where records failed. */
  told?: {
    /** What the run does, such as "Send the form". */
    title: Text;
    /** The page that it was started on. */
    path: string;
  };
  /** What its starter must be granted, at its start and at each turn. */
  access?: Access;
  /** Seconds before the first record, in which its starter may undo it; none by default. */
  waitSeconds?: number;
  /** The moment before which it does not begin, in place of `waitSeconds`. */
  beginsAt?: Date;
}

/** The seconds in which an employee may undo a run that sends to families. */
export const undoSeconds = 30;
const undone = text`Undone before it began.`;
const hasBegun = text`Sending has started and can’t be undone.`;

/** Starts a run in the transaction of the act that asks for it: nothing runs unless that commits. Returns its number. */
export async function startRun(
  ctx: Pick<Context, 'db' | 'now'> & Partial<Pick<UserContext, 'user'>>,
  { kind, input, rows, told, access, waitSeconds = 0, beginsAt }: NewRun,
): Promise<number> {
  const { id } = await ctx.db
    .insertInto('run')
    .values({
      kind,
      account_id: ctx.user?.id ?? null,
      actor: ctx.user?.name ?? 'Shala',
      role: ctx.user?.role ?? null,
      access: access ? JSON.stringify(access) : null,
      input: JSON.stringify(input),
      total: rows.length,
      title: told ? JSON.stringify(told.title) : null,
      path: told?.path ?? null,
      started_at: ctx.now(),
      begins_at: beginsAt ?? (waitSeconds > 0 ? new Date(ctx.now().getTime() + waitSeconds * 1000) : null),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into run_row (run_id, subject_id, name)
    select ${id}, row.id, left(row.name, 200)
    from unnest(${rows.map((row) => row.id)}::integer[], ${rows.map(({ name }) => name)}::text[]) as row (id, name)`.execute(
    ctx.db,
  );
  await sql`select queue_run(${id})`.execute(ctx.db);
  return id;
}

/** The number of the last run of a kind. While one is started no other is, so that two previews don't start two runs. */
export async function lockRuns({ db }: Pick<Context, 'db'>, kind: string, isPreview: boolean): Promise<number> {
  if (!isPreview) await sql`select pg_advisory_xact_lock(hashtextextended(${`run ${kind}`}, 0))`.execute(db);
  const { last } = await db
    .selectFrom('run')
    .where('kind', '=', kind)
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Milliseconds of work after which a run makes way for other jobs; shorter than a job may take. */
const turn = 20_000;

/**
 * Works on a run until it is finished or its turn is over. Each record is a transaction with its result, so a killed
 * process leaves none half done and the next one goes on with the rest.
 */
export async function workOnRun(
  services: Services,
  acts: Readonly<Record<string, RunAct | RunBatch>>,
  id: number,
): Promise<void> {
  // The lock waits for a user who undoes the run at this moment.
  const run = await services.db
    .transaction()
    .execute((db) => db.selectFrom('run').where('id', '=', id).selectAll().forUpdate().executeTakeFirst());
  const act = run && acts[run.kind];
  if (!run || run.finished_at || !act) return;
  if (secondsLeft(run, services.now()) > 0) {
    await sql`select queue_run(${id})`.execute(services.db);
    return;
  }
  const { account_id: account, actor } = run;
  const starter = account === null ? undefined : await services.findRights(services, account, run.role ?? 'Staff');
  if (account !== null && !(starter && isGranted((run.access ?? anySignedIn) as Access, starter))) {
    await services.db
      .transaction()
      .execute((db) =>
        stop({ ...contextOutside(services, `run ${id}`), db }, run, text`${{ actor }} may no longer do this.`),
      );
    return;
  }
  const end = Date.now() + turn;
  let isMore = true;
  while (isMore && Date.now() < end)
    isMore = await services.db
      .transaction()
      .execute((db) =>
        workOnRows({ ...contextOutside(services, `run ${id}`), db, run: id, actor, starter }, act, run.input),
      );
  await services.db.transaction().execute(async (db) => {
    if (isMore) return sql`select queue_run(${id})`.execute(db);
    return finish({ db, now: services.now }, id);
  });
}

/** For runs that were started before they kept what their starter must be granted. */
const anySignedIn: Access = [
  { role: 'Staff', sets: [] },
  { role: 'Admin', sets: [] },
];

/** Skips what is left of a run. A record that is being done is finished. */
async function stop(ctx: Context, run: { id: number; actor: string }, reason: Text, by = 'Shala') {
  const { numUpdatedRows } = await ctx.db
    .updateTable('run_row')
    .set({ status: 'Skipped', reason: JSON.stringify(reason) })
    .where('run_id', '=', run.id)
    .where('status', '=', 'Waiting')
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('run')
    .set({ finished_at: ctx.now() })
    .where('id', '=', run.id)
    .where('finished_at', 'is', null)
    .execute();
  const details = { 'Started by': run.actor, Records: Number(numUpdatedRows) };
  await audit(ctx, { actor: by, action: 'run.stopped', entity: 'run', entityId: run.id, details });
}

const stoppedByAdmin = text`Stopped by an Admin.`;
const isOver = text`This run has finished.`;

/** Stops another account's run; for Admins. Throws `conflict` for one that has finished. */
export async function stopRun(ctx: UserContext, { id }: { id: number }) {
  const run = await ctx.db
    .selectFrom('run')
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  if (run.finished_at) throw new AppError('conflict', isOver);
  await stop(ctx, run, stoppedByAdmin, ctx.user.name);
  return {};
}

const givenUp = text`Given up by an Admin.`;

/** Skips what is left of a run whose job fails; of one that has finished nothing. */
export async function giveUpRun(ctx: UserContext, id: number): Promise<void> {
  const run = await ctx.db.selectFrom('run').where('id', '=', id).selectAll().forUpdate().executeTakeFirst();
  if (run && !run.finished_at) await stop(ctx, run, givenUp, ctx.user.name);
}

/** The runs of a kind that have not begun, of every starter, the next first. */
export async function listComingRuns({ db, now }: Pick<Context, 'db' | 'now'>, kind: string) {
  const rows = await db
    .selectFrom('run')
    .where('kind', '=', kind)
    .where('finished_at', 'is', null)
    .where('begins_at', '>', now())
    .select(['id', 'actor as by', 'begins_at', 'total'])
    .orderBy('begins_at')
    .limit(mostRunsListed)
    .execute();
  return rows.map(({ begins_at, ...run }) => ({ ...run, beginsAt: begins_at?.toISOString() ?? '' }));
}

const stoppedBefore = text`Stopped before it began.`;

/** Stops a run of this kind that has not begun. The caller has checked who may. Throws `conflict` for one that has. */
export async function stopComingRun(ctx: UserContext, { id, kind }: { id: number; kind: string }) {
  const run = await ctx.db
    .selectFrom('run')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  if (run.finished_at || secondsLeft(run, ctx.now()) === 0) throw new AppError('conflict', hasBegun);
  await stop(ctx, run, stoppedBefore, ctx.user.name);
}

/** The runs that have not finished and the latest that have, newest first; for Admins. */
export async function listRuns({ db }: UserContext) {
  const rows = await db
    .selectFrom('run')
    .select(['id', 'actor', 'title', 'total', 'started_at', 'finished_at'])
    .select((from) =>
      from
        .selectFrom('run_row')
        .whereRef('run_id', '=', 'run.id')
        .where('status', '=', 'Waiting')
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .as('waiting'),
    )
    .orderBy(sql`finished_at is not null`)
    .orderBy('id', 'desc')
    .limit(mostRunsListed)
    .execute();
  return {
    rows: rows.map(({ id, actor, title, total, started_at, finished_at, waiting }) => ({
      id,
      actor,
      title: (title as unknown as Text | null) ?? daily,
      total,
      left: Number(waiting ?? 0),
      startedAt: started_at.toISOString(),
      isFinished: finished_at !== null,
    })),
  };
}
const daily = text`Daily work`;

/** Ends a run once, though two workers find nothing left to do; not while one of them still does a record. */
async function finish(ctx: Pick<Context, 'db' | 'now'>, id: number) {
  const run = await ctx.db
    .updateTable('run')
    .set({ finished_at: ctx.now() })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('run_row').where('run_id', '=', id).where('status', '=', 'Waiting').select('subject_id'))),
    )
    .returning(['account_id', 'title', 'path'])
    .executeTakeFirst();
  if (!run?.account_id || !run.title || !run.path) return;
  const count = await countRows(ctx, id);
  const [done, failed] = [count('Done'), count('Failed')];
  if (failed === 0) return;
  await notify(ctx, {
    to: { accounts: [run.account_id] },
    kind: 'run.failed',
    text: text`${{ title: run.title as unknown as Text }}: ${{ done }} done, ${{ failed }} failed.`,
    path: run.path,
    key: `run ${id}`,
  });
}

/** The seconds until a run begins. */
const secondsLeft = ({ begins_at }: { begins_at: Date | null }, now: Date) =>
  Math.max(0, Math.ceil(((begins_at?.getTime() ?? 0) - now.getTime()) / 1000));

/** Does the next record that waits, or a batch of them; false where none is left. */
async function workOnRows(ctx: RunContext, act: RunAct | RunBatch, input: unknown): Promise<boolean> {
  const rows = await ctx.db
    .selectFrom('run_row')
    .where('run_id', '=', ctx.run)
    .where('status', '=', 'Waiting')
    .select('subject_id')
    .orderBy('subject_id')
    .limit(typeof act === 'function' ? 1 : act.most)
    .forUpdate()
    .skipLocked()
    .execute();
  if (rows.length === 0) return false;
  const ids = rows.map(({ subject_id }) => subject_id);
  const notDone = await actOn(ctx, typeof act === 'function' ? batchOf(act) : act, ids, input);
  const results = ids.map((id) => ({ id, status: 'Done', reason: null, ...notDone.get(id) }));
  await sql`update run_row set status = result.status, reason = nullif(result.reason, 'null'::jsonb)
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as result (id integer, status text, reason jsonb)
    where run_id = ${ctx.run} and subject_id = result.id`.execute(ctx.db);
  return true;
}

const batchOf = (act: RunAct): RunBatch => ({
  most: 1,
  act: async (ctx, [id = 0], input) => {
    const reason = await act(ctx, id, input);
    return new Map(reason ? [[id, { status: 'Skipped', reason }]] : []);
  },
});

/** Acts on records, or on each half where they are refused together. */
async function actOn(
  ctx: RunContext,
  batch: RunBatch,
  ids: readonly number[],
  input: unknown,
): Promise<ReadonlyMap<number, NotDone>> {
  await sql`savepoint record`.execute(ctx.db);
  try {
    const notDone = await batch.act(ctx, ids, input as never);
    await sql`release savepoint record`.execute(ctx.db);
    return notDone;
  } catch (error) {
    // While the database is away this throws too, and the job is tried again.
    await sql`rollback to savepoint record`.execute(ctx.db);
    await sql`release savepoint record`.execute(ctx.db);
    if (ids.length > 1) {
      const half = Math.ceil(ids.length / 2);
      const first = await actOn(ctx, batch, ids.slice(0, half), input);
      return new Map([...first, ...(await actOn(ctx, batch, ids.slice(half), input))]);
    }
    const refused = error instanceof AppError ? error : unaskedRefusal(ctx, error);
    const reason = refused ? (Object.values(refused.fields)[0] ?? refused.text) : unexpectedMessage;
    return new Map(ids.map((id) => [id, { status: 'Failed', reason }]));
  }
}

/** Creates jobs for all unfinished runs: a restored database has runs, but no jobs. */
export const queueRuns = ({ db }: Services) => sql`select queue_run(id) from run where finished_at is null`.execute(db);

/** A run of this account, locked until the transaction ends if `isLocked`. Throws `not_found` for every other. */
async function getRun({ db, user }: UserContext, id: number, isLocked = false) {
  return db
    .selectFrom('run')
    .where('id', '=', id)
    .where('account_id', '=', user.id)
    .selectAll()
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirstOrThrow(notFound);
}

/** The number of a run's records with each result. */
async function countRows({ db }: Pick<Context, 'db'>, id: number) {
  const counts = await db
    .selectFrom('run_row')
    .where('run_id', '=', id)
    .select(['status', ({ fn }) => fn.countAll<number>().as('rows')])
    .groupBy('status')
    .execute();
  return (status: (typeof rowResults)[number]) => counts.find((row) => row.status === status)?.rows ?? 0;
}

export async function readRun(ctx: UserContext, { id }: { id: number }) {
  const run = await getRun(ctx, id);
  const count = await countRows(ctx, id);
  const notDone = await ctx.db
    .selectFrom('run_row')
    .where('run_id', '=', id)
    .where('status', 'in', ['Skipped', 'Failed'])
    .select(['subject_id', 'name', 'status', 'reason'])
    .orderBy('status')
    .orderBy('subject_id')
    .limit(mostListed)
    .execute();
  return {
    id,
    startedAt: run.started_at.toISOString(),
    isFinished: run.finished_at !== null,
    secondsLeft: run.finished_at ? 0 : secondsLeft(run, ctx.now()),
    total: run.total,
    done: count('Done'),
    skipped: count('Skipped'),
    failed: count('Failed'),
    notDone: notDone.map(({ subject_id, name, status, reason }) => ({
      id: subject_id,
      name,
      result: status as (typeof rowResults)[number],
      reason: reason as unknown as Text,
    })),
  };
}

/** Undoes a run that has not begun: all its records are skipped. Throws `conflict` for one that has. */
export async function cancelRun(ctx: UserContext, { id }: { id: number }) {
  const run = await getRun(ctx, id, true);
  if (run.finished_at || secondsLeft(run, ctx.now()) === 0) throw new AppError('conflict', hasBegun);
  await ctx.db
    .updateTable('run_row')
    .set({ status: 'Skipped', reason: JSON.stringify(undone) })
    .where('run_id', '=', id)
    .execute();
  await ctx.db.updateTable('run').set({ finished_at: ctx.now() }).where('id', '=', id).execute();
  await audit(ctx, { action: 'run.cancelled', entity: 'run', entityId: id, details: { Records: run.total } });
  return {};
}

export async function readRunResult(ctx: UserContext, { id }: { id: number }) {
  await getRun(ctx, id);
  const rows = await ctx.db
    .selectFrom('run_row')
    .where('run_id', '=', id)
    .select(['name', 'status', 'reason'])
    .orderBy('subject_id')
    .execute();
  return rows.map(({ name, status, reason }) => [name, status, reason ? english(reason as unknown as Text) : '']);
}
