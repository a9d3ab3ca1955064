import { expressionBuilder, sql } from 'kysely';
import { type PermissionSet, staff } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import type { DB } from '#database/types.ts';
import type { ApprovalKind, UserContext } from '#kit/server/context.ts';

const approval = expressionBuilder<DB, 'approval'>();

/** The kinds that the user may decide on: by permission sets, or row by row. */
export const ownKinds = ({ approvals, user }: UserContext): ApprovalKind[] =>
  user.role === 'Staff'
    ? approvals.filter(({ sets, isByRow }) => isByRow || sets.some((set) => user.sets.includes(set)))
    : [];

const isOwn = ({ user }: UserContext) => sql<boolean>`coalesce(approval.requested_by = ${user.staffId}, false)`;

/** Whether the user's sets reach a row of this kind. */
function reaches(ctx: UserContext, { kind, sets, subject, mayDecide }: ApprovalKind) {
  const scope =
    mayDecide?.(ctx, approval.ref(`approval.${subject}`) as never) ??
    inScope(ctx.user, [staff(...(sets as PermissionSet[]))], { branch: sql`approval.branch_id` });
  return sql<boolean>`(approval.kind = ${kind} and ${scope})`;
}

const reachesAny = (ctx: UserContext) =>
  sql<boolean>`(${sql.join([sql`false`, ...ownKinds(ctx).map((kind) => reaches(ctx, kind))], sql` or `)})`;

/** Whether the user may decide on a pending request: a second person, never the one who asked nor a parent of the child. */
export const decidable = (ctx: UserContext) =>
  sql<boolean>`(approval.status = 'Pending' and not ${isOwn(ctx)}
    and case when ${reachesAny(ctx)} then ${mayBeSecond(ctx)} else false end)`;

/** Costs four lookups: a "case" asks it only of rows that the user's sets reach. */
const mayBeSecond = ({ user }: UserContext) =>
  sql<boolean>`may_be_second(approval.requested_by, approval.requested_by_guardian_id, approval.student_id, ${user.staffId})`;

/** The tabs of the inbox; together they are all that the user sees. */
export const tabsOf = (ctx: UserContext) => ({
  forMe: decidable(ctx),
  own: sql<boolean>`(${isOwn(ctx)} and approval.status = 'Pending')`,
  decided: sql<boolean>`(approval.status <> 'Pending'
    and (${isOwn(ctx)} or approval.decided_by = ${ctx.user.staffId} or ${reachesAny(ctx)}))`,
});

/** What is in one of the tabs; the condition of what the user's sets reach, most of the statement, stands in it once. */
export const visible = (ctx: UserContext) =>
  sql<boolean>`(${isOwn(ctx)} or (approval.status <> 'Pending' and approval.decided_by = ${ctx.user.staffId})
    or case when ${reachesAny(ctx)} then approval.status <> 'Pending' or ${mayBeSecond(ctx)} else false end)`;
