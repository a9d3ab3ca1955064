import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type PlannedChange, routeApi } from '../contract/route.ts';
import { withTransportMessages } from './messages.ts';
import { lockRoute, raiseRoute } from './route.ts';
import { endTrip, replaceVehicles, writeStanding } from './standing.ts';
import { ridersTouchedBy } from './touched-riders.ts';

const vehicleGone = text`This vehicle is inactive. Choose another one.`;

const duty: Handler<typeof routeApi.duty> = (ctx, { id, timeSlotId, confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const route = await lockRoute(ctx, { id });
    const { db } = ctx;
    const slot = await db
      .selectFrom('transport_time_slot')
      .where('id', '=', timeSlotId)
      .select(['direction', 'name'])
      .select((from) =>
        from
          .selectFrom('transport_slot_plan as plan')
          .whereRef('plan.time_slot_id', '=', 'transport_time_slot.id')
          .select(sql<string>`min(plan.effective_from)::text`.as('first'))
          .as('first'),
      )
      .executeTakeFirst();
    if (slot?.direction !== route.direction)
      throw fieldRefusal('timeSlotId', text`Choose a slot of the route’s direction.`);
    if (!slot.first) throw fieldRefusal('timeSlotId', text`This slot has no times yet.`);
    if (slot.first > input.effectiveFrom)
      throw fieldRefusal(
        'effectiveFrom',
        text`The times of this slot begin on ${{ day: showDate(slot.first) }}. Choose that day or a later one.`,
      );
    const vehicle = await findVehicle(ctx, input.vehicleId);
    const { id: tripId } = await withTransportMessages(ctx, () =>
      db
        .insertInto('transport_trip')
        .values({ route_id: id, time_slot_id: timeSlotId, direction: route.direction })
        .onConflict((conflict) => conflict.constraint('transport_trip_once').doUpdateSet({ route_id: id }))
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    const { vehicleId, driverId, attendantId, effectiveFrom, dropsPlanned } = input;
    const roles = { Vehicle: vehicleId, Driver: driverId, Attendant: attendantId };
    let planned: PlannedChange[] = [];
    const { touched, shown } = await ridersTouchedBy(ctx, { tripIds: [tripId], day: effectiveFrom }, async () => {
      planned = await writeStanding(ctx, { tripId, day: effectiveFrom, roles, dropsPlanned });
    });
    await note(ctx, id, 'duty', {
      Trip: slot.name,
      Vehicle: vehicle.fleet_no,
      From: showDate(effectiveFrom),
      ...(dropsPlanned && planned.length > 0 && { Dropped: planned.map(({ name }) => name).join(', ') }),
      ...(touched.length > 0 && { Riders: touched.length }),
    });
    return { answer: { planned, ...shown }, basis: [route, timeSlotId, input, planned, touched] };
  });

export async function findVehicle({ db }: UserContext, id: number) {
  const vehicle = await db
    .selectFrom('transport_vehicle')
    .where('id', '=', id)
    .where('is_active', '=', true)
    .select('fleet_no')
    .executeTakeFirst();
  if (!vehicle) throw fieldRefusal('vehicleId', vehicleGone);
  return vehicle;
}

async function note(ctx: UserContext, routeId: number, act: string, details: Record<string, string | number>) {
  const { version } = await raiseRoute(ctx, routeId);
  const action = `transport-route.${act}`;
  await audit(ctx, { action, entity: 'transport_route', entityId: routeId, version, details });
}

const vehicle: Handler<typeof routeApi.vehicle> = (ctx, { id, vehicleId, effectiveFrom, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const route = await lockRoute(ctx, { id });
    const { fleet_no } = await findVehicle(ctx, vehicleId ?? 0);
    // Trips that have ended get no vehicle.
    const standing = await ctx.db
      .selectFrom('transport_standing as own')
      .innerJoin('transport_trip as trip', 'trip.id', 'own.trip_id')
      .where('trip.route_id', '=', id)
      .where('own.role', '=', 'Vehicle')
      .where(sql<boolean>`coalesce(own.effective_to, 'infinity') >= ${effectiveFrom}::date`)
      .select(['trip.id as tripId', sql<number>`own.vehicle_id`.as('from')])
      .execute();
    if (standing.length === 0) throw fieldRefusal('effectiveFrom', text`No trip has a vehicle on this day.`);
    const tripIds = [...new Set(standing.map(({ tripId }) => tripId))];
    const vehicles = [...new Set(standing.map(({ from }) => from))].map((from) => ({ from, to: vehicleId ?? 0 }));
    const { touched, shown } = await ridersTouchedBy(ctx, { tripIds, day: effectiveFrom }, () =>
      replaceVehicles(ctx, { tripIds, vehicles }, effectiveFrom),
    );
    await note(ctx, id, 'vehicle', {
      Vehicle: fleet_no,
      Trips: tripIds.length,
      Riders: touched.length,
      From: showDate(effectiveFrom),
    });
    const answer = { trips: tripIds.length, ...shown };
    return { answer, basis: [route, vehicleId, effectiveFrom, touched] };
  });

const endDuty: Handler<typeof routeApi.endDuty> = async (ctx, { id, tripId, lastDay }) => {
  await lockRoute(ctx, { id });
  const found = await ctx.db
    .selectFrom('transport_trip as trip')
    .innerJoin('transport_time_slot as slot', 'slot.id', 'trip.time_slot_id')
    .innerJoin('transport_standing as own', 'own.trip_id', 'trip.id')
    .where('trip.id', '=', tripId)
    .where('trip.route_id', '=', id)
    .groupBy('slot.name')
    .select(['slot.name', sql<string>`min(own.effective_from)::text`.as('first')])
    .executeTakeFirstOrThrow(notFound);
  if (lastDay < found.first) throw fieldRefusal('lastDay', text`Enter a later day.`);
  await withTransportMessages(ctx, () => endTrip(ctx, tripId, lastDay));
  await note(ctx, id, 'duty-ended', { Trip: found.name, Until: showDate(lastDay) });
  return {};
};

export const dutyRoutes = routes(
  { duty: routeApi.duty, vehicle: routeApi.vehicle, endDuty: routeApi.endDuty },
  { duty, vehicle, endDuty },
);
