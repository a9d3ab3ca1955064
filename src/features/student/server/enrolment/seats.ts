import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

/** Where seats are looked for: in every branch and program where none is named. */
interface SeatPlace {
  academicYearId: number;
  gradeId: number;
  branchId?: number;
  programId?: number;
}

interface SectionSeats {
  id: number;
  /** With the grade, as "Grade 5, A". */
  name: string;
  branchId: number;
  branch: string;
  programId: number;
  capacity: number;
  /** How many sit in it on the day or will later. */
  strength: number;
}

/** The active sections of a grade, most free seats first. */
export async function sectionsWithSeats(
  { db }: Pick<Context, 'db'>,
  { academicYearId, gradeId, branchId, programId }: SeatPlace,
  day: string,
): Promise<SectionSeats[]> {
  const { rows } = await sql<SectionSeats>`
    select section.id, academic_section_name(grade.name, section.name) as name, branch.id as "branchId",
      branch.name as branch, section.program_id as "programId", section.capacity, seated.count as strength
    from academic_section section
    join academic_grade grade on grade.id = section.grade_id
    join academic_branch branch on branch.id = section.branch_id and branch.is_active
    cross join lateral (select count(*)::integer from student_section own where own.section_id = section.id
      and coalesce(own.effective_to, 'infinity') >= ${day}::date) as seated
    where section.academic_year_id = ${academicYearId} and section.grade_id = ${gradeId} and section.is_active
      and section.branch_id = coalesce(${branchId ?? null}::integer, section.branch_id)
      and section.program_id = coalesce(${programId ?? null}::integer, section.program_id)
    order by section.capacity - seated.count desc, lower(section.name), section.id`.execute(db);
  return rows;
}
