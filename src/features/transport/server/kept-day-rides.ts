import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import type { Context } from '#kit/server/context.ts';

interface OtherRide {
  id: number;
  way: 'Pickup' | 'Drop';
  from: string;
  to: string;
  route: string | null;
  /** The first and last of its days on which the former ride has that way; null for none. */
  keptFrom: string | null;
  keptTo: string | null;
}

/**
 * The other rides of a ride that is deleted, each with the days on which the former ride takes them over: those on which it
 * has the same way again. One that the former ride has itself, of the same act, is left out.
 */
async function readOtherRides(
  { db }: Pick<Context, 'db'>,
  { madeId, formerId, formerTo }: { madeId: number; formerId: number | null; formerTo: string | null },
) {
  const { rows } = await sql<OtherRide>`
    select other.id, other.way, other.effective_from::text as "from", other.effective_to::text as "to", route.name as route,
      lower(kept.days)::text as "keptFrom", (upper(kept.days) - 1)::text as "keptTo"
    from transport_day_ride other
    left join transport_trip trip on trip.id = other.trip_id
    left join transport_route route on route.id = trip.route_id
    left join transport_assignment former on former.id = ${formerId}
      and case other.way when 'Pickup' then former.pickup_trip_id else former.drop_trip_id end is not null
    left join lateral (select daterange(other.effective_from, other.effective_to, '[]')
      * daterange(former.effective_from, ${formerTo}::date, '[]') as days) as kept
      on former.id is not null and not isempty(kept.days)
    where other.assignment_id = ${madeId}
      and not exists (select from transport_day_ride own where own.assignment_id = ${formerId} and own.act = other.act
        and own.way = other.way)
    order by other.id`.execute(db);
  return rows;
}

/** "Pickup, 24-09-2026 – 25-09-2026: Adajan to school" */
const wordsOf = ({ way, from, to, route }: OtherRide) =>
  `${way}, ${[...new Set([from, to])].map((day) => showDate(day)).join(' – ')}: ${route ?? '–'}`;

/**
 * Deletes a ride that a change made, and gives the former one its last day back with the other rides that were entered
 * since; all seats are counted together. Answers the other rides that it can't take over, in words.
 */
export async function giveFormerBack(
  ctx: Pick<Context, 'db'>,
  ride: { madeId: number; formerId: number | null; formerTo: string | null },
): Promise<string[]> {
  const others = await readOtherRides(ctx, ride);
  const kept = others.filter(({ keptFrom }) => keptFrom !== null);
  await sql`
    with going as (
      insert into transport_day_ride (assignment_id, way, trip_id, stop_id, effective_from, effective_to, reason, act,
        is_told, entered_by, entered_at)
      select ${ride.formerId}::integer, other.way, other.trip_id, other.stop_id, input."keptFrom", input."keptTo", other.reason,
        other.act, other.is_told, other.entered_by, other.entered_at
      from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as input (id integer, "keptFrom" date, "keptTo" date)
      join transport_day_ride other on other.id = input.id
      order by other.id
    ), back as (
      update transport_assignment set effective_to = ${ride.formerTo}::date, version = version + 1
      where id = ${ride.formerId}::integer
    )
    delete from transport_assignment where id = ${ride.madeId}`.execute(ctx.db);
  return others.flatMap((one) => (one.keptFrom === null ? [wordsOf(one)] : []));
}
