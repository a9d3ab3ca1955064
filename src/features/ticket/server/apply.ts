import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit, auditEach } from '#kit/server/security/audit.ts';
import {
  dayOf,
  dueAt,
  minuteAt,
  minuteOf,
  minutesOfDay,
  momentOf,
  nameOf,
  type Span,
  worked,
} from '../contract/clock.ts';
import { configMessages, type ticketConfigApi } from '../contract/config.ts';
import { clockWords } from './row.ts';
import { readOpenHours, retime } from './times.ts';

/** Enough to see the whole way of a ticket; a longer one is cut. */
const mostDays = 60;

const spanWords = (spans: readonly Span[]) =>
  spans.map(({ from, to }) => ({ from: clockWords(from % minutesOfDay), to: clockWords(to % minutesOfDay) }));

const week: Handler<typeof ticketConfigApi.week> = async (ctx) => {
  const open = await readOpenHours(ctx, ctx.now());
  const today = dayOf(minuteOf(ctx.now()));
  return Array.from({ length: 7 }, (_, place) => {
    const day = today + place;
    return { day: nameOf(day), spans: spanWords(open(day)) };
  });
};

const tryOut: Handler<typeof ticketConfigApi.tryOut> = async (ctx, { start, policyId, priority }) => {
  const target = await ctx.db
    .selectFrom('ticket_policy_target as target')
    .innerJoin('ticket_policy_version as made', 'made.id', 'target.version_id')
    .where('made.policy_id', '=', policyId)
    .where('target.priority', '=', priority)
    .orderBy('made.number', 'desc')
    .select(['target.response_minutes as response', 'target.resolution_minutes as resolution'])
    .limit(1)
    .executeTakeFirstOrThrow(notFound);
  const from = minuteAt(start);
  const open = await readOpenHours(ctx, momentOf(from));
  const [response, resolution] = [dueAt(open, from, target.response), dueAt(open, from, target.resolution)];
  const last = Math.min(dayOf(resolution ?? from), dayOf(from) + mostDays);
  const days = Array.from({ length: last - dayOf(from) + 1 }, (_, place) => {
    const day = dayOf(from) + place;
    const until = (minute: number) => worked(open, from, Math.min(minute, resolution ?? minute));
    const [before, after] = [until(Math.max(from, day * minutesOfDay)), until((day + 1) * minutesOfDay)];
    return { day: nameOf(day), spans: spanWords(open(day)), minutes: after - before, left: target.resolution - after };
  });
  const at = (minute: number | null) => (minute === null ? null : momentOf(minute).toISOString());
  return { responseDueAt: at(response), resolutionDueAt: at(resolution), days };
};

/** The open tickets of a policy with an earlier version of its targets, locked. */
const lockOlder = async ({ db }: UserContext, id: number, newest: number) => {
  const { rows } = await sql<{ id: number; version: number }>`
    select ticket.id, ticket.version from ticket
    join ticket_policy_version made on made.id = ticket.policy_version_id
    where made.policy_id = ${id} and made.id <> ${newest} and ticket.status in ('Open', 'In progress', 'On hold')
    order by ticket.id for update of ticket`.execute(db);
  return rows;
};

const applyPolicy: Handler<typeof ticketConfigApi.applyPolicy> = async (ctx, { id, confirmToken }) => {
  const { db, now } = ctx;
  const policy = await db
    .selectFrom('ticket_policy as policy')
    .innerJoin('ticket_policy_version as made', 'made.policy_id', 'policy.id')
    .where('policy.id', '=', id)
    .orderBy('made.number', 'desc')
    .select(['policy.version', 'made.id as newest'])
    .limit(1)
    .executeTakeFirstOrThrow(notFound);
  return previewOrApply(ctx, confirmToken, async () => {
    const tickets = await lockOlder(ctx, id, policy.newest);
    const ids = tickets.map((ticket) => ticket.id);
    const isOne = sql<boolean>`ticket.id = any(${ids}::integer[])`;
    await sql`update ticket set policy_version_id = ${policy.newest}, before_act = null, next_check_at = null,
      version = version + 1 where ${isOne}`.execute(db);
    await retime(ctx, isOne);
    const { rows } = await sql<{ overdue: number }>`select count(*)::integer as overdue from ticket
      where ${isOne} and resolution_due_at < ${now()}`.execute(db);
    await auditEach(ctx, { action: 'ticket.retargeted', entity: 'ticket' }, ids);
    await audit(ctx, {
      action: 'ticket-policy.applied',
      entity: 'ticket_policy',
      entityId: id,
      version: policy.version,
      details: { Tickets: ids.length },
    });
    return {
      answer: { changed: ids.length, overdue: rows[0]?.overdue ?? 0 },
      basis: [policy.newest, tickets.map((ticket) => [ticket.id, ticket.version])],
      isRefused: ids.length === 0,
    };
  });
};

/** Tickets in the queue go to the department of the other category; the others stay with the people who have them. */
const replaceCategory: Handler<typeof ticketConfigApi.replaceCategory> = async (ctx, { id, byId }) => {
  const { db, now } = ctx;
  if (byId === id) throw fieldRefusal('byId', configMessages.sameCategory);
  const categories = await db
    .selectFrom('ticket_category')
    .where('id', 'in', [id, byId as number])
    .select(['id', 'name', 'version', 'is_active', 'department_id'])
    .orderBy('id')
    .forUpdate()
    .execute();
  const [old, other] = [id, byId].map((one) => categories.find((category) => category.id === one));
  if (!old) throw new AppError('not_found', notFoundMessage);
  if (!other?.is_active) throw fieldRefusal('byId', inactiveMessage);
  const { rows: moved } = await sql<{ id: number }>`
    update ticket set category_id = ${other.id}, before_act = null, changed_at = ${now()}, version = version + 1,
      department_id = case when assignee_id is null then ${other.department_id} else department_id end
    where category_id = ${id} and status in ('Open', 'In progress', 'On hold') returning id`.execute(db);
  const details = { Category: `${old.name} → ${other.name}` };
  await auditEach(
    ctx,
    { action: 'ticket.recategorised', entity: 'ticket', details },
    moved.map((ticket) => ticket.id),
  );
  if (old.is_active) {
    await db
      .updateTable('ticket_category')
      .where('id', '=', id)
      .set({ is_active: false, version: old.version + 1 })
      .execute();
    await audit(ctx, {
      action: 'ticket-category.changed',
      entity: 'ticket_category',
      entityId: id,
      version: old.version + 1,
      details: { Active: 'Yes → No' },
    });
  }
  return { moved: moved.length };
};

export const applyHandlers = { week, tryOut, applyPolicy, replaceCategory };
