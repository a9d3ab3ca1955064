import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { lockSections } from './placement.ts';

interface Also {
  yearId?: number | undefined;
  sectionId?: number | null;
}

/** Locks a student with every enrolment, year and section of theirs, and others of the act, in the order of all locks. */
export async function lockChild(ctx: Pick<Context, 'db'>, id: number, { yearId, sectionId }: Also = {}) {
  const { db } = ctx;
  const years = await db
    .selectFrom('academic_year')
    .where((year) =>
      year.or([
        year('id', 'in', (from) =>
          from.selectFrom('student_enrollment').where('student_id', '=', id).select('academic_year_id'),
        ),
        year('id', '=', yearId ?? 0),
      ]),
    )
    .select(['id', 'name', 'status', 'starts_on', 'ends_on', 'closed_at'])
    .orderBy('id')
    .forShare()
    .execute();
  const rows = await db
    .selectFrom('student_enrollment as enrollment')
    .innerJoin('academic_grade as grade', 'grade.id', 'enrollment.grade_id')
    .where('enrollment.student_id', '=', id)
    .select(['enrollment.id', 'enrollment.academic_year_id', 'enrollment.branch_id', 'enrollment.program_id'])
    .select(['enrollment.grade_id', 'enrollment.status', 'enrollment.is_standing', 'enrollment.joined_on'])
    .select(['enrollment.left_on', 'enrollment.never_joined', 'grade.name as grade'])
    .orderBy('enrollment.id')
    .forUpdate('enrollment')
    .execute();
  const placed = await db
    .selectFrom('student_section as own')
    .innerJoin('academic_section as section', 'section.id', 'own.section_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .where('own.student_id', '=', id)
    .select(['own.id', 'own.enrollment_id', 'own.section_id', 'own.roll_no', 'own.effective_from', 'own.effective_to'])
    .select(['own.reason'])
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('section'))
    .orderBy('own.effective_from')
    .execute();
  await lockSections(ctx, [...new Set([...placed.map((own) => own.section_id), ...(sectionId ? [sectionId] : [])])]);
  const student = await db
    .selectFrom('student')
    .where('id', '=', id)
    .select(['id', 'name', 'version'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  const leaving = await db
    .selectFrom('student_leaving')
    .where('student_id', '=', id)
    .where('undone_at', 'is', null)
    .where('readmitted_on', 'is', null)
    .select(['id', 'student_id', 'enrollment_id', 'last_day', 'ended', 'version'])
    .forUpdate()
    .executeTakeFirst();
  const yearOf = new Map(years.map((year) => [year.id, year]));
  const enrollments = rows
    .flatMap((row) => {
      const year = yearOf.get(row.academic_year_id);
      return year ? [{ ...row, year, sections: placed.filter((own) => own.enrollment_id === row.id) }] : [];
    })
    .sort((a, b) => a.joined_on.localeCompare(b.joined_on) || a.id - b.id);
  return { student, years, enrollments, leaving };
}
export type Child = Awaited<ReturnType<typeof lockChild>>;
export type ChildEnrollment = Child['enrollments'][number];
export type OpenLeaving = NonNullable<Child['leaving']>;

/** What of an enrolment a token of a preview depends on. */
export const basisOf = ({ student, enrollments, leaving }: Child) => [
  student.version,
  leaving && [leaving.id, leaving.version],
  enrollments.map(({ id, status, left_on, sections }) => [
    id,
    status,
    left_on,
    sections.map(({ section_id, roll_no, effective_from, effective_to }) => [
      section_id,
      roll_no,
      effective_from,
      effective_to,
    ]),
  ]),
];

/** Counts a change of the student's enrolments. */
export const raiseVersion = ({ db }: Pick<Context, 'db'>, ids: readonly number[]) =>
  db.updateTable('student').set({ version: sql`version + 1` }).where('id', 'in', ids).execute();
