import { sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { accountsOf } from '#features/fee-price/api.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { EventSource } from '#kit/server/context.ts';

/** The receipts of a student by the day of payment; one whose payment ended says so, and stands once. */
export const receiptEvents: EventSource = {
  record: 'student',
  kind: 'receipt',
  title: text`Receipts`,
  access: feeReaders,
  find: async ({ db }, id, { from, to, most, isAfter }) => {
    const { rows } = await sql<{
      day: string;
      id: number;
      number: string;
      amount: number;
      hasEnded: boolean;
      mode: string;
    }>`
      select payment.paid_on::text as day, receipt.id, receipt.receipt_no as number, receipt.amount::bigint as amount,
        payment.ended_on is not null as "hasEnded", payment.mode
      from ${accountsOf(id)} account join fee_receipt receipt on receipt.account_id = account.id
      join fee_payment payment on payment.id = receipt.payment_id
      where payment.paid_on between ${from}::date and ${to}::date
        and ${isAfter(sql`payment.paid_on`, sql`receipt.id`)}
      order by payment.paid_on desc, receipt.id desc limit ${most}`.execute(db);
    return rows.map(({ number, amount, hasEnded, mode, ...row }) => ({
      ...row,
      what: hasEnded
        ? text`Receipt ${{ number }} for ${{ amount: showMoney(amount) }}, cancelled`
        : text`Receipt ${{ number }} for ${{ amount: showMoney(amount) }}`,
      detail: mode,
    }));
  },
};
