import { sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Role } from '../contract/route.ts';
import { halfOf } from './away.ts';
import { isStillToRun, localTime } from './running.ts';

interface Asked {
  tripId: number;
  role: Role;
  isAll: boolean;
  from: string;
  to: string;
}

/** In a query of `trip`: who or which counts in a role on a day. */
const ownOn = (role: Role, day: string) => {
  const id = role === 'Vehicle' ? sql`vehicle_id` : sql`crew_id`;
  return sql<number | null>`coalesce(
    (select ${id} from transport_stand_in own where own.trip_id = trip.id and own.role = ${role}
      and ${day}::date between own.effective_from and own.effective_to order by own.id desc limit 1),
    (select ${id} from transport_standing own where own.trip_id = trip.id and own.role = ${role}
      and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')))`;
};

export interface Found {
  id: number;
  own: number | null;
  /** The first day on which it is replaced: a trip of the same vehicle or person that has run today is replaced later. */
  from: string;
  half: number;
  version: number;
  words: string;
}

/** The trip, and where all are asked the other trips of the same vehicle or person that run on these days. */
export async function findTrips(
  { db, user, now }: UserContext,
  { tripId, role, isAll, from, to }: Asked,
): Promise<Found[]> {
  const reached = inScope(user, transportKeepers, { branch: sql`route.branch_id` });
  const [today, time] = [toLocalDate(now()), localTime(now())];
  const { rows } = await sql<Found>`
    with asked as (
      select ${ownOn(role, from)} as own from transport_trip trip where trip.id = ${tripId})
    select trip.id, ${ownOn(role, from)} as own, route.version, route.name || ', ' || slot.name as words,
      ${halfOf(sql`slot.starts`)} as half, (case when trip.id = ${tripId} then ${from}::date else running.first end)::text as "from"
    from transport_trip trip
    join transport_route route on route.id = trip.route_id
    join transport_time_slot slot on slot.id = trip.time_slot_id
    cross join lateral (
      select min(days.day)::date as first from generate_series(${from}::date, ${to}::date, '1 day') as days (day)
      join transport_slot_plan plan on plan.time_slot_id = slot.id and days.day
        between plan.effective_from and coalesce(plan.effective_to, 'infinity')
      where ${isStillToRun(sql`days.day`, today, time)}) as running
    where ${reached} and (trip.id = ${tripId} or (${isAll} and route.is_active
      and ${ownOn(role, from)} = (select own from asked) and running.first is not null))
    order by trip.id`.execute(db);
  if (!rows.some(({ id }) => id === tripId)) throw new AppError('not_found', notFoundMessage);
  return rows;
}

export const halvesOf = (trips: readonly Found[]) => sql`${trips.map(({ half }) => half)}::smallint[]`;
