import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { sectionsHeld } from '#features/student/api.ts';
import { text } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';

const sets = ['office', 'principal'];

/** Registers of school days before today in sections that had children. */
const registers: YearEndLine = {
  key: 'attendance.registers',
  title: text`Registers not taken`,
  at: 'warns',
  fate: text`will be left empty`,
  act: text`Open`,
  sets,
  isForAdmins: true,
  count: async (ctx, year) => {
    const yesterday = addDays(toLocalDate(ctx.now()), -1);
    const held = await sectionsHeld(ctx, year.id);
    const { rows } = await sql<{ open: number; of: number; sections: { name: string; days: number }[] }>`
      with due as materialized (
        select section.id, academic_section_name(grade.name, section.name) as name, days.day,
          not exists (select from attendance_register register where register.section_id = section.id
            and register.day = days.day and register.half = slots.half) as is_open
        from academic_section section
        join academic_grade grade on grade.id = section.grade_id
        join jsonb_to_recordset(${JSON.stringify(held)}::jsonb) as held (id integer, "from" date, "to" date)
          on held.id = section.id
        join academic_school_days(${year.id}, ${year.startsOn}, least(${yesterday}::date, ${year.endsOn}::date)) as days
          on days.grade_id = section.grade_id and days.work > 0 and days.day between held."from" and held."to"
        cross join lateral attendance_slots(section.id, days.day, days.work) as slots
        where section.academic_year_id = ${year.id} and section.is_active and ${isCounted(year, sql`section.branch_id`)})
      select count(*) filter (where is_open)::integer as open, count(*)::integer as of,
        coalesce((select jsonb_agg(most) from (select name, count(distinct day)::integer as days from due where is_open
          group by id, name order by count(distinct day) desc, name, id limit 3) most), '[]') as sections
      from due`.execute(ctx.db);
    const { open, of, sections } = rows[0] ?? { open: 0, of: 0, sections: [] };
    if (of === 0) return undefined;
    const names = sections.map(({ name, days }) =>
      text({ message: '{name}: {days, plural, one {# day} other {# days}}' }, { name, days }),
    );
    return { open, of, names, ...(ctx.user.role === 'Staff' && { to: 'attendance/month-wise-attendance' }) };
  },
};

/** Leave that was asked for in the year and reaches over its last day. */
const leaves: YearEndLine = {
  key: 'attendance.leaves',
  title: text`Leave over the last day`,
  at: 'says',
  fate: text`ask again in the next year`,
  act: text`Open`,
  sets,
  count: async ({ db }, year) => {
    const { rows } = await sql<{ open: number }>`
      select count(*)::integer as open from attendance_leave own
      join student_enrollment enrollment on enrollment.student_id = own.student_id
        and enrollment.academic_year_id = own.academic_year_id and enrollment.is_standing
      where own.academic_year_id = ${year.id} and own.to_day > ${year.endsOn} and own.state in ('Asked', 'Granted')
        and ${isCounted(year, sql`enrollment.branch_id`)}`.execute(db);
    return rows[0]?.open ? { open: rows[0].open, to: 'attendance/student-leave' } : undefined;
  },
};

export const attendanceYearEnd = [registers, leaves];
