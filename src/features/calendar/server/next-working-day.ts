import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';

/** Longer than any vacation. */
const farthest = 120;

/** The first working day on or after a day, of a grade or of the whole school; null where the calendar has none. */
export async function nextWorkingDay(
  { db }: Pick<Context, 'db'>,
  day: string,
  gradeId: number | null,
): Promise<string | null> {
  const { rows } = await sql<{ day: string }>`
    select own.day::text as day from academic_year year
    cross join lateral academic_school_days(year.id, ${day}::date, ${addDays(day, farthest)}::date) as own
    where year.ends_on >= ${day}::date and year.starts_on <= ${addDays(day, farthest)}::date
      and own.grade_id is not distinct from ${gradeId}::integer and own.work > 0
    order by own.day limit 1`.execute(db);
  return rows[0]?.day ?? null;
}

/** As `nextWorkingDay`, for grades: without those for which the calendar has none. */
export async function nextWorkingDays(
  { db }: Pick<Context, 'db'>,
  day: string,
  gradeIds: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ gradeId: number; day: string }>`
    select own.grade_id as "gradeId", min(own.day)::text as day from academic_year year
    cross join lateral academic_school_days(year.id, ${day}::date, ${addDays(day, farthest)}::date) as own
    where year.ends_on >= ${day}::date and year.starts_on <= ${addDays(day, farthest)}::date
      and own.grade_id = any(${[...gradeIds]}::integer[]) and own.work > 0
    group by own.grade_id`.execute(db);
  return new Map(rows.map((row) => [row.gradeId, row.day]));
}
