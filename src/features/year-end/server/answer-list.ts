import { sql } from 'kysely';
import { toLocalDate } from '#kit/server/day.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { answerList } from '../contract/question.ts';
import { isReachedProposal } from './proposal.ts';

const word = sql<string>`coalesce(nullif(own.answer, ''), 'No answer')`;

export const { routes: answerListRoutes } = serveList(answerList, (ctx) => {
  const query = ctx.db
    .selectFrom('year_proposal as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .innerJoin('academic_year as year', 'year.id', 'own.to_year_id')
    .leftJoin('year_answer as given', 'given.id', 'own.answer_id')
    .where(isReachedProposal(ctx))
    .select([
      sql<number>`own.enrollment_id`.as('id'),
      sql<number>`own.student_id`.as('studentId'),
      sql<number>`own.to_year_id`.as('toYearId'),
      'student.name',
      'year.name as year',
      'given.made_at as madeAt',
      'given.last_day as lastDay',
      'given.next_school as nextSchool',
      word.as('answer'),
    ])
    .select([
      sql<string>`(select place.name from student_place(own.student_id, ${toLocalDate(ctx.now())}::date, own.from_year_id) place)`.as(
        'section',
      ),
      // Of guardians who differ, each with the answer.
      sql<string>`case when own.is_of_office then (select name from staff where id = given.staff_id)
        else (select string_agg(adult.name || case when own.answer = 'Differ' then ': ' || last.answer else '' end, ', '
            order by adult.name, adult.id)
          from (select distinct on (said.guardian_id) said.guardian_id, said.answer from year_answer said
            where said.to_year_id = own.to_year_id and said.student_id = own.student_id
            order by said.guardian_id, said.id desc) last
          join year_asked_adult asked on asked.guardian_id = last.guardian_id and asked.student_id = own.student_id
          join guardian adult on adult.id = last.guardian_id) end`.as('by'),
    ]);
  type Row = Awaited<ReturnType<(typeof query)['executeTakeFirstOrThrow']>>;
  return {
    query,
    id: 'own.enrollment_id',
    isPeople: true,
    isCountedAtOnce: true,
    matches: (part) => containsName('student', part),
    tabs: { all: undefined },
    filters: {
      answer: (value) => sql<boolean>`${word} = ${value}`,
      gradeId: (id) => sql<boolean>`own.grade_id = ${Number(id)}`,
      toYearId: (id) => sql<boolean>`own.to_year_id = ${Number(id)}`,
    },
    sorts: { name: { by: sql`student.sort_name`, as: 'text' } },
    toRows: async (rows: Row[]) =>
      rows.map(({ madeAt, lastDay, nextSchool, section, by, ...row }) => ({
        ...row,
        section: section ?? '',
        by: by ?? '',
        answeredOn: madeAt ? toLocalDate(madeAt) : '',
        lastDay: lastDay ?? '',
        nextSchool: nextSchool ?? '',
      })),
  };
});
