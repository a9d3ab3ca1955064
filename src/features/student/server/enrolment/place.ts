import { sql } from 'kysely';
import { clampToYear } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

/** A day, and the year that is meant with its name; without one, whichever year a child is in. */
export interface At {
  day: string;
  yearId: number | null;
  year?: string;
}

/** A day, by default today; with a year the day of it that is next to that. Nobody is in a year that does not exist. */
export async function atOf(ctx: Pick<Context, 'db' | 'now'>, yearId?: number | null, on = ''): Promise<At> {
  const at = { ...today(ctx), ...(on && { day: on }) };
  if (!yearId) return at;
  const year = await ctx.db
    .selectFrom('academic_year')
    .where('id', '=', yearId)
    .select(['name', 'starts_on', 'ends_on'])
    .executeTakeFirst();
  return { ...at, yearId, ...(year && { day: clampToYear(ctx, year, at.day), year: year.name }) };
}

/** What a file of a year says of its day, in its head and in its name. */
export const asOn = (year: string, day: string): { name: string; facts: [Text, string][] } => ({
  name: `${year}-as-on-${day}`,
  facts: [
    [text`Academic year`, year],
    [text`As on`, showDate(day)],
  ],
});

/** The day of the caller, in whichever year a child is. */
export const today = ({ now }: Pick<Context, 'now'>): At => ({ day: toLocalDate(now()), yearId: null });

/** A row of `student_place`; null columns for a student who was never enrolled. */
export interface PlaceOfDay {
  enrollment_id: number | null;
  academic_year_id: number | null;
  branch_id: number | null;
  program_id: number | null;
  grade_id: number | null;
  section_id: number | null;
  roll_no: number | null;
  as_of: string | null;
  tense: 'past' | 'now' | 'future' | null;
  /** What rights are given by: the section, while the child is in it. */
  held_section_id: number | null;
  /** With the section, as "Grade 5, A"; of a child without one the grade. */
  name: string | null;
}

/** The place of each of a query's `student` rows. */
export const placeSql = ({ day, yearId }: At) =>
  sql<PlaceOfDay>`student_place(student.id, ${day}::date, ${yearId}::integer)`;

/** The same for all students at once, each with its `student_id`: for who counts or looks through a whole school. */
export const placesSql = ({ day, yearId }: At) => sql<PlaceOfDay>`student_places(${day}::date, ${yearId}::integer)`;

/** Where a child is shown. */
interface Place {
  yearId: number;
  branchId: number;
  gradeId: number;
  sectionId: number | null;
  /** The section whose teachers may act on the child: null before and after the enrolment. */
  heldSectionId: number | null;
  name: string;
  rollNo: number | null;
  asOf: string;
  tense: 'past' | 'now' | 'future';
}

/** The places of these students; who was never enrolled, or not in the year, has none. */
export async function placesOf(
  { db }: Pick<Context, 'db'>,
  ids: readonly number[],
  { day, yearId }: At,
): Promise<Map<number, Place>> {
  const { rows } = await sql<Place & { id: number }>`
    select asked.id, place.academic_year_id as "yearId", place.branch_id as "branchId", place.grade_id as "gradeId",
      place.section_id as "sectionId", place.held_section_id as "heldSectionId", place.name, place.roll_no as "rollNo",
      place.as_of::text as "asOf", place.tense
    from unnest(${[...new Set(ids)]}::integer[]) as asked (id)
    join lateral student_place(asked.id, ${day}::date, ${yearId}::integer) place on true`.execute(db);
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}
