import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { english, type Text } from '#kit/contract/text.ts';
import type { ActingContext, ApprovalKind, UserContext } from '#kit/server/context.ts';
import { endNotices, notify, type Recipients } from '#kit/server/messages/notifications.ts';
import { audit, auditAll } from '#kit/server/security/audit.ts';
import { approvalMessages } from '../contract/approval.ts';

interface NewRequest {
  /** The kind of a manifest. */
  kind: string;
  subjectId: number;
  /** Null for the whole school: then only users without a limit to branches decide. */
  branchId: number | null;
  studentId?: number | null;
  /** Names no person: the student has a column. */
  title: Text;
  amount?: number | null;
  reason?: string;
  /**
   * The person whose matter it is, where another one entered it, or the guardian who asks on the family page; by default the
   * user. This person never decides.
   */
  by?: { staffId: number } | { guardianId: number };
  /** Those whom the bell tells, where a kind decides row by row; by default the sets of the kind in the branch. */
  to?: Recipients;
}

/** The page that opens a request, before its id. */
export const requestPath = '/school-erp/approval/inbox?request=';

/** The columns of the person who asks. */
function askerOf({ user }: ActingContext, { by }: NewRequest) {
  if (by && 'guardianId' in by) return { requested_by: null, requested_by_guardian_id: by.guardianId };
  const staffId = by?.staffId ?? user?.staffId;
  if (staffId === undefined) throw new Error('A request without a user names the guardian who asks.');
  return { requested_by: staffId, requested_by_guardian_id: null };
}

export const keyOf = (id: number) => `approval ${id}`;

export function kindOf({ approvals }: Pick<UserContext, 'approvals'>, kind: string): ApprovalKind {
  const found = approvals.find((one) => one.kind === kind);
  if (!found) throw new Error(`No manifest has the approval kind ${kind}.`);
  return found;
}

/** Asks for the decision of a second person, in the transaction of the act. A subject has one pending request at most. */
export async function requestApproval(ctx: ActingContext, request: NewRequest): Promise<number> {
  const [made] = await requestApprovals(ctx, [request]);
  if (made === undefined) throw new Error('A request was not made.');
  return made;
}

/** As `requestApproval`, for several subjects of one kind. The bell has one notice for those of a branch. */
export async function requestApprovals(ctx: ActingContext, requests: readonly NewRequest[]): Promise<number[]> {
  const [first] = requests;
  if (!first) return [];
  const { subject, notice, sets } = kindOf(ctx, first.kind);
  const made = await ctx.db
    .insertInto('approval')
    .values(
      requests.map((request) => ({
        kind: first.kind,
        [subject]: request.subjectId,
        branch_id: request.branchId,
        student_id: request.studentId ?? null,
        title: JSON.stringify(request.title),
        amount: request.amount ?? null,
        reason: request.reason ?? '',
        ...askerOf(ctx, request),
        requested_at: ctx.now(),
      })),
    )
    .onConflict((on) => on.doNothing())
    .returning('id')
    .execute();
  if (made.length < requests.length) throw new AppError('conflict', approvalMessages.asked);
  const all = requests.map((request, index) => ({ ...request, id: made[index]?.id ?? 0 }));
  for (const [branchId, [one]] of Map.groupBy(all, (request) => request.branchId))
    if (one)
      await notify(ctx, {
        to: one.to ?? { sets, branchId },
        kind: 'approval.requested',
        text: notice,
        path: `${requestPath}${one.id}`,
        key: keyOf(one.id),
      });
  await auditAll(
    ctx,
    all.map(({ id, title, reason }) => ({
      ...(!ctx.user && { actor: 'Parent' }),
      action: 'approval.requested',
      entity: 'approval',
      entityId: id,
      version: 1,
      details: { Request: english(title), ...(reason && { Reason: reason }) },
    })),
  );
  return made.map(({ id }) => id);
}

/**
 * Withdraws the pending request about a subject whose own feature has ended it, without calling that feature. Does nothing
 * without one.
 */
export async function withdrawApproval(ctx: ActingContext, { kind, subjectId }: { kind: string; subjectId: number }) {
  const { subject } = kindOf(ctx, kind);
  const withdrawn = await ctx.db
    .updateTable('approval')
    .set({
      status: 'Withdrawn',
      decided_by: ctx.user?.staffId ?? null,
      decided_at: ctx.now(),
      version: sql`version + 1`,
    })
    .where('kind', '=', kind)
    .where(subject, '=', subjectId)
    .where('status', '=', 'Pending')
    .returning(['id', 'version'])
    .executeTakeFirst();
  if (!withdrawn) return;
  await endNotices(ctx, [keyOf(withdrawn.id)]);
  const act = {
    ...(!ctx.user && { actor: 'Parent' }),
    action: 'approval.withdrawn',
    entity: 'approval',
    entityId: withdrawn.id,
  };
  await audit(ctx, { ...act, version: withdrawn.version });
}
