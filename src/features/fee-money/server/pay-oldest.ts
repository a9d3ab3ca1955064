import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Money, namedPayer, takeMoney } from './take-money.ts';

interface Paying extends Pick<Money, 'amount' | 'mode' | 'reference'> {
  /** The children of one family. */
  studentIds: readonly number[];
  payer: string;
}

/** A payment of today on what students owe, the oldest first; what is left becomes advance. Returns the payment. */
export async function payOldest(ctx: UserContext, { studentIds, payer, ...how }: Paying): Promise<number> {
  const { id } = await takeMoney(ctx, {
    ...how,
    payer: namedPayer(payer, ''),
    paidOn: toLocalDate(ctx.now()),
    backReason: '',
    remark: '',
    to: { children: studentIds.map((studentId) => ({ studentId })) },
  });
  return id;
}
