import { type RawBuilder, sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { waitApi, waitList } from '../contract/wait.ts';
import { assign, lockRiders } from './assign.ts';

type Access = Parameters<typeof inScope>[1];

/** The trips of the branches in which these readers reach the user. */
const tripsReached = (user: UserContext['user'], access: Access) => sql`array(select trip.id from transport_trip trip
  join transport_route route on route.id = trip.route_id where ${inScope(user, access, { branch: sql`route.branch_id` })})`;

interface LineRow {
  wait_id: number;
  pickup_trips: number[];
  drop_trips: number[];
  place: number;
  free_from: string | null;
}

/** The line with the trips of the user’s branches. */
const lineFor = ({ user, now }: UserContext, access: Access) =>
  sql<LineRow>`transport_line_seats(${toLocalDate(now())}::date, ${tripsReached(user, access)})`;

const listedWaits = ({ db, user }: UserContext, access: Access) =>
  db
    .selectFrom('transport_wait as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .innerJoin('transport_stop as stop', 'stop.id', 'own.stop_id')
    .where(inScope(user, access, { branch: sql`student.branch_id` }))
    .select(['own.id', 'own.student_id as studentId', 'student.name', 'stop.name as stop'])
    .select(['own.asked_on as askedOn', 'own.wanted_from as wantedFrom', 'own.note'])
    .select([
      sql<'Both' | 'Pickup' | 'Drop'>`own.ways`.as('ways'),
      sql<'Waiting' | 'Seated' | 'Withdrawn'>`own.state`.as('state'),
    ]);
type ListedWait = Awaited<ReturnType<ReturnType<typeof listedWaits>['executeTakeFirstOrThrow']>>;

const isWaiting = sql<boolean>`own.state = 'Waiting'`;

const served = serveList(waitList, (ctx) => ({
  query: listedWaits(ctx, waitList.access),
  id: 'own.id',
  isPeople: true,
  matches: (word) => sql<boolean>`concat_ws(' ', student.name, student.gr_no, stop.name) ilike ${contains(word)}`,
  tabs: { waiting: isWaiting, done: sql<boolean>`own.state <> 'Waiting'`, all: undefined },
  filters: { stopId: (id) => sql<boolean>`own.stop_id = ${Number(id)}` },
  sorts: {
    name: { by: sql`student.sort_name`, as: 'text' },
    askedOn: { by: sql`own.asked_on`, as: 'date' },
  },
  toRows: async (rows: ListedWait[]) => {
    const ids = rows.flatMap(({ id, state }) => (state === 'Waiting' ? [id] : []));
    const { rows: line } = await sql<LineRow>`select line.wait_id, line.place, line.free_from::text as free_from
      from ${lineFor(ctx, waitList.access)} line where line.wait_id = any(${ids}::integer[])`.execute(ctx.db);
    const placeOf = new Map(line.map((own) => [own.wait_id, own]));
    return rows.map((row) => ({
      ...row,
      number: placeOf.get(row.id)?.place ?? null,
      freeFrom: placeOf.get(row.id)?.free_from ?? '',
    }));
  },
}));
export const waitFigures = served.figures;

const add: Handler<typeof waitApi.add> = async (ctx, input) => {
  const { db } = ctx;
  const { studentId, stopId, ways, wantedFrom, askedOn, note } = input;
  const noRide = { pickupTripId: null, pickupStopId: null, dropTripId: null, dropStopId: null };
  // A seat given at the same time is seen below.
  await sql`select from student where id = ${studentId} for no key update`.execute(db);
  const problems = await lockRiders(ctx, [{ studentId, staffId: null, ...noRide }], wantedFrom);
  const [problem] = Object.values(problems);
  if (problem) throw fieldRefusal('studentId', problem);
  const { rows: seated } = await sql`select from transport_assignment where student_id = ${studentId}
    and coalesce(effective_to, 'infinity') >= ${wantedFrom}::date`.execute(db);
  if (seated.length > 0)
    throw fieldRefusal('studentId', text`This child has a seat then. Ask for a stop change instead.`);
  const row = await db
    .insertInto('transport_wait')
    .values({
      student_id: studentId,
      stop_id: stopId,
      ways,
      wanted_from: wantedFrom,
      asked_on: askedOn,
      note,
      entered_by: ctx.user.staffId ?? 0,
      entered_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (isDuplicate(error, 'transport_wait_once'))
        throw fieldRefusal('studentId', text`This child is in the line already. Withdraw the earlier entry first.`);
      throw error;
    });
  await record(ctx, 'added', row.id, { From: showDate(wantedFrom), Asked: showDate(askedOn) });
  return row;
};

const record = (ctx: UserContext, act: string, id: number, details: Record<string, string> = {}) =>
  audit(ctx, { action: `transport-wait.${act}`, entity: 'transport_wait', entityId: id, details });

/** Locks an entry of the line; refuses one that no longer waits. */
async function lockWaiting({ db, user }: UserContext, id: number, access: Access) {
  const row = await db
    .selectFrom('transport_wait as own')
    .innerJoin('student', 'student.id', 'own.student_id')
    .where('own.id', '=', id)
    .where(inScope(user, access, { branch: sql`student.branch_id` }))
    .select(['own.student_id', 'own.stop_id', 'own.ways', 'own.state', 'student.name'])
    .forUpdate('own')
    .executeTakeFirstOrThrow(notFound);
  if (row.state !== 'Waiting') throw new AppError('conflict', text`${{ name: row.name }} no longer waits for a seat.`);
  return row;
}

/** Of the trips that take the child, per way the one with the most seats free for good from a day on. */
async function findTrips(ctx: UserContext, id: number, day: string) {
  const { rows } = await sql<{ pickup: number | null; home: number | null; first: string | null }>`
    select ${bestOf(sql`line.pickup_trips`, day)} as pickup, ${bestOf(sql`line.drop_trips`, day)} as home,
      line.free_from::text as first
    from ${lineFor(ctx, transportKeepers)} line where line.wait_id = ${id}`.execute(ctx.db);
  return rows[0];
}

const bestOf = (trips: RawBuilder<unknown>, day: string) => sql<number | null>`(
  select trip from unnest(${trips}) as trip
  where transport_first_free(trip, ${day}::date, 1, null, null) = ${day}::date
  order by transport_free(trip, ${day}::date, null, null) desc, trip limit 1)`;

const give: Handler<typeof waitApi.give> = async (ctx, { id, effectiveFrom, reason, confirmToken }) => {
  const { student_id: studentId, stop_id: stopId, ways, name } = await lockWaiting(ctx, id, transportKeepers);
  const found = await findTrips(ctx, id, effectiveFrom);
  if (!found)
    throw new AppError('conflict', text`${{ name }} is not at the school on the day from which a seat is wanted.`);
  const lacks = (ways !== 'Drop' && !found.pickup) || (ways !== 'Pickup' && !found.home);
  if (lacks)
    throw fieldRefusal(
      'effectiveFrom',
      found.first === null || found.first <= effectiveFrom
        ? text`No trip at this stop always has a free seat from this day on.`
        : text`A seat is free from ${{ day: showDate(found.first) }}.`,
    );
  const way = (trip: number | null, wanted: boolean) =>
    wanted && trip !== null ? ([trip, stopId] as const) : [null, null];
  const [pickupTripId, pickupStopId] = way(found.pickup, ways !== 'Drop');
  const [dropTripId, dropStopId] = way(found.home, ways !== 'Pickup');
  const rider = {
    studentId,
    staffId: null,
    pickupTripId,
    pickupStopId,
    dropTripId,
    dropStopId,
    fee: 'By stop' as const,
  };
  const answer = await giveSeat(ctx, { riders: [rider], effectiveFrom, billedFrom: '', reason, confirmToken });
  if (answer.isApplied)
    await record(ctx, 'seated', id, { From: showDate(effectiveFrom), ...(reason && { Reason: reason }) });
  return answer;
};

/** The form of a waiting child has no riders: what the child or a trip lacks is of the day. */
async function giveSeat(ctx: UserContext, given: Parameters<typeof assign>[1]) {
  try {
    return await assign(ctx, given);
  } catch (error) {
    const [problem] = Object.entries(error instanceof AppError ? error.fields : {});
    throw problem?.[0].startsWith('riders.') ? fieldRefusal('effectiveFrom', problem[1]) : error;
  }
}

const withdraw: Handler<typeof waitApi.withdraw> = async (ctx, { id }) => {
  await lockWaiting(ctx, id, waitApi.withdraw.access);
  await ctx.db
    .updateTable('transport_wait')
    .set({ state: 'Withdrawn', version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  await record(ctx, 'withdrawn', id);
  return {};
};

export const waitRoutes = [...served.routes, ...routes(waitApi, { add, give, withdraw })];

/** So many days ahead a seat that becomes free is a to-do. */
const ahead = 30;

/** Children who are first in line and for whom a seat is free, or becomes free soon. */
export const seatTodo: TodoSource = {
  kind: 'seat',
  title: text`Seats for children who wait`,
  icon: 'bus',
  roles: ['Staff'],
  sets: ['transportIncharge'],
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const rows = await listedWaits(ctx, transportKeepers)
      .innerJoin(lineFor(ctx, transportKeepers).as('line'), 'line.wait_id', 'own.id')
      .where(isWaiting)
      .where('line.place', '=', 1)
      .where(sql<boolean>`line.free_from <= ${addDays(today, ahead)}::date`)
      .select(sql<string>`line.free_from::text`.as('day'))
      .orderBy('own.asked_on')
      .orderBy('own.id')
      .execute();
    return {
      total: rows.length,
      to: 'transport/wait',
      rows: rows.slice(0, most).map(({ id, name, stop, day, askedOn }) => ({
        id,
        when: day <= today ? 'today' : 'soon',
        title: name,
        about: stop,
        detail: text`First in line since ${{ asked: showDate(askedOn) }}. A seat is free from ${{ day: showDate(day) }}.`,
        to: `transport/wait?search=${encodeURIComponent(name)}`,
        act: text`Give the seat`,
      })),
    };
  },
};
