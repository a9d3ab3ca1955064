import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { DayCell, ReadComingDays } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';

interface Named {
  name: string;
  kind: string;
  grades: string;
  from: string;
  to: string;
}

/** The days with a name between two days, for the whole school or for the grades of the user's sections. */
async function namedDays({ db, user }: UserContext, first: string, last: string, most: number) {
  const { led, taught } = user.scope;
  const { rows } = await sql<Named>`
    select entry.name, entry.kind, min(entry.day)::text as from, max(entry.day)::text as to,
      coalesce(string_agg(distinct grade.name, ', '), '') as grades
    from academic_calendar_day entry left join academic_grade grade on grade.id = entry.grade_id
    where entry.day between ${first}::date and ${last}::date and (entry.grade_id is null or entry.grade_id in (
      select section.grade_id from academic_section section where section.id = any(${[...led, ...taught]}::integer[])))
    group by entry.academic_year_id, entry.name, entry.kind order by min(entry.day), entry.name limit ${most}`.execute(
    db,
  );
  return rows;
}

/** How far the calendar is looked ahead. */
const aheadDays = 90;
const mostComing = 4;

export const readComingDays: ReadComingDays = async (ctx) => {
  const today = toLocalDate(ctx.now());
  const days = await namedDays(ctx, addDays(today, 1), addDays(today, aheadDays), mostComing);
  return days.map(({ name, kind, grades, from, to }) => ({
    from,
    to,
    words: verbatim(name),
    detail:
      from === to ? (grades ? text`${{ kind }}, ${{ grades }}` : { id: kind }) : text`until ${{ day: showDate(to) }}`,
  }));
};

/** Today's entries of the calendar. */
export const calendarCell: DayCell = {
  title: text`In school today`,
  roles: ['Staff'],
  sets: ['classTeacher', 'subjectTeacher'],
  read: async (ctx) => {
    const today = toLocalDate(ctx.now());
    const days = await namedDays(ctx, today, today, 3);
    return days.map(({ name, kind, grades }) => ({
      words: verbatim(name),
      aside: grades ? verbatim(grades) : { id: kind },
    }));
  },
};
