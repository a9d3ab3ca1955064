import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';

const path = 'fee/student-wise-fees-structure?part=day';

interface OpenShift {
  id: number;
  staffId: number;
  cashier: string;
  day: string;
  shift: number;
  total: number;
}

/** Shifts of earlier days that nobody has closed, the own ones first; of all cashiers without a limit to branches. */
export const openShiftTodo: TodoSource = {
  kind: 'fee-day',
  title: text`Shifts not closed`,
  roles: ['Staff'],
  sets: ['accountant', 'financeApprover', 'principal'],
  find: async ({ db, now, user }, most) => {
    const today = toLocalDate(now());
    const { rows } = await sql<OpenShift>`
      select own.id, own.staff_id as "staffId", staff.name as cashier, own.day::text as day, own.shift,
        (count(*) over ())::integer as total
      from fee_day own join staff on staff.id = own.staff_id
      where own.status = 'Open' and own.day < ${today}::date
        and (${user.scope.branches.length === 0} or own.staff_id = ${user.staffId})
      order by own.staff_id = ${user.staffId} desc, own.day, own.id limit ${most}`.execute(db);
    return {
      total: rows[0]?.total ?? 0,
      to: path,
      rows: rows.map(({ id, staffId, cashier, day, shift }) => ({
        id,
        when: 'late' as const,
        title: cashier,
        about: showDate(day, today),
        detail:
          staffId === user.staffId
            ? text`Count your cash of ${{ day: showDate(day, today) }}`
            : text`The cash of ${{ day: showDate(day, today) }} is not counted`,
        to: `${path}&day=${day}&cashier=${staffId}&shift=${shift}`,
        act: text`Close`,
      })),
    };
  },
};
