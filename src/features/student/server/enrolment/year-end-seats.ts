import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';

/** Children of the next year who sit in no section on their first day there. */
export const unseated: YearEndLine = {
  key: 'student.unseated',
  isOfNext: true,
  isOnCard: true,
  title: text`Students of the next year without a section`,
  at: 'warns',
  fate: text`assign the sections`,
  act: text`Open`,
  sets: ['office', 'principal'],
  isForAdmins: true,
  count: async ({ db }, year) => {
    if (!year.next) return undefined;
    const { rows } = await sql<{ open: number; of: number; names: string[] }>`
      with there as materialized (
        select student.id, student.name, student.sort_name, not exists (select from student_section seat
          where seat.enrollment_id = own.id
            and own.joined_on between seat.effective_from and coalesce(seat.effective_to, 'infinity')) as is_open
        from student_enrollment own join student on student.id = own.student_id
        where own.academic_year_id = ${year.next.id} and own.is_standing and ${isCounted(year, sql`own.branch_id`)})
      select count(*) filter (where is_open)::integer as open, count(*)::integer as of,
        array(select name from there where is_open order by sort_name, id limit 3) as names
      from there`.execute(db);
    const { open, of, names } = rows[0] ?? { open: 0, of: 0, names: [] };
    const to = `student/student-list?tab=unplaced&yearId=${year.next.id}`;
    return of === 0 ? undefined : { open, of, names: names.map(verbatim), to };
  },
};
