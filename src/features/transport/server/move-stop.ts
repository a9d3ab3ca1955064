import { sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { type SlabPrice, usualPrice } from '../contract/price.ts';
import { type RideDraft, type riderApi, riderMessages } from '../contract/rider.ts';
import { lockRiders, requireNonePassed } from './assign.ts';
import { continueRides } from './continued-rides.ts';
import { chargeRides } from './fee-link.ts';
import { withTransportMessages } from './messages.ts';
import { lockRides } from './ride-locks.ts';
import { lockPeople } from './stop-change.ts';

const most = 200;

interface Found extends RideDraft {
  id: number;
  version: number;
  studentId: number | null;
  staffId: number | null;
  name: string;
  from: string;
  fee: string;
  pickup: string | null;
  drop: string | null;
  pickupPrice: SlabPrice | null;
  dropPrice: SlabPrice | null;
  hasRequest: boolean;
}

/** In a query of `own`: a ride with this stop on the day or later. */
const hasStop = (id: number, day: string) =>
  sql<boolean>`(${id} in (own.pickup_stop_id, own.drop_stop_id) and coalesce(own.effective_to, 'infinity') >= ${day}::date)`;

async function requireStop({ db, user }: UserContext, id: number) {
  await db
    .selectFrom('transport_stop as stop')
    .where('id', '=', id)
    .where(inScope(user, transportKeepers, { branch: sql`stop.branch_id` }))
    .select('id')
    .executeTakeFirstOrThrow(notFound);
}

/** People before trips, in the order in which all who change rides lock them. */
async function lockPeopleOf(ctx: UserContext, id: number, day: string) {
  const { rows } = await sql<{ student_id: number | null; staff_id: number | null }>`
    select own.student_id, own.staff_id from transport_assignment own where ${hasStop(id, day)}`.execute(ctx.db);
  await lockPeople(ctx, rows);
}

async function readRides({ db, user }: UserContext, id: number, day: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select own.id, own.version, own.student_id as "studentId", own.staff_id as "staffId",
      coalesce(student.name, staff.name) as name, own.pickup_trip_id as "pickupTripId", own.pickup_stop_id as "pickupStopId",
      own.drop_trip_id as "dropTripId", own.drop_stop_id as "dropStopId", own.effective_from as "from", own.fee,
      pickup.name as pickup, drop_stop.name as drop, transport_price(own.pickup_stop_id, ${day}) as "pickupPrice",
      transport_price(own.drop_stop_id, ${day}) as "dropPrice",
      exists (select from transport_stop_change change where change.outcome is null
        and (change.student_id = own.student_id or change.staff_id = own.staff_id)) as "hasRequest"
    from transport_assignment own
    join transport_stop stop on stop.id = ${id} and ${inScope(user, transportKeepers, { branch: sql`stop.branch_id` })}
    left join transport_stop pickup on pickup.id = own.pickup_stop_id
    left join transport_stop drop_stop on drop_stop.id = own.drop_stop_id
    left join student on student.id = own.student_id
    left join staff on staff.id = own.staff_id
    where ${hasStop(id, day)}
    order by coalesce(student.sort_name, lower(staff.name)), own.id`.execute(db);
  return rows;
}

interface Target {
  tripId: number;
  stopId: number;
  stop: string;
  price: SlabPrice | null;
  /** The fewest free seats from the day on. */
  free: number;
}

/** The new trips of both ways, with their seats; refuses one that does not stop there, or in another branch. */
async function readTargets({ db, user }: UserContext, ride: RideDraft, day: string) {
  const wanted = (['pickup', 'drop'] as const).flatMap((way) => {
    const [tripId, stopId] = [ride[`${way}TripId`], ride[`${way}StopId`]];
    return tripId === null || stopId === null ? [] : [{ way, tripId, stopId }];
  });
  const { rows } = await sql<Target & { way: 'pickup' | 'drop' }>`
    select input.way, input."tripId", input."stopId", stop.name as stop, transport_price(stop.id, ${day}) as price,
      (select min(transport_free(trip.id, days.day, null, null)) from (
        select ${day}::date as day
        union select changing from transport_changing_days(trip.id) changing where changing > ${day}::date) as days) as free
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as input (way text, "tripId" integer, "stopId" integer)
    join transport_trip trip on trip.id = input."tripId" and lower(trip.direction) = input.way
    join transport_route route on route.id = trip.route_id and route.is_active
      and ${inScope(user, transportKeepers, { branch: sql`route.branch_id` })}
    join transport_route_plan plan on plan.route_id = route.id
      and ${day}::date between plan.effective_from and coalesce(plan.effective_to, 'infinity')
    join transport_route_stop at on at.plan_id = plan.id and at.stop_id = input."stopId"
    join transport_stop stop on stop.id = at.stop_id`.execute(db);
  for (const { way } of wanted)
    if (!rows.some((row) => row.way === way)) throw fieldRefusal(`${way}TripId`, riderMessages.noStopThere);
  return new Map(rows.map(({ way, ...target }) => [way, target]));
}

const priceOf = ({ fee, pickup, drop, pickupPrice, dropPrice }: Found) =>
  usualPrice({
    isFree: fee !== 'By stop',
    pickup: pickup === null ? undefined : pickupPrice,
    drop: drop === null ? undefined : dropPrice,
  });
const stopsOf = ({ pickup, drop }: Pick<Found, 'pickup' | 'drop'>) =>
  [...new Set([pickup, drop])].filter(Boolean).join(' → ');

/** The ride of before ends on the day before, and the new one begins; one that begins on the day gets the new stops. */
async function writeRides({ db }: UserContext, moved: readonly { own: Found; after: Found }[], first: string) {
  if (moved.length === 0) return;
  const input = JSON.stringify(
    moved.map(({ own, after: { pickupTripId, pickupStopId, dropTripId, dropStopId } }) => ({
      id: own.id,
      pickupTripId,
      pickupStopId,
      dropTripId,
      dropStopId,
    })),
  );
  const columns = sql`as input (id integer, "pickupTripId" integer, "pickupStopId" integer, "dropTripId" integer,
    "dropStopId" integer)`;
  const { rows: former } = await sql<{ id: number; to: string | null }>`
    select id, effective_to::text as "to" from transport_assignment
    where id = any(${moved.map(({ own }) => own.id)}::integer[]) and effective_from < ${first}::date`.execute(db);
  await sql`update transport_assignment own set effective_to = ${addDays(first, -1)}, version = own.version + 1
    where own.id = any(${former.map((one) => one.id)}::integer[])`.execute(db);
  await sql`update transport_assignment own set pickup_trip_id = input."pickupTripId",
      pickup_stop_id = input."pickupStopId", drop_trip_id = input."dropTripId", drop_stop_id = input."dropStopId",
      version = own.version + 1
    from jsonb_to_recordset(${input}::jsonb) ${columns}
    where own.id = input.id and own.effective_from = ${first}::date`.execute(db);
  const lastDays = new Map(former.map((one) => [one.id, one.to]));
  const continued = moved.flatMap(({ own, after: { studentId, staffId, fee, ...after } }) => {
    const to = lastDays.get(own.id);
    if (to === undefined) return [];
    const { pickupTripId, pickupStopId, dropTripId, dropStopId } = after;
    return [{ formerId: own.id, studentId, staffId, pickupTripId, pickupStopId, dropTripId, dropStopId, to, fee }];
  });
  if (continued.length > 0) await continueRides({ db }, continued, first);
}

/** Children who wait at the stop, with the stop that the moved ways give them; null where they keep theirs. */
async function moveWaits(ctx: UserContext, id: number, targets: ReadonlyMap<'pickup' | 'drop', Target>) {
  const { rows } = await sql<{ id: number; version: number; name: string; ways: 'Both' | 'Pickup' | 'Drop' }>`
    select own.id, own.version, student.name, own.ways from transport_wait own join student on student.id = own.student_id
    where own.stop_id = ${id} and own.state = 'Waiting' order by own.id for update of own`.execute(ctx.db);
  const [pickup, drop] = [targets.get('pickup')?.stopId, targets.get('drop')?.stopId];
  const stopFor = { Pickup: pickup, Drop: drop, Both: pickup === drop ? pickup : undefined };
  const waits = rows.map((row) => ({ ...row, stopId: stopFor[row.ways] ?? null }));
  const moved = waits.filter(({ stopId }) => stopId !== null);
  await sql`update transport_wait own set stop_id = input."stopId", version = own.version + 1
    from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as input (id integer, "stopId" integer)
    where own.id = input.id`.execute(ctx.db);
  await auditAll(
    ctx,
    moved.map(({ id: waitId, name, version }) => ({
      action: 'transport-wait.stop-moved',
      entity: 'transport_wait',
      entityId: waitId,
      version: version + 1,
      details: { Name: name },
    })),
  );
  return waits;
}

export const moveStop: Handler<typeof riderApi.moveStop> = (
  ctx,
  { id, effectiveFrom: day, reason, confirmToken, ...ride },
) =>
  previewOrApply(ctx, confirmToken, async () => {
    await requireStop(ctx, id);
    await lockPeopleOf(ctx, id, day);
    await lockRides(
      ctx,
      hasStop(id, day),
      [ride.pickupTripId, ride.dropTripId].filter((tripId) => tripId !== null),
    );
    const targets = await readTargets(ctx, ride, day);
    const rides = (await readRides(ctx, id, day)).filter(
      ({ pickupStopId, dropStopId }) =>
        (pickupStopId === id && targets.has('pickup')) || (dropStopId === id && targets.has('drop')),
    );
    if (rides.length > most)
      throw new AppError(
        'conflict',
        text`At most ${{ most }} riders are moved at once. Move some of them by name first.`,
      );
    if ([...targets.values()].some(({ stopId }) => stopId === id))
      throw fieldRefusal(
        targets.get('pickup')?.stopId === id ? 'pickupStopId' : 'dropStopId',
        text`Choose another stop.`,
      );
    const wanted = rides.map((own) => {
      const after: Found = { ...own };
      for (const way of ['pickup', 'drop'] as const) {
        const target = targets.get(way);
        if (!target || own[`${way}StopId`] !== id) continue;
        after[`${way}TripId`] = target.tripId;
        after[`${way}StopId`] = target.stopId;
        after[way] = target.stop;
        after[`${way}Price`] = target.price;
      }
      return { own, after };
    });
    const problems = await lockRiders(
      ctx,
      wanted.map(({ after }) => after),
      day,
    );
    const free = new Map([...targets.values()].map(({ tripId, free: seats }) => [tripId, seats]));
    const skipped: { id: number; name: string; reason: Text }[] = [];
    const fitting: typeof wanted = [];
    wanted.forEach(({ own, after }, place) => {
      const needed = (['pickupTripId', 'dropTripId'] as const).flatMap((name) =>
        after[name] !== null && after[name] !== own[name] ? [after[name]] : [],
      );
      const problem = Object.entries(problems).find(([key]) => key.startsWith(`riders.${place}.`))?.[1];
      const why = own.hasRequest
        ? riderMessages.hasRequest
        : own.from > day
          ? riderMessages.beforeStart
          : (problem ?? (needed.some((trip) => (free.get(trip) ?? 0) <= 0) ? riderMessages.noSeat : undefined));
      if (why) {
        skipped.push({ id: own.id, name: own.name, reason: why });
        return;
      }
      for (const trip of needed) free.set(trip, (free.get(trip) ?? 0) - 1);
      fitting.push({ own, after });
    });
    if (!reason)
      await requireNonePassed(
        ctx,
        fitting.map(({ after }) => after),
        day,
      );
    await withTransportMessages(ctx, () => writeRides(ctx, fitting, day));
    const waits = await moveWaits(ctx, id, targets);
    const waiting = waits.filter(({ stopId }) => stopId !== null);
    const charged = await chargeRides(
      ctx,
      fitting.map(({ own }) => own.studentId),
    );
    await auditAll(
      ctx,
      fitting.map(({ own, after }) => ({
        action: 'transport-rider.stop-moved',
        entity: 'transport_assignment',
        entityId: own.id,
        details: {
          Name: own.name,
          Stop: `${stopsOf(own)} → ${stopsOf(after)}`,
          From: showDate(day),
          ...(reason && { Reason: reason }),
        },
      })),
    );
    return {
      answer: {
        changed: fitting.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        moved: fitting.slice(0, mostSkippedShown).map(({ own, after }) => ({
          name: own.name,
          before: stopsOf(own),
          after: stopsOf(after),
          amount: priceOf(own),
          newAmount: priceOf(after),
        })),
        waiting: waiting.map(({ name }) => name),
        waitingStill: waits.filter(({ stopId }) => stopId === null).map(({ name }) => name),
        ofYear: charged.reduce((sum, { difference }) => sum + difference, 0),
      },
      basis: [day, ride, reason, waits, rides.map((own) => [own.id, own.version]), skipped.map((one) => one.id)],
      isRefused: fitting.length === 0 && waiting.length === 0,
    };
  });
