import type { School } from '../school.ts';

type Sql = School['sql'];

/** A subject for which an invariant does not hold, in words. */
export interface Broken {
  /** The child it is about; undefined where it is about none. */
  student?: number;
  /** The request of the act that it is about, where it names one. */
  request?: string;
  words: string;
}

/** Days between which an invariant holds. */
export interface Span {
  from: string;
  until: string;
}

export interface Invariant {
  name: string;
  /** Who or what breaks it; nobody where it holds. */
  find: (sql: Sql, span: Span) => Promise<Broken[]>;
}

/** An invariant as a query of `student` and `words`; a row breaks it. */
const byQuery =
  (query: (span: Span) => string): Invariant['find'] =>
  async (sql, span) =>
    (await sql(query(span))).map(({ student, words }) => ({
      ...(student !== null && { student: Number(student) }),
      words: String(words),
    }));

const days = ({ from, until }: Span) =>
  `(select day::date as day from generate_series('${from}'::date, '${until}', interval '1 day') as day)`;

/** What holds after each day of a school, whatever its people did. */
export const invariants: readonly Invariant[] = [
  {
    name: 'the balance of an account is the sum of its ledger',
    find: byQuery(
      () => `select student_id as student, format('balance %s, ledger %s', balance, ledger) as words
        from fee_account account cross join lateral (select coalesce(sum(amount), 0) as ledger from fee_ledger_entry
          where account_id = account.id) as sums where balance <> ledger`,
    ),
  },
  {
    name: 'each payment has receipts and a ledger of its amount, and a cancelled one of nothing',
    find: byQuery(
      () => `select student, format('payment %s of %s: receipts %s, ledger %s', id, amount, receipts, -ledger) as words
        from fee_payment payment cross join lateral (
          select sum(receipt.amount) as receipts, min(account.student_id) as student,
            coalesce(sum((select sum(entry.amount) from fee_ledger_entry entry where entry.receipt_id = receipt.id)), 0) as ledger
          from fee_receipt receipt join fee_account account on account.id = receipt.account_id
          where receipt.payment_id = payment.id) as sums
        where receipts is distinct from amount or -ledger <> case when ended_as is null then amount else 0 end`,
    ),
  },
  {
    name: 'the numbers of a receipt series have no gap and no double',
    find: byQuery(
      () => `select null as student, format('series %s: %s receipts up to number %s', number_series_id, count(*),
          max(number_value)) as words
        from fee_receipt group by number_series_id, number_period
        having count(*) <> max(number_value) or count(distinct number_value) <> count(*)`,
    ),
  },
  {
    name: 'a child has one place on each day, and each screen the same one',
    find: byQuery(
      (
        span,
      ) => `select student_id as student, format('%s: section %s of %s rows, shown in %s', day, min(section_id), count(*),
          min(shown)) as words
        from ${days(span)} as days cross join lateral student_on(day) as here
        cross join lateral (select section_id as shown from student_place(here.student_id, day)) as place
        group by student_id, day having count(*) > 1 or min(section_id) is distinct from min(shown)`,
    ),
  },
  {
    name: 'a section has no more children than seats on any day',
    find: byQuery(
      (span) => `select null as student, format('%s: %s children in section %s of %s', day, count(*), section.id,
          section.capacity) as words
        from ${days(span)} as days cross join lateral student_on(day) as here
        join academic_section section on section.id = here.section_id
        group by day, section.id having count(*) > section.capacity`,
    ),
  },
  {
    name: 'a bus has no more riders than seats on any day',
    find: byQuery(
      (span) => `select null as student, format('%s: %s riders on trip %s of %s', day, riders, trip_id, seats) as words
        from ${days(span)} as days
        join transport_duty duty on day between effective_from and coalesce(effective_to, 'infinity')
        cross join lateral (select transport_riders(trip_id, day) as riders) as counted where riders > seats`,
    ),
  },
  {
    name: 'no two children of a section have one roll number on a day',
    find: byQuery(
      (
        span,
      ) => `select min(student_id) as student, format('%s: roll %s of section %s is that of %s children', day, roll_no,
          section_id, count(*)) as words
        from ${days(span)} as days cross join lateral student_on(day)
        where section_id is not null and roll_no is not null
        group by day, section_id, roll_no having count(*) > 1`,
    ),
  },
  {
    name: 'the marks of a child count for one day a day',
    find: byQuery(
      (span) => `select student_id as student, format('%s: marks of %s quarters of a day', day, sum(share)) as words
        from attendance_counted where day between '${span.from}' and '${span.until}'
        group by student_id, day having sum(share) > 4`,
    ),
  },
  {
    name: 'the advance of a family is what it paid beyond its dues',
    find: byQuery(
      () => `select account.student_id as student, format('advance %s in series %s, ledger %s', coalesce(advance.amount, 0),
          receipt_series_id, coalesce(ledger, 0)) as words
        from fee_advance advance full join (
          select account_id, receipt_series_id, -sum(amount) as ledger from fee_ledger_entry where due_id is null
          group by account_id, receipt_series_id) as sums using (account_id, receipt_series_id)
        join fee_account account on account.id = account_id
        where coalesce(advance.amount, 0) <> coalesce(ledger, 0) or advance.amount < advance.held`,
    ),
  },
  {
    name: 'what is open of a due is the sum of its ledger',
    find: byQuery(
      () => `select student_id as student, format('due %s: %s open, ledger %s', due.id, net - paid, ledger) as words
        from fee_due due join fee_account account on account.id = account_id
        cross join lateral (select sum(amount) as ledger from fee_ledger_entry where due_id = due.id) as sums
        where ledger <> net - paid`,
    ),
  },
  {
    name: 'a closed drawer expected the cash that was taken in it',
    find: byQuery(
      () => `select null as student, format('%s: expected %s, taken %s', day, expected, taken) as words
        from fee_day cross join lateral (select coalesce(sum(amount), 0) as taken from fee_payment
          where day_id = fee_day.id and mode = 'Cash' and (ended_on is null or ended_on > day)) as sums
        where closed_at is not null and expected <> opening_cash + taken`,
    ),
  },
  {
    name: 'the other numbers of the school have no gap and no double',
    find: byQuery(
      () => `select null as student, format('%s: %s numbers up to %s', series, count(*), max(last)) as words
        from (select substring(number from '^(.*/)[0-9]+$') as series, substring(number from '([0-9]+)$')::integer as last
          from (select refund_no as number from fee_refund union all select number from student_certificate
            union all select ticket_no from ticket union all select inquiry_no from admission_inquiry) as used
          where number ~ '/[0-9]{1,9}$') as parts
        group by series having count(*) <> max(last) or count(distinct last) <> count(*)`,
    ),
  },
  {
    name: 'nobody decides on a request of their own',
    find: byQuery(
      () => `select student_id as student, format('request %s of %s', id, requested_by) as words from approval
        where decided_by = requested_by and status in ('Approved', 'Rejected')`,
    ),
  },
  {
    name: 'an account owes what was charged, less what was paid and not paid back',
    find: byQuery(
      () => `select student_id as student, format('balance %s, charged %s, paid %s', balance, charged, paid) as words
        from fee_account account cross join lateral (select
          (select coalesce(sum(net), 0) from fee_due where account_id = account.id) as charged,
          (select coalesce(sum(receipt.amount), 0) from fee_receipt receipt join fee_payment payment on payment.id = payment_id
            where receipt.account_id = account.id and ended_as is null)
          - (select coalesce(sum(amount), 0) from fee_refund where account_id = account.id and status = 'Paid')
          - (select coalesce(sum(amount), 0) from fee_opening
            where account_id = account.id and amount < 0 and posted_at is not null and undone_at is null) as paid) as sums
        where balance <> charged - paid`,
    ),
  },
  {
    name: 'a plan charges what its changes came to',
    find: byQuery(
      () => `select student_id as student, format('plan %s: dues of %s, changes of %s', plan.id, dues, changes) as words
        from fee_plan plan join fee_account account on account.id = account_id
        cross join lateral (select
          (select coalesce(sum(gross - pro_rata - concession), 0) from fee_due where plan_id = plan.id) as dues,
          (select coalesce(sum(total), 0) from fee_plan_change where plan_id = plan.id) as changes) as sums
        where dues <> changes`,
    ),
  },
  {
    name: 'a payment lies in the drawer of its cashier on its day',
    find: byQuery(
      () => `select null as student, format('payment %s of %s by %s lies in the drawer of %s on %s', payment.id, paid_on,
          payment.staff_id, own.staff_id, own.day) as words
        from fee_payment payment left join fee_day own on own.id = day_id
        where (own.day, own.staff_id) is distinct from (paid_on, payment.staff_id) and reissue_of is null`,
    ),
  },
  {
    name: 'one reference is of one payment',
    find: byQuery(
      () => `select null as student, format('%s is of %s payments', reference_key, count(*)) as words from fee_payment
        where mode = 'UPI' and reference_key <> '' and reissue_of is null
        group by reference_key having count(*) > 1`,
    ),
  },
  {
    name: 'no notice and no reminder is for a barred adult, or about a child who had left',
    find: byQuery(
      () => `select student_id as student, format('%s %s to adult %s', kind, id, guardian_id) as words
        from (select 'notice' as kind, announcement.id, guardian_id, student_id, day
            from announcement join announcement_recipient recipient on announcement_id = announcement.id
            join announcement_recipient_child on recipient_id = recipient.id
            cross join lateral (select (released_at at time zone 'Asia/Kolkata')::date as day) as released
            where guardian_id is not null and removed_at is null
          union all select 'reminder', reminder.id, guardian_id, student_id, reminder.day from fee_reminder reminder
            join fee_reminder_child on reminder_id = reminder.id join fee_account account on account.id = account_id) as told
        where exists (select from student_guardian link where link.student_id = told.student_id
            and link.guardian_id = told.guardian_id and is_barred)
          or exists (select from student where id = told.student_id and left_on < told.day)`,
    ),
  },
  {
    name: 'a row of the seat plan gives no more seats than it has, and an admitted child one account',
    find: byQuery(
      () => `select null as student, format('row %s: %s seats given of %s', seat_id, count(*), min(total)) as words
        from admission_inquiry left join admission_seat seat on seat.id = seat_id where holds_seat
        group by seat_id having count(*) > coalesce(min(total), 0)
        union all select student_id, format('inquiry %s is %s with student %s', id, state, student_id) from admission_inquiry
        where (state = 'Admitted') <> (student_id is not null)`,
    ),
  },
];

/** After the turn, the word of each child of the last day says where it is: in the next year, gone, or waiting for a decision. */
export const nobodyUnexplained = (lastDay: string, nextDay: string): Invariant => ({
  name: 'everybody of the last day is in the next year, has left, or is undecided',
  find: byQuery(
    () => `select here.student_id as student, format('%s, in the next year %s, left %s, %s', own.status, is_in, has_left,
        word) as words
      from student_on('${lastDay}') here join student_enrollment own on own.id = here.enrollment_id
      cross join lateral (select
        exists (select from student_enrollment later join academic_year year on year.id = later.academic_year_id
          where later.student_id = here.student_id and later.is_standing
            and '${nextDay}' between year.starts_on and year.ends_on) as is_in,
        exists (select from student where id = here.student_id and left_on is not null) as has_left,
        student_status(here.student_id, '${nextDay}') as word) as fate
      where not case own.status when 'Active' then word = 'Undecided' and not is_in
        when 'Left' then has_left or is_in else is_in or has_left end`,
  ),
});
