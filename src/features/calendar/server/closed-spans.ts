import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';

interface ClosedSpan {
  name: string;
  from: string;
  to: string;
  gradeIds: number[];
}

interface Row {
  gradeId: number;
  day: string;
  /** '' on a weekly day off. */
  name: string;
}

/** The spans of one grade, by day: a weekly day off inside a vacation does not end it. */
function spansOfGrade(rows: readonly Row[]) {
  const spans: { name: string; from: string; to: string }[] = [];
  let last = '';
  for (const { day, name } of rows) {
    const open = spans.at(-1);
    const isNext = day === addDays(last || day, 1);
    if (name !== '' && open && isNext && open.name === name) open.to = day;
    else if (name !== '') spans.push({ name, from: day, to: day });
    last = name !== '' || isNext ? day : '';
  }
  return spans;
}

/**
 * The holidays and vacations of grades within the year of `day`, by day: consecutive days of one name are one. Those of several
 * grades at once are one too.
 */
export async function closedSpans(
  { db }: Pick<Context, 'db'>,
  { gradeIds, day, from, to }: { gradeIds: readonly number[]; day: string; from: string; to: string },
): Promise<ClosedSpan[]> {
  const { rows } = await sql<Row>`
    select own.grade_id as "gradeId", own.day::text as day, own.name from academic_year year
    cross join lateral academic_school_days(year.id, ${from}::date, ${to}::date) as own
    where ${day}::date between year.starts_on and year.ends_on and own.grade_id = any(${[...gradeIds]}::integer[])
      and own.work = 0
    order by own.grade_id, own.day`.execute(db);
  const spans = new Map<string, ClosedSpan>();
  for (const [gradeId, own] of Map.groupBy(rows, (row) => row.gradeId))
    for (const span of spansOfGrade(own)) {
      const key = `${span.from} ${span.to} ${span.name}`;
      const known = spans.get(key) ?? { ...span, gradeIds: [] };
      known.gradeIds.push(gradeId);
      spans.set(key, known);
    }
  return [...spans.values()].sort((one, other) => one.from.localeCompare(other.from));
}
