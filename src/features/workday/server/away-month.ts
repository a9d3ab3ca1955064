import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { branchOn } from '#features/staff/api.ts';
import { staffList } from '#features/staff/contract/list.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import type { ListCondition } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { presenceKeepers } from '../contract/access.ts';
import { type AwayPerson, type awayApi, awayFilter } from '../contract/away.ts';
import { peopleOfPage } from '../contract/month.ts';

/** Of `workday_away`: the half, 3 for both, 0 for leave that is only asked for. */
const halvesAway = sql`coalesce(sum(distinct away.half) filter (where away.why <> 'Asked'), 0)::integer`;

/** Who is away on each day of a month, a page of people, and how many of all are. */
export const readAway: Handler<typeof awayApi.read> = async (ctx, asked) => {
  const today = toLocalDate(ctx.now());
  const page = asked.page ?? 1;
  const month = asked.month || today.slice(0, 7);
  const first = `${month}-01`;
  const { rows } = await sql<{ people: AwayPerson[]; count: number; totals: number[]; asked: number[] }>`
    with days as materialized (
      select series.moment::date as day from generate_series(${first}::timestamp,
        ${first}::timestamp + interval '1 month - 1 day', interval '1 day') as series (moment)),
    own as materialized (
      select away.staff_id, away.day, ${halvesAway} as half
      from workday_away away join staff on staff.id = away.staff_id
      where away.day between ${first}::date and (${first}::date + interval '1 month - 1 day')::date
        and ${inScope(ctx.user, presenceKeepers, { branch: branchOn(today) })}
      group by away.staff_id, away.day),
    people as materialized (
      select staff.id, staff.name, row_number() over (order by lower(staff.name), staff.id) as place
      from staff where staff.id in (select staff_id from own))
    select
      coalesce((select jsonb_agg(jsonb_build_object('staffId', people.id, 'name', people.name, 'days', (
          select jsonb_agg(coalesce(case own.half when 0 then 'Asked' when 1 then 'First half' when 2 then 'Second half'
            when 3 then 'Away' end, '') order by days.day)
          from days left join own on own.staff_id = people.id and own.day = days.day)) order by people.place)
        from people where people.place between ${(page - 1) * peopleOfPage + 1}::integer
          and ${page * peopleOfPage}::integer), '[]') as people,
      (select count(*) from people)::integer as count,
      (select jsonb_agg((select count(*) from own where own.day = days.day and half > 0) order by days.day) from days) as totals,
      (select jsonb_agg((select count(*) from own where own.day = days.day and half = 0) order by days.day) from days) as asked`.execute(
    ctx.db,
  );
  return { today, month, ...(rows[0] ?? { people: [], count: 0, totals: [], asked: [] }) };
};

/** The staff who are away today, or in a half of it, for those who read presence. Leave that is only asked for does not count. */
export const awayToday: ListCondition = {
  list: staffList.name,
  filter: awayFilter,
  passes: ({ user, now }, id, half) =>
    isGranted(presenceKeepers, user)
      ? sql<boolean>`exists (select from workday_away away where away.staff_id = ${id} and away.why <> 'Asked'
          and away.day = ${toLocalDate(now())}::date and ${half === '1' || half === '2' ? sql`away.half = ${Number(half)}` : sql`true`})`
      : sql<boolean>`false`,
};
