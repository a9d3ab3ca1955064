import { type RawBuilder, sql } from 'kysely';
import { studentReaders } from '#access/contract/grants.ts';
import { inScope, reachOf } from '#access/server/scope.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { notFound } from '#kit/server/record/version.ts';
import type { studentStatuses } from '../contract/record.ts';
import { type At, type PlaceOfDay, placeSql, placesSql, today } from './enrolment/place.ts';

type Status = (typeof studentStatuses)[number];

/**
 * True in a query of `student` and their `place` of those whom the user may see by these grants. Rights are those of today:
 * teachers have the section that a child is in. Where the list of a year is read, its branch gives them too.
 */
export const isSeen = (user: User, access: Access, at?: At) => {
  // Who has no place, since the enrolment never took effect, is of the branch of the record.
  const branch = sql`coalesce(place.branch_id, student.branch_id)`;
  const isHere = inScope(user, access, { branch, section: sql`place.held_section_id` });
  return at?.yearId ? sql<boolean>`(${isHere} or ${inScope(user, access, { branch: sql`shown.branch_id` })})` : isHere;
};

/**
 * The students whom the user may see by these grants, with their `place` of today, which rights are by. What is `shown` is
 * the same, or the place of the day and year that are asked for; who was never in the year is left out.
 */
export const studentsSeen = (ctx: UserContext, access: Access, at?: At) =>
  studentsPlaced(ctx, access, at, (day) => ({ place: placeSql(day), on: () => sql<boolean>`true` }));

/** The same, for a query that looks through all of them: unless the user reaches few, the places are found in one pass. */
export function allStudentsSeen(ctx: UserContext, access: Access, at?: At) {
  const reach = reachOf(ctx.user, access);
  if (!reach.isAll && reach.branches.length === 0) return studentsSeen(ctx, access, at);
  return studentsPlaced(ctx, access, at, (day) => ({
    place: placesSql(day),
    on: (alias) =>
      alias === 'place' ? sql<boolean>`place.student_id = student.id` : sql<boolean>`shown.student_id = student.id`,
  }));
}

const studentsPlaced = (
  ctx: UserContext,
  access: Access,
  at: At | undefined,
  find: (day: At) => { place: RawBuilder<PlaceOfDay>; on: (alias: 'place' | 'shown') => RawBuilder<boolean> },
) => {
  const { place, on } = find(today(ctx));
  const shown = isOther(ctx, at) ? find(at) : undefined;
  return (
    ctx.db
      .selectFrom('student')
      .leftJoinLateral(place.as('place'), (join) => join.on(on('place')))
      .leftJoinLateral((shown?.place ?? sql<PlaceOfDay>`(select place.*)`).as('shown'), (join) =>
        shown ? join.on(shown.on('shown')) : join.onTrue(),
      )
      // The record of a merge that ended is read as the one that is kept.
      .where('student.merged_into_id', 'is', null)
      .where(mayBeSeen(ctx.user, access))
      .where(isSeen(ctx.user, access, at))
      .$if(Boolean(at?.yearId), (query) => query.where('shown.tense', 'is not', null))
  );
};

const isOther = (ctx: UserContext, at: At | undefined): at is At =>
  at !== undefined && (at.yearId !== null || at.day !== today(ctx).day);

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

const isNoShow = sql<boolean>`exists (select from student_enrollment never
  where never.student_id = student.id and never.cancelled_as = 'No-show')`;

/** Conditions on `student` and where they are `shown`, and their word; in a year that was chosen, by that year alone. */
export const standingAt = ({ day, yearId }: At) => (yearId ? standingInYear : standingOn(day));

/** The first day of the year of a day: whose enrolment ended before it has no place in it yet. */
const yearBegins = (day: string) =>
  sql`(select starts_on from academic_year where id = academic_year_on(${day}::date))`;

const standingOn = (day: string) => {
  const isHere = sql<boolean>`(not ${hasLeft(day)} and coalesce(shown.tense <> 'future', not ${isNoShow}))`;
  return {
    status: sql<Status>`student_status_of(student.left_on, shown.tense, shown.as_of, ${yearBegins(day)}, ${isNoShow},
      ${day}::date)`,
    isHere,
    // The enrolments that begin later are found by index.
    joinsLater: sql<boolean>`(not ${hasLeft(day)} and coalesce(shown.tense = 'future', false)
      and student.id in (select student_id from student_enrollment where joined_on > ${day}))`,
    hasLeft: hasLeft(day),
    // One hash join rules out most.
    isUnplaced: sql<boolean>`(${isHere} and coalesce(shown.tense <> 'past', true) and shown.section_id is null
      and not exists (select from student_section own
        join student_enrollment enrollment on enrollment.id = own.enrollment_id and enrollment.is_standing
        join academic_year year on year.id = enrollment.academic_year_id and ${day}::date <= year.ends_on
        where own.student_id = student.id
          and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')))`,
  };
};

const standingInYear = {
  status: sql<Status>`case shown.tense when 'past' then 'Left' when 'future' then 'Joining' else 'Active' end`,
  isHere: sql<boolean>`shown.tense = 'now'`,
  joinsLater: sql<boolean>`shown.tense = 'future'`,
  hasLeft: sql<boolean>`shown.tense = 'past'`,
  isUnplaced: sql<boolean>`(shown.tense = 'now' and shown.section_id is null)`,
};
