import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsText } from '#kit/server/search.ts';
import { missingList } from '../contract/missing.ts';
import { homeworkReaders } from '../contract/words.ts';
import { isSeen } from './delivery.ts';
import { dueOfChild } from './roster.ts';

interface Missing {
  id: number;
  count: number;
  recent: number;
  /** The deliveries, the latest first. */
  deliveries: number[];
}

const mostTitles = 5;

/**
 * What students did not submit of the homework that the user reaches: `homework_status` 'Not done', 'Incomplete' or 'Missing'.
 * The first two are entered. Missing is what nothing was entered for, and only in homework that is still open, so the
 * children of closed homework, of which there is far more, need not be found.
 */
const missing = (ctx: UserContext, today: string) => sql<Missing>`(
  with given as materialized (
    select given.id, given.due_on, given.counts_until, given.state from homework_section given
    where given.state in ('Published', 'Closed') and given.publish_at <= ${ctx.now()}
      and given.counts_until between ${addDays(today, -30)}::date and ${today}::date and ${isSeen(ctx, homeworkReaders)}),
  entered as materialized (
    select result.homework_section_id, result.student_id, result.result from homework_result result
    where result.homework_section_id = any(array(select id from given))),
  missed as materialized (
    select entered.homework_section_id, entered.student_id, entered.result from entered
    where entered.result in ('Not done', 'Incomplete')
    union all
    select roster.homework_section_id, roster.student_id, null
    from homework_roster(array(select id from given where state = 'Published' and counts_until < ${today}::date)) roster
    where roster.standing = 'Given' and not exists (select from entered
      where entered.homework_section_id = roster.homework_section_id and entered.student_id = roster.student_id))
  select missed.student_id as id, count(*)::integer as count,
    (count(*) filter (where given.counts_until > ${addDays(today, -7)}::date))::integer as recent,
    array_agg(given.id order by given.due_on desc, given.id desc) as deliveries
  from missed
  join given on given.id = missed.homework_section_id
  left join homework_extension extension on extension.homework_section_id = given.id
    and extension.student_id = missed.student_id
  where case when missed.result is null then ${dueOfChild} < ${today}::date else ${dueOfChild} <= ${today}::date end
  group by missed.student_id)`;

const listed = (ctx: UserContext, today: string) =>
  ctx.db
    .selectFrom(missing(ctx, today).as('missing'))
    .innerJoin('student', 'student.id', 'missing.id')
    .innerJoin(sql<{ student_id: number; section_id: number | null }>`student_on(${today}::date)`.as('here'), (join) =>
      join.onRef('here.student_id', '=', 'student.id'),
    )
    .leftJoin('academic_section as section', 'section.id', 'here.section_id')
    .leftJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .select(['student.id', 'student.name', 'missing.count as missing', 'missing.recent', 'missing.deliveries'])
    .select(sql<string>`coalesce(academic_section_name(grade.name, section.name), '')`.as('section'));
type Row = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>;

/** Titles with subjects, by delivery. */
async function readTitles({ db }: UserContext, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; title: string }>`
    select given.id, content.title || ', ' || subject.name as title
    from homework_section given
    join homework content on content.id = given.homework_id
    join configuration_subject subject on subject.id = given.subject_id
    where given.id = any(${[...ids]}::integer[])`.execute(db);
  return new Map(rows.map(({ id, title }) => [id, title]));
}

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
    toRows: async (rows: Row[]) => {
      const shown = rows.map(({ deliveries }) => deliveries.slice(0, mostTitles));
      const titles = await readTitles(ctx, [...new Set(shown.flat())]);
      return rows.map(({ deliveries: _, ...row }, index) => ({
        ...row,
        titles: (shown[index] ?? []).map((id) => titles.get(id)).join('; '),
      }));
    },
  };
});
