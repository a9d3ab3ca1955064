import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, UserContext } from '#kit/server/context.ts';
import type { WhereMoney } from '../contract/move.ts';
import { paymentNo } from '../contract/receipt.ts';
import { endPayments, lockAccountsOf } from './end-payment.ts';

const read = async ({ db }: UserContext, ids: readonly number[]) =>
  (
    await sql<{
      id: number;
      paidOn: string;
      amount: number;
      mode: string;
      payer: string;
      by: string;
      version: number;
      money: WhereMoney | '';
      receipts: string;
      studentId: number | null;
    }>`
      select payment.id, paid_on as "paidOn", payment.amount, mode, payer_name as payer, staff.name as by, payment.version,
        payment.end_money as money, string_agg(receipt.receipt_no, ', ' order by receipt.id) as receipts, min(account.student_id) as "studentId"
      from fee_payment payment join staff on staff.id = payment.staff_id
      join fee_receipt receipt on receipt.payment_id = payment.id
      join fee_account account on account.id = receipt.account_id
      where payment.id = any(${[...ids]}::integer[]) group by payment.id, staff.id`.execute(db)
  ).rows;

/** A payment of an earlier day, or of another cashier, is cancelled by a second person. */
export const cancelApproval: ApprovalKind = {
  kind: 'fee.cancel',
  subject: 'fee_payment_id',
  title: text`Cancellation of a payment`,
  notice: text`The cancellation of a payment is waiting for your approval.`,
  sets: ['financeApprover', 'principal'],
  describe: async (ctx, ids) =>
    new Map(
      (await read(ctx, ids)).map(({ id, paidOn, amount, mode, payer, by, version, money, receipts, studentId }) => [
        id,
        {
          facts: [
            { label: text`Payment`, value: verbatim(paymentNo(id)) },
            { label: text`Date`, value: verbatim(showDate(paidOn)) },
            { label: text`Mode`, value: verbatim(mode) },
            { label: text`Received from`, value: verbatim(payer) },
            { label: text`Receipts`, value: verbatim(receipts) },
            { label: text`Collected by`, value: verbatim(by) },
            ...(money === '' ? [] : [{ label: text`The money`, value: verbatim(money) }]),
          ],
          effect: [text`${{ amount: showMoney(amount) }} is due again from today. The receipt numbers are kept.`],
          to: studentId === null ? '' : `fee/student-wise-fees-structure/${studentId}`,
          basis: version,
        },
      ]),
    ),
  lock: (ctx, ids) => lockAccountsOf(ctx, ids),
  decide: async (ctx, ids, outcome) => {
    if (outcome !== 'Approved') return;
    const { rows } = await sql<{ id: number; reason: string; money: WhereMoney }>`
      select distinct on (fee_payment_id) fee_payment_id as id, approval.reason, end_money as money from approval
      join fee_payment payment on payment.id = fee_payment_id
      where fee_payment_id = any(${[...ids]}::integer[]) order by fee_payment_id, approval.id desc`.execute(ctx.db);
    await endPayments(ctx, rows, { as: 'Cancelled', staffId: ctx.user.staffId });
  },
};
