import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { ownKinds, tabsOf } from './scope.ts';

/** What waits for the user's decision, and what the user waits for. */
export const approvalCard: DashboardCard = {
  title: text`Approvals`,
  roles: ['Staff'],
  count: async (ctx) => {
    const { forMe, own } = tabsOf(ctx);
    const { waiting, asked } = await ctx.db
      .selectFrom('approval')
      .where('status', '=', 'Pending')
      .select([
        sql<number>`count(*) filter (where ${forMe})::integer`.as('waiting'),
        sql<number>`count(*) filter (where ${own})::integer`.as('asked'),
      ])
      .executeTakeFirstOrThrow();
    return [
      ...(ownKinds(ctx).length > 0
        ? [{ label: text`To decide`, value: waiting, isProblem: true, to: 'approval/inbox' }]
        : []),
      ...(asked > 0 ? [{ label: text`My requests`, value: asked, to: 'approval/inbox?tab=own' }] : []),
    ];
  },
};
