import { sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { Movable, todayApi } from '../contract/today.ts';
import { type Found, findTrips } from './found-trips.ts';

interface Days {
  from: string;
  to: string;
}

/**
 * In a query of `ride` (an assignment), its `place` on the first day, a usual or given `own` trip and another `trip` with its
 * `slot`: whether the other one takes the grade and runs whenever the own one does.
 */
export const isServed = ({ from }: Days) => sql<boolean>`(
  (place.grade_id is null or (select position from academic_grade where id = place.grade_id)
    between coalesce((select position from academic_grade where id = slot.from_grade_id), -2147483648)
      and coalesce((select position from academic_grade where id = slot.to_grade_id), 2147483647))
  and (select plan.weekdays from transport_slot_plan plan where plan.time_slot_id = slot.id
      and ${from}::date between plan.effective_from and coalesce(plan.effective_to, 'infinity'))
    @> (select plan.weekdays from transport_slot_plan plan where plan.time_slot_id = own.time_slot_id
      and ${from}::date between plan.effective_from and coalesce(plan.effective_to, 'infinity')))`;

/** In a query of `trip`: no day on which it is stopped. */
export const runsOn = ({ from, to }: Days) => sql<boolean>`not exists (
  select from transport_stand_in stopped where stopped.trip_id = trip.id and stopped.role = 'Not running'
    and stopped.effective_from <= ${to}::date and stopped.effective_to >= ${from}::date)`;

/** Who rides on these trips on some of these days, each way once. */
export const ridingOn = (tripIds: readonly number[], { from, to }: Days) => sql`(
  select ride.assignment_id, ride.way, min(ride.trip_id) as trip_id, min(ride.stop_id) as stop_id
  from generate_series(${from}::date, ${to}::date, '1 day') as days (day)
  cross join lateral transport_rides_on(days.day::date) ride
  where ride.trip_id = any(${tripIds}::integer[])
  group by ride.assignment_id, ride.way)`;

async function readMovable({ db, user }: UserContext, trips: readonly Found[], days: Days) {
  const tripIds = trips.map(({ id }) => id);
  const { rows } = await sql<Movable & { tripId: number }>`
    with riding as materialized ${ridingOn(tripIds, days)},
    stopping as materialized (
      select distinct on (trip.id, at.stop_id) trip.id as trip_id, trip.direction, trip.time_slot_id, at.stop_id,
        route.name as route, stop.name as stop, lower(stop.area) as area
      from transport_trip trip
      join transport_route route on route.id = trip.route_id and route.is_active
        and ${inScope(user, transportKeepers, { branch: sql`route.branch_id` })}
      join transport_route_plan plan on plan.route_id = route.id
        and ${days.from}::date between plan.effective_from and coalesce(plan.effective_to, 'infinity')
      join transport_route_stop at on at.plan_id = plan.id
      join transport_stop stop on stop.id = at.stop_id
      where trip.id <> all(${tripIds}::integer[]) and trip.direction in (select way from riding) and ${runsOn(days)}
        and (at.stop_id in (select stop_id from riding) or (stop.area <> '' and lower(stop.area) in (
          select lower(area) from transport_stop where id in (select stop_id from riding))))
    ), seats as materialized (
      select own.trip_id, min(transport_free(own.trip_id, days.day::date, null, null)) as free
      from (select distinct trip_id from stopping) own
      cross join generate_series(${days.from}::date, ${days.to}::date, '1 day') as days (day)
      group by own.trip_id
    )
    select riding.trip_id as "tripId", riding.assignment_id as "rideId", riding.way, coalesce(student.name, staff.name) as name,
      coalesce(academic_section_name(grade.name, section.name), '') as place, stop.name as stop,
      coalesce((select json_agg(json_build_object('tripId', other.trip_id, 'stopId', other.stop_id, 'route', other.route,
          'stop', other.stop, 'time', coalesce(transport_time(other.trip_id, other.stop_id, ${days.from}::date), ''),
          'vehicle', coalesce(transport_bus(other.trip_id, ${days.from}::date), ''), 'free', seats.free,
          'isSameStop', other.stop_id = riding.stop_id)
          order by other.stop_id = riding.stop_id desc, seats.free > 0 desc, seats.free desc, other.trip_id, other.stop_id)
        from stopping other
        join seats on seats.trip_id = other.trip_id
        join transport_time_slot slot on slot.id = other.time_slot_id
        where other.direction = riding.way and ${isServed(days)}
          and (other.stop_id = riding.stop_id or (other.area = lower(stop.area) and stop.area <> ''
            and not exists (select from stopping same where same.trip_id = other.trip_id and same.stop_id = riding.stop_id)))),
        '[]') as trips
    from riding
    join transport_assignment ride on ride.id = riding.assignment_id
    join transport_trip own on own.id = riding.trip_id
    join transport_stop stop on stop.id = riding.stop_id
    left join student on student.id = ride.student_id
    left join staff on staff.id = ride.staff_id
    left join lateral student_place(ride.student_id, greatest(ride.effective_from, ${days.from}::date)) place on true
    left join academic_grade grade on grade.id = place.grade_id
    left join academic_section section on section.id = place.section_id
    order by riding.trip_id, student.sort_name nulls last, name, riding.assignment_id`.execute(db);
  return rows;
}

export const elsewhere: Handler<typeof todayApi.elsewhere> = async (ctx, { id, isAll, from, to }) => {
  const trips = await findTrips(ctx, { tripId: id, role: 'Vehicle', isAll: isAll === 'true', from, to });
  const riders = await readMovable(ctx, trips, { from, to });
  return {
    trips: trips.map(({ id: tripId, words }) => ({
      id: tripId,
      name: words,
      riders: riders.filter((rider) => rider.tripId === tripId).map(({ tripId: _, ...rider }) => rider),
    })),
  };
};
