import { sql } from 'kysely';
import { enteredOf } from '#kit/contract/master.ts';
import type { Copied, CopiedYears, RollOver, UserContext } from '#kit/server/context.ts';
import { column } from '#kit/server/master/sql.ts';
import { sectionMaster } from '../contract/masters.ts';

/** The sections whose grade, program and branch are still in use. */
async function copySections({ db }: UserContext, { fromId, toId }: CopiedYears): Promise<Copied> {
  const names = enteredOf(sectionMaster).map(([name]) => name);
  const columns = sql.join(names.filter((name) => name !== 'academicYearId').map(column));
  const { rows } = await sql<Copied>`
    with own as (
      select section.*, exists (select 1 from academic_section later where later.academic_year_id = ${toId}
        and later.branch_id = section.branch_id and later.program_id = section.program_id
        and later.grade_id = section.grade_id and lower(later.name) = lower(section.name)) as is_there
      from academic_section section
      join academic_grade grade on grade.id = section.grade_id and grade.is_active
      join academic_program program on program.id = section.program_id and program.is_active
      join academic_branch branch on branch.id = section.branch_id and branch.is_active
      where section.academic_year_id = ${fromId} and section.is_active),
    made as (insert into academic_section (academic_year_id, ${columns})
      select ${toId}, ${columns} from own where not is_there returning id)
    select (select count(*) from made) as added, count(*) filter (where is_there) as "alreadyThere" from own`.execute(
    db,
  );
  return rows[0] ?? { added: 0, alreadyThere: 0 };
}

export const copiedSections: RollOver = {
  part: 'Sections',
  copy: copySections,
  discard: (yearId) => [sql`delete from academic_section where academic_year_id = ${yearId}`],
};
