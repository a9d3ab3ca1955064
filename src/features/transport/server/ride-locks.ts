import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

/**
 * Locks the trips of these rides by id, then the rides, in the order in which seats are counted. `own` is the ride in the
 * condition; `others` are trips that the act adds.
 */
export async function lockRides(
  { db }: Pick<Context, 'db'>,
  own: RawBuilder<boolean>,
  others: readonly number[] = [],
): Promise<void> {
  await sql`select from transport_trip where id = any(${others}::integer[])
      or id in (select unnest(array[pickup_trip_id, drop_trip_id]) from transport_assignment own where ${own})
      or id in (select other.trip_id from transport_day_ride other
        join transport_assignment own on own.id = other.assignment_id where ${own})
    order by id for no key update`.execute(db);
  await sql`select from transport_assignment own where ${own} order by id for update`.execute(db);
}

/** The same for rides by their ids. */
export const lockRidesById = (ctx: Pick<Context, 'db'>, ids: readonly number[]): Promise<void> =>
  lockRides(ctx, sql<boolean>`own.id = any(${ids}::integer[])`);
