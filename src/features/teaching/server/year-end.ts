import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';

/** Sections of the next year without a class teacher on its first day. */
const teachers: YearEndLine = {
  key: 'teaching.class-teachers',
  isOfNext: true,
  title: text`Sections of the next year without a class teacher`,
  at: 'warns',
  fate: text`name the teachers`,
  act: text`Open`,
  sets: ['office', 'principal'],
  isForAdmins: true,
  count: async ({ db, user }, year) => {
    if (!year.next) return undefined;
    const { rows } = await sql<{ open: number; of: number; names: string[] }>`
      with own as materialized (
        select section.id, academic_section_name(grade.name, section.name) as name, grade.position,
          not exists (select from academic_section_teacher leads where leads.section_id = section.id
            and leads.role = 'Class teacher' and ${year.next.startsOn}::date
              between leads.effective_from and coalesce(leads.effective_to, 'infinity')) as is_open
        from academic_section section join academic_grade grade on grade.id = section.grade_id
        where section.academic_year_id = ${year.next.id} and section.is_active and ${isCounted(year, sql`section.branch_id`)})
      select count(*) filter (where is_open)::integer as open, count(*)::integer as of,
        array(select name from own where is_open order by position, name, id limit 3) as names
      from own`.execute(db);
    const { open, of, names } = rows[0] ?? { open: 0, of: 0, names: [] };
    const to = user.role === 'Admin' ? { to: 'academic/section-teacher-mapping?show=gaps' } : {};
    return of === 0 ? undefined : { open, of, names: names.map(verbatim), ...to };
  },
};

export const teachingYearEnd = [teachers];
