import { sql } from 'kysely';
import { householdsOf } from '#features/student/api.ts';
import { toLocalTime } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { paymentApi } from '../contract/payment.ts';
import { payersOf } from './family.ts';
import { printReceipts } from './receipts.ts';
import { type Money, namedPayer, type PaymentPayer, takeMoney } from './take-money.ts';

type Asked = Parameters<Handler<typeof paymentApi.take>>[1];
/** What a counter asks for; a cheque has a mode of its own. */
type CounterPayment = Omit<Asked, 'mode'> & Pick<Money, 'mode'>;

/** Takes a payment at the counter for the children of a family: one receipt for each child and receipt series. */
export async function take(ctx: UserContext, { children, amount, ...asked }: CounterPayment) {
  const studentIds = children.map(({ studentId }) => studentId);
  await refuseOtherHouseholds(ctx, studentIds);
  const payer = await payerOf(ctx, asked, studentIds);
  const money = { ...asked, amount: amount ?? 0, payer, to: { children } };
  const { receiptIds, ...taken } = await takeMoney(ctx, money).catch(async (error: unknown) => {
    throw error instanceof AppError && error.code === 'stale' ? await paidBetween(ctx, children) : error;
  });
  return { ...taken, papers: await printReceipts(ctx, receiptIds) };
}

/** The refusal of dues that have changed, with the receipt that came between where it was a payment. */
async function paidBetween({ db }: UserContext, children: CounterPayment['children']): Promise<AppError> {
  const { rows } = await sql<{ receiptNo: string; at: Date; cashier: string; amount: number }>`
    select receipt.receipt_no as "receiptNo", payment.created_at as at, staff.name as cashier, receipt.amount
    from unnest(${children.map(({ studentId }) => studentId)}::integer[],
      ${children.map(({ lastReceiptId }) => lastReceiptId ?? null)}::integer[]) as seen (student, receipt)
    join fee_account account on account.student_id = seen.student
    join fee_receipt receipt on receipt.account_id = account.id and receipt.id > seen.receipt
    join fee_payment payment on payment.id = receipt.payment_id
    join staff on staff.id = payment.staff_id
    order by receipt.id desc limit 1`.execute(db);
  const [last] = rows;
  if (!last) return new AppError('stale', staleMessage);
  const [time, amount] = [toLocalTime(last.at), showMoney(last.amount)];
  return new AppError(
    'stale',
    text`Receipt ${{ number: last.receiptNo }} of ${{ time }} (${{ cashier: last.cashier }}) paid ${{ amount }} of it. Check the dues, which are read again, and collect the rest.`,
  );
}

/** A guardian of all these children, or else a person with a name. */
export async function payerOf(
  ctx: UserContext,
  asked: Pick<CounterPayment, 'payerGuardianId' | 'payerName' | 'payerMobile'>,
  studentIds: readonly number[],
): Promise<PaymentPayer> {
  if (asked.payerGuardianId === null) {
    return namedPayer(asked.payerName, asked.payerMobile);
  }
  const payers = await payersOf(ctx, studentIds);
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

/** A payment is for the children of one adult. */
async function refuseOtherHouseholds(ctx: UserContext, studentIds: readonly number[]) {
  if (studentIds.length === 1) return;
  const households = await householdsOf(ctx, { studentIds });
  if (!households.some((one) => studentIds.every((id) => one.studentIds.includes(id))))
    throw new AppError('not_found', notFoundMessage);
}
