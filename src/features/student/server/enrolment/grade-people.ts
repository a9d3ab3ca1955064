import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { effectiveOn } from './placement.ts';

export interface SectionFilter {
  academicYearId: number;
  gradeId: number;
}

/** A year's sections with their strength on a day; of one grade, or of all. */
export async function readSections(
  { db }: Pick<Context, 'db'>,
  { academicYearId, gradeId }: Partial<SectionFilter>,
  on: string,
) {
  const rows = await db
    .selectFrom('academic_section as section')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .innerJoin('academic_program as program', 'program.id', 'section.program_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'section.branch_id')
    .leftJoin('student_section as own', (join) => join.onRef('own.section_id', '=', 'section.id').on(effectiveOn(on)))
    .leftJoin('student', 'student.id', 'own.student_id')
    .where('section.academic_year_id', '=', academicYearId ?? 0)
    .$if(gradeId !== undefined, (query) => query.where('section.grade_id', '=', gradeId ?? 0))
    .where('section.is_active', '=', true)
    .groupBy(['section.id', 'grade.id', 'program.name', 'branch.name'])
    .select(['section.id', 'section.capacity', 'section.is_roll_locked', 'grade.name as grade'])
    .select(['section.program_id', 'section.branch_id', 'program.name as program', 'branch.name as branch'])
    .select(({ fn }) => [
      fn<string>('academic_section_name', ['grade.name', 'section.name']).as('name'),
      sql<number>`count(student.id)`.as('strength'),
      sql<number>`count(*) filter (where student.gender = 'F')`.as('girls'),
      sql<number>`count(*) filter (where student.gender = 'M')`.as('boys'),
    ])
    .orderBy('grade.position')
    .orderBy('branch.name')
    .orderBy('program.name')
    .orderBy(sql`lower(section.name)`)
    .orderBy('section.id')
    .limit(300)
    .execute();
  return rows.map(({ is_roll_locked, ...row }) => ({ ...row, isRollLocked: is_roll_locked }));
}

/** The students of a grade who have not left by a day, with the section of that day. */
export const enrolledOf = ({ db }: Pick<Context, 'db'>, { academicYearId, gradeId }: SectionFilter, on: string) =>
  db
    .selectFrom('student_enrollment as enrollment')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .innerJoin('academic_program as program', 'program.id', 'enrollment.program_id')
    .leftJoin('student_section as own', (join) =>
      join.onRef('own.enrollment_id', '=', 'enrollment.id').on(effectiveOn(on)),
    )
    .where('enrollment.academic_year_id', '=', academicYearId)
    .where('enrollment.grade_id', '=', gradeId)
    .where('enrollment.status', '<>', 'Cancelled')
    .where(sql<boolean>`coalesce(enrollment.left_on, 'infinity') >= ${on}`);

/** The students of a section, or those without one. A later joiner with a planned section does not count as unassigned. */
export const studentsOf = (ctx: Pick<Context, 'db'>, filter: SectionFilter, sectionId: number | null, on: string) => {
  const enrolled = enrolledOf(ctx, filter, on);
  if (sectionId !== null) return enrolled.where('own.section_id', '=', sectionId);
  return enrolled
    .where('own.id', 'is', null)
    .where((row) => row.or([row('enrollment.joined_on', '<=', on), row.not(hasPlaceFrom(on))]));
};

/** Whether an enrollment has a section that starts on a day or later. */
const hasPlaceFrom = (day: string) =>
  sql<boolean>`exists (select from student_section later
    where later.enrollment_id = enrollment.id and later.effective_from >= ${day}::date)`;
