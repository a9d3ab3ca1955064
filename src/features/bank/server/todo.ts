import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { showRupees } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';

const page = 'fee/student-wise-fees-structure?part=bank&inside=';
/** A slip or a bank line becomes work after so many days. */
const [daysOfSlip, daysOfLine] = [3, 7];

interface Slip {
  id: number;
  slipNo: string;
  day: string;
  left: number;
  total: number;
}

/** Slips whose money no statement has shown whole, for accountants of all branches. */
export const slipTodo: TodoSource = {
  kind: 'bank-deposit',
  title: text`Deposit slips not seen in the bank`,
  icon: 'money',
  roles: ['Staff'],
  sets: ['accountant'],
  find: async ({ db, now, user }, most) => {
    const today = toLocalDate(now());
    const { rows } = await sql<Slip>`
      select slip.id, slip.slip_no as "slipNo", slip.day::text as day, (slip.amount - slip.seen)::bigint as left,
        (count(*) over ())::integer as total
      from (select own.*, coalesce((select sum(credit) from bank_line where deposit_id = own.id), 0)
          + coalesce((select sum(cheque.amount) from bank_deposit_cheque part join fee_cheque cheque on cheque.id = part.cheque_id
            where part.deposit_id = own.id and cheque.status in ('Bounced', 'Returned')), 0) as seen from bank_deposit own) as slip
      where slip.seen < slip.amount and slip.day < ${addDays(today, -daysOfSlip)}::date and ${user.scope.branches.length === 0}
      order by slip.day, slip.id limit ${most}`.execute(db);
    return {
      total: rows[0]?.total ?? 0,
      to: `${page}deposit`,
      rows: rows.map(({ id, slipNo, day, left }) => ({
        id,
        when: 'late' as const,
        title: slipNo,
        about: showDate(day, today),
        detail: text`${{ amount: showRupees(left) }} is not in a bank statement yet`,
        to: `${page}deposit`,
        act: text`Check`,
      })),
    };
  },
};

interface Line {
  id: number;
  day: string;
  narration: string;
  credit: number;
  total: number;
}

/** Deposits in statements that are of no payment yet, the oldest first. */
export const lineTodo: TodoSource = {
  kind: 'bank-line',
  title: text`Bank lines not identified`,
  icon: 'money',
  roles: ['Staff'],
  sets: ['accountant'],
  find: async ({ db, now, user }, most) => {
    const today = toLocalDate(now());
    const { rows } = await sql<Line>`
      select id, day::text as day, narration, credit, (count(*) over ())::integer as total from bank_line
      where state in ('Open', 'Differs') and credit > 0 and ${user.scope.branches.length === 0}
      order by day, id limit ${most}`.execute(db);
    return {
      total: rows[0]?.total ?? 0,
      to: `${page}statement`,
      rows: rows.map(({ id, day, narration, credit }) => ({
        id,
        when: day < addDays(today, -daysOfLine) ? ('late' as const) : ('soon' as const),
        title: narration.slice(0, 80),
        about: showRupees(credit),
        detail: text`In the bank since ${{ day: showDate(day, today) }}, not matched`,
        to: `${page}statement`,
        act: text`Match`,
      })),
    };
  },
};
