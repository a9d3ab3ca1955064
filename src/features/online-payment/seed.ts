import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';

/** Payments of three families: one that the bank shows, one without a line yet, one that was not found. */
export async function finish({ db, now }: Context, _app: FastifyInstance, { today }: SeedPlan) {
  await sql`with owing as (
      select account.student_id, due.receipt_series_id, min(household.guardian_id) as guardian_id, sum(due.net - due.paid) as amount,
        row_number() over (order by account.student_id, due.receipt_series_id) as place
      from fee_due due join fee_account account on account.id = due.account_id
      join student_household household on household.student_id = account.student_id
      join fee_receipt_series series on series.id = due.receipt_series_id and series.upi_id <> ''
      where due.paid < due.net and due.due_on <= ${today}::date
      group by 1, 2 order by 1, 2 limit 3),
    entered as (
      insert into home_payment (guardian_id, student_id, receipt_series_id, reference, paid_on, amount, entered_at, not_found_at,
          not_found_by, note)
      select guardian_id, student_id, receipt_series_id, (533012345670 + place)::text, ${addDays(today, -1)}::date, amount,
        ${now()}::timestamptz - interval '20 hours', case when place = 3 then ${now()}::timestamptz end,
        case when place = 3 then (select min(staff_id) from sign_in_account where 'accountant' = any(sets)) end,
        case when place = 3 then 'Please check the last digits of the reference.' else '' end
      from owing returning *)
    insert into bank_line (bank_account_id, day, narration, tokens, credit, debit, nth, file_from, file_to)
    select account.id, entered.paid_on, 'UPI/CR/' || entered.reference, array['UPI', 'CR', entered.reference], entered.amount, 0, 1,
      entered.paid_on, entered.paid_on
    from entered join lateral (select min(id) as id from fee_bank_account bank where bank.receipt_series_id = entered.receipt_series_id)
      account on account.id is not null
    where entered.not_found_at is null order by entered.id limit 1`.execute(db);
}
