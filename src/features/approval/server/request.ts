import { AppError } from '#kit/contract/errors.ts';
import { english, type Text } from '#kit/contract/text.ts';
import type { ApprovalKind, UserContext } from '#kit/server/context.ts';
import { notify, type Recipients } from '#kit/server/messages/notifications.ts';
import { audit } from '#kit/server/security/audit.ts';
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
  /** Those whom the bell tells, where a kind decides row by row; by default the sets of the kind in the branch. */
  to?: Recipients;
}

export const keyOf = (id: number) => `approval ${id}`;

export function kindOf({ approvals }: Pick<UserContext, 'approvals'>, kind: string): ApprovalKind {
  const found = approvals.find((one) => one.kind === kind);
  if (!found) throw new Error(`No manifest has the approval kind ${kind}.`);
  return found;
}

/** Asks for the decision of a second person, in the transaction of the act. A subject has one pending request at most. */
export async function requestApproval(ctx: UserContext, request: NewRequest): Promise<number> {
  const { subject, notice, sets } = kindOf(ctx, request.kind);
  const { branchId, title } = request;
  const made = await ctx.db
    .insertInto('approval')
    .values({
      kind: request.kind,
      [subject]: request.subjectId,
      branch_id: branchId,
      student_id: request.studentId ?? null,
      title: JSON.stringify(title),
      amount: request.amount ?? null,
      reason: request.reason ?? '',
      requested_by: ctx.user.staffId,
      requested_at: ctx.now(),
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) throw new AppError('conflict', approvalMessages.asked);
  await notify(ctx, {
    to: request.to ?? { sets, branchId },
    kind: 'approval.requested',
    text: notice,
    path: '/school-erp/approval/inbox',
    key: keyOf(made.id),
  });
  const details = { Request: english(title), ...(request.reason && { Reason: request.reason }) };
  await audit(ctx, { action: 'approval.requested', entity: 'approval', entityId: made.id, version: 1, details });
  return made.id;
}
