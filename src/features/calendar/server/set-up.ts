import { sql } from 'kysely';
import { text, verbatim } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { SetUpStep } from '#kit/server/set-up.ts';

const yearStep: SetUpStep = {
  key: 'year',
  order: 2,
  title: text`Academic year`,
  to: 'academic/academic-master?tab=year',
  act: text`Add the academic year`,
  read: async ({ db, now }) => {
    const year = await db
      .selectFrom('academic_year')
      .where('id', '=', sql<number>`academic_year_on(${toLocalDate(now())}::date)`)
      .select('name')
      .executeTakeFirst();
    return {
      isDone: year !== undefined,
      found: year ? verbatim(year.name) : text`No academic year`,
      missing: text`Enter its first day. Its last day and two terms follow.`,
    };
  },
};

const dayStep: SetUpStep = {
  key: 'calendar',
  order: 4,
  title: text`Calendar`,
  to: 'academic/academic-master?tab=calendar',
  act: text`Enter weekly offs and holidays`,
  read: async ({ db, now }) => {
    const { rows } = await sql<{ offs: boolean; days: number }>`
      select exists (select 1 from academic_calendar own where own.academic_year_id = year.id) as offs,
        (select count(*)::integer from academic_calendar_day own where own.academic_year_id = year.id) as days
      from academic_year year where year.id = academic_year_on(${toLocalDate(now())}::date)`.execute(db);
    const { offs, days } = rows[0] ?? { offs: false, days: 0 };
    return {
      isDone: offs || days > 0,
      found:
        offs && days === 0
          ? text`Weekly offs, no holidays`
          : text({ message: '{days, plural, one {# holiday} other {# holidays}}' }, { days }),
      missing: text`Enter the weekly offs and the holidays of the year.`,
    };
  },
};

export const calendarSteps = [yearStep, dayStep];
