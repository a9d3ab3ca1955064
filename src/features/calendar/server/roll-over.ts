import { sql } from 'kysely';
import pg from 'pg';
import { AppError, fieldRefusal, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Copied, UserContext } from '#kit/server/context.ts';
import { toRow } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { closedYear } from '../contract/closed-year.ts';
import { yearMaster } from '../contract/masters.ts';
import { type RollOverPart, rollOverApi, rollOverParts, yearIsEarlier } from '../contract/roll-over.ts';
import { phaseOn } from './year.ts';

/** Locks all years by id, so that no other request adds the same year or closes one. */
export async function lockYears({ db, now }: Pick<UserContext, 'db' | 'now'>) {
  // A row lock does not wait for rows that another request is adding.
  await sql`select pg_advisory_xact_lock(hashtext('academic_year'))`.execute(db);
  return db
    .selectFrom('academic_year as year')
    .select([
      'id',
      'name',
      'starts_on',
      'ends_on',
      'status',
      'version',
      'closed_at',
      phaseOn(toLocalDate(now())).as('phase'),
    ])
    .orderBy('id')
    .forUpdate()
    .execute();
}

const rollOver: Handler<typeof rollOverApi.rollOver> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const done = await carryOver(ctx, input);
    return { answer: { ...done, left: done.left.slice(0, 100) }, basis: [input, done] };
  });

type Input = Omit<Parameters<typeof rollOver>[1], 'confirmToken'>;

async function carryOver(ctx: UserContext, { id, parts, ...values }: Input) {
  const years = await lockYears(ctx);
  const from = years.find((year) => year.id === id);
  if (!from) throw new AppError('not_found', notFoundMessage);
  const existing = years.find(({ name }) => name === values.name);
  const startsOn = existing?.starts_on ?? values.startsOn;
  if (startsOn <= from.ends_on) throw fieldRefusal(existing ? 'name' : 'startsOn', yearIsEarlier);
  if (existing?.closed_at)
    throw fieldRefusal('name', closedYear(existing.name, toLocalDate(existing.closed_at), 'reopen'));

  const toId = existing?.id ?? (await makeYear(ctx, values));
  const wanted = rollOverParts.filter((part) => parts.split(',').includes(part));
  const counted: ({ part: RollOverPart } & Copied)[] = [];
  // A few; each needs what the previous one has copied.
  for (const part of wanted) {
    const copy = ctx.rollOver.find((one) => one.part === part)?.copy;
    if (copy) counted.push({ part, ...(await copy(ctx, { fromId: id, toId })) });
  }
  const details = Object.fromEntries(counted.map(({ part, added }) => [part, added]));
  await audit(ctx, {
    action: 'academic-year.rolled-over',
    entity: 'academic_year',
    entityId: toId,
    details: { from: from.name, to: values.name, ...details },
  });
  return {
    isNew: !existing,
    parts: counted.map(({ part, added, alreadyThere: kept }) => ({ part, added, alreadyThere: kept })),
    left: counted.flatMap(({ left = [] }) => left),
  };
}

const makeYear = (ctx: UserContext, values: Pick<Input, 'name' | 'startsOn' | 'endsOn' | 'ageCutoffOn'>) =>
  withConstraintMessages(ctx, yearMaster, async () => {
    const { id } = await ctx.db
      .insertInto('academic_year')
      .values(toRow(yearMaster.fields, values))
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });

const discard: Handler<typeof rollOverApi.discard> = async (ctx, { id, version }) => {
  const year = (await lockYears(ctx)).find((one) => one.id === id);
  if (!year) throw new AppError('not_found', notFoundMessage);
  requireVersion(year, version);
  if (year.phase !== 'Planned') throw new AppError('conflict', staleMessage);
  try {
    // In one statement, so that a remaining reference rolls back all of it.
    const deletions = ctx.rollOver
      .flatMap(({ discard }) => discard(id))
      .map((deletion, number) => sql`${sql.ref(`part${number}`)} as (${deletion})`);
    await sql`with ${sql.join(deletions)} delete from academic_year where id = ${id}`.execute(ctx.db);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '23503' && error.table === 'workday_leave')
      throw new AppError('conflict', text`Staff have asked for leave in this year, so it can’t be deleted.`);
    if (error instanceof pg.DatabaseError && error.code === '23503')
      throw new AppError(
        'conflict',
        text`This year has enrolled students or inquiries, or families were asked about it, so it can’t be deleted.`,
      );
    throw error;
  }
  const act = { action: 'academic-year.discarded', entity: 'academic_year', entityId: id };
  await audit(ctx, { ...act, details: { Name: year.name } });
  return {};
};

export default routes(rollOverApi, { rollOver, discard });
