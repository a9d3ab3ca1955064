import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { isReachedProposal } from './proposal.ts';

/** Children whose guardians give different answers, until the year that is asked about begins: the office decides. */
export const differTodo: TodoSource = {
  kind: 'year-answer',
  title: text`Answers of families that differ`,
  icon: 'message',
  roles: ['Staff'],
  sets: ['office'],
  find: async (ctx, most) => {
    const { rows } = await sql<{ id: number; name: string; year: string; toYearId: number; total: number }>`
      select own.student_id as id, student.name, year.name as year, own.to_year_id as "toYearId",
        (count(*) over ())::integer as total
      from year_proposal own join student on student.id = own.student_id
      join academic_year year on year.id = own.to_year_id and year.starts_on > ${toLocalDate(ctx.now())}::date
      -- Of those with two answers only, since each answer that holds is found child by child.
      where own.student_id in (
        select student_id from year_answer group by to_year_id, student_id having min(answer) <> max(answer))
        and own.answer = 'Differ' and ${isReachedProposal(ctx)}
      order by student.sort_name, student.id limit ${most}`.execute(ctx.db);
    const to = 'academic/year-end?tab=families&answer=Differ';
    return {
      total: rows[0]?.total ?? 0,
      to,
      rows: rows.map(({ id, name, year }) => ({
        id,
        when: 'soon' as const,
        title: name,
        about: year,
        detail: text`Guardians disagree about returning`,
        to,
        act: text`Decide`,
      })),
    };
  },
};
