import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';

/** Children of the next year who have chosen too few subjects of an elective group of their grade. */
const electives: YearEndLine = {
  key: 'subject.electives',
  isOfNext: true,
  title: text`Students of the next year without their electives`,
  at: 'warns',
  fate: text`choose them`,
  act: text`Open`,
  sets: ['office', 'principal'],
  isForAdmins: true,
  count: async ({ db, user }, year) => {
    if (!year.next) return undefined;
    const { rows } = await sql<{ open: number; of: number }>`
      with wanted as materialized (
        select taken.program_id, taken.grade_id, own.id as group_id, own.min_choices, array_agg(taken.subject_id) as subjects
        from configuration_grade_subject taken
        join configuration_elective_group own on own.id = taken.elective_group_id and own.min_choices > 0
        where taken.academic_year_id = ${year.next.id} group by 1, 2, 3)
      select count(distinct own.id)::integer as of, count(distinct own.id) filter (where wanted.min_choices >
        (select count(*) from student_subject chosen
          where chosen.enrollment_id = own.id and chosen.subject_id = any(wanted.subjects)))::integer as open
      from student_enrollment own
      join wanted on wanted.program_id = own.program_id and wanted.grade_id = own.grade_id
      where own.academic_year_id = ${year.next.id} and own.is_standing and ${isCounted(year, sql`own.branch_id`)}`.execute(
      db,
    );
    const { open, of } = rows[0] ?? { open: 0, of: 0 };
    return of === 0
      ? undefined
      : { open, of, ...(user.role === 'Admin' && { to: 'configuration/subject?tab=elective' }) };
  },
};

export const subjectYearEnd = [electives];
