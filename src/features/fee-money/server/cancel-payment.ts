import { requestApproval } from '#features/approval/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { moveMessages, type WhereMoney } from '../contract/move.ts';
import { paymentNo } from '../contract/receipt.ts';
import { lockDay } from './day.ts';
import { endPayments, hasEnded, lockAccountsOf } from './end-payment.ts';
import { answersFor, isOwnAndFresh, requirePayment } from './own-payment.ts';
import { askReissue } from './reissue.ts';

interface Asked {
  id: number;
  /** The one that was read. */
  version?: number;
  reason: string;
  /** Left out where nobody was asked: cash of the own open drawer is given back then, other money never came. */
  money?: WhereMoney;
}

/** Cancels a payment: the cashier within minutes, later a second person on request. What the school keeps is unplaced money. */
export async function cancelPayment(
  ctx: UserContext,
  { id, version, reason, ...asked }: Asked,
): Promise<{ isAsked: boolean }> {
  const found = await requirePayment(ctx, id);
  const answers = answersFor(ctx, found);
  const money = asked.money ?? answers[0] ?? 'It never came';
  if (!answers.includes(money)) throw fieldRefusal('money', moveMessages.notBack);
  if (money === 'The school still has it')
    return askReissue(ctx, { paymentId: id, version, kind: 'Unplaced', children: [], reason });
  const isAlone = await isOwnAndFresh(ctx, found);
  if (isAlone) await lockDay(ctx, found.paidOn);
  await lockAccountsOf(ctx, [id]);
  const payment = await requirePayment(ctx, id);
  requireVersion(payment, version);
  if (payment.endedAs !== null) throw new AppError('conflict', hasEnded);
  if (payment.isAsked) throw new AppError('conflict', moveMessages.waits);
  if (isAlone) {
    await endPayments(ctx, [{ id, reason, money }], { as: 'Cancelled', staffId: ctx.user.staffId });
    return { isAsked: false };
  }
  await ctx.db.updateTable('fee_payment').set({ end_money: money }).where('id', '=', id).execute();
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
