import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { containsText, type SearchGroup } from '#kit/server/search.ts';
import { homeworkReaders } from '../contract/words.ts';
import { isSeen } from './delivery.ts';

const least = 3;

/** Homework of the current year by its title. */
export const homeworkSearch: SearchGroup = {
  kind: 'homework',
  title: text`Homework`,
  roles: ['Staff'],
  sets: ['classTeacher', 'subjectTeacher', 'office', 'principal'],
  find: async (ctx, search, most) => {
    if (search.trim().length < least) return [];
    const { rows } = await sql<{ id: number; title: string; section: string; subject: string; dueOn: string }>`
      select given.id, content.title, academic_section_name(grade.name, section.name) as section, subject.name as subject,
        given.due_on::text as "dueOn"
      from academic_year year
      join homework content on content.academic_year_id = year.id and ${containsText(sql`content.title`, search)}
      join homework_section given on given.homework_id = content.id
      join academic_section section on section.id = given.section_id
      join academic_grade grade on grade.id = given.grade_id
      join configuration_subject subject on subject.id = given.subject_id
      where year.id = academic_year_on(${toLocalDate(ctx.now())}::date) and ${isSeen(ctx, homeworkReaders)}
      order by given.due_on desc, given.id desc limit ${most}`.execute(ctx.db);
    return rows.map(({ id, title, section, subject, dueOn }) => ({
      id,
      title,
      detail: `${section} · ${subject} · ${showDate(dueOn)}`,
      to: `homework/homework-list/${id}`,
    }));
  },
};
