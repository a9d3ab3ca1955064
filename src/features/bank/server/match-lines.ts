import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';

/** The modes whose money a bank shows by a reference. */
export const shownModes = sql`('UPI', 'Card', 'Bank transfer', 'Net banking')`;

/**
 * Matches open lines by a whole reference: with the same amount and at most 5 days apart it is that payment; with another
 * amount it differs. Only where one line and one payment of the account's receipt series have the reference; names and
 * amounts alone match nothing.
 */
export async function matchLines({ db, now }: Pick<UserContext, 'db' | 'now'>) {
  const { rows } = await sql<{ state: string; count: number }>`
    with wanted as materialized (
      select distinct line.id as line, line.credit, line.day, account.receipt_series_id as series, token
      from bank_line line join fee_bank_account account on account.id = line.bank_account_id cross join lateral unnest(line.tokens) as token
      where line.state = 'Open' and line.credit > 0 and length(token) >= 6),
    -- Of the few payments with such a reference it is asked whether the bank has shown them.
    found as materialized (
      select wanted.line, payment.id as payment, payment.amount = wanted.credit as is_same
      from wanted join fee_payment payment on payment.reference_key = wanted.token
      where payment.mode in ${shownModes} and payment.ended_as is null and abs(payment.value_on - wanted.day) <= 5
        and exists (select from fee_receipt where payment_id = payment.id and receipt_series_id = wanted.series)),
    pair as materialized (select * from found where not bank_saw(payment)),
    best as (
      select * from pair where is_same or not exists (select from pair other where other.is_same
        and (other.line = pair.line or other.payment = pair.payment))),
    sole as (
      select * from best where (select count(*) from best other where other.line = best.line) = 1
        and (select count(*) from best other where other.payment = best.payment) = 1),
    done as (
      update bank_line own set state = case when sole.is_same then 'Matched' else 'Differs' end,
        payment_id = sole.payment, matched_at = ${now()}, version = version + 1
      from sole where own.id = sole.line returning own.state)
    select state, count(*)::integer as count from done group by state`.execute(db);
  const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
  return { matched: of('Matched'), differs: of('Differs') };
}
