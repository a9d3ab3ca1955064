import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

/** How a student or a member of staff rides on a day. */
export interface Bus {
  studentId: number | null;
  staffId: number | null;
  since: string;
  /** '' without an end. */
  until: string;
  /** Undefined for a way that is not used. */
  pickup?: Way;
  drop?: Way;
}

interface Way {
  stop: string;
  time: string;
  vehicle: string;
  route: string;
  /** The usual vehicle where the day has another one, or none; '' on a usual day. */
  insteadOf: string;
  /** The rider has no bus on this day; stop, time and route are the usual ones. */
  isNone: boolean;
}

type People = { studentIds: readonly number[] } | { staffIds: readonly number[] };

/** The rides of some people on a day. */
export async function busOf({ db }: Pick<Context, 'db'>, people: People, day: string): Promise<Bus[]> {
  const own =
    'studentIds' in people
      ? sql`own.student_id = any(${people.studentIds}::integer[])`
      : sql`own.staff_id = any(${people.staffIds}::integer[])`;
  const way = (direction: 'Pickup' | 'Drop') => sql<Way | null>`(
    select json_build_object('stop', stop.name, 'time', coalesce(transport_time(trip.id, stop.id, ${day}), ''),
      'vehicle', now.vehicle, 'route', route.name, 'isNone', ride.trip_id is null,
      'insteadOf', case when now.vehicle is distinct from usual.fleet_no or ride.trip_id is null
        then coalesce(usual.fleet_no, '') else '' end)
    from transport_rides_on(${day}) ride
    join transport_trip trip on trip.id = coalesce(ride.trip_id, ride.usual_trip_id)
    join transport_route route on route.id = trip.route_id
    join transport_stop stop on stop.id = coalesce(ride.stop_id,
      case ride.way when 'Pickup' then own.pickup_stop_id else own.drop_stop_id end)
    cross join lateral (select coalesce(transport_bus(ride.trip_id, ${day}), '') as vehicle) as now
    left join transport_standing stands on stands.trip_id = ride.usual_trip_id and stands.role = 'Vehicle'
      and ${day}::date between stands.effective_from and coalesce(stands.effective_to, 'infinity')
    left join transport_vehicle usual on usual.id = stands.vehicle_id
    where ride.assignment_id = own.id and ride.way = ${direction})`;
  const { rows } = await sql<Omit<Bus, 'pickup' | 'drop'> & { pickup: Way | null; drop: Way | null }>`
    select own.student_id as "studentId", own.staff_id as "staffId", own.effective_from as since,
      coalesce(own.effective_to::text, '') as until, ${way('Pickup')} as pickup, ${way('Drop')} as "drop"
    from transport_assignment own
    where ${own} and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')`.execute(db);
  return rows.map(({ pickup, drop, ...row }) => ({ ...row, ...(pickup && { pickup }), ...(drop && { drop }) }));
}
