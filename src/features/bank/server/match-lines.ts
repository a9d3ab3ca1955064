import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';

/** The modes whose money a bank shows by a reference. */
export const shownModes = sql`('UPI', 'Card', 'Bank transfer', 'Net banking')`;

/**
 * Matches open lines by a whole reference: with the same amount and at most 5 days apart it is that payment; with another
 * amount it differs. Only where one line and one payment have the reference; names and amounts alone match nothing.
 */
export async function matchLines({ db, now }: Pick<UserContext, 'db' | 'now'>) {
  const { rows } = await sql<{ state: string; count: number }>`
    with pair as (
      select line.id as line, payment.id as payment, payment.amount = line.credit as is_same
      from bank_line line join fee_payment payment on payment.reference_key = any(line.tokens)
      where line.state = 'Open' and line.credit > 0 and payment.mode in ${shownModes} and payment.ended_as is null
        and length(payment.reference_key) >= 6 and abs(payment.value_on - line.day) <= 5
        and not bank_saw(payment.id)),
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
