import { sql } from 'kysely';
import { text, verbatim } from '#kit/contract/text.ts';
import type { DayCell } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';

/** Students of the user's sections whose birthday is today. */
export const birthdayCell: DayCell = {
  title: text`In school today`,
  roles: ['Staff'],
  sets: ['classTeacher', 'subjectTeacher'],
  read: async ({ db, now, user }) => {
    const today = toLocalDate(now());
    const { led, taught } = user.scope;
    const { rows } = await sql<{ id: number; name: string; section: string }>`
      select student.id, student.name,
        academic_section_name(grade.name, section.name) as section
      from student_on(${today}) there join student on student.id = there.student_id
      join academic_section section on section.id = there.section_id
      join academic_grade grade on grade.id = section.grade_id
      where there.section_id = any(${[...led, ...taught]}::integer[])
        and to_char(student.birth_date, 'MM-DD') = ${today.slice(5)}
      order by grade.position, lower(section.name), student.name limit 3`.execute(db);
    return rows.map(({ id, name, section }) => ({
      words: text`Birthday: ${{ name }}`,
      aside: verbatim(section),
      to: `report/student-report/${id}`,
    }));
  },
};
