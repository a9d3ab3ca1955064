import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import { matchLines } from './server/match-lines.ts';

/** The days that the demo's statement covers, until yesterday. */
const days = 30;

/**
 * A slip of the cheques that are at the bank, and a statement of the last days: most lines have their payment, some differ,
 * some nobody knows, and one is set aside. A few payments are not in it.
 */
export async function finish(ctx: Context, _app: FastifyInstance, { today }: SeedPlan) {
  await ctx.db.transaction().execute(async (db) => {
    await sql`with cheque as (select id, amount from fee_cheque where status in ('Deposited', 'Cleared')),
      slip as (insert into bank_deposit (bank_account_id, day, slip_no, amount, made_by)
        select (select min(id) from fee_bank_account), ${addDays(today, -2)}::date, '000481', sum(amount),
          (select min(received_by) from fee_cheque) from cheque having count(*) > 0 returning id)
      insert into bank_deposit_cheque select slip.id, cheque.id from slip, cheque`.execute(db);
    await sql`with paid as (
        select account.id as account, payment.value_on, payment.reference_key, payment.amount, payment.mode,
          row_number() over (order by payment.value_on, payment.id) as place
        from fee_payment payment
        join lateral (select min(bank.id) as id from fee_receipt receipt
          join fee_bank_account bank on bank.receipt_series_id = receipt.receipt_series_id
          where receipt.payment_id = payment.id) account on account.id is not null
        where payment.mode in ('UPI', 'Bank transfer', 'Net banking') and payment.ended_as is null
          and payment.value_on between ${addDays(today, -days)}::date and ${addDays(today, -1)}::date
        order by payment.value_on desc, payment.id desc limit 56)
      insert into bank_line (bank_account_id, day, narration, tokens, credit, debit, nth, file_from, file_to)
      select account, value_on, mode || '/CR/' || reference_key, array['CR', reference_key],
        case when place % 14 = 0 then amount + 100 else amount end, 0, 1,
        ${addDays(today, -days)}::date, ${addDays(today, -1)}::date
      from paid where place % 9 <> 0 on conflict do nothing`.execute(db);
    await sql`insert into bank_line (bank_account_id, day, narration, tokens, credit, debit, nth, file_from, file_to, state, note)
      select bank.id, ${addDays(today, -3)}::date, own.words, string_to_array(own.words, ' '), own.credit, 0, 1,
        ${addDays(today, -days)}::date, ${addDays(today, -1)}::date, own.state, own.note
      from (values ('IMPS 912345678901 SENT BY PHONE', 450000, 'Open', ''), ('NEFT INWARD 000771', 1200000, 'Open', ''),
        ('INTEREST CREDIT', 31250, 'Set aside', 'Interest of the bank')) as own (words, credit, state, note),
        (select min(id) as id from fee_bank_account having min(id) is not null) as bank`.execute(db);
    await matchLines({ db, now: ctx.now });
  });
}
