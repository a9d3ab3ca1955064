import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { english } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { conditionOf, serveList } from '#kit/server/list/record-list.ts';
import { notFound } from '#kit/server/record/version.ts';
import { containsName } from '#kit/server/search.ts';
import { completedReason, leavingReaders } from '../contract/leaving.ts';
import {
  type UnexplainedReason,
  unexplainedApi,
  unexplainedList,
  unexplainedReasons,
} from '../contract/unexplained.ts';
import { today } from './enrolment/place.ts';
import { allStudentsSeen, standingAt } from './visible.ts';

/** Whom each list has, as conditions on `student` and where they are `shown`. */
const conditions = (ctx: UserContext): Record<UnexplainedReason, ReturnType<typeof sql<boolean>>> => ({
  // Last year's roll without a place in this year and without a last day; where who is here stands is not read.
  Undecided: sql<boolean>`(student.id not in (select student_id from student_on(${today(ctx).day}::date))
    and shown.tense = 'past' and ${standingAt(today(ctx)).status} = 'Undecided')`,
  // Enrolled, and not once marked as here: another feature knows the marks.
  'Not seen': sql<boolean>`(shown.tense = 'now' and ${conditionOf(
    ctx,
    { list: unexplainedList.name, filter: 'notSeen' },
    sql`student.id` as never,
    '',
  )})`,
  // Of a year that is over: until then the re-test is to come.
  'Re-test open': sql<boolean>`(student.left_on is null and student.id = any(array(select own.student_id from student_result result
    join student_enrollment own on own.id = result.enrollment_id and own.is_standing
    join academic_year ended on ended.id = own.academic_year_id and ended.ends_on < ${today(ctx).day}::date
    where result.decision = 'Re-test' and not exists (select from student_result_change change
      where change.enrollment_id = own.id and change.applied_at is not null))))`,
});

const isUnexplained = (ctx: UserContext) => sql<boolean>`(${sql.join(Object.values(conditions(ctx)), sql` or `)})`;

const { routes: listRoutes, first: firstUnexplained } = serveList(unexplainedList, (ctx, { why }) => {
  const each = conditions(ctx);
  // One list reads no marks for another one.
  const chosen = why && why in each ? each[why as UnexplainedReason] : isUnexplained(ctx);
  const query = allStudentsSeen(ctx, leavingReaders)
    .where(chosen)
    .select(['student.id', 'student.name', 'student.gr_no as grNo', 'shown.name as section', 'shown.roll_no as rollNo'])
    .select([
      sql<UnexplainedReason>`case ${sql.join(
        unexplainedReasons.map((why) => sql`when ${each[why]} then ${why}`),
        sql` `,
      )} end`.as('why'),
      sql<boolean>`(shown.tense = 'now')`.as('isHere'),
      sql<string | null>`(select name from academic_year where id = shown.academic_year_id)`.as('year'),
      sql<string | null>`(select name from academic_branch where id = shown.branch_id)`.as('branch'),
      sql<string | null>`(select name from student_contact where student_id = student.id)`.as('guardian'),
      sql<string | null>`(select mobile from student_contact where student_id = student.id)`.as('mobile'),
    ]);
  type Row = Awaited<ReturnType<(typeof query)['executeTakeFirstOrThrow']>>;
  return {
    query,
    id: 'student.id',
    isPeople: true,
    isCountedAtOnce: true,
    matches: (word) => sql`(${containsName('student', word)} or lower(student.gr_no) like lower(${contains(word)}))`,
    tabs: { all: undefined },
    filters: {
      gradeId: (id) => sql`shown.grade_id = ${Number(id)}`,
      branchId: (id) => sql`shown.branch_id = ${Number(id)}`,
      why: (why) => each[why as UnexplainedReason],
    },
    sorts: { name: { by: sql`student.sort_name`, as: 'text' } },
    toRows: async (rows: Row[]) =>
      rows.map(({ section, year, branch, guardian, mobile, ...row }) => ({
        ...row,
        section: section ?? '',
        year: year ?? '',
        branch: branch ?? '',
        guardian: guardian ?? '',
        mobile: mobile ?? '',
      })),
  };
});

const sum: Handler<typeof unexplainedApi.sum> = async (ctx, { yearId }) => {
  const { db, user } = ctx;
  const year = await db
    .selectFrom('academic_year as year')
    .where('year.id', '=', yearId)
    .select(['year.ends_on as day'])
    .select(
      sql<string>`coalesce((select later.name from academic_year later where later.is_active
        and later.starts_on > year.ends_on order by later.starts_on limit 1), '')`.as('next'),
    )
    .executeTakeFirstOrThrow(notFound);
  const { rows } = await sql<{ roll: number; inNext: number; completed: number; left: number }>`
    with roll as materialized (
      select exists (select from student_enrollment later where later.student_id = own.student_id and later.is_standing
          and later.joined_on > ${year.day}::date) as is_in_next, own.status = 'Left' as has_left,
        reason.name = ${english(completedReason)} as has_completed
      from student_enrollment own
      left join student_leaving leaving on leaving.enrollment_id = own.id and leaving.undone_at is null
        and leaving.readmitted_on is null
      left join academic_lookup reason on reason.id = leaving.reason_id
      where own.academic_year_id = ${yearId} and own.is_standing and (own.left_on is null or own.left_on >= ${year.day}::date)
        and ${inScope(user, leavingReaders, { branch: sql`own.branch_id`, section: sql`null::integer` })})
    select count(*)::integer as roll, count(*) filter (where is_in_next)::integer as "inNext",
      count(*) filter (where not is_in_next and has_left and coalesce(has_completed, false))::integer as completed,
      count(*) filter (where not is_in_next and has_left and not coalesce(has_completed, false))::integer as left
    from roll`.execute(db);
  const { roll, inNext, completed, left } = rows[0] ?? { roll: 0, inNext: 0, completed: 0, left: 0 };
  const each = conditions(ctx);
  const counted = await allStudentsSeen(ctx, leavingReaders)
    .where(isUnexplained(ctx))
    .select(
      sql<
        number[]
      >`array[${sql.join(unexplainedReasons.map((why) => sql`count(*) filter (where ${each[why]})::integer`))}]`.as(
        'all',
      ),
    )
    .executeTakeFirstOrThrow();
  return {
    ...year,
    roll,
    inNext,
    completed,
    left,
    undecided: roll - inNext - completed - left,
    lists: unexplainedReasons.map((why, index) => ({ why, students: counted.all[index] ?? 0 })),
  };
};

export { firstUnexplained };
export const unexplainedRoutes = [...listRoutes, ...routes(unexplainedApi, { sum })];
