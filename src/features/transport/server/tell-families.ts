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

/** A bus that comes today is read before it comes. */
const sending = { kind: 'transport.changed', urgency: 'Must' } as const;

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
  const { rows } = await sql<{ act: string; studentId: number; day: string; until: string }>`
    with own as materialized (
      select act, trip_id, greatest(effective_from, ${today}::date) as first, effective_to as last from transport_stand_in
      where act = any(${acts}::uuid[]) and effective_to >= ${today}::date and role = any(${roles}::text[])
    ), school as materialized (
      select distinct days.day from academic_year year
      cross join lateral academic_school_days(year.id, ${today}::date, (select max(last) from own)) as days
      where days.work > 0
    ), running as materialized (
      select own.act, own.trip_id, school.day, own.last from own
      join transport_trip trip on trip.id = own.trip_id
      join school on school.day between own.first and own.last
      join transport_slot_plan plan on plan.time_slot_id = trip.time_slot_id
        and school.day between plan.effective_from and coalesce(plan.effective_to, 'infinity')
      where ${isStillToRun(sql`school.day`, today, localTime(now()))}
    )
    select distinct on (running.act, ride.student_id) running.act::text, ride.student_id as "studentId",
      running.day::text, running.last::text as until
    from running
    join transport_assignment ride on running.trip_id in (ride.pickup_trip_id, ride.drop_trip_id)
      and running.day between ride.effective_from and coalesce(ride.effective_to, 'infinity')
    where ride.student_id is not null
    order by running.act, ride.student_id, running.day`.execute(db);
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
  const families = new Map(
    // Of one act the earliest day of the family counts.
    children.toReversed().flatMap(({ act, studentId, day }) => {
      const contact = contacts.get(studentId);
      if (!contact) return [];
      const { guardianId, way } = contact;
      return [[`${act} ${guardianId}`, { act, day, guardianId, way }] as const];
    }),
  );
  const isEvening = localHour(ctx.now()) >= hour;
  const due = [...families.values()].filter(({ day }) => day === today || (day === tomorrow && isEvening));
  const { rows } = await sql<{ id: number; key: `${string} ${number}` }>`
    insert into transport_told (act, guardian_id)
      select * from unnest(${due.map(({ act }) => act)}::uuid[], ${due.map(({ guardianId }) => guardianId)}::integer[])
        as own (act, guardian_id) order by guardian_id
      on conflict do nothing returning id, act || ' ' || guardian_id as key`.execute(ctx.db);
  const soon = new Date(ctx.now().getTime() + undoSeconds * 1000);
  const isQuiet = afterQuietHours(ctx.now(), await readSettings(ctx, quietHours)) > ctx.now();
  for (const isForNow of [true, false])
    await tellGuardians(
      ctx,
      { ...sending, isForNow },
      rows.flatMap(({ id, key }) => {
        const family = families.get(key);
        if (!family || (family.day === today || isQuiet) !== isForNow) return [];
        const notBefore = isQuiet && morning(family.day) > soon ? morning(family.day) : soon;
        return [{ way: family.way, subjectId: id, key: `transport.changed ${id}`, notBefore }];
      }),
    );
  return new Set([...families.values()].map(({ guardianId }) => guardianId)).size;
}

/** On the evening before. */
export const dailyTelling: DailyTask = {
  name: 'transport.tell',
  from: toldHour,
  until: 24,
  act: async (ctx) => {
    const tomorrow = addDays(toLocalDate(ctx.now()), 1);
    const { rows } = await sql<{ act: string }>`select distinct act::text from transport_stand_in
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

/** What differs on a day from what stands, for the trips of some children. */
async function readChanges(
  { db, now }: Pick<Context, 'db' | 'now'>,
  studentIds: readonly number[],
  day: string,
  roles: readonly Role[],
) {
  const { rows } = await sql<Change>`
    select ride.student_id as "studentId", student.first_name as child, route.name as route, stop.name as stop,
      coalesce(transport_time(trip.id, stop.id, ${day}), '') as time, vehicle.fleet_no as vehicle,
      vehicle.registration_no as plate, staff.name as driver, helper_staff.name as attendant
    from transport_assignment ride
    join student on student.id = ride.student_id
    join transport_trip trip on trip.id in (ride.pickup_trip_id, ride.drop_trip_id)
    join transport_route route on route.id = trip.route_id
    join transport_stop stop
      on stop.id = case when ride.pickup_trip_id = trip.id then ride.pickup_stop_id else ride.drop_stop_id end
    join transport_duty duty on duty.trip_id = trip.id
      and ${day}::date between duty.effective_from and coalesce(duty.effective_to, 'infinity')
    join transport_vehicle vehicle on vehicle.id = duty.vehicle_id
    join transport_crew crew on crew.id = duty.driver_id join staff on staff.id = crew.staff_id
    join transport_crew helper on helper.id = duty.attendant_id join staff helper_staff on helper_staff.id = helper.staff_id
    join transport_slot_plan plan on plan.id = duty.slot_plan_id
      and ${isStillToRun(sql`${day}::date`, toLocalDate(now()), localTime(now()))}
    where ride.student_id = any(${studentIds}::integer[])
      and ${day}::date between ride.effective_from and coalesce(ride.effective_to, 'infinity')
      and exists (
        select from transport_standing own where own.trip_id = trip.id and own.role = any(${roles}::text[])
          and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
          and coalesce(own.vehicle_id, own.crew_id) <> case own.role when 'Vehicle' then duty.vehicle_id
            when 'Driver' then duty.driver_id else duty.attendant_id end)
    order by student.first_name, ride.student_id, time, trip.id`.execute(db);
  return rows;
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

function words({ day, until, children, changes, school, phone }: Words): Rendered {
  const [vehicle, plate] = [allOf(changes, 'vehicle'), allOf(changes, 'plate')];
  const [driver, attendant] = [allOf(changes, 'driver'), allOf(changes, 'attendant')];
  return {
    subject: text`Bus of ${{ children }}, ${{ days: daysOf(day, until) }}`,
    paragraphs: [
      text`Dear parent, the bus changes: ${{ days: daysOf(day, until) }}.`,
      ...changes.map((change) => {
        const { child, route, stop, time, vehicle, plate, driver, attendant } = change;
        return text`${{ child }}, ${{ route }}: ${{ vehicle }}, ${{ plate }}, driver ${{ driver }}, attendant ${{ attendant }}, ${{ time }} at ${{ stop }}.`;
      }),
      text`${{ school }}: ${{ phone }}`,
    ],
    sms: text`Dear parent, the bus of ${{ children }}, ${{ days: daysOf(day, until, true) }}: ${{ vehicle }}, ${{ plate }}, driver ${{ driver }}, attendant ${{ attendant }}. ${{ school }}: ${{ phone }}`,
  };
}

/**
 * What a message is about, as it is now: its children are those whom this adult is called first for. The last one to an adult
 * about a day names all that changes on it, and an earlier one that waits is not sent.
 */
async function findTold(ctx: Pick<Context, 'db' | 'now'>, id: number) {
  const told = await ctx.db
    .selectFrom('transport_told')
    .where('id', '=', id)
    .select(['act', sql<number>`guardian_now(guardian_id)`.as('guardianId')])
    .executeTakeFirst();
  if (!told) return undefined;
  const { rows: all } = await sql<{ id: number; act: string }>`
    select told.id, told.act::text from transport_told told
    where guardian_now(told.guardian_id) = ${told.guardianId} and exists (select from transport_stand_in own
      where own.act = told.act and own.effective_to >= ${toLocalDate(ctx.now())}::date)`.execute(ctx.db);
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
  const own = found.filter(({ studentId }) => contacts.get(studentId)?.guardianId === told.guardianId);
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

const changed: Template = {
  render: async (services, id) => {
    const told = await findTold(services, id);
    if (!told) return undefined;
    const changes = await readChanges(services, told.ids, told.day, told.roles);
    if (changes.length === 0) return undefined;
    const { phone } = await readSettings(services, { phone: transportPhone });
    const school = await services.db.selectFrom('academic_school').select(['name', 'phone']).executeTakeFirstOrThrow();
    return words({
      day: told.day,
      until: told.until,
      children: shortNames([...new Map(changes.map(({ studentId, child }) => [studentId, child])).values()]),
      changes,
      school: school.name,
      phone: phone || school.phone,
    });
  },
  isFor: async (services, { subjectId, recipient }) => (await findTold(services, subjectId))?.recipient === recipient,
};

export const busMessages = { 'transport.changed': changed };

const example: TextMessage['example'] = ({ name, phone }) =>
  words({
    day: '2027-09-24',
    until: '2027-09-24',
    children: shortNames(['Aarohi', 'Dev']),
    changes: [
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
    ],
    school: name,
    phone,
  });

export const busTexts: Record<string, TextMessage> = {
  'transport.changed': { when: text`When a child’s bus, driver or attendant is replaced for some days.`, example },
};
