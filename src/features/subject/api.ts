import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';

/**
 * Copies which grade takes which subject from one year to another, as far as the other one lacks it. Gives how many cells
 * that are, and how many were there; a trial only counts them.
 */
export async function copyGradeSubjects({ db }: UserContext, fromYearId: number, toYearId: number, isTrial = false) {
  const { rows } = await sql<{ all: number; there: number }>`
    select count(*) as all, count(later.id) as there
    from configuration_grade_subject as own
    left join configuration_grade_subject as later on later.academic_year_id = ${toYearId}
      and later.program_id = own.program_id and later.grade_id = own.grade_id and later.subject_id = own.subject_id
    where own.academic_year_id = ${fromYearId}`.execute(db);
  const { all = 0, there = 0 } = rows[0] ?? {};
  const added = all - there;
  if (!isTrial && added > 0)
    await sql`insert into configuration_grade_subject
        (academic_year_id, program_id, grade_id, subject_id, is_compulsory, elective_group_id)
      select ${toYearId}, program_id, grade_id, subject_id, is_compulsory, elective_group_id
      from configuration_grade_subject where academic_year_id = ${fromYearId}
      on conflict do nothing`.execute(db);
  return { added, there };
}
