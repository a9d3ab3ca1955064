import { sql } from 'kysely';
import { hasTag, tagOptions } from '#features/tag/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsText } from '#kit/server/search.ts';
import { type dueSpans, homeworkList, subjectOptions, tagChoices, teacherOptions } from '../contract/list.ts';
import { mondayOf } from '../contract/load.ts';
import { type HomeworkKind, homeworkReaders } from '../contract/words.ts';
import { isSeen, stateAt } from './delivery.ts';
import { countsUntil } from './read.ts';
import { countResults } from './roster.ts';

const listed = (ctx: UserContext) =>
  ctx.db
    .selectFrom('homework_section as given')
    .innerJoin('homework as content', 'content.id', 'given.homework_id')
    .innerJoin('academic_section as section', 'section.id', 'given.section_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'given.grade_id')
    .innerJoin('configuration_subject as subject', 'subject.id', 'given.subject_id')
    .innerJoin('staff as owner', 'owner.id', 'content.owner_id')
    .where(isSeen(ctx, homeworkReaders))
    .select(['given.id', 'content.title', 'subject.name as subject', 'owner.name as teacher'])
    .select(['given.assigned_on as assignedOn', 'given.due_on as dueOn', 'content.minutes', 'content.kind'])
    .select(['given.over_reason as overReason', stateAt(ctx.now()).as('state'), countsUntil.as('countsUntil')])
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('section'));
type Row = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>;

/** In a query of `given`: a child of the list is without a result. */
export const isUnchecked = sql<boolean>`(given.state in ('Published', 'Closed') and exists (
  select from homework_roster(array[given.id]) roster where roster.standing = 'Given' and not exists (
    select from homework_result result where result.homework_section_id = given.id
      and result.student_id = roster.student_id)))`;

function spanOf(word: (typeof dueSpans)[number], today: string): [string, string] {
  const monday = mondayOf(today);
  if (word === 'Today') return [today, today];
  return word === 'This week' ? [monday, addDays(monday, 6)] : [addDays(monday, 7), addDays(monday, 13)];
}

const served = serveList(homeworkList, (ctx) => {
  const moment = ctx.now();
  const today = toLocalDate(moment);
  const isOut = sql<boolean>`(given.state = 'Published' and given.publish_at <= ${moment})`;
  return {
    query: listed(ctx),
    id: 'given.id',
    matches: (word) =>
      containsText(
        sql`concat_ws(' ', content.title, subject.name, academic_section_name(grade.name, section.name), owner.name)`,
        word,
      ),
    tabs: {
      toCheck: sql<boolean>`(${isOut} and given.counts_until <= ${today})`,
      upcoming: sql<boolean>`(${isOut} and given.counts_until > ${today})`,
      prepared: sql<boolean>`(given.state = 'Draft' or given.state = 'Published' and given.publish_at > ${moment})`,
      closed: sql<boolean>`given.state in ('Closed', 'Cancelled')`,
      all: undefined,
    },
    filters: {
      sectionId: (id) => sql<boolean>`given.section_id = ${Number(id)}`,
      subjectId: (id) => sql<boolean>`given.subject_id = ${Number(id)}`,
      teacherId: (id) => sql<boolean>`content.owner_id = ${Number(id)}`,
      mine: () => sql<boolean>`content.owner_id = ${ctx.user.staffId}`,
      kind: (word) => sql<boolean>`content.kind = ${word}`,
      due: (word) => {
        const [first, last] = spanOf(word as (typeof dueSpans)[number], today);
        return sql<boolean>`given.due_on between ${first} and ${last}`;
      },
      unchecked: () => isUnchecked,
      over: () => sql<boolean>`given.over_reason <> ''`,
      tagId: (tag) => hasTag(ctx, 'Homework', sql`content.id`, Number(tag)),
      state: (word) => sql<boolean>`${stateAt(moment)} = ${word}`,
      yearId: (id) => sql<boolean>`given.academic_year_id = ${Number(id)}`,
    },
    sorts: { dueOn: { by: sql`given.due_on`, as: 'date' } },
    toRows: async (rows: Row[]) => {
      const counts = await countResults(
        ctx,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => {
        const { total = 0, submitted = 0, checked = 0 } = counts.get(row.id) ?? {};
        const isPrepared = row.state === 'Draft' || row.state === 'Scheduled';
        return {
          ...row,
          kind: row.kind as HomeworkKind,
          submitted: isPrepared ? '' : `${submitted}/${total}`,
          checked: isPrepared ? '' : `${checked}/${total}`,
        };
      });
    },
  };
});
export const { selected: homeworkSelected } = served;

const subjects: Handler<typeof subjectOptions> = (ctx, { search, state, limit, chosenId }) =>
  ctx.db
    .selectFrom('configuration_subject as subject')
    .where(
      sql<boolean>`(subject.name ilike ${contains(search)} and (${state} = '' or subject.is_active = (${state} = 'active'))
        and exists (select from homework_section given where given.subject_id = subject.id
          and ${isSeen(ctx, homeworkReaders)}) or subject.id = ${chosenId})`,
    )
    .select(['subject.id', 'subject.name', 'subject.is_active as isActive'])
    .orderBy(sql`lower(subject.name)`)
    .orderBy('subject.id')
    .limit(limit)
    .execute();

const teachers: Handler<typeof teacherOptions> = async (ctx, { search, limit, chosenId }) => {
  const rows = await ctx.db
    .selectFrom('staff')
    .where(
      sql<boolean>`(staff.name ilike ${contains(search)} and exists (select from homework content
          join homework_section given on given.homework_id = content.id
          where content.owner_id = staff.id and ${isSeen(ctx, homeworkReaders)}) or staff.id = ${chosenId})`,
    )
    .select(['staff.id', 'staff.name', 'staff.employee_number as detail'])
    .orderBy(sql`lower(staff.name)`)
    .orderBy('staff.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, isActive: true }));
};

export const listRoutes = [
  ...served.routes,
  ...routes(
    { subjects: subjectOptions, teachers: teacherOptions, tags: tagChoices },
    { subjects, teachers, tags: (ctx, asked) => tagOptions(ctx, 'Homework', asked) },
  ),
];
