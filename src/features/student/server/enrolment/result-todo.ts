import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { settingValue } from '#kit/server/settings.ts';
import { resultsFrom } from '../settings.ts';

const page = 'student/result-list';

/** The sections that a teacher leads on the last day of a year and whose results are not all decided, in its last weeks. */
export const resultTodo: TodoSource = {
  kind: 'result',
  title: text`Results of your sections`,
  icon: 'form',
  roles: ['Staff'],
  sets: ['classTeacher'],
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const { rows: years } = await sql<{ id: number; name: string; endsOn: string }>`
      select id, name, ends_on as "endsOn" from academic_year
      where is_active and status = 'Open' and ends_on - ${settingValue(resultsFrom)} <= ${today}::date
      order by starts_on desc limit 1`.execute(ctx.db);
    const [year] = years;
    if (!year) return { total: 0, to: page, rows: [] };
    const { endsOn } = year;
    const { rows } = await sql<{
      id: number;
      name: string;
      open: number;
      total: number;
    }>`
      select section.id, academic_section_name(grade.name, section.name) as name, count(*)::integer as open,
        (count(*) over ())::integer as total
      from academic_section_teacher led
      join academic_section section on section.id = led.section_id
      join academic_grade grade on grade.id = section.grade_id
      join student_section seat on seat.section_id = section.id
        and ${endsOn}::date between seat.effective_from and coalesce(seat.effective_to, 'infinity')
      join student_enrollment own on own.id = seat.enrollment_id and own.is_standing and own.status = 'Active'
      where led.academic_year_id = ${year.id} and led.staff_id = ${ctx.user.staffId} and led.subject_id is null
        and ${endsOn}::date between led.effective_from and coalesce(led.effective_to, 'infinity')
        and not exists (select from student_result result where result.enrollment_id = own.id)
        and not exists (select from student_enrollment later where later.student_id = own.student_id and later.is_standing
          and later.joined_on > ${endsOn}::date)
      group by section.id, grade.id order by grade.position, lower(section.name)
      limit ${most}`.execute(ctx.db);
    return {
      total: rows[0]?.total ?? 0,
      to: page,
      rows: rows.map(({ id, name, open }) => ({
        id,
        when: endsOn < today ? ('late' as const) : ('soon' as const),
        title: name,
        about: year.name,
        detail: text(
          { message: '{n, plural, one {# student without a result} other {# students without a result}}' },
          { n: open },
        ),
        to: `${page}?yearId=${year.id}&sectionId=${id}&state=${encodeURIComponent('No decision yet')}`,
        act: text`Decide`,
      })),
    };
  },
};
