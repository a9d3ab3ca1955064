import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { branchOn } from '#features/staff/api.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard, DayChange } from '#kit/server/dashboard.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import { leaveReaders } from '../contract/access.ts';
import { balancesOf } from './person.ts';

/** The user's own balance of each leave type. */
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

/** Members of staff whose leave was granted, or entered by HR. */
export const grantedChange: DayChange = {
  title: text`Leave granted`,
  place: 30,
  roles: ['Staff'],
  sets: ['principal', 'hr'],
  read: async ({ db, user, now }, since) => {
    const { rows } = await sql<{ count: number; people: number; names: string[] }>`
      with own as materialized (
        select staff.id, staff.name from workday_leave leave join staff on staff.id = leave.staff_id
        where leave.state = 'Granted' and leave.decided_at >= ${since}::date::timestamp at time zone ${localTimeZone}
          and ${inScope(user, leaveReaders, { branch: branchOn(toLocalDate(now())) })})
      select count(*)::integer as count, count(distinct own.id)::integer as people,
        coalesce((select array_agg(name order by name, id) from (select distinct name, id from own order by name, id limit 3) as shown), '{}') as names
      from own`.execute(db);
    const { count, people, names } = rows[0] ?? { count: 0, people: 0, names: [] };
    if (count === 0) return undefined;
    return {
      words: text(
        { message: '{n, plural, one {# leave of staff was granted} other {# leaves of staff were granted}}' },
        { n: count },
      ),
      names,
      more: people - names.length,
      to: 'hris/hris-master?tab=leave',
    };
  },
};
