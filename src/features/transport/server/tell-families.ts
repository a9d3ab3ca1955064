import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { firstContacts, tellGuardians } from '#features/family/api.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays, localHour, toLocalDate } from '#kit/server/day.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import { afterQuietHours, quietHours } from '#kit/server/messages/quiet-hours.ts';
import { readSettings } from '#kit/server/settings.ts';
import { toldHour, toldRoles } from './settings.ts';
import { childrenOf, type Kind, rolesOf, sending, sendingOf } from './told-children.ts';

type Way = Parameters<typeof tellGuardians>[2][number]['way'];

/** In which the office may undo it before any family reads of it. */
const undoSeconds = 30;

/** A change that is entered in the quiet hours is read in the morning, before the bus comes. */
const morning = (day: string) => new Date(`${day}T05:30:00+05:30`);

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

/** Queues the messages to families: about today at once, and at night for the morning. */
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
 * Undoes an act, and sends the families to which its message went how the bus comes now. Families that got no message yet get
 * none.
 */
export async function tellOfUndo(ctx: Context, act: string, tripIds: readonly number[], undo: () => Promise<unknown>) {
  // A message about a later act names all changes of its days; that of this act may not have been sent then.
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
