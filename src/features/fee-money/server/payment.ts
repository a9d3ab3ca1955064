import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { paymentApi } from '../contract/payment.ts';
import { familyOf, payersOf } from './family.ts';
import { printReceipts } from './receipts.ts';
import { type Money, namedPayer, type PaymentPayer, takeMoney } from './take-money.ts';

type Asked = Parameters<Handler<typeof paymentApi.take>>[1];
/** What a counter asks for; a cheque has a mode of its own. */
export type CounterPayment = Omit<Asked, 'mode'> & Pick<Money, 'mode'>;

/** Takes a payment at the counter for the children of a family: one receipt for each child and receipt series. */
export async function take(ctx: UserContext, { children, amount, ...asked }: CounterPayment) {
  const studentIds = children.map(({ studentId }) => studentId);
  await refuseOtherFamilies(ctx, studentIds);
  const payer = await payerOf(ctx, asked, studentIds);
  const { receiptIds, ...taken } = await takeMoney(ctx, { ...asked, amount: amount ?? 0, payer, to: { children } });
  return { ...taken, papers: await printReceipts(ctx, receiptIds) };
}

/** A guardian of the family, or else a person with a name. */
async function payerOf(
  ctx: UserContext,
  asked: Pick<CounterPayment, 'payerGuardianId' | 'payerName' | 'payerMobile'>,
  studentIds: readonly number[],
): Promise<PaymentPayer> {
  if (asked.payerGuardianId === null) {
    return namedPayer(asked.payerName, asked.payerMobile);
  }
  const [first = 0] = studentIds;
  const payers = await payersOf(ctx, await familyOf(ctx, first));
  const payer = payers.find(({ guardianId }) => guardianId === asked.payerGuardianId);
  if (!payer) throw fieldRefusal('payerGuardianId', text`Choose one from the list.`);
  const { guardianId, name, mobile, relation } = payer;
  return {
    guardianId,
    name,
    mobile,
    key: `g ${guardianId}`,
    shown: relation ? `${name} (${relation.toLowerCase()})` : name,
  };
}

/** A payment is for one family. */
async function refuseOtherFamilies(ctx: UserContext, studentIds: readonly number[]) {
  const family = new Set(await familyOf(ctx, studentIds[0] ?? 0));
  if (studentIds.some((id) => !family.has(id))) throw new AppError('not_found', notFoundMessage);
}
