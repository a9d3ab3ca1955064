import { sql } from 'kysely';
import { english, type Text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { type ApprovalState, approvalList } from '../contract/approval.ts';
import { tabsOf, visible } from './scope.ts';
import { writesInto } from './year-end.ts';

const requests = (ctx: UserContext) =>
  ctx.db
    .selectFrom('approval')
    .leftJoin('staff as requester', 'requester.id', 'approval.requested_by')
    .leftJoin('guardian as asker', (join) =>
      join.on(sql`asker.id`, '=', sql`guardian_now(approval.requested_by_guardian_id)`),
    )
    .leftJoin('staff as decider', 'decider.id', 'approval.decided_by')
    .leftJoin('student', 'student.id', 'approval.student_id')
    .leftJoin('academic_branch as branch', 'branch.id', 'approval.branch_id')
    .where(visible(ctx))
    .select(['approval.id', 'approval.reason', 'approval.remark'])
    .select([
      'approval.requested_at',
      'approval.decided_at',
      sql<string>`coalesce(requester.name, asker.name)`.as('requestedBy'),
    ])
    .select([sql<Text>`approval.title`.as('title'), sql<number | null>`approval.amount`.as('amount')])
    .select(sql<ApprovalState>`approval.status`.as('status'))
    .select([
      sql<string>`coalesce(student.name, '')`.as('student'),
      sql<string>`coalesce(branch.name, '')`.as('branch'),
      sql<string>`coalesce(decider.name, '')`.as('decidedBy'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof requests>['executeTakeFirstOrThrow']>>;

export const {
  routes: listRoutes,
  selected,
  figures,
  first,
} = serveList(
  approvalList,
  (ctx) => ({
    query: requests(ctx),
    id: 'approval.id',
    isPeople: true,
    isCountedAtOnce: true,
    matches: (word) =>
      sql`(coalesce(student.name, '') ilike ${contains(word)} or coalesce(requester.name, asker.name) ilike ${contains(word)}
      or approval.title::text ilike ${contains(word)})`,
    tabs: tabsOf(ctx),
    filters: {
      branchId: (id) => sql`approval.branch_id = ${Number(id)}`,
      yearId: (id) => writesInto(ctx, { id: Number(id) }),
    },
    sorts: { requestedOn: { by: sql`approval.requested_at`, as: 'moment' } },
    toRows: async (rows: Row[]) =>
      rows.map(({ title, requested_at, decided_at, ...row }) => ({
        ...row,
        request: english(title),
        requestedOn: toLocalDate(requested_at),
        decidedOn: decided_at ? toLocalDate(decided_at) : '',
      })),
  }),
  { keepsPlans: true },
);
