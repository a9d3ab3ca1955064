import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { spread } from '../../contract/money/spread.ts';
import { lockAccounts } from '../prices/children.ts';
import { lockDay } from './day.ts';
import { readCounterChildren } from './family.ts';
import { take } from './payment.ts';
import { readPayable } from './read-dues.ts';

interface Paying {
  studentId: number;
  amount: number;
  /** Also those that the counter itself does not take, such as Cheque. */
  mode: string;
  reference: string;
  payer: string;
}

/** A payment of today on what a student owes, the oldest first; what is left becomes advance. Returns the payment. */
export async function payOldest(
  ctx: UserContext,
  { studentId, amount, mode, reference, payer }: Paying,
): Promise<number> {
  const today = toLocalDate(ctx.now());
  await lockDay(ctx, today);
  await lockAccounts(ctx, [studentId]);
  const [child] = await readCounterChildren(ctx, [studentId]);
  if (!child?.accountId || child.isElsewhere) throw new AppError('not_found', notFoundMessage);
  const { lines } = await readPayable(ctx, [child.accountId], today);
  const { parts } = spread(amount, lines.get(child.accountId) ?? []);
  const { id } = await take(ctx, {
    payerGuardianId: null,
    payerName: payer,
    payerMobile: '',
    mode: mode as 'UPI',
    amount,
    reference,
    paidOn: today,
    backReason: '',
    remark: '',
    children: [{ studentId, version: child.version, lines: [...parts].map(([key, part]) => ({ key, amount: part })) }],
  });
  return id;
}
