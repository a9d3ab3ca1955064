import { sql } from 'kysely';
import { ofGrades, schoolDaysChanged } from '#features/calendar/contract/hooks.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';

interface Moved {
  id: number;
  section: string;
  title: string;
  dueOn: string;
  until: string;
  hasNext: boolean;
}

/** More than these lines are summed up. */
const mostNamed = 3;

const isTouched = (yearId: number, days: ReturnType<typeof ofGrades>) => sql<boolean>`given.academic_year_id = ${yearId}
  and given.state in ('Draft', 'Published') and given.grade_id = any(${days.map(({ gradeId }) => gradeId)}::integer[])
  and (given.due_on <= ${days.at(-1)?.day ?? null}::date and given.counts_until >= ${days[0]?.day ?? null}::date
    or exists (select from homework_extension own where own.homework_section_id = given.id
      and own.due_on <= ${days.at(-1)?.day ?? null}::date and own.counts_until >= ${days[0]?.day ?? null}::date))`;

const inOrder = (days: Parameters<typeof ofGrades>[0]) =>
  ofGrades(days).toSorted((one, other) => one.day.localeCompare(other.day));

/**
 * Homework that is due on a day without school counts until the next school day of its grade; families whose digest had
 * the old day hear of the new one, unless both have passed. The due day itself does not move.
 */
export const answerCalendar = answer(
  schoolDaysChanged,
  {
    by: 'homework',
    step: 7,
    lock: async ({ db }, { yearId, days }) =>
      sql`select from homework_section given where ${isTouched(yearId, inOrder(days))} order by given.id for update`.execute(
        db,
      ),
  },
  async ({ db, now }, { yearId, days }) => {
    const changed = inOrder(days);
    const today = toLocalDate(now());
    const { rows } = await sql<Moved>`
      with touched as materialized (
        select given.id, given.grade_id, given.due_on from homework_section given where ${isTouched(yearId, changed)}),
      school as materialized (
        select own.grade_id, own.day from academic_school_days(${yearId}, (select min(due_on) from touched), 'infinity') as own
        where own.work > 0 and own.grade_id = any(array(select grade_id from touched))),
      next as (
        select touched.id, (select min(school.day) from school where school.grade_id = touched.grade_id
          and school.day >= touched.due_on) as day
        from touched),
      news as (
        select next.id, next.day, greatest(given.counts_until, coalesce(next.day, given.due_on)) >= ${today}::date as is_news
        from next join homework_section given on given.id = next.id),
      longer as (
        update homework_extension own set counts_until = coalesce((select min(school.day) from school
            where school.grade_id = touched.grade_id and school.day >= own.due_on), own.due_on)
        from touched where touched.id = own.homework_section_id),
      moved as (
        update homework_section given set counts_until = coalesce(next.day, given.due_on),
          news = case when given.digest_on is not null and next.is_news then 'Changed' else given.news end,
          digest_on = case when next.is_news then null else given.digest_on end
        from news next where next.id = given.id and given.counts_until <> coalesce(next.day, given.due_on)
        returning given.id, given.homework_id, given.section_id, given.due_on, given.counts_until, next.day is not null as has_next)
      select moved.id, academic_section_name(grade.name, section.name) as section, content.title,
        moved.due_on::text as "dueOn", moved.counts_until::text as until, moved.has_next as "hasNext"
      from moved join homework content on content.id = moved.homework_id
      join academic_section section on section.id = moved.section_id
      join academic_grade grade on grade.id = section.grade_id
      order by moved.counts_until, moved.id`.execute(db);
    const [last, coming] = [rows.filter(({ hasNext }) => !hasNext), rows.filter(({ hasNext }) => hasNext)];
    return {
      warns: last.map(({ section, title, dueOn }) =>
        text(
          { message: '{section}: {title} is due on {day}, and no school day follows.' },
          { section, title, day: showDate(dueOn) },
        ),
      ),
      moves: sayMoved(coming),
      basis: rows.map(({ id, until }) => [id, until]),
    };
  },
);

function sayMoved(rows: readonly Moved[]): Text[] {
  if (rows.length <= mostNamed)
    return rows.map(({ section, title, until }) =>
      text({ message: '{section}: {title} counts until {day}.' }, { section, title, day: showDate(until) }),
    );
  return [...Map.groupBy(rows, ({ until }) => until)].map(([until, own]) =>
    text(
      { message: '{n, plural, one {# homework counts} other {# pieces of homework count}} until {day}.' },
      { n: own.length, day: showDate(until) },
    ),
  );
}
