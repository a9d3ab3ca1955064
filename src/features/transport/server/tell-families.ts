import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { firstContacts, shortNames, tellGuardians } from '#features/family/api.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays, localHour, toLocalDate } from '#kit/server/day.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import { afterQuietHours, quietHours } from '#kit/server/messages/quiet-hours.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { readSettings } from '#kit/server/settings.ts';
import type { Role } from '../contract/route.ts';
import { isStillToRun, localTime } from './running.ts';
import { toldHour, toldRoles, transportPhone } from './settings.ts';

type Way = Parameters<typeof tellGuardians>[2][number]['way'];
type Kind = 'transport.changed' | 'transport.none' | 'transport.usual';

/** A bus that comes today, or does not, is read before it comes. */
const sendingOf = (kind: Kind) => ({ kind, urgency: 'Must' }) as const;
const sending = sendingOf('transport.changed');

/** In which the office may undo it before any family reads of it. */
const undoSeconds = 30;

/** A change that is entered in the quiet hours is read in the morning, before the bus comes. */
const morning = (day: string) => new Date(`${day}T05:30:00+05:30`);

const rolesOf = (told: string): Role[] => [
  ...(told === 'Person' ? [] : (['Vehicle'] as const)),
  ...(told === 'Vehicle' ? [] : (['Driver', 'Attendant'] as const)),
];

/**
 * The children on the trips of each act, on the first day from now on when the trip still runs and there is school; the
 * earliest first.
 */
async function childrenOf({ db, now }: Pick<Context, 'db' | 'now'>, acts: readonly string[], roles: readonly Role[]) {
  const today = toLocalDate(now());
  const { rows } = await sql<{
    act: string;
    studentId: number;
    day: string;
    until: string;
    hasNone: boolean;
    hasBus: boolean;
  }>`
    with own as materialized (
      select act, trip_id, null::integer as ride_id, greatest(effective_from, ${today}::date) as first,
        effective_to as ends, effective_to as last
      from transport_stand_in
      where act = any(${acts}::uuid[]) and effective_to >= ${today}::date and role = any(${roles}::text[])
      union all
      select other.act, case other.way when 'Pickup' then ride.pickup_trip_id else ride.drop_trip_id end, ride.id,
        greatest(other.effective_from, ride.effective_from, ${today}::date), least(other.effective_to, ride.effective_to),
        other.effective_to
      from transport_day_ride other join transport_assignment ride on ride.id = other.assignment_id
      where other.act = any(${acts}::uuid[]) and other.effective_to >= ${today}::date
    ), school as materialized (
      select distinct days.day from academic_year year
      cross join lateral academic_school_days(year.id, ${today}::date, (select max(last) from own)) as days
      where days.work > 0
    ), days as (
      select own.act, own.trip_id, own.ride_id, school.day, own.last from own
      join transport_trip trip on trip.id = own.trip_id
      join school on school.day between own.first and own.ends
      join transport_slot_plan plan on plan.time_slot_id = trip.time_slot_id
        and school.day between plan.effective_from and coalesce(plan.effective_to, 'infinity')
      where ${isStillToRun(sql`school.day`, today, localTime(now()))}
    ), running as materialized (
      select * from days where ride_id is null
      union all
      (select distinct on (act, ride_id, trip_id) * from days where ride_id is not null order by act, ride_id, trip_id, day)
    )
    select distinct on (act, "studentId") * from (
      select running.act::text, ride.student_id as "studentId", running.day::text, max(running.last)::text as until,
        bool_or(ride.trip_id is null) as "hasNone", bool_or(ride.trip_id is not null) as "hasBus"
      from running
      cross join lateral (
        select ride.student_id, ride.trip_id from transport_rides_on(running.day) ride
        where running.ride_id is null and ride.trip_id = running.trip_id
        union all
        select ride.student_id, ride.trip_id from transport_rides_on(running.day) ride
        where ride.assignment_id = running.ride_id and ride.usual_trip_id = running.trip_id) as ride
      where ride.student_id is not null
      group by running.act, ride.student_id, running.day) as riding
    order by act, "studentId", day`.execute(db);
  return rows.toSorted((one, other) => one.day.localeCompare(other.day));
}

/**
 * Queues one message for each family with children on the trips of these acts, where their first day is today, or tomorrow
 * after the hour of the setting; the others wait for that evening. Answers how many families it is about.
 */
export async function tellOfActs(ctx: Context, acts: readonly string[]): Promise<number> {
  const { told, hour } = await readSettings(ctx, { told: toldRoles, hour: toldHour });
  const today = toLocalDate(ctx.now());
  const tomorrow = addDays(today, 1);
  const children = await childrenOf(ctx, acts, rolesOf(told));
  const contacts = await firstContacts(
    ctx,
    sending,
    children.map(({ studentId }) => studentId),
  );
  const families = new Map<string, { act: string; day: string; kinds: Set<Kind>; guardianId: number; way: Way }>();
  // Of one act the earliest day of the family counts.
  for (const { act, studentId, day, hasNone, hasBus } of children) {
    const contact = contacts.get(studentId);
    if (!contact) continue;
    const { guardianId, way } = contact;
    const key = `${act} ${guardianId}`;
    const family = families.get(key) ?? { act, day, kinds: new Set(), guardianId, way };
    if (hasBus) family.kinds.add('transport.changed');
    if (hasNone) family.kinds.add('transport.none');
    families.set(key, family);
  }
  const isEvening = localHour(ctx.now()) >= hour;
  const due = [...families.values()].filter(({ day }) => day === today || (day === tomorrow && isEvening));
  const { rows } = await sql<{ id: number; key: `${string} ${number}` }>`
    insert into transport_told (act, guardian_id)
      select * from unnest(${due.map(({ act }) => act)}::uuid[], ${due.map(({ guardianId }) => guardianId)}::integer[])
        as own (act, guardian_id) order by guardian_id
      on conflict do nothing returning id, act || ' ' || guardian_id as key`.execute(ctx.db);
  await queueFor(
    ctx,
    rows.flatMap(({ id, key }) => {
      const family = families.get(key);
      return family ? [{ id, ...family }] : [];
    }),
  );
  return new Set([...families.values()].map(({ guardianId }) => guardianId)).size;
}

interface Told {
  id: number;
  day: string;
  kinds: ReadonlySet<Kind>;
  way: Way;
}

/** Queues what families are told: about today at once, and at night for the morning. */
async function queueFor(ctx: Context, told: readonly Told[]) {
  const today = toLocalDate(ctx.now());
  const soon = new Date(ctx.now().getTime() + undoSeconds * 1000);
  const isQuiet = afterQuietHours(ctx.now(), await readSettings(ctx, quietHours)) > ctx.now();
  for (const kind of ['transport.changed', 'transport.none', 'transport.usual'] as const)
    for (const isForNow of [true, false])
      await tellGuardians(
        ctx,
        { ...sendingOf(kind), isForNow },
        told.flatMap(({ id, day, kinds, way }) => {
          if (!kinds.has(kind) || (day === today || isQuiet) !== isForNow) return [];
          const notBefore = isQuiet && morning(day) > soon ? morning(day) : soon;
          return [{ way, subjectId: id, key: `${kind} ${id}`, notBefore }];
        }),
      );
}

/**
 * Runs the undoing of an act, and tells the families that have read of it how the bus comes now. Who has read nothing yet is
 * told nothing.
 */
export async function tellOfUndo(ctx: Context, act: string, tripIds: readonly number[], undo: () => Promise<unknown>) {
  // A message of a later act names all that differs on its days, and the one of this act may not have been sent then.
  const { rows: read } = await sql<{ guardianId: number }>`
    with part as materialized (
      select act, trip_id, effective_from, effective_to, entered_at from transport_stand_in
      where trip_id = any(${tripIds}::integer[])
      union all
      select other.act, usual.id, other.effective_from, other.effective_to, other.entered_at
      from transport_day_ride other join transport_assignment ride on ride.id = other.assignment_id
      join transport_trip usual on usual.id = case other.way when 'Pickup' then ride.pickup_trip_id else ride.drop_trip_id end
      where usual.id = any(${tripIds}::integer[]) or other.trip_id = any(${tripIds}::integer[])
    ), naming as (
      select distinct part.act, own.entered_at from part own
      join part on daterange(part.effective_from, part.effective_to, '[]')
        && daterange(own.effective_from, own.effective_to, '[]')
      where own.act = ${act}::uuid
    )
    select distinct guardian_now(told.guardian_id) as "guardianId" from transport_told told
    join outbox sent on sent.subject_id = told.id and sent.template in ('transport.changed', 'transport.none')
      and sent.status = 'sent'
    where told.act = ${act}::uuid or exists (
      select from naming where naming.act = told.act and naming.entered_at <= sent.sent_at)`.execute(ctx.db);
  const { told: toldOf } = await readSettings(ctx, { told: toldRoles });
  const children = read.length > 0 ? await childrenOf(ctx, [act], rolesOf(toldOf)) : [];
  await undo();
  const contacts = await firstContacts(
    ctx,
    sendingOf('transport.usual'),
    children.map(({ studentId }) => studentId),
  );
  const readers = new Set(read.map(({ guardianId }) => guardianId));
  const families = new Map<number, { day: string; way: Way; studentIds: number[] }>();
  for (const { studentId, day } of children) {
    const contact = contacts.get(studentId);
    if (!contact || !readers.has(contact.guardianId)) continue;
    const family = families.get(contact.guardianId) ?? { day, way: contact.way, studentIds: [] };
    family.studentIds.push(studentId);
    families.set(contact.guardianId, family);
  }
  if (families.size === 0) return;
  const told = [...families].map(([guardianId, { day, studentIds }]) => ({ guardianId, day, studentIds }));
  const { rows } = await sql<{ id: number; guardianId: number }>`
    insert into transport_told (act, guardian_id, back_on, trip_ids, student_ids)
      select ${randomUUID()}::uuid, own."guardianId", own.day, ${tripIds}::integer[], own."studentIds"
      from jsonb_to_recordset(${JSON.stringify(told)}::jsonb)
        as own ("guardianId" integer, day date, "studentIds" integer[])
      returning id, guardian_id as "guardianId"`.execute(ctx.db);
  await queueFor(
    ctx,
    rows.flatMap(({ id, guardianId }) => {
      const family = families.get(guardianId);
      return family ? [{ id, ...family, kinds: new Set(['transport.usual'] as const) }] : [];
    }),
  );
}

/** On the evening before. */
export const dailyTelling: DailyTask = {
  name: 'transport.tell',
  from: toldHour,
  until: 24,
  act: async (ctx) => {
    const tomorrow = addDays(toLocalDate(ctx.now()), 1);
    const { rows } = await sql<{ act: string }>`
      select act::text from transport_stand_in where is_told and ${tomorrow}::date between effective_from and effective_to
      union select act::text from transport_day_ride
      where is_told and ${tomorrow}::date between effective_from and effective_to`.execute(ctx.db);
    await tellOfActs(
      ctx,
      rows.map(({ act }) => act),
    );
  },
};

interface Change {
  studentId: number;
  child: string;
  route: string;
  stop: string;
  time: string;
  vehicle: string;
  plate: string;
  driver: string;
  attendant: string;
}

/** In a query of `ride`: one of these trips is taken, or would be as usual. */
const isOnSome = (trips: readonly number[]) =>
  sql<boolean>`(ride.trip_id = any(${trips}::integer[]) or ride.usual_trip_id = any(${trips}::integer[]))`;

/** What differs on a day from what stands, for some children; `trips` asks for all of their rides on these trips instead. */
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

interface Missing {
  child: string;
  route: string;
}

interface Words {
  /** YYYY-MM-DD. */
  day: string;
  /** The last day; the same as `day` for one day. */
  until: string;
  children: string | Text;
  changes: readonly Omit<Change, 'studentId'>[];
  school: string;
  phone: string;
}

/** Each bus, driver or attendant once, in the order of the trips. */
const allOf = (changes: Words['changes'], name: 'vehicle' | 'plate' | 'driver' | 'attendant') =>
  [...new Set(changes.map((change) => change[name]))].join(' / ');

/** "24 Sept", "24 Sept until 28 Sept". */
const daysOf = (day: string, until: string, isShort = false) =>
  day === until
    ? onDay(day, isShort)
    : text`${{ date: onDay(day, isShort) }} until ${{ until: onDay(until, isShort) }}`;

const lineOf = ({ child, route, stop, time, vehicle, plate, driver, attendant }: Words['changes'][number]) =>
  text`${{ child }}, ${{ route }}: ${{ vehicle }}, ${{ plate }}, driver ${{ driver }}, attendant ${{ attendant }}, ${{ time }} at ${{ stop }}.`;

function words({ day, until, children, changes, school, phone }: Words): Rendered {
  const [vehicle, plate] = [allOf(changes, 'vehicle'), allOf(changes, 'plate')];
  const [driver, attendant] = [allOf(changes, 'driver'), allOf(changes, 'attendant')];
  return {
    subject: text`Bus of ${{ children }}, ${{ days: daysOf(day, until) }}`,
    paragraphs: [
      text`Dear parent, the bus changes: ${{ days: daysOf(day, until) }}.`,
      ...changes.map(lineOf),
      text`${{ school }}: ${{ phone }}`,
    ],
    sms: text`Dear parent, the bus of ${{ children }}, ${{ days: daysOf(day, until, true) }}: ${{ vehicle }}, ${{ plate }}, driver ${{ driver }}, attendant ${{ attendant }}. ${{ school }}: ${{ phone }}`,
  };
}

/** After an act was undone of which the family has read. */
function usualWords({ day, children, changes, school, phone }: Omit<Words, 'until'>): Rendered {
  const [vehicle, plate] = [allOf(changes, 'vehicle'), allOf(changes, 'plate')];
  const driver = allOf(changes, 'driver');
  return {
    subject: text`Bus of ${{ children }}, ${{ days: onDay(day) }}`,
    paragraphs: [
      text`Dear parent, the earlier message about the bus no longer counts: ${{ days: onDay(day) }}.`,
      ...changes.map(lineOf),
      text`${{ school }}: ${{ phone }}`,
    ],
    sms: text`Dear parent, the earlier message about the bus of ${{ children }} no longer counts. ${{ days: onDay(day, true) }}: ${{ vehicle }}, ${{ plate }}, driver ${{ driver }}. ${{ school }}: ${{ phone }}`,
  };
}

function noneWords({
  day,
  until,
  children,
  missing,
  school,
  phone,
}: Omit<Words, 'changes'> & { missing: readonly Missing[] }): Rendered {
  const routes = [...new Set(missing.map(({ route }) => route))].join(' / ');
  return {
    subject: text`No bus for ${{ children }}, ${{ days: daysOf(day, until) }}`,
    paragraphs: [
      text`Dear parent, no bus comes: ${{ days: daysOf(day, until) }}.`,
      ...missing.map(({ child, route }) => text`${{ child }}, ${{ route }}: no bus.`),
      text`${{ school }}: ${{ phone }}`,
    ],
    sms: text`Dear parent, no bus for ${{ children }}, ${{ days: daysOf(day, until, true) }}: ${{ routes }}. ${{ school }}: ${{ phone }}`,
  };
}

/**
 * What a message is about, as it is now: its children are those whom this adult is called first for. The last one to an adult
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

/** The children of an adult whose trips an undone act was about, on the first day that is as usual. */
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

const exampleDay = '2027-09-24';

const exampleChanges: Words['changes'] = [
  {
    child: 'Aarohi',
    route: 'Adajan to school',
    stop: 'Pal RTO',
    time: '06:52',
    vehicle: 'Bus 7',
    plate: 'GJ05AB1234',
    driver: 'Suresh Rathva',
    attendant: 'Rekha Vasava',
  },
];

export const busTexts: Record<string, TextMessage> = {
  'transport.changed': {
    when: text`When a child’s bus, driver or attendant is replaced for some days.`,
    example: ({ name, phone }) =>
      words({
        day: exampleDay,
        until: exampleDay,
        children: shortNames(['Aarohi', 'Dev']),
        changes: exampleChanges,
        school: name,
        phone,
      }),
  },
  'transport.none': {
    when: text`When a child has no bus on some days.`,
    example: ({ name, phone }) =>
      noneWords({
        day: exampleDay,
        until: exampleDay,
        children: shortNames(['Aarohi', 'Dev']),
        missing: [{ child: 'Aarohi', route: 'Adajan to school' }],
        school: name,
        phone,
      }),
  },
  'transport.usual': {
    when: text`When a change of a child’s bus is undone of which the family has read.`,
    example: ({ name, phone }) =>
      usualWords({
        day: exampleDay,
        children: shortNames(['Aarohi', 'Dev']),
        changes: exampleChanges,
        school: name,
        phone,
      }),
  },
};
