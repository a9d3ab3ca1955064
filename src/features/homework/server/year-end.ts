import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';
import { stateAt } from './delivery.ts';

/** Homework of the year that no teacher has closed. */
const open: YearEndLine = {
  key: 'homework.open',
  title: text`Homework not closed`,
  at: 'warns',
  fate: text`ends with the results as entered`,
  act: text`Open`,
  sets: ['office', 'principal'],
  isForAdmins: true,
  count: async ({ db, now, user }, year) => {
    const { rows } = await sql<{ name: string; number: number; total: number }>`
      select academic_section_name(grade.name, section.name) as name, count(*)::integer as number,
        (sum(count(*)) over ())::integer as total
      from homework_section given
      join academic_section section on section.id = given.section_id
      join academic_grade grade on grade.id = given.grade_id
      where given.academic_year_id = ${year.id} and ${stateAt(now())} = 'Published' and ${isCounted(year, sql`given.branch_id`)}
      group by section.id, grade.id order by count(*) desc, grade.position, lower(section.name) limit 3`.execute(db);
    const names = rows.map(({ name, number }) => text`${{ name }}: ${{ number: String(number) }}`);
    const to = `homework/homework-list?tab=all&state=Published&yearId=${year.id}`;
    return { open: rows[0]?.total ?? 0, names, ...(user.role === 'Staff' && { to }) };
  },
};

export const homeworkYearEnd = [open];
