import { type SqlBool, sql } from 'kysely';
import { reachOf } from '#access/server/scope.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { notFound } from '#kit/server/record/version.ts';
import { noteKeepers } from '../contract/words.ts';

/** The sections in which the user leads and teaches today; without the set of today they reach none. */
const sectionsOf = ({ sets, scope }: User) => ({
  led: sets.includes('classTeacher') ? scope.led : [],
  taught: sets.includes('subjectTeacher') ? scope.taught : [],
});

/** In a query of `note` and the place `there` of its student today: principal and counsellor reach the student. */
function isKept(user: User) {
  const reach = reachOf(user, noteKeepers);
  return reach.isAll
    ? sql<SqlBool>`true`
    : sql<SqlBool>`coalesce(there.branch_id, note.branch_id) = any(${reach.branches}::integer[])`;
}

/** In a query of `note` and `there`: the one condition of every read of notes. Today decides, not the day of the note. */
function isReadable(user: User) {
  const { led, taught } = sectionsOf(user);
  return sql<SqlBool>`coalesce(note.author_id = ${user.staffId} or ${isKept(user)}
    or note.reach in ('Class teachers', 'All teachers') and there.held_section_id = any(${led}::integer[])
    or note.reach = 'All teachers' and there.held_section_id = any(${taught}::integer[]), false)`;
}

/** True of all that `isReadable` may find, and of few others: found by index. */
function mayBeReadable(user: User, day: string) {
  if (reachOf(user, noteKeepers).isAll) return sql<SqlBool>`true`;
  const { led, taught } = sectionsOf(user);
  const branches = reachOf(user, noteKeepers) as { branches?: readonly number[] };
  return sql<SqlBool>`(note.author_id = ${user.staffId} or note.branch_id = any(${branches.branches ?? []}::integer[])
    or note.student_id in (select there.student_id from student_on(${day}) there where there.section_id = any(${[...led, ...taught]}::integer[])
      union all select student_id from student_enrollment where branch_id = any(${branches.branches ?? []}::integer[])))`;
}

/** The notes that the user may read, with their students and `there`, the student’s place today. */
export const notesRead = ({ db, user, now }: UserContext) =>
  db
    .selectFrom('observation_note as note')
    .innerJoin('student', 'student.id', 'note.student_id')
    .leftJoinLateral(placeOn(toLocalDate(now())).as('there'), (join) => join.onTrue())
    .where(mayBeReadable(user, toLocalDate(now())))
    .where(isReadable(user));

interface There {
  branch_id: number | null;
  section_id: number | null;
  held_section_id: number | null;
  grade_id: number | null;
}
const placeOn = (day: string) => sql<There>`student_place(note.student_id, ${day}::date)`;

/** In a query of `note`. */
export const isWithdrawn = sql<boolean>`exists (select from observation_withdrawal where note_id = note.id)`;

/** A note that the user may read, locked if `locks`; throws `not_found` for one that they may not exactly as for none. */
export async function requireNote(ctx: UserContext, id: number, locks = false) {
  if (locks) await ctx.db.selectFrom('observation_note').where('id', '=', id).select('id').forUpdate().execute();
  const found = await notesRead(ctx)
    .where('note.id', '=', id)
    .selectAll('note')
    .select(['student.name as student', isKept(ctx.user).as('isKept'), isWithdrawn.as('isWithdrawn')])
    .executeTakeFirstOrThrow(notFound);
  return { ...found, isKept: Boolean(found.isKept), isOwn: found.author_id === ctx.user.staffId };
}
export type FoundNote = Awaited<ReturnType<typeof requireNote>>;

/** In a query of `there`, a place of today: students on whom the user may write. */
export function isWritable(user: User) {
  const reach = reachOf(user, noteKeepers);
  const { led, taught } = sectionsOf(user);
  const branches = reach.isAll ? sql`true` : sql`there.branch_id = any(${reach.branches}::integer[])`;
  return sql<SqlBool>`coalesce(${branches} or there.section_id = any(${[...led, ...taught]}::integer[]), false)`;
}
