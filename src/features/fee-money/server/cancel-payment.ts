import { sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { requestApproval } from '#features/approval/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { readSetting } from '#kit/server/settings.ts';
import { paymentNo } from '../contract/receipt.ts';
import { lockDay } from './day.ts';
import { endPayments, hasEnded, lockAccountsOf } from './end-payment.ts';
import { cancelMinutes } from './settings.ts';

/** A payment with receipts in the user's branches alone. Throws `not_found`. */
export async function requirePayment(ctx: UserContext, id: number) {
  const { rows } = await sql<{
    staffId: number;
    paidOn: string;
    takenAt: Date;
    version: number;
    endedAs: string | null;
    branchId: number;
    studentId: number | null;
    amount: number;
    receiptIds: number[];
    isOpen: boolean;
    names: string;
  }>`
    select payment.staff_id as "staffId", payment.paid_on as "paidOn", payment.created_at as "takenAt", payment.version, payment.ended_as as "endedAs",
      min(receipt.branch_id) as "branchId", min(account.student_id) as "studentId", payment.amount, day.status = 'Open' as "isOpen",
      jsonb_agg(receipt.id order by receipt.id) as "receiptIds", string_agg(receipt.receipt_no, ', ' order by receipt.id) as names
    from fee_payment payment
    join fee_day day on day.id = payment.day_id
    join fee_receipt receipt on receipt.payment_id = payment.id
    join fee_account account on account.id = receipt.account_id
    where payment.id = ${id} group by payment.id, day.id
    having bool_and(${inScope(ctx.user, feeWriters, { branch: sql`receipt.branch_id` })})`.execute(ctx.db);
  const [found] = rows;
  if (!found) throw new AppError('not_found', notFoundMessage);
  return found;
}

/** Cancels a payment: the cashier within minutes, later a second person on request. `version` is the one that was read. */
export async function cancelPayment(
  ctx: UserContext,
  { id, version, reason }: { id: number; version?: number; reason: string },
): Promise<{ isAsked: boolean }> {
  const found = await requirePayment(ctx, id);
  const age = ctx.now().getTime() - found.takenAt.getTime();
  const isOwn =
    found.staffId === ctx.user.staffId &&
    found.paidOn === toLocalDate(ctx.now()) &&
    found.isOpen &&
    age <= (await readSetting(ctx, cancelMinutes)) * 60_000;
  if (isOwn) await lockDay(ctx, found.paidOn);
  await lockAccountsOf(ctx, [id]);
  const payment = await requirePayment(ctx, id);
  requireVersion(payment, version);
  if (isOwn) {
    await endPayments(ctx, [{ id, reason }], { as: 'Cancelled', staffId: ctx.user.staffId });
    return { isAsked: false };
  }
  if (payment.endedAs !== null) throw new AppError('conflict', hasEnded);
  await requestApproval(ctx, {
    kind: 'fee.cancel',
    subjectId: id,
    branchId: payment.branchId,
    studentId: payment.studentId,
    title: verbatim(`${paymentNo(id)}: ${payment.names}`.slice(0, 200)),
    amount: payment.amount,
    reason,
  });
  return { isAsked: true };
}

/** Reverses the payment of a cheque that bounced, without a charge. */
export async function bouncePayment(ctx: UserContext, { id, reason }: { id: number; reason: string }): Promise<void> {
  await requirePayment(ctx, id);
  await lockAccountsOf(ctx, [id]);
  await endPayments(ctx, [{ id, reason }], { as: 'Bounced', staffId: ctx.user.staffId });
}
