import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { payersOf } from './family.ts';
import { payerOf } from './payment.ts';
import { type Money, takeMoney } from './take-money.ts';

interface Taken extends Pick<Money, 'amount' | 'reference'> {
  studentId: number;
  guardianId: number;
  /** For a guardian who is none of the child's payers any more. */
  guardian: string;
  /** The series whose account has the money. */
  seriesId: number;
  /** The day on which the bank shows it; today where no statement shows it yet. */
  valueOn?: string | undefined;
}

/** Takes money by UPI that the account of a receipt series received: dues of that series, the oldest first, then advance. */
export async function takeInSeries(
  ctx: UserContext,
  { studentId, guardianId, guardian, seriesId, valueOn, ...money }: Taken,
) {
  const isPayer = (await payersOf(ctx, [studentId])).some((one) => one.guardianId === guardianId);
  const payer = await payerOf(
    ctx,
    { payerGuardianId: isPayer ? guardianId : null, payerName: guardian, payerMobile: '' },
    [studentId],
  );
  return takeMoney(ctx, {
    ...money,
    payer,
    mode: 'UPI',
    paidOn: toLocalDate(ctx.now()),
    ...(valueOn && { valueOn }),
    backReason: '',
    remark: '',
    to: { children: [{ studentId }], seriesId },
  });
}
