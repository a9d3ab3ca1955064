import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

const sets = ['accountant', 'office', 'principal'];
const path = 'fee/student-wise-fees-structure';

/** Cheques of the year that are neither cleared nor back. */
const cheques: YearEndLine = {
  key: 'fee.cheques',
  title: text`Cheques in hand`,
  at: 'warns',
  fate: text`will carry over`,
  act: text`Open`,
  sets,
  count: async ({ db }, year) => {
    const { rows } = await sql<{ open: number; oldest: string | null }>`
      select count(*)::integer as open, min(own.received_on)::text as oldest
      from fee_cheque own join student on student.id = own.student_id
      where own.status in ('Held', 'Received', 'Deposited') and own.received_on <= ${year.endsOn}
        and ${isCounted(year, sql`student.branch_id`)}`.execute(db);
    const { open, oldest } = rows[0] ?? { open: 0, oldest: null };
    const names = oldest ? [text`oldest of ${{ day: showDate(oldest) }}`] : [];
    return { open, names, to: `${path}?part=cheques` };
  },
};

/** Shifts of the year's days whose cash is not counted. */
const shifts: YearEndLine = {
  key: 'fee.shifts',
  title: text`Cash days not closed`,
  at: 'warns',
  fate: text`can be closed later`,
  act: text`Open`,
  sets,
  count: async ({ db, user }, year) => {
    const { rows } = await sql<{ open: number; oldest: string | null }>`
      select count(*)::integer as open, min(own.day)::text as oldest from fee_day own
      where own.status = 'Open' and own.day <= ${year.endsOn}
        and (${year.branches.length === 0} or own.staff_id = ${user.staffId})`.execute(db);
    const { open, oldest } = rows[0] ?? { open: 0, oldest: null };
    const names = oldest ? [text`oldest of ${{ day: showDate(oldest) }}`] : [];
    return { open, names, to: `${path}?part=day` };
  },
};

/** What families owe of the year. */
const dues: YearEndLine = {
  key: 'fee.dues',
  title: text`Students with overdue fees of the year`,
  at: 'says',
  fate: text`remain on the same accounts`,
  act: text`Open`,
  sets,
  count: async ({ db, now }, year) => {
    const { rows } = await sql<{ open: number; amount: number }>`
      select count(distinct due.account_id)::integer as open, coalesce(sum(due.net - due.paid), 0)::float8 as amount
      from fee_due due join fee_account account on account.id = due.account_id
      left join student on student.id = account.student_id
      where due.academic_year_id = ${year.id} and due.paid < due.net and due.due_on <= ${toLocalDate(now())}::date
        and ${isCounted(year, sql`coalesce(student.branch_id, account.branch_id)`)}`.execute(db);
    return rows[0]?.open ? { ...rows[0], to: `${path}?tab=overdue` } : undefined;
  },
};

export const feeMoneyYearEnd = [cheques, shifts, dues];
