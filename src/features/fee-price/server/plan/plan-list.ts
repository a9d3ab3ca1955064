import { type RawBuilder, sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { planList } from '../../contract/plan.ts';

/** The plans of an enrolment’s student and year. */
const planOf = sql`from fee_plan plan join fee_account account on account.id = plan.account_id
  where account.student_id = student.id and plan.academic_year_id = enrollment.academic_year_id
    and plan.status = 'Active'`;
const hasPlan = sql<boolean>`exists (select ${planOf} and (plan.left_on is null or enrollment.status <> 'Active'))`;

/** Where the enrolment's student is shown in its year. */
const placeOn = (day: string) => sql`student_place(student.id, ${day}::date, enrollment.academic_year_id)`;

/** The enrolments of a year, or else of all open years, in the branches that this user reaches. */
const enrolled = ({ db, user }: UserContext, day: string, yearId: number) =>
  db
    .selectFrom('student_enrollment as enrollment')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .innerJoin('academic_year as year', 'year.id', 'enrollment.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'enrollment.grade_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'enrollment.branch_id')
    .where('enrollment.is_standing', '=', true)
    .$if(yearId === 0, (query) => query.where('year.status', '<>', 'Closed'))
    .where(inScope(user, feeReaders, { branch: sql`enrollment.branch_id`, section: sql`null::integer` }))
    .select(['enrollment.id', 'student.id as studentId', 'student.name', 'student.gr_no as grNo'])
    .select(['year.id as yearId', 'year.name as year', 'branch.name as branch', 'enrollment.joined_on as joinedOn'])
    .select([
      sql<string>`coalesce((select name from academic_lookup where id = student.category_id), '')`.as('category'),
      sql<string>`(select name from ${placeOn(day)})`.as('section'),
      sql<
        number | null
      >`(select sum(due.net)::bigint from fee_due due where due.plan_id in (select plan.id ${planOf}))`.as('net'),
      sql<number | null>`(select balance from fee_account where student_id = student.id)`.as('balance'),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof enrolled>['executeTakeFirstOrThrow']>>;

export const {
  routes: planListRoutes,
  selected: enrolmentsSelected,
  figures: planFigures,
} = serveList(planList, (ctx, query) => ({
  query: enrolled(ctx, toLocalDate(ctx.now()), Number(query.yearId ?? 0)),
  id: 'enrollment.id',
  isPeople: true,
  matches: (word) => sql`(${containsName('student', word)} or lower(student.gr_no) like lower(${contains(word)}))`,
  tabs: {
    without: sql`(enrollment.status = 'Active' and not ${hasPlan})` as RawBuilder<boolean>,
    planned: hasPlan,
    all: undefined,
  },
  filters: {
    yearId: (id) => sql`enrollment.academic_year_id = ${Number(id)}`,
    gradeId: (id) => sql`enrollment.grade_id = ${Number(id)}`,
    sectionId: (id) => sql`exists (select from ${placeOn(toLocalDate(ctx.now()))} place
      where place.section_id = ${Number(id)})`,
    branchId: (id) => sql`enrollment.branch_id = ${Number(id)}`,
    categoryId: (id) => sql`student.category_id = ${Number(id)}`,
  },
  sorts: { name: { by: sql`student.sort_name`, as: 'text' } },
  toRows: async (rows: Row[]) => rows,
}));
