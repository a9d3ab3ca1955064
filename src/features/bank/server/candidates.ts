import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { lineKinds } from '../contract/line.ts';
import { bankSaw } from './bank-saw.ts';
import { shownModes } from './match-lines.ts';

interface Found {
  lineId: number;
  kind: (typeof lineKinds)[number];
  id: number;
  version: number;
  name: string;
  day: string;
  words: string;
  amount: number;
  isNamed: boolean;
}

/** The days between a payment at the counter and the line of the bank, and those between a slip and its cheque. */
const daysOfPayment = 10;
const daysOfCheque = 30;

/**
 * What open lines may be of: payments with the reference or of the amount, slips of the amount, cheques and refunds whose
 * number stands in the line. Those that are named come first. Nothing is matched by it.
 */
export async function candidatesOf({ db }: Pick<UserContext, 'db'>, lineIds: readonly number[]) {
  const { rows } = await sql<Found>`
    with line as (select * from bank_line where id = any(${[...lineIds]}::integer[]) and state = 'Open'),
    found as (
      select line.id as "lineId", 'Payment' as kind, payment.id, payment.version, payment.value_on as day,
        coalesce((select string_agg(receipt_no, ', ' order by id) from fee_receipt where payment_id = payment.id), '') as name,
        concat_ws(' ', payment.mode, payment.reference, payment.payer_name) as words, payment.amount,
        payment.reference_key = any(line.tokens) and length(payment.reference_key) >= 4 as "isNamed"
      from line join fee_payment payment on payment.mode in ${shownModes} and payment.ended_as is null
        and (payment.reference_key = any(line.tokens) or (payment.amount = line.credit
          and abs(payment.value_on - line.day) <= ${daysOfPayment}::integer))
      where line.credit > 0 and not ${bankSaw(sql`payment`)}
      union all
      select line.id, 'Deposit slip', slip.id, 1, slip.day, slip.slip_no, '', slip.amount, slip.slip_no = any(line.tokens)
      from line join bank_deposit slip on slip.bank_account_id = line.bank_account_id
        and line.day - slip.day between 0 and ${daysOfPayment}::integer
        and line.credit <= slip.amount - (select coalesce(sum(credit), 0) from bank_line where deposit_id = slip.id)
      where line.credit > 0 and (line.credit = slip.amount or slip.slip_no = any(line.tokens))
      union all
      select line.id, case when line.credit > 0 then 'Cheque' else 'Returned cheque' end, cheque.id, cheque.version,
        cheque.deposited_on, cheque.number, concat_ws(' ', cheque.bank, cheque.payer_name), cheque.amount, true
      from line join fee_cheque cheque on cheque.number = any(line.tokens)
        and cheque.amount = greatest(line.credit, line.debit)
        and line.day - cheque.deposited_on between 0 and ${daysOfCheque}::integer
        and (cheque.status = 'Deposited' or (cheque.status = 'Cleared' and line.debit > 0))
      union all
      select line.id, 'Refund', refund.id, refund.version, refund.paid_on, refund.refund_no,
        concat_ws(' ', refund.reference, refund.payee), refund.amount, true
      from line join fee_refund refund on refund.status = 'Paid' and refund.amount = line.debit
        and upper(regexp_replace(refund.reference, '[^A-Za-z0-9]', '', 'g')) = any(line.tokens)
        and not exists (select from bank_line where refund_id = refund.id))
    select * from found order by "lineId", "isNamed" desc, day, kind, id`.execute(db);
  return Map.groupBy(
    rows.map(({ words, day, ...row }) => ({ ...row, about: [showDate(day), words].filter(Boolean).join(', ') })),
    ({ lineId }) => lineId,
  );
}
