import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { branchOn } from '#features/staff/api.ts';
import { staffList } from '#features/staff/contract/list.ts';
import type { ListCondition } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { presenceKeepers } from '../contract/access.ts';
import { type AwayPerson, type awayApi, awayFilter } from '../contract/away.ts';
import { peopleOfPage } from '../contract/month.ts';

/** Who is away on each day of a month, a page of people, and how many of all are. */
export const readAway: Handler<typeof awayApi.read> = async (ctx, asked) => {
  const today = toLocalDate(ctx.now());
  const page = asked.page ?? 1;
  const month = asked.month || today.slice(0, 7);
  const first = `${month}-01`;
  const { rows } = await sql<{ people: AwayPerson[]; count: number; totals: number[] }>`
    with days as materialized (
      select series.moment::date as day from generate_series(${first}::timestamp,
        ${first}::timestamp + interval '1 month - 1 day', interval '1 day') as series (moment)),
    own as materialized (
      select away.staff_id, away.day, count(distinct away.half)::integer as halves, min(away.half) as half,
        bool_and(away.why = 'Asked') as is_asked
      from workday_away away join staff on staff.id = away.staff_id
      where away.day between ${first}::date and (${first}::date + interval '1 month - 1 day')::date
        and ${inScope(ctx.user, presenceKeepers, { branch: branchOn(today) })}
      group by away.staff_id, away.day),
    people as materialized (
      select staff.id, staff.name, row_number() over (order by lower(staff.name), staff.id) as place
      from staff where staff.id in (select staff_id from own))
    select
      coalesce((select jsonb_agg(jsonb_build_object('staffId', people.id, 'name', people.name, 'days', (
          select jsonb_agg(coalesce(case when own.is_asked then 'Asked' when own.halves > 1 then 'Away'
            when own.half = 1 then 'First half' when own.half = 2 then 'Second half' end, '') order by days.day)
          from days left join own on own.staff_id = people.id and own.day = days.day)) order by people.place)
        from people where people.place between ${(page - 1) * peopleOfPage + 1}::integer
          and ${page * peopleOfPage}::integer), '[]') as people,
      (select count(*) from people)::integer as count,
      (select jsonb_agg((select count(*) from own where own.day = days.day) order by days.day) from days) as totals`.execute(
    ctx.db,
  );
  return { today, month, ...(rows[0] ?? { people: [], count: 0, totals: [] }) };
};

/** The staff who are away today, for a filter of the staff list; it says nothing of leave. */
export const awayToday: ListCondition = {
  list: staffList.name,
  filter: awayFilter,
  passes: ({ now }, id) =>
    sql<boolean>`exists (select from workday_away away where away.staff_id = ${id} and away.day = ${toLocalDate(now())}::date)`,
};
