import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';

/** Grades that have sections in the year and none in the next one. */
const sections: YearEndLine = {
  key: 'academic.sections',
  isOfNext: true,
  title: text`Grades without sections in the next year`,
  at: 'warns',
  fate: text`copy them from this year`,
  act: text`Open`,
  sets: ['office', 'principal'],
  isForAdmins: true,
  count: async ({ db, user }, year) => {
    if (!year.next) return undefined;
    const { rows } = await sql<{ open: number; of: number; names: string[] }>`
      with own as materialized (
        select grade.id, grade.name, grade.position,
          bool_or(section.academic_year_id = ${year.next.id} and section.is_active) is not true as is_open
        from academic_grade grade join academic_section section on section.grade_id = grade.id
        where section.academic_year_id in (${year.id}, ${year.next.id}) and ${isCounted(year, sql`section.branch_id`)}
        group by grade.id)
      select count(*) filter (where is_open)::integer as open, count(*)::integer as of,
        array(select name from own where is_open order by position, id limit 3) as names
      from own`.execute(db);
    const { open, of, names } = rows[0] ?? { open: 0, of: 0, names: [] };
    const to = user.role === 'Admin' ? { to: 'academic/academic-master?tab=section' } : {};
    return of === 0 ? undefined : { open, of, names: names.map(verbatim), ...to };
  },
};

export const academicYearEnd = [sections];
