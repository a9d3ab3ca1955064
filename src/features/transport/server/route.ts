import { type RawBuilder, sql } from 'kysely';
import { transportKeepers, transportReaders } from '#access/contract/grants.ts';
import { inScope, otherBranch, reachesBranch } from '#access/server/scope.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { english } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import type { Direction } from '../contract/masters.ts';
import { type Route, type RoutePlan, routeApi, routeList, type Trip } from '../contract/route.ts';
import { lackingPapers } from './lacking.ts';
import { withTransportMessages } from './messages.ts';

export const isOn = (day: string, from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
  sql<boolean>`${day}::date between ${from} and coalesce(${to}, 'infinity')`;

const ridersOf = (day: string) => sql<number>`(select coalesce(sum(transport_riders(trip.id, ${day})), 0)::integer
  from transport_trip trip where trip.route_id = route.id)`;
/** Of the fullest trip, in percent. */
const usedOf = (day: string) => sql<number | null>`(
  select max(transport_riders(trip.id, ${day}) * 100 / duty.seats) from transport_trip trip
  join transport_duty duty on duty.trip_id = trip.id and duty.seats > 0
    and ${isOn(day, sql`duty.effective_from`, sql`duty.effective_to`)}
  where trip.route_id = route.id)`;

const listedRoutes = ({ db, user }: UserContext, day: string) =>
  db
    .selectFrom('transport_route as route')
    .innerJoin('academic_branch as branch', 'branch.id', 'route.branch_id')
    .where(inScope(user, transportReaders, { branch: sql`route.branch_id` }))
    .select(['route.id', 'route.name', 'route.code', 'route.is_active as isActive', 'branch.name as branch'])
    .select(sql<Direction>`route.direction`.as('direction'))
    .select([
      sql<number>`(select count(*)::integer from transport_route_plan plan
          join transport_route_stop stop on stop.plan_id = plan.id
          where plan.route_id = route.id and ${isOn(day, sql`plan.effective_from`, sql`plan.effective_to`)})`.as(
        'stops',
      ),
      sql<number>`(select count(*)::integer from transport_trip where route_id = route.id)`.as('trips'),
      ridersOf(day).as('riders'),
      usedOf(day).as('used'),
      sql<string>`coalesce((select string_agg(distinct vehicle.fleet_no, ', ') from transport_trip trip
          join transport_duty duty on duty.trip_id = trip.id
            and ${isOn(day, sql`duty.effective_from`, sql`duty.effective_to`)}
          join transport_vehicle vehicle on vehicle.id = duty.vehicle_id where trip.route_id = route.id), '')`.as(
        'vehicles',
      ),
    ]);
type ListedRoute = Awaited<ReturnType<ReturnType<typeof listedRoutes>['executeTakeFirstOrThrow']>>;

export const { routes: routeListRoutes, figures: routeFigures } = serveList(routeList, (ctx) => {
  const day = toLocalDate(ctx.now());
  const ofTrip = (condition: RawBuilder<boolean>) => sql<boolean>`exists (
    select from transport_trip trip left join transport_duty duty on duty.trip_id = trip.id
      and ${isOn(day, sql`duty.effective_from`, sql`duty.effective_to`)}
    where trip.route_id = route.id and ${condition})`;
  return {
    query: listedRoutes(ctx, day),
    id: 'route.id',
    matches: (word) => sql<boolean>`concat_ws(' ', route.code, route.name) ilike ${contains(word)}`,
    tabs: {
      active: sql<boolean>`route.is_active`,
      full: sql<boolean>`route.is_active and coalesce(${usedOf(day)}, 0) > 90`,
      all: undefined,
    },
    filters: {
      direction: (word) => sql<boolean>`route.direction = ${word}`,
      timeSlotId: (id) => ofTrip(sql`trip.time_slot_id = ${Number(id)}`),
      vehicleId: (id) => ofTrip(sql`duty.vehicle_id = ${Number(id)}`),
      stopId: (id) => sql<boolean>`exists (select from transport_route_plan plan
        join transport_route_stop stop on stop.plan_id = plan.id
        where plan.route_id = route.id and stop.stop_id = ${Number(id)}
          and ${isOn(day, sql`plan.effective_from`, sql`plan.effective_to`)})`,
      branchId: (id) => sql<boolean>`route.branch_id = ${Number(id)}`,
    },
    sorts: {
      name: { by: sql`lower(route.name)`, as: 'text' },
      code: { by: sql`lower(route.code)`, as: 'text' },
    },
    toRows: async (rows: ListedRoute[]) => rows,
  };
});

const ownRoutes = ({ db, user }: UserContext) =>
  db
    .selectFrom('transport_route as route')
    .innerJoin('academic_branch as branch', 'branch.id', 'route.branch_id')
    .where(inScope(user, transportReaders, { branch: sql`route.branch_id` }))
    .select(['route.id', 'route.version', 'route.code', 'route.name', 'route.branch_id as branchId'])
    .select(['route.partner_id as partnerId', 'route.is_active as isActive', 'branch.name as branch'])
    .select(sql<Direction>`route.direction`.as('direction'));

type RouteRow = Awaited<ReturnType<ReturnType<typeof ownRoutes>['executeTakeFirstOrThrow']>>;

/** Locks a route of the user's branches; throws `stale` when the given version is not the current one. */
export async function lockRoute(
  ctx: UserContext,
  { id, version }: { id: number; version?: number },
): Promise<RouteRow> {
  const found = await ownRoutes(ctx).where('route.id', '=', id).forUpdate('route').executeTakeFirstOrThrow(notFound);
  requireVersion(found, version, { saved: found });
  return found;
}

export const raiseRoute = ({ db }: Pick<UserContext, 'db'>, id: number) =>
  db
    .updateTable('transport_route')
    .set({ version: sql`version + 1` })
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();

/** The plans of a route on a day and later, each with the riders of its stops. */
export async function readPlans({ db }: Pick<UserContext, 'db'>, routeId: number, day: string): Promise<RoutePlan[]> {
  const { rows } = await sql<RoutePlan>`
    select plan.id, plan.effective_from as "effectiveFrom", coalesce(plan.effective_to::text, '') as "effectiveTo",
      coalesce((select json_agg(json_build_object('stopId', stop.id, 'name', stop.name, 'offsetMin', own.offset_min,
          'riders', (select count(*) from transport_assignment ride
            join transport_trip trip on trip.route_id = plan.route_id
              and ((ride.pickup_trip_id = trip.id and ride.pickup_stop_id = stop.id)
                or (ride.drop_trip_id = trip.id and ride.drop_stop_id = stop.id))
            where coalesce(ride.effective_to, 'infinity') >= ${day}::date)) order by own.seq)
        from transport_route_stop own join transport_stop stop on stop.id = own.stop_id where own.plan_id = plan.id),
        '[]') as stops
    from transport_route_plan plan
    where plan.route_id = ${routeId} and coalesce(plan.effective_to, 'infinity') >= ${day}::date
    order by plan.effective_from`.execute(db);
  return rows;
}

async function readTrips({ db }: Pick<UserContext, 'db'>, routeId: number, day: string): Promise<Trip[]> {
  const { rows } = await sql<Trip>`
    select trip.id, slot.id as "timeSlotId", slot.name as slot, coalesce(plan.starts, slot.starts) as starts,
      coalesce(plan.ends, slot.ends) as ends, transport_riders(trip.id, ${day}) as riders,
      coalesce((select json_agg(json_build_object('id', duty.id, 'vehicleId', vehicle.id, 'vehicle', vehicle.fleet_no,
          'seats', duty.seats, 'driverId', duty.driver_id, 'driver', driver.name, 'attendantId', duty.attendant_id,
          'attendant', attendant.name, 'effectiveFrom', duty.effective_from,
          'effectiveTo', coalesce(duty.effective_to::text, ''), 'lacking', ${lackingPapers(day)},
          'standing', (select json_build_object('vehicleId', max(own.vehicle_id),
              'driverId', max(own.crew_id) filter (where own.role = 'Driver'),
              'attendantId', max(own.crew_id) filter (where own.role = 'Attendant'))
            from transport_standing own where own.trip_id = trip.id and greatest(duty.effective_from, ${day}::date + 1)
              between own.effective_from and coalesce(own.effective_to, 'infinity')))
          order by duty.effective_from)
        from transport_duty duty
        join transport_vehicle vehicle on vehicle.id = duty.vehicle_id
        join transport_crew crew on crew.id = duty.driver_id join staff driver on driver.id = crew.staff_id
        join transport_crew helper on helper.id = duty.attendant_id join staff attendant on attendant.id = helper.staff_id
        where duty.trip_id = trip.id and coalesce(duty.effective_to, 'infinity') >= ${day}::date), '[]') as duties
    from transport_trip trip
    join transport_time_slot slot on slot.id = trip.time_slot_id
    left join transport_slot_plan plan on plan.time_slot_id = slot.id
      and ${isOn(day, sql`plan.effective_from`, sql`plan.effective_to`)}
    where trip.route_id = ${routeId}
    order by starts, slot.name`.execute(db);
  return rows;
}

const read: Handler<typeof routeApi.read> = async (ctx, { id }): Promise<Route> => {
  const found = await ownRoutes(ctx).where('route.id', '=', id).executeTakeFirstOrThrow(notFound);
  const today = toLocalDate(ctx.now());
  const plans = await readPlans(ctx, id, today);
  const trips = await readTrips(ctx, id, today);
  return { ...found, today, plans, trips, may: { change: isGranted(transportKeepers, ctx.user) } };
};

const history: Handler<typeof routeApi.history> = async (ctx, asked) => {
  await ownRoutes(ctx).where('route.id', '=', asked.id).executeTakeFirstOrThrow(notFound);
  return readHistory(ctx, 'transport_route', asked);
};

const create: Handler<typeof routeApi.create> = async (ctx, { code, name, direction, branchId }) => {
  if (!reachesBranch(ctx.user, branchId)) throw fieldRefusal('branchId', otherBranch);
  const made = await withTransportMessages(ctx, () =>
    ctx.db
      .insertInto('transport_route')
      .values({ code, name, direction, branch_id: branchId })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow(),
  );
  const details = { Code: code, Name: name, Direction: direction };
  await audit(ctx, {
    action: 'transport-route.created',
    entity: 'transport_route',
    entityId: made.id,
    version: 1,
    details,
  });
  return made;
};

const update: Handler<typeof routeApi.update> = async (ctx, { id, version, code, name, isActive }) => {
  const before = await lockRoute(ctx, { id, version });
  const details: Record<string, string> = {};
  if (before.code !== code) details.Code = `${before.code} → ${code}`;
  if (before.name !== name) details.Name = `${before.name} → ${name}`;
  const [was, is] = [before.isActive, isActive].map((active) => (active ? 'Yes' : 'No'));
  if (was !== is) details[english(isActiveLabel)] = `${was} → ${is}`;
  if (Object.keys(details).length === 0) return { id, version };
  const saved = await withTransportMessages(ctx, async () => {
    await ctx.db.updateTable('transport_route').set({ code, name, is_active: isActive }).where('id', '=', id).execute();
    return raiseRoute(ctx, id);
  });
  const act = { action: 'transport-route.changed', entity: 'transport_route', entityId: id, version: saved.version };
  await audit(ctx, { ...act, details });
  return saved;
};

export const routeRoutes = routes(
  { read: routeApi.read, history: routeApi.history, create: routeApi.create, update: routeApi.update },
  { read, history, create, update },
);
