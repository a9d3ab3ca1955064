import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { routeApi } from '../contract/route.ts';
import { withTransportMessages } from './messages.ts';
import { lockRoute, raiseRoute, readPlans } from './route.ts';

interface PlannedStop {
  stopId: number;
  offsetMin: number;
}

const mostShown = 100;

/** Replaces the plans from a day on; the plan before ends on the day before. */
async function writePlan(
  { db }: Pick<UserContext, 'db'>,
  routeId: number,
  effectiveFrom: string,
  stops: readonly PlannedStop[],
) {
  // The trips are locked first, since the deferred check of their riders locks them too.
  await sql`select 1 from transport_trip where route_id = ${routeId} order by id for no key update`.execute(db);
  await db
    .deleteFrom('transport_route_plan')
    .where('route_id', '=', routeId)
    .where('effective_from', '>=', effectiveFrom)
    .execute();
  await db
    .updateTable('transport_route_plan')
    .set({ effective_to: sql`${effectiveFrom}::date - 1` })
    .where('route_id', '=', routeId)
    .where(sql<boolean>`coalesce(effective_to, 'infinity') >= ${effectiveFrom}::date`)
    .execute();
  const { id } = await db
    .insertInto('transport_route_plan')
    .values({ route_id: routeId, effective_from: effectiveFrom })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = stops.map(({ stopId, offsetMin }, place) => ({
    plan_id: id,
    seq: place + 1,
    stop_id: stopId,
    offset_min: offsetMin,
  }));
  await insertRows(db, 'transport_route_stop', rows);
}

/** Minutes after the start of each rider's stop, for those who ride on the day or later. */
const readMinutes = async ({ db }: Pick<UserContext, 'db'>, routeId: number, day: string) => {
  const { rows } = await sql<{ id: number; name: string; stop: string; time: string | null }>`
    select ride.id, coalesce(student.name, staff.name) as name, stop.name as stop,
      to_char(times.starts::time + make_interval(mins => own.offset_min), 'HH24:MI') as time
    from transport_assignment ride
    join transport_trip trip on trip.route_id = ${routeId} and trip.id in (ride.pickup_trip_id, ride.drop_trip_id)
    join transport_stop stop
      on stop.id = case when ride.pickup_trip_id = trip.id then ride.pickup_stop_id else ride.drop_stop_id end
    left join student on student.id = ride.student_id
    left join staff on staff.id = ride.staff_id
    cross join lateral (select greatest(ride.effective_from, ${day}::date) as day) as first
    left join transport_route_plan plan on plan.route_id = trip.route_id
      and first.day between plan.effective_from and coalesce(plan.effective_to, 'infinity')
    left join transport_route_stop own on own.plan_id = plan.id and own.stop_id = stop.id
    left join transport_slot_plan times on times.time_slot_id = trip.time_slot_id
      and first.day between times.effective_from and coalesce(times.effective_to, 'infinity')
    where coalesce(ride.effective_to, 'infinity') >= ${day}::date
    order by name, ride.id`.execute(db);
  return rows;
};

const plan: Handler<typeof routeApi.plan> = (ctx, { id, version, effectiveFrom, stops, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const route = await lockRoute(ctx, { id, version });
    const planned = stops.map(({ stopId, offsetMin }) => ({ stopId: stopId ?? 0, offsetMin: offsetMin ?? 0 }));
    const before = new Map((await readMinutes(ctx, id, effectiveFrom)).map((row) => [row.id, row]));
    const after = await withTransportMessages(ctx, async () => {
      await writePlan(ctx, id, effectiveFrom, planned);
      return readMinutes(ctx, id, effectiveFrom);
    });
    const touched = after.flatMap((row) => {
      const was = before.get(row.id)?.time ?? '';
      return was === row.time ? [] : [{ name: row.name, stop: row.stop, before: was, after: row.time ?? '' }];
    });
    await raiseRoute(ctx, id);
    const details = { From: showDate(effectiveFrom), Stops: planned.length, Riders: touched.length };
    const act = { action: 'transport-route.planned', entity: 'transport_route', entityId: id, version: version + 1 };
    await audit(ctx, { ...act, details });
    const answer = { riders: touched.slice(0, mostShown), count: touched.length };
    return { answer, basis: [route, effectiveFrom, planned, touched] };
  });

const reverse: Handler<typeof routeApi.reverse> = async (ctx, { id, version, effectiveFrom }) => {
  const route = await lockRoute(ctx, { id, version });
  const found = (await readPlans(ctx, id, effectiveFrom)).find((plan) => plan.effectiveFrom <= effectiveFrom);
  if (!found) throw new AppError('conflict', text`The route has no stops on this day.`);
  const last = found.stops.at(-1)?.offsetMin ?? 0;
  const stops = found.stops.map(({ stopId, offsetMin }) => ({ stopId, offsetMin: last - offsetMin })).reverse();
  return withTransportMessages(ctx, async () => {
    const partnerId = route.partnerId ?? (await addPartner(ctx, route));
    await writePlan(ctx, partnerId, effectiveFrom, stops);
    const saved = await raiseRoute(ctx, partnerId);
    const act = { action: 'transport-route.reversed', entity: 'transport_route', version: saved.version };
    const details = { Of: route.name, From: showDate(effectiveFrom), Stops: stops.length };
    await audit(ctx, { ...act, entityId: partnerId, details });
    return saved;
  });
};

async function addPartner(
  ctx: UserContext,
  {
    id,
    code,
    name,
    direction,
    branchId,
  }: { id: number; code: string; name: string; direction: string; branchId: number },
) {
  const other = direction === 'Pickup' ? 'Drop' : 'Pickup';
  const made = await ctx.db
    .insertInto('transport_route')
    .values({
      code: `${code.slice(0, 8)}-${other.charAt(0)}`,
      name: `${name.slice(0, 70)}, ${other.toLowerCase()}`,
      direction: other,
      branch_id: branchId,
      partner_id: id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('transport_route')
    .set({ partner_id: made.id, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  return made.id;
}

export const routePlanRoutes = routes({ plan: routeApi.plan, reverse: routeApi.reverse }, { plan, reverse });
