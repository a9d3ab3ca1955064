import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { ApprovalDescription, ApprovalKind, ApprovalOutcome, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { endNotices, notify } from '#kit/server/messages/notifications.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound, requireVersion, stale } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { type ApprovalState, type approvalApi, approvalMessages } from '../contract/approval.ts';
import { selected } from './list.ts';
import { keyOf, kindOf, requestPath } from './request.ts';
import { decidable, visible } from './scope.ts';
import { writesInto } from './year-end.ts';

/** The requests that the user sees, with what their decision needs. */
export const requestsOf = (ctx: UserContext) =>
  ctx.db
    .selectFrom('approval')
    .where(visible(ctx))
    .selectAll('approval')
    .select([
      sql<Text>`approval.title`.as('title'),
      sql<number | null>`approval.amount`.as('amount'),
      sql<ApprovalState>`approval.status`.as('status'),
    ])
    .select(decidable(ctx).as('isForMe'));

export type FoundRequest = Awaited<ReturnType<ReturnType<typeof requestsOf>['executeTakeFirstOrThrow']>>;

/** The id of its subject, which the kind's column has. */
const subjectOf = ({ subject }: ApprovalKind, request: FoundRequest) => Number(request[subject]);

const nothing: ApprovalDescription = { facts: [], effect: [], to: '' };

/** What each request is about, by the id of its subject. */
export async function describeSome(ctx: UserContext, kind: ApprovalKind, rows: readonly FoundRequest[]) {
  const described = await kind.describe(
    ctx,
    rows.map((row) => subjectOf(kind, row)),
  );
  return (row: FoundRequest) => described.get(subjectOf(kind, row)) ?? nothing;
}

/** What its decider has seen: a decision on something else is refused. */
export const seenOf = ({ id, version }: FoundRequest, { facts, effect, basis }: ApprovalDescription) =>
  createHash('sha256')
    .update(JSON.stringify([id, version, facts, effect, basis ?? null]))
    .digest('base64url');

/** Takes the locks of the kind, then the requests, by id; a request that is decided by now is read as such. */
async function lockRequests(ctx: UserContext, kind: ApprovalKind, rows: readonly FoundRequest[]) {
  await kind.lock?.(
    ctx,
    rows.map((row) => subjectOf(kind, row)).sort((a, b) => a - b),
  );
  const ids = rows.map(({ id }) => id);
  await ctx.db.selectFrom('approval').where('id', 'in', ids).select('id').orderBy('id').forNoKeyUpdate().execute();
  return requestsOf(ctx).where('approval.id', 'in', ids).orderBy('approval.id').execute();
}

const ended: Record<ApprovalOutcome, { action: string; news: Text }> = {
  Approved: { action: 'approval.approved', news: text`Your request was approved.` },
  Rejected: { action: 'approval.rejected', news: text`Your request was rejected.` },
  Withdrawn: { action: 'approval.withdrawn', news: text`A request was withdrawn.` },
};

/** Ends locked requests of one kind: their rows first, so that the feature's act finds them decided. */
async function end(
  ctx: UserContext,
  kind: ApprovalKind,
  rows: readonly FoundRequest[],
  { outcome, remark }: { outcome: ApprovalOutcome; remark: string },
) {
  const ids = rows.map(({ id }) => id);
  await ctx.db
    .updateTable('approval')
    .set({
      status: outcome,
      remark,
      decided_by: ctx.user.staffId,
      decided_at: ctx.now(),
      version: sql`version + 1`,
    })
    .where('id', 'in', ids)
    .execute();
  await kind.decide(
    ctx,
    rows.map((row) => subjectOf(kind, row)),
    outcome,
    remark,
  );
  const { action, news } = ended[outcome];
  await auditAll(
    ctx,
    rows.map(({ id, version, title }) => ({
      action,
      entity: 'approval',
      entityId: id,
      version: version + 1,
      details: { Request: english(title), ...(remark && { Remark: remark }) },
    })),
  );
  await endNotices(ctx, ids.map(keyOf));
  // A guardian has no bell: the feature writes to the family.
  const askers = rows.flatMap(({ requested_by }) => (requested_by === null ? [] : [requested_by]));
  if (outcome === 'Withdrawn' || kind.tellsItself || askers.length === 0) return;
  const [only, another] = rows;
  const path = only && !another ? `${requestPath}${only.id}&tab=decided` : '/school-erp/approval/inbox?tab=decided';
  await notify(ctx, { to: { staff: askers }, kind: action, text: news, path });
}

async function lockOne(ctx: UserContext, { id, version }: { id: number; version: number }) {
  const found = await requestsOf(ctx).where('approval.id', '=', id).executeTakeFirstOrThrow(notFound);
  const kind = kindOf(ctx, found.kind);
  const [request] = await lockRequests(ctx, kind, [found]);
  if (!request) throw new AppError('not_found', notFoundMessage);
  if (request.status !== 'Pending') throw new AppError('conflict', approvalMessages.decided);
  requireVersion(request, version);
  return { kind, request };
}

export const decide: Handler<typeof approvalApi.decide> = async (ctx, { id, version, seen, outcome, remark }) => {
  const { kind, request } = await lockOne(ctx, { id, version });
  if (request.requested_by === ctx.user.staffId) throw new AppError('conflict', approvalMessages.own);
  if (!request.isForMe) throw new AppError('not_found', notFoundMessage);
  const description = (await describeSome(ctx, kind, [request]))(request);
  if (seenOf(request, description) !== seen) throw stale();
  await end(ctx, kind, [request], { outcome: outcome as ApprovalOutcome, remark });
  return { status: outcome as ApprovalState };
};

export const withdraw: Handler<typeof approvalApi.withdraw> = async (ctx, asked) => {
  const { kind, request } = await lockOne(ctx, asked);
  if (request.requested_by !== ctx.user.staffId) throw new AppError('not_found', notFoundMessage);
  await end(ctx, kind, [request], { outcome: 'Withdrawn', remark: '' });
  return { status: 'Withdrawn' };
};

interface Decision {
  outcome: ApprovalOutcome;
  remark: string;
  confirmToken: string | undefined;
}

/** Decides on requests of one kind together, after a preview; those that the user may not decide on are skipped. */
const decideSome = (ctx: UserContext, ids: readonly number[], { confirmToken, ...decision }: Decision) =>
  previewOrApply(ctx, confirmToken, async () => {
    const found = await requestsOf(ctx).where('approval.id', 'in', ids).orderBy('approval.id').execute();
    const waiting = found.filter(({ isForMe }) => isForMe);
    const [first] = waiting;
    if (waiting.some(({ kind }) => kind !== first?.kind)) throw new AppError('conflict', approvalMessages.oneKind);
    const kind = first && kindOf(ctx, first.kind);
    const locked = kind ? (await lockRequests(ctx, kind, waiting)).filter(({ isForMe }) => isForMe) : [];
    const descriptionOf = kind && (await describeSome(ctx, kind, locked));
    const seen = locked.map((row) => seenOf(row, descriptionOf?.(row) ?? nothing));
    if (kind && locked.length > 0) await end(ctx, kind, locked, decision);
    const skipped = found.filter(({ id }) => !locked.some((row) => row.id === id));
    return {
      answer: {
        changed: locked.length,
        skipped: skipped.slice(0, mostSkippedShown).map(({ id, title, status }) => ({
          id,
          name: english(title),
          reason: status === 'Pending' ? approvalMessages.own : approvalMessages.decided,
        })),
        skippedCount: skipped.length,
      },
      basis: [decision.outcome, decision.remark, seen, skipped.map(({ id }) => id)],
      isRefused: locked.length === 0,
    };
  });

export const decideMany: Handler<typeof approvalApi.decideMany> = async (ctx, asked) => {
  const { selection, outcome, remark, confirmToken } = asked;
  const ids = await selected(ctx, selection);
  return decideSome(ctx, ids, { outcome: outcome as ApprovalOutcome, remark, confirmToken });
};

/** The waiting requests that write into a year that has ended and that the user decides on. */
const ofEndedYear = (ctx: UserContext, yearId: number) =>
  ctx.db
    .selectFrom('approval')
    .where(decidable(ctx))
    .where(writesInto(ctx, { id: yearId }))
    .where(
      sql<boolean>`exists (select from academic_year year where year.id = ${yearId}
        and academic_year_phase(year, ${toLocalDate(ctx.now())}::date) = 'Ended')`,
    );

export const ofYear: Handler<typeof approvalApi.ofYear> = async (ctx, { yearId }) => {
  const rows = await ofEndedYear(ctx, yearId)
    .select(['kind', sql<number>`count(*)::integer`.as('requests')])
    .groupBy('kind')
    .orderBy('kind')
    .execute();
  return rows.map((row) => ({ ...row, title: kindOf(ctx, row.kind).title }));
};

export const returnOfYear: Handler<typeof approvalApi.returnOfYear> = async (ctx, asked) => {
  const { yearId, kind, remark, confirmToken } = asked;
  const rows = await ofEndedYear(ctx, yearId).where('kind', '=', kind).select('id').orderBy('id').execute();
  if (rows.length === 0) throw new AppError('conflict', approvalMessages.noneOfYear);
  const ids = rows.map(({ id }) => id);
  return decideSome(ctx, ids, { outcome: 'Rejected', remark, confirmToken });
};
