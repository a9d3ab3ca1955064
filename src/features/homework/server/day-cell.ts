import { sql } from 'kysely';
import { text, verbatim } from '#kit/contract/text.ts';
import type { DayCell } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';

/** The teacher's own homework that is due today. */
export const homeworkCell: DayCell = {
  title: text`Homework due today`,
  roles: ['Staff'],
  sets: ['classTeacher', 'subjectTeacher'],
  read: async ({ db, now, user }) => {
    const { rows } = await sql<{ id: number; title: string; section: string; subject: string }>`
      select content.id, content.title, academic_section_name(grade.name, section.name) as section, subject.name as subject
      from homework content join homework_section given on given.homework_id = content.id
      join academic_section section on section.id = given.section_id
      join academic_grade grade on grade.id = section.grade_id
      join configuration_subject subject on subject.id = content.subject_id
      where content.owner_id = ${user.staffId} and given.state = 'Published' and given.publish_at <= ${now()}
        and given.counts_until = ${toLocalDate(now())}::date
      order by grade.position, lower(section.name), content.id limit 3`.execute(db);
    return rows.map(({ id, title, section, subject }) => ({
      words: verbatim(title),
      aside: verbatim([section, subject].join(' · ')),
      to: `homework/homework-list/${id}`,
    }));
  },
};
