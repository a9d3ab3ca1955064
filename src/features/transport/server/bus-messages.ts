import { sql } from 'kysely';
import { firstContacts, shortNames } from '#features/family/api.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import { readSettings } from '#kit/server/settings.ts';
import type { Role } from '../contract/route.ts';
import { type Change, type Missing, noneWords, usualWords, words } from './bus-words.ts';
import { isStillToRun, localTime } from './running.ts';
import { toldRoles, transportPhone } from './settings.ts';
import { childrenOf, rolesOf, sending, sendingOf } from './told-children.ts';

/** In a query of `ride`: the ride is on one of these trips, or usually is. */
const isOnSome = (trips: readonly number[]) =>
  sql<boolean>`(ride.trip_id = any(${trips}::integer[]) or ride.usual_trip_id = any(${trips}::integer[]))`;

/** What differs on a day from the standing rows, for some children; `trips` asks for all of their rides on these trips instead. */
async function readChanges(
  { db, now }: Pick<Context, 'db' | 'now'>,
  studentIds: readonly number[],
  day: string,
  { roles, trips }: { roles: readonly Role[]; trips?: readonly number[] },
) {
  const isDifferent = sql`(ride.is_other or exists (
    select from transport_standing own where own.trip_id = trip.id and own.role = any(${roles}::text[])
      and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
      and coalesce(own.vehicle_id, own.crew_id) <> case own.role when 'Vehicle' then duty.vehicle_id
        when 'Driver' then duty.driver_id else duty.attendant_id end))`;
  const { rows } = await sql<Change>`
    select ride.student_id as "studentId", student.first_name as child, route.name as route, stop.name as stop,
      coalesce(transport_time(trip.id, stop.id, ${day}), '') as time, vehicle.fleet_no as vehicle,
      vehicle.registration_no as plate, staff.name as driver, helper_staff.name as attendant
    from transport_rides_on(${day}) ride
    join student on student.id = ride.student_id
    join transport_trip trip on trip.id = ride.trip_id
    join transport_route route on route.id = trip.route_id
    join transport_stop stop on stop.id = ride.stop_id
    join transport_duty duty on duty.trip_id = trip.id
      and ${day}::date between duty.effective_from and coalesce(duty.effective_to, 'infinity')
    join transport_vehicle vehicle on vehicle.id = duty.vehicle_id
    join transport_crew crew on crew.id = duty.driver_id join staff on staff.id = crew.staff_id
    join transport_crew helper on helper.id = duty.attendant_id join staff helper_staff on helper_staff.id = helper.staff_id
    join transport_slot_plan plan on plan.id = duty.slot_plan_id
      and ${isStillToRun(sql`${day}::date`, toLocalDate(now()), localTime(now()))}
    where ride.student_id = any(${studentIds}::integer[])
      and ${trips ? isOnSome(trips) : isDifferent}
    order by student.first_name, ride.student_id, time, trip.id`.execute(db);
  return rows;
}

/** The rides of some children that have no bus on a day. */
async function readNone({ db, now }: Pick<Context, 'db' | 'now'>, studentIds: readonly number[], day: string) {
  const { rows } = await sql<Missing & { studentId: number }>`
    select ride.student_id as "studentId", student.first_name as child, route.name as route
    from transport_rides_on(${day}) ride
    join student on student.id = ride.student_id
    join transport_trip trip on trip.id = ride.usual_trip_id
    join transport_route route on route.id = trip.route_id
    join transport_slot_plan plan on plan.time_slot_id = trip.time_slot_id
      and ${day}::date between plan.effective_from and coalesce(plan.effective_to, 'infinity')
      and ${isStillToRun(sql`${day}::date`, toLocalDate(now()), localTime(now()))}
    where ride.trip_id is null and ride.student_id = any(${studentIds}::integer[])
    order by student.first_name, ride.student_id, trip.id`.execute(db);
  return rows;
}

/**
 * The children of a message and their day, when it is sent: those for whom this adult is called first. The last one to an adult
 * about a day names all that changes on it, and an earlier one that waits is not sent.
 */
async function findTold(ctx: Pick<Context, 'db' | 'now'>, id: number, kind: 'transport.changed' | 'transport.none') {
  const told = await ctx.db
    .selectFrom('transport_told')
    .where('id', '=', id)
    .select(['act', sql<number>`guardian_now(guardian_id)`.as('guardianId')])
    .executeTakeFirst();
  if (!told) return undefined;
  const { rows: all } = await sql<{ id: number; act: string }>`
    select told.id, told.act::text from transport_told told
    where guardian_now(told.guardian_id) = ${told.guardianId} and (
      exists (select from transport_stand_in own
        where own.act = told.act and own.effective_to >= ${toLocalDate(ctx.now())}::date)
      or exists (select from transport_day_ride own
        where own.act = told.act and own.effective_to >= ${toLocalDate(ctx.now())}::date))`.execute(ctx.db);
  const { told: toldOf } = await readSettings(ctx, { told: toldRoles });
  const roles = rolesOf(toldOf);
  const found = await childrenOf(
    ctx,
    all.map(({ act }) => act),
    roles,
  );
  const contacts = await firstContacts(
    ctx,
    sending,
    found.map(({ studentId }) => studentId),
  );
  const own = found.filter(
    ({ studentId, hasNone, hasBus }) =>
      contacts.get(studentId)?.guardianId === told.guardianId && (kind === 'transport.none' ? hasNone : hasBus),
  );
  const first = own.find(({ act }) => act === told.act);
  if (!first) return undefined;
  const children = own.filter(({ day }) => day === first.day);
  const later = all.filter((one) => one.id > id).map(({ act }) => act);
  if (children.some(({ act }) => later.includes(act))) return undefined;
  const ids = children.map(({ studentId }) => studentId);
  // The days that all of it lasts.
  const [until = first.until] = children.map((child) => child.until).sort();
  return { ids, day: first.day, until, roles, recipient: contacts.get(first.studentId)?.way.recipient };
}

/** The school, as the foot of a message has it. */
async function readFoot(services: Pick<Context, 'db'>) {
  const { phone } = await readSettings(services, { phone: transportPhone });
  const school = await services.db.selectFrom('academic_school').select(['name', 'phone']).executeTakeFirstOrThrow();
  return { school: school.name, phone: phone || school.phone };
}

const namesOf = (rides: readonly { studentId: number; child: string }[]) =>
  shortNames([...new Map(rides.map(({ studentId, child }) => [studentId, child])).values()]);

const changed: Template = {
  render: async (services, id) => {
    const told = await findTold(services, id, 'transport.changed');
    if (!told) return undefined;
    const changes = await readChanges(services, told.ids, told.day, told);
    if (changes.length === 0) return undefined;
    const { day, until } = told;
    return words({ day, until, children: namesOf(changes), changes, ...(await readFoot(services)) });
  },
  isFor: async (services, { subjectId, recipient }) =>
    (await findTold(services, subjectId, 'transport.changed'))?.recipient === recipient,
};

const none: Template = {
  render: async (services, id) => {
    const told = await findTold(services, id, 'transport.none');
    if (!told) return undefined;
    const missing = await readNone(services, told.ids, told.day);
    if (missing.length === 0) return undefined;
    const { day, until } = told;
    return noneWords({ day, until, children: namesOf(missing), missing, ...(await readFoot(services)) });
  },
  isFor: async (services, { subjectId, recipient }) =>
    (await findTold(services, subjectId, 'transport.none'))?.recipient === recipient,
};

/** The children of an adult on the trips of an undone act, on the first day without the change. */
async function findBack(ctx: Pick<Context, 'db' | 'now'>, id: number) {
  const told = await ctx.db
    .selectFrom('transport_told')
    .where('id', '=', id)
    .select(['back_on', 'trip_ids', 'student_ids', sql<number>`guardian_now(guardian_id)`.as('guardianId')])
    .executeTakeFirst();
  const { back_on: day, trip_ids: trips, student_ids: studentIds } = told ?? {};
  if (!told || !day || !trips || !studentIds || day < toLocalDate(ctx.now())) return undefined;
  const { rows } = await sql<{ studentId: number }>`
    select distinct ride.student_id as "studentId" from transport_rides_on(${day}) ride
    join student_guardian tie on tie.student_id = ride.student_id
    where tie.guardian_id = ${told.guardianId} and ride.student_id = any(${studentIds}::integer[])
      and ${isOnSome(trips)}`.execute(ctx.db);
  const all = rows.map(({ studentId }) => studentId);
  const contacts = await firstContacts(ctx, sendingOf('transport.usual'), all);
  const ids = all.filter((studentId) => contacts.get(studentId)?.guardianId === told.guardianId);
  return { day, trips, ids, recipient: contacts.get(ids[0] ?? 0)?.way.recipient };
}

const usual: Template = {
  render: async (services, id) => {
    const back = await findBack(services, id);
    if (!back) return undefined;
    const { day, trips, ids } = back;
    const changes = await readChanges(services, ids, day, { roles: [], trips });
    if (changes.length === 0) return undefined;
    return usualWords({ day, children: namesOf(changes), changes, ...(await readFoot(services)) });
  },
  isFor: async (services, { subjectId, recipient }) => (await findBack(services, subjectId))?.recipient === recipient,
};

export const busMessages = { 'transport.changed': changed, 'transport.none': none, 'transport.usual': usual };
