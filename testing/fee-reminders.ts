import { receive, undo } from './payments.ts';
import type { School } from './school.ts';

/** A reminder of today to a guardian about a student who owes a debit. Returns its id. */
export async function plantReminder(
  { sql }: Pick<School, 'sql'>,
  { studentId, guardianId }: { studentId: number; guardianId: number },
): Promise<number> {
  await sql(`insert into fee_account (student_id) values (${studentId}) on conflict do nothing`);
  await sql(`insert into fee_receipt_series (name, short_name) select 'Main', 'MAIN'
    where not exists (select from fee_receipt_series)`);
  await sql(`with due as (
      insert into fee_due (account_id, kind, receipt_series_id, gst_rate, label, due_on)
      select account.id, 'Extra', (select min(id) from fee_receipt_series), 0, 'Lost book', current_date
      from fee_account account where student_id = ${studentId} returning *),
    own as (
      insert into fee_adjustment (account_id, kind, due_id, amount, reason, status, done_on, asked_by)
      select account_id, 'Debit', id, 10000, 'Lost', 'Done', current_date, (select min(id) from staff) from due returning id)
    select from own`);
  await sql(`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, adjustment_id)
    select due.account_id, due.id, due.receipt_series_id, 'Debit', due.due_on, due.due_on, 10000, own.id
    from fee_adjustment own join fee_due due on due.id = own.due_id and due.net = 0`);
  const [made] = await sql(`with made as (insert into fee_reminder (guardian_id, day)
      values (${guardianId}, (now() at time zone 'Asia/Kolkata')::date) returning id, day),
    child as (insert into fee_reminder_child (account_id, day, reminder_id)
      select account.id, made.day, made.id from made, fee_account account where student_id = ${studentId} returning reminder_id)
    select reminder_id as id from child`);
  return Number(made?.id);
}

/** A payment in advance by a guardian for a student. Returns its id. */
export async function plantReceipt(
  school: Pick<School, 'sql'>,
  { studentId, guardianId }: { studentId: number; guardianId: number },
): Promise<number> {
  const { sql } = school;
  await sql(`insert into fee_account (student_id) values (${studentId}) on conflict do nothing`);
  await sql(`insert into fee_receipt_series (name, short_name) select 'Main', 'MAIN'
    where not exists (select from fee_receipt_series)`);
  const [place] = await sql(`select account.id as account, (select min(id) from fee_receipt_series) as series,
    current_date::text as day from fee_account account where student_id = ${studentId}`);
  const receipt = await receive(school, {
    account: Number(place?.account),
    series: Number(place?.series),
    day: String(place?.day),
    on: [{ due: null, amount: 10_000 }],
    payer: guardianId,
  });
  const [made] = await sql(`select payment_id as id from fee_receipt where id = ${receipt}`);
  return Number(made?.id);
}

/** A payment by a guardian that was cancelled. Returns its id. */
export async function plantCancelled(
  school: Pick<School, 'sql'>,
  of: { studentId: number; guardianId: number },
): Promise<number> {
  const id = await plantReceipt(school, of);
  const [receipt] = await school.sql(`select id from fee_receipt where payment_id = ${id}`);
  await undo(school, Number(receipt?.id));
  return id;
}

/** A payment by a guardian that the bank took back. Returns its id. */
export async function plantBounced(
  school: Pick<School, 'sql'>,
  of: { studentId: number; guardianId: number },
): Promise<number> {
  const id = await plantReceipt(school, of);
  await school.sql(`do $$ begin
    update fee_payment set ended_as = 'Bounced', ended_on = paid_on, end_reason = 'Funds insufficient' where id = ${id};
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on, amount,
        receipt_id, reverses_id)
      select account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on, -amount, receipt_id, id
      from fee_ledger_entry where receipt_id in (select id from fee_receipt where payment_id = ${id});
  end $$`);
  return id;
}

/** The message of a day on which a fee falls due. Returns the id of its reminder. */
export async function plantDueDay(
  school: Pick<School, 'sql'>,
  of: { studentId: number; guardianId: number },
): Promise<number> {
  const id = await plantReminder(school, of);
  await school.sql(`update fee_due set due_on = (now() at time zone 'Asia/Kolkata')::date
    where account_id = (select id from fee_account where student_id = ${of.studentId}) and label = 'Lost book'`);
  return id;
}
