import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';

/** What the next year lacks of its own days: itself, its terms, its weekly offs and holidays. */
const nextYear: YearEndLine = {
  key: 'calendar.next-year',
  isOfNext: true,
  title: text`Missing parts of the next year`,
  at: 'warns',
  fate: text`copy it from this year`,
  act: text`Open`,
  sets: ['office', 'principal'],
  isForAdmins: true,
  count: async ({ db, user }, { next }) => {
    const to = user.role === 'Admin' ? { to: 'academic/academic-master?tab=year' } : {};
    if (!next) return { open: 1, names: [text`No year follows`], ...to };
    const { rows } = await sql<{ terms: boolean; calendar: boolean }>`
      select exists (select from academic_term where academic_year_id = ${next.id}) as terms,
        exists (select from academic_calendar where academic_year_id = ${next.id}) as calendar`.execute(db);
    const names = [...(rows[0]?.terms ? [] : [text`No terms`]), ...(rows[0]?.calendar ? [] : [text`No calendar`])];
    return { open: names.length, names, ...to };
  },
};

export const calendarYearEnd = [nextYear];
