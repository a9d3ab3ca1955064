import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { balancesOf } from './person.ts';

/** The user's own leave: what is left of each type. */
export const ownLeaveCard: DashboardCard = {
  title: text`My leave`,
  roles: ['Staff'],
  count: async (ctx) => {
    const balances = await balancesOf(ctx, ctx.user.staffId, toLocalDate(ctx.now()));
    return balances
      .filter(({ earned }) => earned > 0)
      .map(({ name, left }) => ({ label: text`${{ type: name }}, days`, value: left / 2, to: 'workday/my-leave' }));
  },
};
