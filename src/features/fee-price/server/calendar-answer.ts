import { sql } from 'kysely';
import { schoolDaysChanged } from '#features/calendar/contract/hooks.ts';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';

/** Fees that are due on a day on which the whole school closes are named; their due day does not move. */
export const answerCalendar = answer(schoolDaysChanged, { by: 'fee-price', step: 9 }, async ({ db }, { days }) => {
  const closed = days.filter(({ gradeId, was, work }) => gradeId === null && was > 0 && work === 0);
  const { rows } = await sql<{ day: string; students: number }>`
    select due.due_on::text as day, count(distinct account.student_id)::integer as students
    from fee_due due join fee_account account on account.id = due.account_id
    where due.due_on = any(${closed.map(({ day }) => day)}::date[]) and due.paid < due.net
    group by due.due_on order by due.due_on`.execute(db);
  return {
    warns: rows.map(({ day, students }) =>
      text(
        {
          message:
            '{n, plural, one {# student has} other {# students have}} unpaid fees that are due on {day}. This due day does not move.',
        },
        { n: students, day: showDate(day) },
      ),
    ),
    moves: [],
    basis: rows,
  };
});
