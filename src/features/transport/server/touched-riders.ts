import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import type { TouchedRider } from '../contract/route.ts';
import { withTransportMessages } from './messages.ts';

const mostShown = 100;

/** Riders of trips on a day or later, with the vehicle of the first of these days. */
async function readVehicles({ db }: Pick<UserContext, 'db'>, tripIds: readonly number[], day: string) {
  const { rows } = await sql<{ key: string; name: string; stop: string; vehicle: string }>`
    with riding as (
      select ride.id, trip.direction as way, ride.effective_from as first from transport_trip trip
      join transport_assignment ride on trip.id in (ride.pickup_trip_id, ride.drop_trip_id)
        and coalesce(ride.effective_to, 'infinity') >= ${day}::date
      where trip.id = any(${tripIds}::integer[])
      union
      select ride.id, other.way, greatest(ride.effective_from, other.effective_from) from transport_day_ride other
      join transport_assignment ride on ride.id = other.assignment_id
      where other.trip_id = any(${tripIds}::integer[]) and other.effective_to >= ${day}::date
    ), once as (
      select id, way, greatest(min(first), ${day}::date) as day from riding group by id, way
    )
    select concat(once.id, ' ', once.way) as key, coalesce(student.name, staff.name) as name,
      concat_ws(', ', stop.name, slot.name) as stop, coalesce(transport_bus(now.trip_id, once.day), '') as vehicle
    from once
    join transport_assignment ride on ride.id = once.id
    join transport_trip usual on usual.id = case once.way when 'Pickup' then ride.pickup_trip_id else ride.drop_trip_id end
    join transport_time_slot slot on slot.id = usual.time_slot_id
    join transport_stop stop on stop.id = case once.way when 'Pickup' then ride.pickup_stop_id else ride.drop_stop_id end
    left join lateral transport_rides_on(once.day) now on now.assignment_id = ride.id and now.way = once.way
    left join student on student.id = ride.student_id
    left join staff on staff.id = ride.staff_id
    order by name, ride.id, once.way`.execute(db);
  return rows;
}

/** Runs a change of duties, and answers whom it gives another vehicle. */
export async function ridersTouchedBy(
  ctx: UserContext,
  { tripIds, day }: { tripIds: readonly number[]; day: string },
  act: () => Promise<unknown>,
) {
  const before = new Map((await readVehicles(ctx, tripIds, day)).map(({ key, vehicle }) => [key, vehicle]));
  await withTransportMessages(ctx, act);
  const touched = (await readVehicles(ctx, tripIds, day)).flatMap(({ key, name, stop, vehicle }): TouchedRider[] => {
    const was = before.get(key) ?? '';
    return was === vehicle ? [] : [{ name, stop, before: was, after: vehicle }];
  });
  return { touched, shown: { riders: touched.slice(0, mostShown), count: touched.length } };
}
