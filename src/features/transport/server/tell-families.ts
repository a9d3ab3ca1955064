import { sql } from 'kysely';
import { firstContacts, shortNames, tellGuardians } from '#features/family/api.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays, localHour, toLocalDate } from '#kit/server/day.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { readSettings } from '#kit/server/settings.ts';
import type { Role } from '../contract/route.ts';
import { toldHour, toldRoles, transportPhone } from './settings.ts';

/** A bus that comes today is read before it comes. */
const sending = { kind: 'transport.changed', urgency: 'Must' } as const;

/** In which the office may undo it before any family reads of it. */
const undoSeconds = 30;

const rolesOf = (told: string): Role[] => [
  ...(told === 'Person' ? [] : (['Vehicle'] as const)),
  ...(told === 'Vehicle' ? [] : (['Driver', 'Attendant'] as const)),
];

/** The children on the trips of acts, on the first day from today on. */
async function childrenOf({ db }: Pick<Context, 'db'>, acts: readonly string[], today: string, roles: readonly Role[]) {
  const { rows } = await sql<{ act: string; studentId: number; day: string }>`
    select distinct on (ride.student_id) own.act::text, ride.student_id as "studentId",
      greatest(own.effective_from, ${today}::date)::text as day
    from transport_stand_in own
    join transport_assignment ride on own.trip_id in (ride.pickup_trip_id, ride.drop_trip_id)
      and greatest(own.effective_from, ${today}::date) between ride.effective_from and coalesce(ride.effective_to, 'infinity')
    where own.act = any(${acts}::uuid[]) and own.effective_to >= ${today}::date and own.role = any(${roles}::text[])
      and ride.student_id is not null
    order by ride.student_id, own.id`.execute(db);
  return rows;
}

/**
 * Queues one message for each family with children on the trips of these acts, where their first day is today, or tomorrow
 * after the hour of the setting; the others wait for that evening. Answers how many families it is about.
 */
export async function tellOfActs(ctx: Context, acts: readonly string[]): Promise<number> {
  const { told, hour } = await readSettings(ctx, { told: toldRoles, hour: toldHour });
  const today = toLocalDate(ctx.now());
  const tomorrow = addDays(today, 1);
  const children = await childrenOf(ctx, acts, today, rolesOf(told));
  const contacts = await firstContacts(
    ctx,
    sending,
    children.map(({ studentId }) => studentId),
  );
  const families = new Map(
    children.flatMap(({ act, studentId, day }) => {
      const contact = contacts.get(studentId);
      return contact ? [[contact.guardianId, { act, day, way: contact.way }] as const] : [];
    }),
  );
  const isEvening = localHour(ctx.now()) >= hour;
  const due = [...families].filter(([, { day }]) => day === today || (day === tomorrow && isEvening));
  const { rows } = await sql<{ id: number; guardianId: number }>`
    insert into transport_told (act, guardian_id)
      select * from unnest(${due.map(([, { act }]) => act)}::uuid[], ${due.map(([guardianId]) => guardianId)}::integer[])
        as own (act, guardian_id) order by guardian_id
      on conflict do nothing returning id, guardian_id as "guardianId"`.execute(ctx.db);
  const notBefore = new Date(ctx.now().getTime() + undoSeconds * 1000);
  for (const isForNow of [true, false])
    await tellGuardians(
      ctx,
      { ...sending, isForNow },
      rows.flatMap(({ id, guardianId }) => {
        const family = families.get(guardianId);
        if (!family || (family.day === today) !== isForNow) return [];
        return [{ way: family.way, subjectId: id, key: `transport.changed ${id}`, notBefore }];
      }),
    );
  return families.size;
}

/** On the evening before. */
export const dailyTelling: DailyTask = {
  name: 'transport.tell',
  from: toldHour,
  until: 24,
  act: async (ctx) => {
    const { rows } = await sql<{ act: string }>`select distinct act::text from transport_stand_in
      where is_told and effective_from = ${addDays(toLocalDate(ctx.now()), 1)}::date`.execute(ctx.db);
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
}

/** What differs on a day from what stands, for the trips of some children. */
async function readChanges(
  { db }: Pick<Context, 'db'>,
  studentIds: readonly number[],
  day: string,
  roles: readonly Role[],
) {
  const { rows } = await sql<Change>`
    select ride.student_id as "studentId", student.first_name as child, route.name as route, stop.name as stop,
      coalesce(transport_time(trip.id, stop.id, ${day}), '') as time, vehicle.fleet_no as vehicle,
      vehicle.registration_no as plate, staff.name as driver
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
  children: string | Text;
  changes: readonly Omit<Change, 'studentId'>[];
  school: string;
  phone: string;
}

function words({ day, children, changes, school, phone }: Words): Rendered {
  const [{ vehicle = '', plate = '', driver = '' } = {}] = changes;
  return {
    subject: text`Bus of ${{ children }} on ${{ date: onDay(day) }}`,
    paragraphs: [
      text`Dear parent, the bus changes on ${{ date: onDay(day) }}:`,
      ...changes.map((change) => {
        const { child, route, stop, time, vehicle, plate, driver } = change;
        return text`${{ child }}, ${{ route }}: ${{ vehicle }}, ${{ plate }}, driver ${{ driver }}, ${{ time }} at ${{ stop }}.`;
      }),
      text`${{ school }}: ${{ phone }}`,
    ],
    sms: text`Dear parent, the bus of ${{ children }} on ${{ date: onDay(day, true) }} is ${{ vehicle }}, ${{ plate }}, driver ${{ driver }}. ${{ school }}: ${{ phone }}`,
  };
}

/** What a message is about, as it is now: its children are those whom this adult is called first for. */
async function findTold(ctx: Pick<Context, 'db' | 'now'>, id: number) {
  const told = await ctx.db
    .selectFrom('transport_told')
    .where('id', '=', id)
    .select(['act', sql<number>`guardian_now(guardian_id)`.as('guardianId')])
    .executeTakeFirst();
  if (!told) return undefined;
  const { told: toldOf } = await readSettings(ctx, { told: toldRoles });
  const roles = rolesOf(toldOf);
  const found = await childrenOf(ctx, [told.act], toLocalDate(ctx.now()), roles);
  const contacts = await firstContacts(
    ctx,
    sending,
    found.map(({ studentId }) => studentId),
  );
  const children = found.filter(({ studentId }) => contacts.get(studentId)?.guardianId === told.guardianId);
  const [first] = children;
  if (!first) return undefined;
  const ids = children.map(({ studentId }) => studentId);
  return { ids, day: first.day, roles, recipient: contacts.get(first.studentId)?.way.recipient };
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
      },
    ],
    school: name,
    phone,
  });

export const busTexts: Record<string, TextMessage> = {
  'transport.changed': { when: text`When a child’s bus, driver or attendant is replaced for some days.`, example },
};
