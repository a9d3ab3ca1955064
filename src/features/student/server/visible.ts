import { sql } from 'kysely';
import { studentReaders } from '#access/contract/grants.ts';
import { inScope, reachOf } from '#access/server/scope.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { notFound } from '#kit/server/record/version.ts';

/**
 * Where each of a query's `student` rows is: the standing enrolment of the current year, or else the latest one, with the
 * section of the day. Null columns for a student who was never enrolled.
 */
export const placeOn = (day: string) => sql<PlaceOfDay>`(
  select enrollment.id, enrollment.branch_id, enrollment.grade_id, enrollment.joined_on,
    ${seatOn(day, 'section_id')} as section_id, ${seatOn(day, 'roll_no')} as roll_no
  from student_enrollment enrollment
  where enrollment.student_id = student.id and enrollment.is_standing
  order by enrollment.academic_year_id = (select academic_year_on(${day}::date)) desc,
    enrollment.joined_on desc limit 1)`;

/** Of the section of the day; not in a join, so that a query that does not ask for it does not read it. */
const seatOn = (day: string, column: 'section_id' | 'roll_no') => sql`(select ${columns[column]}
  from student_section own where own.enrollment_id = enrollment.id
    and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity'))`;
const columns = { section_id: sql`own.section_id`, roll_no: sql`own.roll_no` };

interface PlaceOfDay {
  id: number | null;
  branch_id: number | null;
  grade_id: number | null;
  joined_on: string | null;
  section_id: number | null;
  roll_no: number | null;
}

/** True in a query of `student` and their `place` of those whom the user may see by these grants. */
export const isSeen = (user: User, access: Access) =>
  inScope(user, access, { branch: sql`place.branch_id`, section: sql`place.section_id` });

/** The students with their `place` of the day whom the user may see by these grants. */
export const studentsSeen = ({ db, user, now }: UserContext, access: Access) =>
  db
    .selectFrom('student')
    .leftJoinLateral(placeOn(toLocalDate(now())).as('place'), (join) => join.onTrue())
    // The record of a merge that ended is read as the one that is kept.
    .where('student.merged_into_id', 'is', null)
    .where(mayBeSeen(user, access))
    .where(isSeen(user, access));

/** True of all whom `isSeen` may find, and of few others: found by index, so that not every student's place is read. */
function mayBeSeen(user: User, access: Access) {
  const reach = reachOf(user, access);
  if (reach.isAll) return sql<boolean>`true`;
  return sql<boolean>`student.id in (
    select student_id from student_section where section_id = any(${reach.sections}::integer[])
    union all select student_id from student_enrollment where branch_id = any(${reach.branches}::integer[]))`;
}

/** Throws `not_found` unless the user may see this student by these grants. */
export async function requireStudent(ctx: UserContext, id: number, access: Access) {
  return studentsSeen(ctx, access)
    .where('student.id', '=', id)
    .select(['student.id', 'student.name', 'student.gr_no', 'student.branch_id'])
    .executeTakeFirstOrThrow(notFound);
}

/** The ids of the students whom the user may see by these grants. */
export async function visibleStudents(ctx: UserContext, ids: readonly number[], access: Access): Promise<number[]> {
  const rows = await studentsSeen(ctx, access)
    .where('student.id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .select('student.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of these grants, such as of cards, by which the user sees this student; throws `not_found`. */
export async function partsSeen(ctx: UserContext, id: number, accesses: readonly Access[]): Promise<Access[]> {
  const row = await studentsSeen(ctx, studentReaders)
    .where('student.id', '=', id)
    .select(
      sql<boolean[]>`array[${sql.join([sql`true`, ...accesses.map((access) => isSeen(ctx.user, access))])}]`.as('sees'),
    )
    .executeTakeFirstOrThrow(notFound);
  return accesses.filter((_, index) => row.sees[index + 1]);
}

/** In a query of `student`. */
export const hasLeft = (day: string) => sql<boolean>`coalesce(student.left_on < ${day}, false)`;
/** In a query of `student` and their `place`. The enrolments that begin later are found by index. */
export const joinsLater = (
  day: string,
) => sql<boolean>`(not ${hasLeft(day)} and coalesce(place.joined_on > ${day}, false)
  and student.id in (select student_id from student_enrollment where joined_on > ${day}))`;
export const isHere = (day: string) =>
  sql<boolean>`(not ${hasLeft(day)} and coalesce(place.joined_on <= ${day}, true))`;
/** Students at the school without a section, in a query of `student` and their `place`. One hash join rules out most. */
export const isUnplaced = (day: string) => sql<boolean>`(${isHere(day)} and place.section_id is null
  and not exists (select from student_section own
    join student_enrollment enrollment on enrollment.id = own.enrollment_id and enrollment.is_standing
    join academic_year year on year.id = enrollment.academic_year_id and year.id = (select academic_year_on(${day}::date))
    where own.student_id = student.id
      and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')))`;
export const statusOn = (day: string) => sql<'Active' | 'Joining' | 'Left'>`case when ${hasLeft(day)} then 'Left'
  when coalesce(place.joined_on > ${day}, false) then 'Joining' else 'Active' end`;
