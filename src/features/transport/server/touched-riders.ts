import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import type { TouchedRider } from '../contract/route.ts';
import { withTransportMessages } from './messages.ts';

const mostShown = 100;

/** Riders of trips on a day or later, with the vehicle of the first of these days. */
async function readVehicles({ db }: Pick<UserContext, 'db'>, tripIds: readonly number[], day: string) {
  const { rows } = await sql<{ key: string; name: string; stop: string; vehicle: string }>`
    select concat(ride.id, ' ', trip.id) as key, coalesce(student.name, staff.name) as name,
      concat_ws(', ', stop.name, slot.name) as stop, coalesce(vehicle.fleet_no, '') as vehicle
    from transport_trip trip
    join transport_time_slot slot on slot.id = trip.time_slot_id
    join transport_assignment ride on trip.id in (ride.pickup_trip_id, ride.drop_trip_id)
      and coalesce(ride.effective_to, 'infinity') >= ${day}::date
    join transport_stop stop
      on stop.id = case when ride.pickup_trip_id = trip.id then ride.pickup_stop_id else ride.drop_stop_id end
    left join student on student.id = ride.student_id
    left join staff on staff.id = ride.staff_id
    left join transport_duty duty on duty.trip_id = trip.id and greatest(ride.effective_from, ${day}::date)
      between duty.effective_from and coalesce(duty.effective_to, 'infinity')
    left join transport_vehicle vehicle on vehicle.id = duty.vehicle_id
    where trip.id = any(${tripIds}::integer[])
    order by name, ride.id, trip.id`.execute(db);
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
