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
}

type People = { studentIds: readonly number[] } | { staffIds: readonly number[] };

/** The rides of some people on a day. */
export async function busOf({ db }: Pick<Context, 'db'>, people: People, day: string): Promise<Bus[]> {
  const own =
    'studentIds' in people
      ? sql`own.student_id = any(${people.studentIds}::integer[])`
      : sql`own.staff_id = any(${people.staffIds}::integer[])`;
  const way = (trip: 'pickup' | 'drop') => {
    const [tripId, stopId] =
      trip === 'pickup'
        ? [sql`own.pickup_trip_id`, sql`own.pickup_stop_id`]
        : [sql`own.drop_trip_id`, sql`own.drop_stop_id`];
    return sql<Way | null>`(select json_build_object('stop', stop.name, 'time', coalesce(transport_time(trip.id, stop.id, ${day}), ''),
      'vehicle', coalesce(transport_bus(trip.id, ${day}), ''), 'route', route.name)
      from transport_trip trip join transport_route route on route.id = trip.route_id
      join transport_stop stop on stop.id = ${stopId} where trip.id = ${tripId})`;
  };
  const { rows } = await sql<Omit<Bus, 'pickup' | 'drop'> & { pickup: Way | null; drop: Way | null }>`
    select own.student_id as "studentId", own.staff_id as "staffId", own.effective_from as since,
      coalesce(own.effective_to::text, '') as until, ${way('pickup')} as pickup, ${way('drop')} as "drop"
    from transport_assignment own
    where ${own} and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')`.execute(db);
  return rows.map(({ pickup, drop, ...row }) => ({ ...row, ...(pickup && { pickup }), ...(drop && { drop }) }));
}
