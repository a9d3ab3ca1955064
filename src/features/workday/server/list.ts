import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { branchOn } from '#features/staff/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { leaveKeepers, leaveReaders } from '../contract/access.ts';
import { staffLeaveList } from '../contract/leave.ts';
import { showDays } from './cost.ts';
import { abilitiesOf } from './person.ts';

const leaves = (ctx: UserContext) => {
  const branch = branchOn(toLocalDate(ctx.now()));
  return ctx.db
    .selectFrom('workday_leave as leave')
    .innerJoin('staff', 'staff.id', 'leave.staff_id')
    .innerJoin('workday_leave_type as type', 'type.id', 'leave.type_id')
    .where(inScope(ctx.user, leaveReaders, { branch }))
    .select(['leave.id', 'leave.version', 'leave.staff_id as staffId', 'staff.name as person', 'type.name as type'])
    .select(['leave.from_day as fromDay', 'leave.to_day as toDay', 'leave.reason', 'leave.state'])
    .select([
      sql<number>`coalesce((select sum(cost) from workday_leave_half where leave_id = leave.id), 0)::integer`.as(
        'cost',
      ),
      sql<number | null>`case when not type.may_go_below and leave.state in ('Asked', 'Granted')
        then workday_balance(leave.staff_id, leave.type_id, leave.academic_year_id, leave.to_day) end`.as('balance'),
      sql<string>`(select name from staff where id = leave.asked_by)`.as('askedBy'),
      sql<boolean>`leave.paper_id is not null`.as('isPapered'),
      abilitiesOf(ctx, inScope(ctx.user, leaveKeepers, { branch })).as('may'),
    ]);
};

/** Leave that costs more than its type allows without a paper. */
const lacksPaper = sql<boolean>`(leave.state in ('Asked', 'Granted') and leave.paper_id is null and type.paper_after_halves is not null
  and (select sum(cost) from workday_leave_half where leave_id = leave.id) > type.paper_after_halves)`;

type Row = Awaited<ReturnType<ReturnType<typeof leaves>['executeTakeFirstOrThrow']>>;

export const { routes: staffLeaveListRoutes, first: firstLeave } = serveList(staffLeaveList, (ctx) => ({
  query: leaves(ctx),
  id: 'leave.id',
  isPeople: true,
  matches: (word) => sql`${containsName('staff', word)}`,
  tabs: {
    asked: sql`leave.state = 'Asked'`,
    coming: sql`(leave.state in ('Asked', 'Granted') and leave.to_day >= ${toLocalDate(ctx.now())})`,
    papers: lacksPaper,
    all: undefined,
  },
  filters: {
    branchId: (id) => sql`${branchOn(toLocalDate(ctx.now()))} = ${Number(id)}`,
    categoryId: (id) => sql`exists (select from staff_post post where post.staff_id = leave.staff_id
      and post.staff_category_id = ${Number(id)} and leave.from_day between post.effective_from and coalesce(post.effective_to, 'infinity'))`,
    typeId: (id) => sql`leave.type_id = ${Number(id)}`,
  },
  sorts: { fromDay: { by: sql`leave.from_day`, as: 'date' } },
  toRows: async (rows: Row[]) =>
    rows.map(({ cost, balance, ...row }) => ({
      ...row,
      costs: showDays(cost),
      left: balance === null ? '' : showDays(balance),
    })),
}));
