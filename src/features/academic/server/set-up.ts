import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { SetUpStep } from '#kit/server/set-up.ts';

export const classStep: SetUpStep = {
  key: 'classes',
  order: 3,
  title: text`Classes and sections`,
  to: 'academic/academic-master?tab=section',
  act: text`Add classes`,
  read: async ({ db, now }) => {
    const { rows } = await sql<{ grades: number; sections: number }>`
      select (select count(*)::integer from academic_grade where is_active) as grades,
        (select count(*)::integer from academic_section section
          join academic_year year on year.id = section.academic_year_id and year.id = academic_year_on(${toLocalDate(now())}::date)
          where section.is_active) as sections`.execute(db);
    const [{ grades, sections }] = rows as [(typeof rows)[0]];
    return {
      isDone: sections > 0,
      found: text(
        {
          message:
            '{grades, plural, one {# class} other {# classes}}, {sections, plural, one {# section} other {# sections}}',
        },
        { grades, sections },
      ),
      missing: text`Choose the first and the last class, and how many sections each has.`,
    };
  },
};
