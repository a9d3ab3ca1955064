import { sql } from 'kysely';
import { clampToYear } from '#features/calendar/api.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { SetUpStep } from '#kit/server/set-up.ts';
import { countGaps } from './teacher-list.ts';

export const teacherStep: SetUpStep = {
  key: 'teachers',
  order: 8,
  title: text`Class teachers`,
  to: 'academic/section-teacher-mapping',
  act: text`Assign class teachers`,
  read: async (ctx) => {
    const year = await ctx.db
      .selectFrom('academic_year as year')
      .where('id', '=', sql<number>`academic_year_on(${toLocalDate(ctx.now())}::date)`)
      .select(['id', 'starts_on', 'ends_on'])
      .select((on) =>
        on
          .selectFrom('academic_section as section')
          .whereRef('section.academic_year_id', '=', 'year.id')
          .where('section.is_active', '=', true)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .as('sections'),
      )
      .executeTakeFirst();
    const sections = Number(year?.sections ?? 0);
    const { leaders } = year
      ? await countGaps(ctx, { academicYearId: year.id, on: clampToYear(ctx, year, '') })
      : { leaders: 0 };
    const led = sections - Number(leaders);
    return {
      isDone: sections > 0 && led === sections,
      found: text`${{ led }} of ${{ sections }} sections have a class teacher`,
      missing: text`Import the sheet of class teachers, or choose each of them.`,
    };
  },
};
