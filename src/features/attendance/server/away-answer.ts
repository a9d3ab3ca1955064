import { sql } from 'kysely';
import { awayHook } from '#features/workday/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';

/** The registers that wait for a class teacher on days of leave, by section. */
export const answerAway = answer(awayHook, { by: 'attendance', step: 7 }, async ({ db }, { staffId, halves }) => {
  const days = [...new Set(halves.map(({ day }) => day))];
  const { rows } = await sql<{ section: string; days: number }>`
    select academic_section_name(grade.name, section.name) as section, count(*)::integer as days
    from unnest(${days}::date[]) as away (day)
    join academic_section_teacher led on led.staff_id = ${staffId} and led.role = 'Class teacher'
      and away.day between led.effective_from and coalesce(led.effective_to, 'infinity')
    join academic_section section on section.id = led.section_id and section.is_active
    join academic_grade grade on grade.id = section.grade_id
    join academic_school_days(section.academic_year_id, away.day, away.day) as school
      on school.grade_id = section.grade_id and school.work > 0
    group by section.id, grade.name, section.name order by section.id`.execute(db);
  return {
    texts: rows.map(({ section, days: count }) =>
      text(
        { message: 'Class teacher of {section}: {count, plural, one {# register} other {# registers}}.' },
        { section, count },
      ),
    ),
  };
});
