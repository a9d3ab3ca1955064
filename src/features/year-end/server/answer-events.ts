import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { EventSource } from '#kit/server/context.ts';
import { askers } from '../contract/question.ts';

/** What guardians and the office said of the next year. */
export const answerEvents: EventSource = {
  record: 'student',
  kind: 'year-answer',
  title: text`Answers about the next year`,
  access: askers,
  find: async ({ db }, id, { from, to, most, isAfter }) => {
    const day = sql`(given.made_at at time zone 'Asia/Kolkata')::date`;
    const { rows } = await sql<{ day: string; id: number; year: string; answer: string; by: string }>`
      select ${day}::text as day, given.id, year.name as year, given.answer, coalesce(adult.name, staff.name) as by
      from year_answer given join academic_year year on year.id = given.to_year_id
      left join guardian adult on adult.id = given.guardian_id left join staff on staff.id = given.staff_id
      where given.student_id = ${id} and ${day} between ${from}::date and ${to}::date and ${isAfter(day, sql`given.id`)}
      order by ${day} desc, given.id desc limit ${most}`.execute(db);
    return rows.map(({ year, answer, by, ...row }) => ({
      ...row,
      what:
        answer === 'Staying'
          ? text`Returns in ${{ year }}`
          : answer === 'Leaving'
            ? text`Leaves before ${{ year }}`
            : text`Not sure about ${{ year }}`,
      detail: by,
    }));
  },
};
