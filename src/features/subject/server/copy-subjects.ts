import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';

/**
 * Copies the subjects of grades that another year lacks. Returns how many were added and already there, and all rows.
 */
export async function copyGradeSubjects({ db }: UserContext, fromYearId: number, toYearId: number) {
  const { rows } = await sql<{ isThere: boolean }>`
    select own.program_id, own.grade_id, own.subject_id, own.is_compulsory, own.elective_group_id,
      later.id is not null as "isThere"
    from configuration_grade_subject as own
    left join configuration_grade_subject as later on later.academic_year_id = ${toYearId}
      and later.program_id = own.program_id and later.grade_id = own.grade_id and later.subject_id = own.subject_id
    where own.academic_year_id = ${fromYearId} order by own.id`.execute(db);
  const alreadyThere = rows.filter(({ isThere }) => isThere).length;
  const added = rows.length - alreadyThere;
  if (added > 0)
    await sql`insert into configuration_grade_subject
        (academic_year_id, program_id, grade_id, subject_id, is_compulsory, elective_group_id)
      select ${toYearId}, program_id, grade_id, subject_id, is_compulsory, elective_group_id
      from configuration_grade_subject where academic_year_id = ${fromYearId}
      on conflict do nothing`.execute(db);
  return { added, alreadyThere, rows };
}
