import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { Role } from '../contract/route.ts';
import { standInFields, todayApi } from '../contract/today.ts';
import { awayCrew } from './away.ts';
import { dayRides, findMoves, moveRiders } from './day-ride.ts';
import { elsewhere } from './elsewhere.ts';
import { type Found, findTrips, halvesOf } from './found-trips.ts';
import { tripHistory, tripRiders } from './manifest.ts';
import { explained, vehicleIsAway } from './messages.ts';
import { layTrips, lockTrips } from './standing.ts';
import { tellOfActs, tellOfUndo } from './tell-families.ts';
import { readDay } from './today.ts';
import { ridersTouchedBy } from './touched-riders.ts';

const clash = (message: ReturnType<typeof text>) => ({ field: 'ownId', message });

const rules = {
  table: 'transport_stand_in',
  fields: standInFields,
  constraintMessages: {
    transport_duty_vehicle: clash(text`This vehicle has another trip at the same time.`),
    transport_duty_driver: clash(text`This driver has another trip at the same time.`),
    transport_duty_attendant: clash(text`This attendant has another trip at the same time.`),
    transport_duty_two_people: clash(text`The driver can’t be the attendant.`),
    transport_vehicle_away_once: { field: 'isAway', message: vehicleIsAway },
    transport_vehicle_away_effective_from_unique: { field: 'isAway', message: vehicleIsAway },
    transport_duty_crew: clash(text`Choose a driver who drives and an attendant who attends.`),
  },
};

const hasAnother = text`One of them has another trip at that time now. Undo the later stand-in first.`;

/** Undoing has no field. */
const undoWords = {
  transport_duty_vehicle: hasAnother,
  transport_duty_driver: hasAnother,
  transport_duty_attendant: hasAnother,
  transport_duty_two_people: hasAnother,
};

const nameOf = async ({ db }: UserContext, role: Role, id: number | null): Promise<string> => {
  if (id === null) return '–';
  const { rows } = await sql<{ name: string }>`${
    role === 'Vehicle'
      ? sql`select fleet_no as name from transport_vehicle where id = ${id}`
      : sql`select staff.name from transport_crew crew join staff on staff.id = crew.staff_id where crew.id = ${id}`
  }`.execute(db);
  return rows[0]?.name ?? '–';
};

/** Refuses a vehicle or person that is inactive or away on one of the days. */
async function requireThere(
  { db }: UserContext,
  role: Role,
  ownId: number,
  trips: readonly Found[],
  { from, to }: { from: string; to: string },
) {
  const { rows } =
    role === 'Vehicle'
      ? await sql<{ name: string; isAway: boolean }>`select fleet_no as name, not is_active as "isAway"
          from transport_vehicle where id = ${ownId}`.execute(db)
      : await sql<{ name: string; isAway: boolean }>`select staff.name, crew.id in (select crew_id
            from ${awayCrew(from, to, halvesOf(trips))} as away) as "isAway"
          from transport_crew crew join staff on staff.id = crew.staff_id where crew.id = ${ownId}`.execute(db);
  const [own] = rows;
  if (!own) throw fieldRefusal('ownId', text`Choose one from the list.`);
  if (own.isAway) throw fieldRefusal('ownId', text`${{ name: own.name }} is away on these days. Choose another one.`);
}

const standIn: Handler<typeof todayApi.standIn> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { role, ownId, replacedId, effectiveFrom: from, effectiveTo: to, reason } = input;
    const { db } = ctx;
    if (from < toLocalDate(ctx.now())) throw fieldRefusal('effectiveFrom', text`Choose today or a later day.`);
    if (ownId === replacedId) throw fieldRefusal('ownId', text`Choose another one.`);
    const asked = { tripId: input.tripId, role, isAll: input.isAll && replacedId !== null, from, to };
    await lockTrips(ctx, [
      ...(await findTrips(ctx, asked)).map(({ id }) => id),
      ...input.moves.flatMap(({ tripId }) => tripId ?? []),
    ]);
    // Of two at once the later one reads what the earlier one did.
    const trips = await findTrips(ctx, asked);
    const before = trips.find(({ id }) => id === input.tripId)?.own ?? null;
    const [is, was] = [await nameOf(ctx, role, ownId), await nameOf(ctx, role, before)];
    if (before !== replacedId)
      throw new AppError('conflict', text`${{ name: was }} has this trip on ${{ day: showDate(from) }} now.`);
    await requireThere(ctx, role, ownId, trips, { from, to });
    const tripIds = trips.map(({ id }) => id);
    const act = { act: randomUUID(), from, to, reason, isTold: input.isTold };
    const moves = await findMoves(ctx, trips, input.moves, { from, to });
    const own = role === 'Vehicle' ? { vehicle_id: ownId } : { crew_id: ownId };
    const { touched, shown } = await ridersTouchedBy(ctx, { tripIds, day: from }, () =>
      withConstraintMessages(ctx, rules, () =>
        explained(async () => {
          await moveRiders(ctx, moves, act);
          await db
            .insertInto('transport_stand_in')
            .values(
              trips.map((trip) => ({
                trip_id: trip.id,
                role,
                ...own,
                effective_from: trip.from,
                effective_to: to,
                reason,
                act: act.act,
                is_told: input.isTold,
                entered_by: ctx.user.staffId ?? 0,
                entered_at: ctx.now(),
              })),
            )
            .execute();
          await layTrips(ctx, tripIds);
          if (role === 'Vehicle' && input.isAway && replacedId !== null)
            await db
              .insertInto('transport_vehicle_away')
              .values({
                vehicle_id: replacedId,
                effective_from: from,
                effective_to: to,
                reason: 'Workshop',
                act: act.act,
              })
              .execute();
        }),
      ),
    );
    await auditAll(
      ctx,
      trips.map(({ id, words, from: first }) => ({
        action: 'transport-trip.stand-in',
        entity: 'transport_trip',
        entityId: id,
        details: {
          Trip: words,
          [role]: `${was} → ${is}`,
          From: showDate(first),
          Until: showDate(to),
          ...(reason && { Reason: reason }),
        },
      })),
    );
    const families = input.isTold ? await tellOfActs(ctx, [act.act]) : 0;
    return {
      answer: { act: act.act, trips: trips.length, families, ...shown },
      basis: [input, trips, moves, touched],
    };
  });

/** Deletes the days of today and later of an act, and lays the trips without them. */
const undo: Handler<typeof todayApi.undo> = async (ctx, { act }) => {
  const { db } = ctx;
  const today = toLocalDate(ctx.now());
  const read = async () => {
    const { rows } = await sql<{ id: number; words: string; isReached: boolean }>`
    select trip.id, min(route.name || ', ' || slot.name) as words,
      bool_and(${inScope(ctx.user, transportKeepers, { branch: sql`route.branch_id` })}) as "isReached"
    from (
      select trip_id, effective_to from transport_stand_in where act = ${act}::uuid
      union all
      select case other.way when 'Pickup' then ride.pickup_trip_id else ride.drop_trip_id end, other.effective_to
      from transport_day_ride other join transport_assignment ride on ride.id = other.assignment_id
      where other.act = ${act}::uuid) as own
    join transport_trip trip on trip.id = own.trip_id
    join transport_route route on route.id = trip.route_id
    join transport_time_slot slot on slot.id = trip.time_slot_id
    where own.effective_to >= ${today}::date
    group by trip.id order by trip.id`.execute(db);
    if (rows.length === 0 || rows.some(({ isReached }) => !isReached)) throw new AppError('not_found', notFoundMessage);
    return rows;
  };
  const { rows: others } = await sql<{ id: number }>`
    select trip_id as id from transport_day_ride where act = ${act}::uuid and trip_id is not null`.execute(db);
  await lockTrips(
    ctx,
    [...(await read()), ...others].map(({ id }) => id),
  );
  // Of two who undo at once the later one finds nothing.
  const trips = await read();
  const tripIds = trips.map(({ id }) => id);
  await tellOfUndo(ctx, act, tripIds, () =>
    withConstraintMessages(
      { db, constraintMessages: { ...ctx.constraintMessages, ...undoWords } },
      { ...rules, constraintMessages: {} },
      () =>
        explained(async () => {
          // The vehicle has its seats again before its riders come back.
          const endDays = async (table: 'transport_vehicle_away' | 'transport_stand_in' | 'transport_day_ride') => {
            await db.deleteFrom(table).where('act', '=', act).where('effective_from', '>=', today).execute();
            await db
              .updateTable(table)
              .set({ effective_to: sql`${today}::date - 1` })
              .where('act', '=', act)
              .where('effective_to', '>=', today)
              .execute();
          };
          await endDays('transport_vehicle_away');
          await endDays('transport_stand_in');
          await layTrips(ctx, tripIds);
          await endDays('transport_day_ride');
        }),
    ),
  );
  await auditAll(
    ctx,
    trips.map(({ id, words }) => ({
      action: 'transport-trip.stand-in-undone',
      entity: 'transport_trip',
      entityId: id,
      details: { Trip: words, From: showDate(today) },
    })),
  );
  return { trips: trips.length };
};

/** Who or which is free on the days: those who know the trip first, then those who stood in least this month. */
const free: Handler<typeof todayApi.free> = async (ctx, { id, role, isAll, from, to }) => {
  const { db, user } = ctx;
  const trips = await findTrips(ctx, { tripId: id, role, isAll: isAll === 'true', from, to });
  const tripIds = trips.map((trip) => trip.id);
  const replaced = trips.find((trip) => trip.id === id)?.own ?? 0;
  const own = role === 'Vehicle' ? sql`vehicle_id` : sql`crew_id`;
  const busy = role === 'Vehicle' ? sql`duty.vehicle_id = own.id` : sql`own.id in (duty.driver_id, duty.attendant_id)`;
  const { rows } = await sql<{
    id: number;
    name: string;
    detail: string;
    knows: boolean;
    standIns: number;
    seats: number | null;
  }>`
    with target as materialized (
      select plan.minutes from transport_trip trip
      join transport_slot_plan plan on plan.time_slot_id = trip.time_slot_id
        and daterange(plan.effective_from, plan.effective_to, '[]') && daterange(${from}, ${to}, '[]')
      where trip.id = any(${tripIds}::integer[])
    ), own as (${
      role === 'Vehicle'
        ? sql`select vehicle.id, vehicle.fleet_no as name, vehicle.registration_no as detail, vehicle.seats
          from transport_vehicle vehicle
          where vehicle.is_active and ${inScope(user, transportKeepers, { branch: sql`vehicle.branch_id` })}
            and not exists (select from transport_vehicle_away away where away.vehicle_id = vehicle.id and away.is_active
              and daterange(away.effective_from, away.effective_to, '[]') && daterange(${from}, ${to}, '[]'))
            and not exists (select from unnest(array['RC', 'Fitness', 'Insurance', 'Permit', 'PUC']) as needed (kind)
              where not exists (select from transport_vehicle_document paper where paper.vehicle_id = vehicle.id
                and paper.kind = needed.kind and paper.is_active and paper.expires_on >= ${from}::date))`
        : sql`select crew.id, staff.name, coalesce(staff.mobile, '') as detail, null::smallint as seats
          from transport_crew crew join staff on staff.id = crew.staff_id
          where crew.is_active and ${role === 'Driver' ? sql`crew.is_driver` : sql`crew.is_attendant`}
            and crew.id not in (select crew_id from ${awayCrew(from, to, halvesOf(trips))} as away)
            ${
              role === 'Driver'
                ? sql`and crew.licence_expires_on >= ${from}::date and crew.medical_expires_on >= ${from}::date`
                : sql``
            }`
    })
    select own.id, own.name, own.detail, own.seats,
      exists (select from transport_standing part where part.${own} = own.id and part.role = ${role}
          and part.trip_id = any(${tripIds}::integer[]))
        or exists (select from transport_stand_in part where part.${own} = own.id and part.role = ${role}
          and part.trip_id = any(${tripIds}::integer[])) as knows,
      (select coalesce(sum(least(part.effective_to, (date_trunc('month', ${from}::date) + interval '1 month - 1 day')::date)
          - greatest(part.effective_from, date_trunc('month', ${from}::date)::date) + 1), 0)::integer
        from transport_stand_in part where part.${own} = own.id and part.role = ${role}
          and part.effective_from < date_trunc('month', ${from}::date) + interval '1 month'
          and part.effective_to >= date_trunc('month', ${from}::date)) as "standIns"
    from own
    where own.id <> ${replaced} and not exists (
      select from transport_duty duty join target on target.minutes && duty.minutes
      where ${busy} and daterange(duty.effective_from, duty.effective_to, '[]') && daterange(${from}, ${to}, '[]'))
    order by knows desc, "standIns", own.seats desc nulls last, lower(own.name), own.id limit 60`.execute(db);
  const { rows: counted } = await sql<{ riders: number }>`
    select coalesce(max(transport_riders(trip, ${from}::date)), 0) as riders from unnest(${tripIds}::integer[]) as trip`.execute(
    db,
  );
  return { trips: trips.length, riders: counted[0]?.riders ?? 0, rows };
};

export const todayRoutes = routes(todayApi, {
  day: readDay,
  riders: tripRiders,
  history: tripHistory,
  free,
  elsewhere,
  standIn,
  dayRides,
  undo,
});
