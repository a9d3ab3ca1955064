import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';

export const studentCard: DashboardCard = {
  title: text`Students`,
  roles: ['Admin'],
  count: async ({ db }, year) => {
    if (!year) return [];
    const { rows } = await sql<{ all: number; girls: number; boys: number; unplaced: number }>`
      select count(*)::integer as "all",
        count(*) filter (where student.gender = 'F')::integer as girls,
        count(*) filter (where student.gender = 'M')::integer as boys,
        count(*) filter (where not exists (select from student_section own
          where own.enrollment_id = enrollment.id and own.effective_to is null))::integer as unplaced
      from student_enrollment enrollment
      join student on student.id = enrollment.student_id
      where enrollment.academic_year_id = ${year.id} and enrollment.status = 'Active'`.execute(db);
    const [{ all, girls, boys, unplaced }] = rows as [(typeof rows)[0]];
    const to = 'academic/section-student-mapping';
    return [
      { label: text`Students`, value: all, to },
      { label: text`Girls`, value: girls },
      { label: text`Boys`, value: boys },
      { label: text`Without a section`, value: unplaced, isProblem: true, to },
    ];
  },
};
