import { sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { fleetApi } from '../contract/fleet.ts';
import { findVehicle } from './duty.ts';
import { withTransportMessages } from './messages.ts';
import { replaceVehicles } from './standing.ts';
import { ridersTouchedBy } from './touched-riders.ts';

/** The trips that vehicles have on a day or later, and their routes, which are locked. */
async function tripsOf({ db, user }: UserContext, vehicleIds: readonly number[], day: string) {
  const { rows } = await sql<{ tripId: number; routeId: number; vehicleId: number; isReached: boolean }>`
    select distinct own.trip_id as "tripId", trip.route_id as "routeId", own.vehicle_id as "vehicleId",
      ${inScope(user, transportKeepers, { branch: sql`route.branch_id` })} as "isReached"
    from transport_standing own join transport_trip trip on trip.id = own.trip_id
    join transport_route route on route.id = trip.route_id
    where own.vehicle_id = any(${vehicleIds}::integer[]) and coalesce(own.effective_to, 'infinity') >= ${day}::date
    order by "tripId"`.execute(db);
  if (rows.some(({ isReached }) => !isReached)) throw new AppError('not_found', notFoundMessage);
  const routes = rows.map(({ routeId }) => routeId);
  await sql`select from transport_route where id = any(${routes}::integer[]) order by id for update`.execute(db);
  return rows;
}

export const move: Handler<typeof fleetApi.move> = (ctx, { id, vehicleId, effectiveFrom, confirmToken, ...asked }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { db } = ctx;
    const own = await db
      .selectFrom('transport_vehicle as vehicle')
      .where('id', '=', id)
      .where(inScope(ctx.user, transportKeepers, { branch: sql`vehicle.branch_id` }))
      .select(['fleet_no', 'version'])
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    const other = await findVehicle(ctx, vehicleId);
    if (id === vehicleId) throw fieldRefusal('vehicleId', text`Choose another vehicle.`);
    if (asked.isUnderRepair && asked.isSwap)
      throw fieldRefusal('isUnderRepair', text`It takes over trips in exchange, so it can’t be under repair.`);
    const trips = await tripsOf(ctx, asked.isSwap ? [id, vehicleId] : [id], effectiveFrom);
    if (!trips.some((trip) => trip.vehicleId === id))
      throw fieldRefusal('effectiveFrom', text`The vehicle has no trip on this day.`);
    const tripIds = [...new Set(trips.map(({ tripId }) => tripId))];
    const there = { from: id, to: vehicleId };
    const vehicles = asked.isSwap ? [there, { from: vehicleId, to: id }] : [there];
    const { touched, shown } = await ridersTouchedBy(ctx, { tripIds, day: effectiveFrom }, () =>
      replaceVehicles(ctx, { tripIds, vehicles }, effectiveFrom),
    );
    if (asked.isUnderRepair)
      await withTransportMessages(ctx, () =>
        db
          .insertInto('transport_vehicle_away')
          .values({ vehicle_id: id, effective_from: effectiveFrom, reason: 'Workshop' })
          .execute(),
      );
    const routes = [...new Set(trips.map(({ routeId }) => routeId))];
    const { rows: raised } = await sql<{ id: number; version: number }>`update transport_route set version = version + 1
      where id = any(${routes}::integer[]) returning id, version`.execute(db);
    await auditAll(
      ctx,
      raised.map(({ id: routeId, version }) => ({
        action: 'transport-route.vehicle',
        entity: 'transport_route',
        entityId: routeId,
        version,
        details: {
          Vehicle: asked.isSwap ? `${own.fleet_no} ↔ ${other.fleet_no}` : `${own.fleet_no} → ${other.fleet_no}`,
          Trips: new Set(trips.filter((trip) => trip.routeId === routeId).map(({ tripId }) => tripId)).size,
          From: showDate(effectiveFrom),
        },
      })),
    );
    const answer = { trips: tripIds.length, ...shown };
    return { answer, basis: [own, vehicleId, effectiveFrom, asked, trips, touched] };
  });
