import { sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Direction } from '../contract/masters.ts';
import { halfOf } from './away.ts';
import { isStillToRun, localTime } from './running.ts';

/** So many days after today are looked at. */
const ahead = 6;

interface Lack {
  tripId: number;
  day: string;
  route: string;
  starts: string;
  direction: Direction;
  role: 'Driver' | 'Attendant' | 'Vehicle';
  /** Who is away; null where the trip has none. */
  name: string | null;
}

/** Trips of school days that lack someone, or whose driver or attendant is away; a trip that does not run lacks none. */
async function readLacking({ db, user, now }: UserContext): Promise<Lack[]> {
  const today = toLocalDate(now());
  const { rows } = await sql<Lack>`
    with school as materialized (
      select distinct days.day from academic_year year
      cross join lateral academic_school_days(year.id, ${today}::date, ${addDays(today, ahead)}::date) as days
      where days.work > 0
    ), running as materialized (
      select trip.id, trip.direction, school.day, route.name as route, plan.starts, ${halfOf(sql`plan.starts`)} as half
      from school
      join transport_slot_plan plan on to_char(school.day, 'FMDay') = any(plan.weekdays)
        and school.day between plan.effective_from and coalesce(plan.effective_to, 'infinity')
      join transport_trip trip on trip.time_slot_id = plan.time_slot_id
      join transport_route route on route.id = trip.route_id and route.is_active
        and ${inScope(user, transportKeepers, { branch: sql`route.branch_id` })}
      where exists (select from transport_standing own where own.trip_id = trip.id
          and school.day between own.effective_from and coalesce(own.effective_to, 'infinity'))
        and not exists (select from transport_stand_in own where own.trip_id = trip.id and own.role = 'Not running'
          and school.day between own.effective_from and own.effective_to)
        and ${isStillToRun(sql`school.day`, today, localTime(now()))}
    )
    select running.id as "tripId", running.day::text, running.route, running.starts, running.direction, part.role, staff.name
    from running
    join transport_duty duty on duty.trip_id = running.id
      and running.day between duty.effective_from and coalesce(duty.effective_to, 'infinity')
    cross join lateral (values ('Driver', duty.driver_id), ('Attendant', duty.attendant_id)) as part (role, crew_id)
    join transport_crew crew on crew.id = part.crew_id
    join staff on staff.id = crew.staff_id
    where not crew.is_active or exists (select from workday_away away where away.staff_id = crew.staff_id
      and away.day = running.day and away.half = running.half)
    union all
    select running.id, running.day::text, running.route, running.starts, running.direction, part.role, null
    from running
    cross join lateral (values ('Vehicle'), ('Driver'), ('Attendant')) as part (role)
    where not exists (select from transport_duty duty where duty.trip_id = running.id
        and running.day between duty.effective_from and coalesce(duty.effective_to, 'infinity'))
      and not exists (select from transport_standing own where own.trip_id = running.id and own.role = part.role
        and running.day between own.effective_from and coalesce(own.effective_to, 'infinity'))
      and not exists (select from transport_stand_in own where own.trip_id = running.id and own.role = part.role
        and running.day between own.effective_from and own.effective_to)
    order by 2, 4, 3, 1, 6`.execute(db);
  return rows;
}

const missing = {
  Vehicle: text`It has no vehicle.`,
  Driver: text`It has no driver.`,
  Attendant: text`It has no attendant.`,
};
const place = { Vehicle: 0, Driver: 1, Attendant: 2 };

/** Trips of the coming days whose driver or attendant is away, or that have none. */
export const lackingTodo: TodoSource = {
  kind: 'bus',
  title: text`Trips without a driver, attendant or vehicle`,
  icon: 'bus',
  roles: ['Staff'],
  sets: ['transportIncharge'],
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const rows = await readLacking(ctx);
    return {
      total: rows.length,
      to: 'transport/?tab=today',
      rows: rows.slice(0, most).map(({ tripId, day, route, starts, direction, role, name }) => ({
        id: (tripId * 400 + ((Number(new Date(`${day}T00:00:00Z`)) / 86_400_000) % 400)) * 3 + place[role],
        when: day === today ? 'today' : 'soon',
        title: `${route}, ${starts}`,
        about: showDate(day, today),
        detail: name === null ? missing[role] : text`${{ name }} is away.`,
        to: `transport/?tab=today${day === today ? '' : `&day=${day}`}${direction === 'Drop' ? '&direction=Drop' : ''}`,
        act: text`Replace`,
      })),
    };
  },
};

/** Vehicles whose days in the workshop end today or tomorrow: after that they have their trips again. */
export const backTodo: TodoSource = {
  kind: 'vehicle-back',
  title: text`Vehicles back from the workshop`,
  icon: 'bus',
  roles: ['Staff'],
  sets: ['transportIncharge'],
  find: async ({ db, user, now }, most) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ id: number; name: string; to: string }>`
      select away.id, vehicle.fleet_no as name, away.effective_to::text as "to"
      from transport_vehicle_away away join transport_vehicle vehicle on vehicle.id = away.vehicle_id
      where away.is_active and away.effective_to between ${today}::date and ${addDays(today, 1)}::date
        and ${inScope(user, transportKeepers, { branch: sql`vehicle.branch_id` })}
      order by away.effective_to, lower(vehicle.fleet_no), away.id`.execute(db);
    return {
      total: rows.length,
      to: 'transport/vehicle?tab=vehicle-away',
      rows: rows.slice(0, most).map(({ id, name, to }) => ({
        id,
        when: to === today ? 'today' : 'soon',
        title: name,
        about: '',
        detail: text`Has its trips again from ${{ day: showDate(addDays(to, 1)) }}. Enter a later day if it is not ready.`,
        to: 'transport/vehicle?tab=vehicle-away',
        act: text`Check`,
      })),
    };
  },
};
