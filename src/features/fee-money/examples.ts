import { toGuardian, withFamilyLink } from '#testing/addressed.ts';
import type { Examples, Stage } from '#testing/examples.ts';
import { plantBounced, plantCancelled, plantDueDay, plantReceipt, plantReminder } from '#testing/fee-reminders.ts';
import { receive } from '#testing/payments.ts';
import type { School } from '#testing/school.ts';

/** A message to a guardian with the link to the page. */
async function toPage(school: School, plant: typeof plantReminder) {
  let adult = 0;
  const { subjectId } = await toGuardian(school, (of) => {
    adult = of.guardianId;
    return plant(school, of);
  });
  return withFamilyLink(school, adult, subjectId);
}

/** A debit that is owed, a correction of it, and a refund of advance. */
async function plantCorrections({ school }: Stage) {
  if ((await school.sql('select id from fee_refund limit 1')).length > 0) return;
  await school.sql(`insert into fee_account (student_id) select id from student on conflict do nothing;
    insert into fee_receipt_series (name, short_name) values ('Main', 'MAIN');
    with own as (select account.id, (select min(id) from fee_receipt_series) as series from fee_account account
        where student_id is not null order by id desc limit 1),
      due as (insert into fee_due (account_id, kind, receipt_series_id, gst_rate, label, due_on)
        select id, 'Extra', series, 0, 'Lost book', '2026-06-01' from own returning *)
      insert into fee_adjustment (account_id, kind, due_id, amount, reason, status, done_on, asked_by)
      select account_id, 'Debit', id, 100, 'Lost', 'Done', '2026-06-01', (select min(id) from staff) from due;
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, adjustment_id)
      select due.account_id, due.id, due.receipt_series_id, 'Debit', due.due_on, due.due_on, 100, own.id
      from fee_adjustment own join fee_due due on due.id = own.due_id`);
  const [account] = await school.sql(
    'select account_id as id, receipt_series_id as series from fee_due order by id desc limit 1',
  );
  const to = { account: Number(account?.id), series: Number(account?.series) };
  await receive(school, { ...to, day: '2026-06-01', on: [{ due: null, amount: 100 }] });
  await school.sql(`insert into fee_refund (account_id, receipt_series_id, amount, reason, mode, payee, asked_by)
    select ${to.account}, ${to.series}, 100, 'Left', 'Cheque', 'A parent', min(id) from staff`);
}

/** Money without a child. Returns its receipt. */
async function plantUnplaced(school: Pick<Stage['school'], 'sql'>, note: string): Promise<number> {
  const [made] = await school.sql(`insert into fee_account (unplaced_note, branch_id)
    values ('${note}', (select min(id) from academic_branch)) returning id, (select min(id) from fee_receipt_series) as series`);
  const to = { account: Number(made?.id), series: Number(made?.series), day: '2026-06-01' };
  return receive(school, { ...to, on: [{ due: null, amount: 300 }] });
}

/** An export by the office, once there are corrections and refunds of a pupil. */
const corrected = (url: string, body?: object) => async (stage: Stage) => {
  await stage.pupil();
  await plantCorrections(stage);
  return { url, by: stage.office, ...(body && { body }) };
};

export const examples: Examples = {
  exports: {
    'GET /fee/student/export': async ({ school, office, pupil }) => {
      await pupil();
      await school.sql('insert into fee_account (student_id) select id from student on conflict do nothing');
      return { url: '/fee/student/export?as=csv&tab=all', by: office };
    },
    'GET /fee/adjustment/export': corrected('/fee/adjustment/export?as=csv&tab=all'),
    'GET /fee/cheque/export': async ({ school, office, pupil }) => {
      await pupil();
      await school.sql(`insert into fee_cheque (student_id, kind, number, bank, dated_on, amount, payer_name, status, received_on,
          received_by)
        select max(id), 'Cheque', '100001', 'Bank', '2099-01-01', 100, 'A parent', 'Held', '2026-06-01',
          (select min(id) from staff) from student on conflict do nothing`);
      return { url: '/fee/cheque/export?as=csv&tab=all', by: office };
    },
    'POST /fee/demand': corrected('/fee/demand', { isAll: true }),
    'GET /fee/unplaced/export': async ({ school, office, pupil }) => {
      await pupil();
      await school.sql(`insert into fee_receipt_series (name, short_name) select 'Main', 'MAIN'
        where not exists (select from fee_receipt_series)`);
      await plantUnplaced(school, 'No name with it');
      return { url: '/fee/unplaced/export?as=csv&tab=all', by: office };
    },
    'GET /fee/refund/export': corrected('/fee/refund/export?as=csv&tab=all'),
    'GET /fee/report/export': corrected('/fee/report/export?as=csv&kind=Outstanding%20by%20age&to=2026-06-30'),
  },
  messages: {
    'fee.bounced': (school) => toGuardian(school, (of) => plantBounced(school, of)),
    'fee.due-day': (school) => toGuardian(school, (of) => plantDueDay(school, of)),
    'fee.cancelled': (school) => toGuardian(school, (of) => plantCancelled(school, of)),
    'fee.receipt': (school) => toGuardian(school, (of) => plantReceipt(school, of)),
    'fee.reminder': (school) => toGuardian(school, (of) => plantReminder(school, of)),
    'fee.due-day-page': (school) => toPage(school, plantDueDay),
    'fee.reminder-page': (school) => toPage(school, plantReminder),
  },
  rows: async (school) => {
    const { sql } = school;
    const [due] = await sql('select account_id, receipt_series_id as series from fee_due order by id limit 1');
    const [account, series] = [Number(due?.account_id), Number(due?.series)];
    // An opening balance that waits for a second person.
    await sql(`with own as (insert into fee_opening (batch, account_id, academic_year_id, fee_head_id, amount, staff_id)
        select gen_random_uuid(), due.account_id, due.academic_year_id, due.fee_head_id, -100, (select min(id) from staff)
        from fee_due due where fee_head_id is not null order by id limit 1 returning *),
        asked as (insert into fee_opening_batch (batch, act, rows, owed, advance, asked_by, asked_at)
        select batch, 'Post', 1, 0, 100, staff_id, now() from own)
      insert into fee_follow_up (account_id, note, promised_on, staff_id)
        select account_id, 'Will pay', '2026-07-01', staff_id from own`);
    const receipt = await receive(school, { account, series, day: '2026-06-01', on: [{ due: null, amount: 200 }] });
    await sql(`insert into fee_cash_day values ('g1', '2026-06-01', 100)`);
    await sql(`insert into fee_receipt_print (receipt_id, staff_id) select ${receipt}, min(id) from staff`);
    await sql(`insert into fee_cheque (student_id, kind, number, bank, dated_on, amount, payer_name, status, received_on,
        received_by)
      select max(id), 'Cheque', '100001', 'Bank', '2099-01-01', 100, 'A parent', 'Held', '2026-06-01',
        (select min(id) from staff) from student`);
    await sql(`insert into fee_day_count select min(id), 500, 2 from fee_day where status = 'Open';
      insert into fee_day (staff_id, day) select min(id), '2026-05-30' from staff on conflict do nothing;
      insert into fee_day_carry select min(id), max(id) from fee_day on conflict do nothing;
      insert into fee_adjustment (account_id, kind, due_id, amount, reason, asked_by)
        select account_id, 'Credit', id, 100, 'Agreed', (select min(id) from staff) from fee_due order by id limit 1;
      insert into fee_refund (account_id, receipt_series_id, amount, reason, mode, payee, asked_by)
        select ${account}, ${series}, 100, 'Left', 'Cheque', 'A parent', min(id) from staff`);
    await sql(`insert into fee_difference (account_id, ledger, balance, dues, wrong_dues)
      select min(id), 1, 2, 3, 0 from fee_account`);
    await sql(`insert into fee_certificate (certificate_no, student_id, financial_year, receipt_series_id, branch_id, amount,
        issued, code, made_by)
      select 'FC/2026-27/99999', id, '2026-27', ${series}, branch_id, 100, '{}', 'Abcdefghjk', (select min(id) from staff)
      from student order by id limit 1`);
    // A move that waits.
    const kept = await plantUnplaced(school, 'Cancelled by mistake');
    await sql(`insert into fee_reissue (payment_id, kind, input, reason, asked_by, asked_at)
      select payment_id, 'Place', '[]', 'She called', (select min(id) from staff), now() from fee_receipt where id = ${kept}`);
    await sql(`with made as (insert into fee_reminder (guardian_id, day) select min(id), '2026-06-01' from guardian returning *)
      insert into fee_reminder_child (account_id, day, reminder_id)
        select (select min(id) from fee_account), day, id from made`);
    await sql(
      `insert into fee_book (closed_until, reason, staff_id) select '2020-03-31', 'Audited', min(id) from staff`,
    );
  },
};
