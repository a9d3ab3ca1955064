import pg from 'pg';
import type { School } from '../school.ts';
import type { Invariant, Span } from './invariants.ts';
import { breaches } from './live.ts';

/** A fault for each invariant, in SQL that no trigger and no constraint stops, by the name of the invariant. */
export const plantedFaults: Readonly<Record<string, string>> = {
  'the balance of an account is the sum of its ledger':
    'update fee_account set balance = balance + 100 where id = (select min(account_id) from fee_receipt)',
  'each payment has receipts and a ledger of its amount, and a cancelled one of nothing':
    'delete from fee_ledger_entry where receipt_id = (select max(receipt_id) from fee_ledger_entry where reverses_id is null)',
  'the numbers of a receipt series have no gap and no double':
    'update fee_receipt set number_value = number_value + 1 where id = (select max(id) from fee_receipt)',
  'a child has one place on each day, and each screen the same one': `
    alter table student_section drop constraint student_section_overlap;
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
        effective_from, effective_to)
      select enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id, effective_from,
        effective_to from student_section order by id limit 1`,
  'a section has no more children than seats on any day': 'update academic_section set capacity = 1',
  'a bus has no more riders than seats on any day': 'update transport_duty set seats = 1',
  'no two children of a section have one roll number on a day': `
    alter table student_section drop constraint student_section_roll;
    update student_section set roll_no = 1`,
  'the marks of a child count for one day a day': `
    alter table attendance_register drop constraint attendance_register_weight_check;
    update attendance_register set weight = 2 * weight`,
  'the advance of a family is what it paid beyond its dues': `
    insert into fee_advance (account_id, receipt_series_id, amount)
      select min(account.id), (select min(id) from fee_receipt_series), 100 from fee_account account
      on conflict (account_id, receipt_series_id) do update set amount = fee_advance.amount + 100`,
  'what is open of a due is the sum of its ledger':
    'update fee_ledger_entry set amount = amount + 100 where id = (select min(id) from fee_ledger_entry where due_id is not null)',
  'a closed drawer expected the cash that was taken in it': `
    update fee_day set status = 'Closed', closed_at = now(), closed_by = staff_id, expected = opening_cash + 1,
      counted = opening_cash + 1, difference = 0`,
  'the other numbers of the school have no gap and no double': `
    insert into fee_refund (account_id, amount, asked_by, mode, payee, reason, receipt_series_id, refund_no, status, reference,
        paid_on)
      select min(account_id), 100, (select min(id) from staff), 'Cheque', 'A parent', 'Test', min(receipt_series_id),
        'RF/2044-45/00002', 'Paid', '1', '2045-03-30' from fee_receipt`,
  'nobody decides on a request of their own': `
    alter table approval drop constraint approval_second_person;
    insert into approval (kind, workday_leave_id, title, requested_by, requested_at, decided_by, decided_at, status)
      select 'workday.leave', 1, '{}', min(id), now(), min(id), now(), 'Approved' from staff`,
  'an account owes what was charged, less what was paid and not paid back': `
    update fee_receipt set amount = amount + 100 where id = (select max(receipt.id) from fee_receipt receipt
      join fee_payment payment on payment.id = payment_id where ended_as is null)`,
  'a plan charges what its changes came to':
    'update fee_plan_change set total = total + 100 where id = (select min(id) from fee_plan_change)',
  'a payment lies in the drawer of its cashier on its day': 'update fee_day set day = day - 4000',
  'one reference is of one payment': `
    drop index fee_payment_reference_once;
    update fee_payment set mode = 'UPI', reference = 'TWICE' where reissue_of is null`,
  'no notice and no reminder is for a barred adult, or about a child who had left': `
    with link as (update student_guardian
        set is_barred = true, is_primary = false, may_collect = false, receives_messages = false
        where student_id = (select min(student_id) from fee_account) returning student_id, guardian_id),
      told as (insert into fee_reminder (guardian_id, day) select guardian_id, '2045-03-30' from link limit 1
        returning id, guardian_id)
    insert into fee_reminder_child (account_id, day, reminder_id)
      select account.id, '2045-03-30', told.id from told join link using (guardian_id)
      join fee_account account on account.student_id = link.student_id`,
  'a row of the seat plan gives no more seats than it has, and an admitted child one account': `
    insert into admission_inquiry (academic_year_id, board_id, branch_id, grade_id, program_id, inquiry_no, link_hash,
        link_key_id, link_expires_at, state, seat_id, seat_quota, offer_expires_on)
      select academic_year_id, 1, branch_id, grade_id, program_id, 'NONE', decode(md5('none') || md5('none'), 'hex'),
        'none', now(), 'Seat confirmed', 2000000000,
        'General', '2045-03-31' from academic_section order by id limit 1`,
  'everybody of the last day is in the next year, has left, or is undecided': `
    update student_enrollment set status = 'Cancelled' where id = (select max(later.id) from student_enrollment later
      join student_enrollment own on own.student_id = later.student_id and own.status = 'Promoted'
      where later.status = 'Active')`,
};

/** The breaches that a fault makes, in a transaction that is undone. */
export async function breachesOf(
  { config }: Pick<School, 'config'>,
  fault: string,
  checked: readonly Invariant[],
  span: Span,
) {
  const client = new pg.Client(config.databaseOwnerUrl);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await client.query(fault);
    return await breaches(async (text) => (await client.query(text)).rows, checked, span);
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

/** A fault that only a screen, a file or the log shows, planted in the database of the server and taken back. */
interface LiveFault {
  plant: string;
  undo: string;
}

const perMille = (value: string) => `
  create or replace function attendance_per_mille(worth bigint, share bigint) returns integer language sql immutable as
    'select case when share > 0 then (${value})::integer end'`;

export const liveFaults = (
  section: number,
): Readonly<Record<'percents' | 'rights' | 'files' | 'messages', LiveFault>> => ({
  percents: {
    plant: perMille('(2000 * worth + share) / (2 * share) - 1'),
    undo: perMille('(2000 * worth + share) / (2 * share)'),
  },
  rights: {
    plant: `update academic_section_teacher set effective_to = effective_from where section_id = ${section}`,
    undo: `update academic_section_teacher set effective_to = null where section_id = ${section}`,
  },
  files: {
    plant: `insert into file (id, owner, owner_id, name, media_type, bytes, sha256)
      select gen_random_uuid(), owner, 2000000000, 'lost.jpg', media_type, bytes, sha256 from file limit 1`,
    undo: `delete from file where owner_id = 2000000000`,
  },
  messages: {
    plant: `insert into outbox (channel, template, recipient, subject_id, status)
      select 'email', 'ticket.late', 'twice@staff.example', 1, 'expired' from generate_series(1, 2)`,
    undo: `delete from outbox where recipient = 'twice@staff.example'`,
  },
});

/** A receipt of a month that lost its ledger entry: the child, and the fault that was planted. */
export const lostEntry = (month: string) => `
  delete from fee_ledger_entry where receipt_id = (select max(receipt.id) from fee_receipt receipt
    join fee_payment payment on payment.id = payment_id join fee_account account on account.id = receipt.account_id
    where ended_as is null and student_id is not null and receipt_date between '${month}-10' and '${month}-25')`;
