import { type RawBuilder, sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { accountList } from '../contract/account.ts';
import { owedToday, owesNothing } from './read-dues.ts';

// An aggregate has one row for each account, so that a count that reads nothing of it leaves it out.
/** Where a student is shown today. */
const placeOn = (day: string) =>
  sql<{ branch_id: number; grade_id: number; academic_year_id: number; name: string }>`(
    select max(branch_id) as branch_id, max(grade_id) as grade_id, max(academic_year_id) as academic_year_id, max(name) as name
    from student_place(student.id, ${day}::date))`;

/** What the family promised last, if it did. */
const promise = sql<{ promised_on: string | null }>`(
  select (array_agg(promised_on order by id desc))[1] as promised_on from fee_follow_up where account_id = account.id)`;

/** Whether an account has a due of this day or earlier that is not paid in full. */
const isOverdue = (day: string) => sql<boolean>`account.open_from <= ${day}::date`;

/** The accounts of students in the branches that this user reaches. */
const accounts = ({ db, user, now }: UserContext) => {
  const today = toLocalDate(now());
  return db
    .selectFrom('fee_account as account')
    .innerJoin('student', 'student.id', 'account.student_id')
    .leftJoinLateral(placeOn(today).as('place'), (join) => join.onTrue())
    .leftJoinLateral(promise.as('promise'), (join) => join.onTrue())
    .leftJoin('academic_branch as branch', 'branch.id', 'place.branch_id')
    .where(inScope(user, feeReaders, { branch: sql`place.branch_id` }))
    .select(['student.id', 'account.id as accountId', 'student.name', 'student.gr_no as grNo', 'branch.name as branch'])
    .select([
      sql<string>`coalesce(place.name, '')`.as('section'),
      sql<number>`coalesce((select sum(net) from fee_due where account_id = account.id and kind = 'Plan'
        and academic_year_id = place.academic_year_id), 0)::bigint`.as('net'),
      sql<number>`coalesce((select sum(paid) from fee_due where account_id = account.id and kind = 'Plan'
        and academic_year_id = place.academic_year_id), 0)::bigint`.as('paid'),
      sql<number>`account.balance`.as('balance'),
      sql<string>`coalesce(case when ${isOverdue(today)} then account.open_from::text end, '')`.as('since'),
      sql<number>`coalesce((select sum(amount) from fee_advance where account_id = account.id), 0)::bigint`.as(
        'advance',
      ),
      sql<string>`coalesce(promise.promised_on::text, '')`.as('promisedOn'),
      sql<string>`coalesce((select max(receipt_date)::text from fee_receipt where account_id = account.id), '')`.as(
        'lastReceiptOn',
      ),
    ]);
};
type Row = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>;

export const {
  routes: accountListRoutes,
  selected: accountsSelected,
  figures: accountFigures,
} = serveList(accountList, (ctx) => ({
  query: accounts(ctx),
  id: 'student.id',
  isPeople: true,
  matches: (word) => sql`(${containsName('student', word)} or lower(student.gr_no) like lower(${contains(word)}))`,
  tabs: {
    all: undefined,
    overdue: isOverdue(toLocalDate(ctx.now())),
    promised: sql<boolean>`${isOverdue(toLocalDate(ctx.now()))} and promise.promised_on < ${toLocalDate(ctx.now())}::date`,
    advance: sql`exists (select from fee_advance where account_id = account.id and amount > 0)` as RawBuilder<boolean>,
    left: sql`student.left_on < ${toLocalDate(ctx.now())}::date` as RawBuilder<boolean>,
  },
  filters: {
    gradeId: (id) => sql`place.grade_id = ${Number(id)}`,
    branchId: (id) => sql`place.branch_id = ${Number(id)}`,
  },
  sorts: { name: { by: sql`student.sort_name`, as: 'text' } },
  toRows: async (rows: Row[]) => {
    const owed = await owedToday(
      ctx,
      rows.map(({ accountId }) => accountId),
      toLocalDate(ctx.now()),
    );
    return rows.map(({ branch, accountId, ...row }) => {
      const { due, fine } = owed.get(accountId) ?? owesNothing;
      return { ...row, due, fine, branch: branch ?? '' };
    });
  },
}));
