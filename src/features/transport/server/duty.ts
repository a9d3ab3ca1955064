import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { routeApi, routeMessages } from '../contract/route.ts';
import { withTransportMessages } from './messages.ts';
import { lockRoute, raiseRoute } from './route.ts';

interface NewDuty {
  tripId: number;
  vehicleId: number;
  /** Null for those of the trip's duty before, whose last day also stays. */
  driverId: number | null;
  attendantId: number | null;
}

/**
 * Gives trips a vehicle and crew from a day on, in one statement, so that two trips may swap: duties that go on end on the
 * day before, later duties are replaced. A duty is divided where the times of its slot change.
 */
export async function writeDuties(
  { db }: Pick<UserContext, 'db'>,
  duties: readonly NewDuty[],
  { effectiveFrom, effectiveTo }: { effectiveFrom: string; effectiveTo: string | null },
) {
  const tripIds = duties.map(({ tripId }) => tripId);
  await sql`select 1 from transport_trip where id = any(${tripIds}::integer[]) order by id for no key update`.execute(
    db,
  );
  const { rows } = await sql<{ id: number }>`
    with before as (
      select distinct on (trip_id) * from transport_duty
      where trip_id = any(${tripIds}::integer[]) and effective_from <= ${effectiveFrom}::date
      order by trip_id, effective_from desc
    ), gone as (
      delete from transport_duty where trip_id = any(${tripIds}::integer[]) and effective_from >= ${effectiveFrom}::date
      returning id
    ), ended as (
      update transport_duty set effective_to = ${effectiveFrom}::date - 1, version = version + 1
      where trip_id = any(${tripIds}::integer[]) and effective_from < ${effectiveFrom}::date
        and coalesce(effective_to, 'infinity') >= ${effectiveFrom}::date
      returning id
    )
    insert into transport_duty (trip_id, time_slot_id, slot_plan_id, minutes, vehicle_id, seats, driver_id, attendant_id,
        effective_from, effective_to)
      select trip.id, trip.time_slot_id, plan.id, plan.minutes, vehicle.id, vehicle.seats,
        coalesce(own."driverId", before.driver_id), coalesce(own."attendantId", before.attendant_id),
        greatest(plan.effective_from, ${effectiveFrom}::date),
        least(plan.effective_to, ${effectiveTo}::date, case when own."driverId" is null then before.effective_to end)
      from jsonb_to_recordset(${JSON.stringify(duties)}::jsonb) as own ("tripId" integer, "vehicleId" integer,
        "driverId" integer, "attendantId" integer)
      join transport_trip trip on trip.id = own."tripId"
      join transport_slot_plan plan on plan.time_slot_id = trip.time_slot_id
        and daterange(plan.effective_from, plan.effective_to, '[]')
          && daterange(${effectiveFrom}::date, ${effectiveTo}::date, '[]')
      join transport_vehicle vehicle on vehicle.id = own."vehicleId" and vehicle.is_active and not vehicle.is_under_repair
      left join before on before.trip_id = trip.id
      where (select count(*) from gone) >= 0 and (select count(*) from ended) >= 0
      returning id`.execute(db);
  return rows.length;
}

const vehicleGone = text`This vehicle is under repair or inactive. Choose another one.`;

const duty: Handler<typeof routeApi.duty> = async (ctx, { id, timeSlotId, ...input }) => {
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
  if (!slot.first || slot.first > input.effectiveFrom) throw fieldRefusal('effectiveFrom', routeMessages.slotLater);
  const vehicle = await findVehicle(ctx, input.vehicleId);
  const tripId = await withTransportMessages(ctx, async () => {
    const trip = await db
      .insertInto('transport_trip')
      .values({ route_id: id, time_slot_id: timeSlotId, direction: route.direction })
      .onConflict((conflict) => conflict.constraint('transport_trip_once').doUpdateSet({ route_id: id }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const { vehicleId, driverId, attendantId, effectiveFrom, effectiveTo } = input;
    const days = { effectiveFrom, effectiveTo: effectiveTo || null };
    await writeDuties(ctx, [{ tripId: trip.id, vehicleId, driverId, attendantId }], days);
    return trip.id;
  });
  await note(ctx, id, 'duty', {
    Trip: slot.name,
    Vehicle: vehicle.fleet_no,
    From: showDate(input.effectiveFrom),
    ...(input.effectiveTo && { Until: showDate(input.effectiveTo) }),
  });
  return { tripId };
};

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

const vehicle: Handler<typeof routeApi.vehicle> = async (ctx, { id, vehicleId, effectiveFrom }) => {
  await lockRoute(ctx, { id });
  const { fleet_no } = await findVehicle(ctx, vehicleId ?? 0);
  // Trips whose duties have ended keep no vehicle.
  const trips = await ctx.db
    .selectFrom('transport_duty as duty')
    .innerJoin('transport_trip as trip', 'trip.id', 'duty.trip_id')
    .where('trip.route_id', '=', id)
    .where(sql<boolean>`${effectiveFrom}::date between duty.effective_from and coalesce(duty.effective_to, 'infinity')`)
    .select('trip.id')
    .execute();
  if (trips.length === 0) throw fieldRefusal('effectiveFrom', text`No trip has a vehicle on this day.`);
  const tripIds = trips.map((trip) => trip.id);
  await withTransportMessages(ctx, () =>
    writeDuties(
      ctx,
      tripIds.map((tripId) => ({ tripId, vehicleId: vehicleId ?? 0, driverId: null, attendantId: null })),
      { effectiveFrom, effectiveTo: null },
    ),
  );
  await note(ctx, id, 'vehicle', { Vehicle: fleet_no, Trips: tripIds.length, From: showDate(effectiveFrom) });
  return { trips: tripIds.length };
};

const endDuty: Handler<typeof routeApi.endDuty> = async (ctx, { id, dutyId, lastDay }) => {
  await lockRoute(ctx, { id });
  const found = await ctx.db
    .selectFrom('transport_duty as duty')
    .innerJoin('transport_trip as trip', 'trip.id', 'duty.trip_id')
    .innerJoin('transport_vehicle as vehicle', 'vehicle.id', 'duty.vehicle_id')
    .where('duty.id', '=', dutyId)
    .where('trip.route_id', '=', id)
    .select(['duty.id', 'duty.trip_id', 'duty.effective_from', 'vehicle.fleet_no'])
    .executeTakeFirst();
  if (!found) throw new AppError('not_found', notFoundMessage);
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
