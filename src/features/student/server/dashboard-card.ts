import { sql } from 'kysely';
import { admin, staff } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { mayBeSeen } from './visible.ts';

const readers = ['office', 'principal', 'classTeacher', 'subjectTeacher'] as const;
const list = 'student/student-list';

export const studentCard: DashboardCard = {
  title: text`Students`,
  sets: readers,
  /** Staff see the students in their scope, and not those to place, which is an Admin's work. */
  count: async ({ db, now, user }, year) => {
    if (!year) return [];
    const section = sql`(select section_id from student_section here where here.enrollment_id = enrollment.id
      and ${toLocalDate(now())}::date between here.effective_from and coalesce(here.effective_to, 'infinity'))`;
    const place = { branch: sql`enrollment.branch_id`, section };
    const access = [admin(), staff(...readers)];
    const { rows } = await sql<{ all: number; girls: number; boys: number; unplaced: number }>`
      select count(*)::integer as "all",
        count(*) filter (where student.gender = 'F')::integer as girls,
        count(*) filter (where student.gender = 'M')::integer as boys,
        count(*) filter (where not exists (select from student_section own
          where own.enrollment_id = enrollment.id and own.effective_to is null))::integer as unplaced
      from student_enrollment enrollment
      join student on student.id = enrollment.student_id
      where enrollment.academic_year_id = ${year.id} and enrollment.status = 'Active'
        and ${mayBeSeen(user, access)} and ${inScope(user, access, place)}`.execute(db);
    const [{ all, girls, boys, unplaced }] = rows as [(typeof rows)[0]];
    const genders = [
      { label: text`Girls`, value: girls },
      { label: text`Boys`, value: boys },
    ];
    if (user.role !== 'Admin') return all > 0 ? [{ label: text`Students`, value: all, to: list }, ...genders] : [];
    return [
      { label: text`Students`, value: all, to: list },
      ...genders,
      { label: text`Without a section`, value: unplaced, isProblem: true, to: 'academic/section-student-mapping' },
    ];
  },
};
