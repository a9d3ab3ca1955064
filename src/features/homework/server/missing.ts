import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsText } from '#kit/server/search.ts';
import { missingList } from '../contract/missing.ts';
import { homeworkReaders } from '../contract/words.ts';
import { isSeen } from './delivery.ts';
import { dueOfChild, statusOn } from './roster.ts';

interface Missing {
  id: number;
  count: number;
  recent: number;
  /** With their subjects, the latest first. */
  titles: string[];
}

const mostTitles = 5;

/** What students did not submit of the homework that the user reaches. */
const missing = (ctx: UserContext, today: string) => sql<Missing>`(
  with own as materialized (
    select given.id from homework_section given
    where given.state in ('Published', 'Closed') and given.publish_at <= ${ctx.now()}
      and given.due_on between ${addDays(today, -30)}::date and ${today}::date and ${isSeen(ctx, homeworkReaders)})
  select roster.student_id as id, count(*)::integer as count,
    (count(*) filter (where given.due_on > ${addDays(today, -7)}::date))::integer as recent,
    array_agg(content.title || ', ' || subject.name order by given.due_on desc, given.id desc) as titles
  from homework_roster(array(select id from own)) roster
  join homework_section given on given.id = roster.homework_section_id
  join homework content on content.id = given.homework_id
  join configuration_subject subject on subject.id = given.subject_id
  left join homework_result result on result.homework_section_id = given.id and result.student_id = roster.student_id
  left join homework_extension extension on extension.homework_section_id = given.id
    and extension.student_id = roster.student_id
  where ${dueOfChild} <= ${today}::date and ${statusOn(today)} in ('Missing', 'Not done', 'Incomplete')
  group by roster.student_id)`;

const listed = (ctx: UserContext, today: string) =>
  ctx.db
    .selectFrom(missing(ctx, today).as('missing'))
    .innerJoin('student', 'student.id', 'missing.id')
    .innerJoin(sql<{ student_id: number; section_id: number | null }>`student_on(${today}::date)`.as('here'), (join) =>
      join.onRef('here.student_id', '=', 'student.id'),
    )
    .leftJoin('academic_section as section', 'section.id', 'here.section_id')
    .leftJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .select(['student.id', 'student.name', 'missing.count as missing', 'missing.recent', 'missing.titles'])
    .select(sql<string>`coalesce(academic_section_name(grade.name, section.name), '')`.as('section'));
type Row = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>;

export const { routes: missingRoutes } = serveList(missingList, (ctx) => {
  const today = toLocalDate(ctx.now());
  return {
    query: listed(ctx, today),
    id: 'student.id',
    isPeople: true,
    isCountedAtOnce: true,
    matches: (word) =>
      containsText(sql`concat_ws(' ', student.name, academic_section_name(grade.name, section.name))`, word),
    tabs: { month: undefined, week: sql<boolean>`missing.recent > 0` },
    filters: { sectionId: (id) => sql<boolean>`here.section_id = ${Number(id)}` },
    sorts: { missing: { by: sql`missing.count`, as: 'number' } },
    toRows: async (rows: Row[]) =>
      rows.map(({ titles, ...row }) => ({ ...row, titles: titles.slice(0, mostTitles).join('; ') })),
  };
});
