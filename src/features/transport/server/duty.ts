import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { routeApi } from '../contract/route.ts';
import { withTransportMessages } from './messages.ts';
import { lockTrips, replaceVehicles, ridersTouchedBy } from './replace-vehicles.ts';
import { lockRoute, raiseRoute } from './route.ts';

interface NewDuty {
  tripId: number;
  vehicleId: number;
  driverId: number;
  attendantId: number;
  effectiveFrom: string;
  effectiveTo: string | null;
}

/**
 * Gives a trip its vehicle and crew from a day on: a duty that has begun ends on the day before, later duties are replaced. The
 * new one is divided where the times of its slot change.
 */
async function writeDuty({ db }: Pick<UserContext, 'db'>, own: NewDuty) {
  const { tripId, effectiveFrom, effectiveTo } = own;
  await lockTrips({ db }, [tripId]);
  await sql`
    with gone as (
      delete from transport_duty where trip_id = ${tripId} and effective_from >= ${effectiveFrom}::date returning id
    ), ended as (
      update transport_duty set effective_to = ${effectiveFrom}::date - 1, version = version + 1
      where trip_id = ${tripId} and effective_from < ${effectiveFrom}::date
        and coalesce(effective_to, 'infinity') >= ${effectiveFrom}::date
      returning id
    )
    insert into transport_duty (trip_id, time_slot_id, slot_plan_id, minutes, vehicle_id, seats, driver_id, attendant_id,
        effective_from, effective_to)
      select trip.id, trip.time_slot_id, plan.id, plan.minutes, vehicle.id, vehicle.seats, ${own.driverId},
        ${own.attendantId}, greatest(plan.effective_from, ${effectiveFrom}::date),
        least(plan.effective_to, ${effectiveTo}::date)
      from transport_trip trip
      join transport_slot_plan plan on plan.time_slot_id = trip.time_slot_id
        and daterange(plan.effective_from, plan.effective_to, '[]')
          && daterange(${effectiveFrom}::date, ${effectiveTo}::date, '[]')
      join transport_vehicle vehicle on vehicle.id = ${own.vehicleId}
      where trip.id = ${tripId} and (select count(*) from gone) >= 0 and (select count(*) from ended) >= 0`.execute(db);
}

const vehicleGone = text`This vehicle is under repair or inactive. Choose another one.`;

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
    const { touched, shown } = await ridersTouchedBy(ctx, { tripIds: [tripId], day: input.effectiveFrom }, () =>
      writeDuty(ctx, { ...input, tripId, effectiveTo: input.effectiveTo || null }),
    );
    await note(ctx, id, 'duty', {
      Trip: slot.name,
      Vehicle: vehicle.fleet_no,
      From: showDate(input.effectiveFrom),
      ...(input.effectiveTo && { Until: showDate(input.effectiveTo) }),
      ...(touched.length > 0 && { Riders: touched.length }),
    });
    return { answer: shown, basis: [route, timeSlotId, input, touched] };
  });

export async function findVehicle({ db }: UserContext, id: number) {
  const vehicle = await db
    .selectFrom('transport_vehicle')
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where('is_under_repair', '=', false)
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
    // Trips whose duties have ended keep no vehicle.
    const duties = await ctx.db
      .selectFrom('transport_duty as duty')
      .innerJoin('transport_trip as trip', 'trip.id', 'duty.trip_id')
      .where('trip.route_id', '=', id)
      .where(sql<boolean>`coalesce(duty.effective_to, 'infinity') >= ${effectiveFrom}::date`)
      .select(['trip.id as tripId', 'duty.vehicle_id as from'])
      .execute();
    if (duties.length === 0) throw fieldRefusal('effectiveFrom', text`No trip has a vehicle on this day.`);
    const tripIds = [...new Set(duties.map(({ tripId }) => tripId))];
    const vehicles = [...new Set(duties.map(({ from }) => from))].map((from) => ({ from, to: vehicleId ?? 0 }));
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

const endDuty: Handler<typeof routeApi.endDuty> = async (ctx, { id, dutyId, lastDay }) => {
  await lockRoute(ctx, { id });
  const found = await ctx.db
    .selectFrom('transport_duty as duty')
    .innerJoin('transport_trip as trip', 'trip.id', 'duty.trip_id')
    .innerJoin('transport_vehicle as vehicle', 'vehicle.id', 'duty.vehicle_id')
    .where('duty.id', '=', dutyId)
    .where('trip.route_id', '=', id)
    .select(['duty.id', 'duty.trip_id', 'duty.effective_from', 'vehicle.fleet_no'])
    .executeTakeFirstOrThrow(notFound);
  if (lastDay < found.effective_from) throw fieldRefusal('lastDay', text`Enter a later day.`);
  await withTransportMessages(ctx, () =>
    sql`with gone as (
        delete from transport_duty where trip_id = ${found.trip_id} and effective_from > ${lastDay}::date returning id)
      update transport_duty set effective_to = ${lastDay}, version = version + 1 where id = ${dutyId}
        and (select count(*) from gone) >= 0`.execute(ctx.db),
  );
  await note(ctx, id, 'duty-ended', { Vehicle: found.fleet_no, Until: showDate(lastDay) });
  return {};
};

export const dutyRoutes = routes(
  { duty: routeApi.duty, vehicle: routeApi.vehicle, endDuty: routeApi.endDuty },
  { duty, vehicle, endDuty },
);
