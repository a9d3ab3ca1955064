import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Role } from '../contract/route.ts';
import { isStillToRun, localTime } from './running.ts';

export type Kind = 'transport.changed' | 'transport.none' | 'transport.usual';

/** A message about a bus is read before the bus comes. */
export const sendingOf = (kind: Kind) => ({ kind, urgency: 'Must' }) as const;
export const sending = sendingOf('transport.changed');

/** The roles whose changes the setting reports to families. */
export const rolesOf = (told: string): Role[] => [
  ...(told === 'Person' ? [] : (['Vehicle'] as const)),
  ...(told === 'Vehicle' ? [] : (['Driver', 'Attendant'] as const)),
];

/**
 * The children on the trips of each act, on the first day from now on when the trip still runs and there is school; the
 * earliest first.
 */
export async function childrenOf(
  { db, now }: Pick<Context, 'db' | 'now'>,
  acts: readonly string[],
  roles: readonly Role[],
) {
  const today = toLocalDate(now());
  const { rows } = await sql<{
    act: string;
    studentId: number;
    day: string;
    until: string;
    hasNone: boolean;
    hasBus: boolean;
  }>`
    with own as materialized (
      select act, trip_id, null::integer as ride_id, greatest(effective_from, ${today}::date) as first,
        effective_to as ends, effective_to as last
      from transport_stand_in
      where act = any(${acts}::uuid[]) and effective_to >= ${today}::date and role = any(${roles}::text[])
      union all
      select other.act, case other.way when 'Pickup' then ride.pickup_trip_id else ride.drop_trip_id end, ride.id,
        greatest(other.effective_from, ride.effective_from, ${today}::date), least(other.effective_to, ride.effective_to),
        other.effective_to
      from transport_day_ride other join transport_assignment ride on ride.id = other.assignment_id
      where other.act = any(${acts}::uuid[]) and other.effective_to >= ${today}::date
    ), school as materialized (
      select distinct days.day from academic_year year
      cross join lateral academic_school_days(year.id, ${today}::date, (select max(last) from own)) as days
      where days.work > 0
    ), days as (
      select own.act, own.trip_id, own.ride_id, school.day, own.last from own
      join transport_trip trip on trip.id = own.trip_id
      join school on school.day between own.first and own.ends
      join transport_slot_plan plan on plan.time_slot_id = trip.time_slot_id
        and school.day between plan.effective_from and coalesce(plan.effective_to, 'infinity')
      where ${isStillToRun(sql`school.day`, today, localTime(now()))}
    ), running as materialized (
      select * from days where ride_id is null
      union all
      (select distinct on (act, ride_id, trip_id) * from days where ride_id is not null order by act, ride_id, trip_id, day)
    )
    select distinct on (act, "studentId") * from (
      select running.act::text, ride.student_id as "studentId", running.day::text, max(running.last)::text as until,
        bool_or(ride.trip_id is null) as "hasNone", bool_or(ride.trip_id is not null) as "hasBus"
      from running
      cross join lateral (
        select ride.student_id, ride.trip_id from transport_rides_on(running.day) ride
        where running.ride_id is null and ride.trip_id = running.trip_id
        union all
        select ride.student_id, ride.trip_id from transport_rides_on(running.day) ride
        where ride.assignment_id = running.ride_id and ride.usual_trip_id = running.trip_id) as ride
      where ride.student_id is not null
      group by running.act, ride.student_id, running.day) as riding
    order by act, "studentId", day`.execute(db);
  return rows.toSorted((one, other) => one.day.localeCompare(other.day));
}
