import { type RawBuilder, sql } from 'kysely';
import { lockYearForShare } from '#features/calendar/api.ts';
import { closedYearAt } from '#features/calendar/contract/closed-year.ts';
import { AppError, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { notFound } from '#kit/server/record/version.ts';

/** Whether a row of `student_section` that the query calls `own` holds on a day. */
export const effectiveOn = (day: string): RawBuilder<boolean> =>
  sql<boolean>`${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')`;

const rules: ConstraintMessages = {
  table: 'student_section',
  fields: {},
  otherRulesAt: 'sectionId',
  constraintMessages: {
    academic_section_capacity_held: {
      field: 'sectionId',
      message: text`The section would be over capacity on some days. Choose another one.`,
    },
    student_section_inside: { field: 'from', message: text`Choose a day when the students are enrolled.` },
    student_section_overlap: {
      field: 'from',
      message: staleMessage,
    },
    student_section_roll: {
      field: 'rollNo',
      message: text`Already in use. Enter a different one.`,
    },
    ...closedYearAt('from'),
  },
};

/** Runs a change of students' sections, and turns a broken rule of the database into a refusal. */
export const withPlacementMessages = <Result>(
  ctx: Pick<Context, 'db' | 'constraintMessages'>,
  act: () => Promise<Result>,
) => withConstraintMessages(ctx, rules, act);

/** Locks sections until the transaction ends, so that two requests never give out the same seat or number. */
export const lockSections = ({ db }: Pick<Context, 'db'>, ids: readonly number[]) =>
  db
    .selectFrom('academic_section as section')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .where('section.id', '=', sql<number>`any (${ids})`)
    .select(['section.id', 'section.academic_year_id', 'section.branch_id', 'section.program_id', 'section.grade_id'])
    .select(['section.capacity', 'section.is_active', 'section.is_roll_locked', 'section.name as letter'])
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('name'))
    .orderBy('section.id')
    .forNoKeyUpdate('section')
    .execute();
export type LockedSection = Awaited<ReturnType<typeof lockSections>>[number];

/** Locks one section and its year; throws `not_found`. */
export async function lockSection(ctx: UserContext, id: number): Promise<LockedSection> {
  const known = await ctx.db
    .selectFrom('academic_section')
    .where('id', '=', id)
    .select('academic_year_id')
    .executeTakeFirstOrThrow(notFound);
  await lockYearForShare(ctx, known.academic_year_id);
  const [section] = await lockSections(ctx, [id]);
  if (!section) throw new AppError('not_found', notFoundMessage);
  return section;
}

export const notInGradeMessage = staleMessage;

/** Locks enrollments in the order of their ids, as triggers do, and returns them by the students' names. */
export async function lockEnrollments({ db }: Pick<Context, 'db'>, ids: readonly number[]) {
  const rows = await db
    .selectFrom('student_enrollment as enrollment')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'enrollment.grade_id')
    .innerJoin('academic_program as program', 'program.id', 'enrollment.program_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'enrollment.branch_id')
    .where('enrollment.id', 'in', ids)
    .select(['enrollment.id', 'enrollment.student_id', 'enrollment.academic_year_id', 'enrollment.branch_id'])
    .select(['enrollment.program_id', 'enrollment.grade_id', 'enrollment.status', 'enrollment.joined_on'])
    .select(['enrollment.left_on', 'grade.name as grade', 'program.name as program', 'branch.name as branch'])
    .select(['student.name', 'student.sort_name'])
    .orderBy('enrollment.id')
    .forUpdate('enrollment')
    .execute();
  return rows.sort((a, b) => a.sort_name.localeCompare(b.sort_name) || a.student_id - b.student_id);
}
export type LockedEnrollment = Awaited<ReturnType<typeof lockEnrollments>>[number];

/** Ends the sections of enrollments on the day before, and deletes later ones. */
export async function endPlacements({ db }: UserContext, enrollmentIds: readonly number[], from: string) {
  await db
    .deleteFrom('student_section')
    .where('enrollment_id', 'in', enrollmentIds)
    .where('effective_from', '>=', from)
    .execute();
  await db
    .updateTable('student_section')
    .set({ effective_to: addDays(from, -1) })
    .where('enrollment_id', 'in', enrollmentIds)
    .where(sql<boolean>`coalesce(effective_to, 'infinity') >= ${from}`)
    .execute();
}

export interface Placement {
  enrollmentId: number;
  sectionId: number;
  rollNo?: number;
}

/**
 * Assigns enrollments to locked sections from a day, with the given or the next roll numbers of each. After 999 a student gets none.
 * An enrollment that ends before the year does ends in the section on that day too.
 */
export const insertPlacements = (
  { db }: Pick<Context, 'db'>,
  placings: readonly Placement[],
  from: string,
  reason = '',
) =>
  sql`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
      roll_no, effective_from, effective_to, reason)
    select enrollment.id, enrollment.student_id, enrollment.academic_year_id, enrollment.branch_id, enrollment.program_id,
      enrollment.grade_id, input."sectionId",
      coalesce(input."rollNo", nullif(least(
        row_number() over (partition by input."sectionId", input."rollNo" is null order by student.sort_name, student.id) +
        greatest(coalesce(max(input."rollNo") over (partition by input."sectionId"), 0),
          (select coalesce(max(roll_no), 0) from student_section
            where section_id = input."sectionId" and coalesce(effective_to, 'infinity') >= ${from}::date)), 1000), 1000)),
      ${from}::date, case when enrollment.left_on < year.ends_on then enrollment.left_on end, ${reason}
    from jsonb_to_recordset(${JSON.stringify(placings)}::jsonb) as input
      ("enrollmentId" integer, "sectionId" integer, "rollNo" integer)
    join student_enrollment enrollment on enrollment.id = input."enrollmentId"
    join academic_year year on year.id = enrollment.academic_year_id
    join student on student.id = enrollment.student_id`.execute(db);

/** The highest strength of each section from a day on. */
export async function strengthsFrom({ db }: Pick<Context, 'db'>, ids: readonly number[], from: string) {
  const { rows } = await sql<{ id: number; strength: number }>`
    select section_id as id, max(strength) as strength from (
      select days.section_id, (select count(*) from student_section other where other.section_id = days.section_id
        and day between other.effective_from and coalesce(other.effective_to, 'infinity')) as strength
      from (select distinct section_id, greatest(effective_from, ${from}::date) as day from student_section
        where section_id = any (${ids})) as days) as counted
    group by section_id`.execute(db);
  return new Map(rows.map(({ id, strength }) => [id, strength]));
}
