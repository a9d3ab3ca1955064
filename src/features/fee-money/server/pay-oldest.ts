import { lockAccounts } from '#features/fee-price/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { spread } from '../contract/spread.ts';
import { lockDay } from './day.ts';
import { readCounterChildren } from './family.ts';
import { take } from './payment.ts';
import { readPayable } from './read-dues.ts';

interface Paying {
  /** The children of one family. */
  studentIds: readonly number[];
  amount: number;
  /** Also those that the counter itself does not take, such as Cheque. */
  mode: string;
  reference: string;
  payer: string;
}

/** A payment of today on what students owe, the oldest first; what is left becomes advance. Returns the payment. */
export async function payOldest(
  ctx: UserContext,
  { studentIds, amount, mode, reference, payer }: Paying,
): Promise<number> {
  const today = toLocalDate(ctx.now());
  await lockDay(ctx, today);
  await lockAccounts(ctx, studentIds);
  const children = await readCounterChildren(ctx, studentIds);
  const accountIds = children.flatMap(({ accountId, isElsewhere }) =>
    accountId === null || isElsewhere ? [] : [accountId],
  );
  if (accountIds.length < studentIds.length) throw new AppError('not_found', notFoundMessage);
  const { lines } = await readPayable(ctx, accountIds, today);
  const { parts } = spread(amount, [...lines.values()].flat());
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
    children: children.map(({ studentId, accountId, version }) => ({
      studentId,
      version,
      lines: (lines.get(accountId ?? 0) ?? []).flatMap(({ key }) => {
        const part = parts.get(key) ?? 0;
        return part > 0 ? [{ key, amount: part }] : [];
      }),
    })),
  });
  return id;
}
