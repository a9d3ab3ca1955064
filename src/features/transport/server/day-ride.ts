import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { Move, todayApi } from '../contract/today.ts';
import { isServed, ridingOn, runsOn } from './elsewhere.ts';
import { type Found, findTrips } from './found-trips.ts';
import { explained } from './messages.ts';
import { layTrips, lockTrips } from './standing.ts';
import { tellOfActs } from './tell-families.ts';
import { ridersTouchedBy } from './touched-riders.ts';

/** A rider with what is found of the own and the other trip. */
interface FoundMove extends Move {
  name: string;
  own: string;
  other: string | null;
  from: string;
}

interface Act {
  act: string;
  from: string;
  to: string;
  reason: string;
  isTold: boolean;
}

const changed = text`The riders of the trip have changed. Check them again.`;

/** Of riders of these trips what they get instead; refuses one who is not on them, and a trip that does not serve the rider. */
export async function findMoves(
  { db, user }: UserContext,
  trips: readonly Found[],
  moves: readonly Move[],
  days: { from: string; to: string },
): Promise<FoundMove[]> {
  if (moves.length === 0) return [];
  const tripIds = trips.map(({ id }) => id);
  const { rows } = await sql<FoundMove & { isServed: boolean; ownId: number }>`
    select input."rideId", input.way, input."tripId", input."stopId", riding.trip_id as "ownId",
      coalesce(student.name, staff.name) as name, own_route.name as own, route.name as other,
      (input."tripId" is null or (trip.direction = input.way and route.is_active
        and trip.id <> all(${tripIds}::integer[]) and ${isServed(days)} and ${runsOn(days)}
        and ${inScope(user, transportKeepers, { branch: sql`route.branch_id` })})) is true as "isServed"
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb)
      as input ("rideId" integer, way text, "tripId" integer, "stopId" integer)
    join ${ridingOn(tripIds, days)} as riding on riding.assignment_id = input."rideId" and riding.way = input.way
    join transport_assignment ride on ride.id = riding.assignment_id
    join transport_trip own on own.id = riding.trip_id
    join transport_route own_route on own_route.id = own.route_id
    left join transport_trip trip on trip.id = input."tripId"
    left join transport_route route on route.id = trip.route_id
    left join transport_time_slot slot on slot.id = trip.time_slot_id
    left join student on student.id = ride.student_id
    left join staff on staff.id = ride.staff_id
    left join lateral student_place(ride.student_id, greatest(ride.effective_from, ${days.from}::date)) place on true
    order by input."rideId", input.way`.execute(db);
  if (rows.length !== moves.length) throw new AppError('conflict', changed);
  const wrong = rows.find((row) => !row.isServed);
  if (wrong) throw new AppError('conflict', text`Choose another trip for ${{ name: wrong.name }}.`);
  const firstDays = new Map(trips.map(({ id, from }) => [id, from]));
  return rows.map(({ isServed: _, ownId, ...row }) => ({ ...row, from: firstDays.get(ownId) ?? days.from }));
}

/** Writes the other rides of an act; the database counts the seats of both trips. */
export async function moveRiders(ctx: UserContext, moves: readonly FoundMove[], { act, to, reason, isTold }: Act) {
  if (moves.length === 0) return;
  await ctx.db
    .insertInto('transport_day_ride')
    .values(
      moves.map(({ rideId, way, tripId, stopId, from }) => ({
        assignment_id: rideId,
        way,
        trip_id: tripId,
        stop_id: stopId,
        effective_from: from,
        effective_to: to,
        reason,
        act,
        is_told: isTold,
        entered_by: ctx.user.staffId ?? 0,
        entered_at: ctx.now(),
      })),
    )
    .execute();
  await auditAll(
    ctx,
    moves.map(({ rideId, name, own, other, from }) => ({
      action: 'transport-rider.other-bus',
      entity: 'transport_assignment',
      entityId: rideId,
      details: {
        Name: name,
        Trip: `${own} → ${other ?? '–'}`,
        From: showDate(from),
        Until: showDate(to),
        ...(reason && { Reason: reason }),
      },
    })),
  );
}

/** Of a trip that does not run, every rider rides on another one or on none. */
async function requirePlaced({ db }: UserContext, trips: readonly Found[], days: { from: string; to: string }) {
  const { rows } = await sql<{ name: string }>`
    select coalesce(student.name, staff.name) as name
    from ${ridingOn(
      trips.map(({ id }) => id),
      days,
    )} as riding
    join transport_assignment ride on ride.id = riding.assignment_id
    left join student on student.id = ride.student_id
    left join staff on staff.id = ride.staff_id
    order by name limit 10`.execute(db);
  if (rows.length > 0)
    throw fieldRefusal(
      'moves',
      text`Choose another bus, or none, for ${{ names: rows.map(({ name }) => name).join(', ') }}.`,
    );
}

export const dayRides: Handler<typeof todayApi.dayRides> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { id, isNotRunning, isTold, effectiveFrom: from, effectiveTo: to, reason } = input;
    const asked = { tripId: id, role: 'Vehicle', isAll: false, from, to } as const;
    await findTrips(ctx, asked);
    if (from < toLocalDate(ctx.now())) throw fieldRefusal('effectiveFrom', text`Choose today or a later day.`);
    if (input.moves.length === 0 && !isNotRunning) throw fieldRefusal('moves', text`Choose the riders.`);
    await lockTrips(ctx, [id, ...input.moves.flatMap(({ tripId }) => tripId ?? [])]);
    const trips = await findTrips(ctx, asked);
    const act = { act: randomUUID(), from, to, reason, isTold };
    const moves = await findMoves(ctx, trips, input.moves, { from, to });
    const { touched, shown } = await ridersTouchedBy(ctx, { tripIds: [id], day: from }, () =>
      explained(async () => {
        await moveRiders(ctx, moves, act);
        if (!isNotRunning) return;
        await requirePlaced(ctx, trips, { from, to });
        await ctx.db
          .insertInto('transport_stand_in')
          .values({
            trip_id: id,
            role: 'Not running',
            effective_from: from,
            effective_to: to,
            reason,
            act: act.act,
            is_told: isTold,
            entered_by: ctx.user.staffId ?? 0,
            entered_at: ctx.now(),
          })
          .execute();
        await layTrips(ctx, [id]);
      }),
    );
    if (isNotRunning)
      await auditAll(
        ctx,
        trips.map(({ words }) => ({
          action: 'transport-trip.not-running',
          entity: 'transport_trip',
          entityId: id,
          details: { Trip: words, From: showDate(from), Until: showDate(to), ...(reason && { Reason: reason }) },
        })),
      );
    const families = isTold ? await tellOfActs(ctx, [act.act]) : 0;
    return { answer: { act: act.act, trips: 1, families, ...shown }, basis: [input, trips, moves, touched] };
  });
