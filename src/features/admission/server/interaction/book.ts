import { sql } from 'kysely';
import { publishedAs } from '#features/admission-form/contract/state.ts';
import type { Context } from '#kit/server/context.ts';
import { auditEach } from '#kit/server/security/audit.ts';

interface NewSlots {
  kind: 'Interaction' | 'Assessment';
  branchId: number;
  yearId: number;
  roomId: number | null;
  place: string;
  capacity: number;
  assessorIds: readonly number[];
  slots: readonly { startsAt: Date; endsAt: Date }[];
  /** The choice of times that families have of them. */
  choiceId?: number;
}

/** Adds slots with their assessors, in one statement. Returns them by their start. */
export async function addSlots(
  { db }: Pick<Context, 'db'>,
  { kind, branchId, yearId, roomId, place, capacity, assessorIds, slots, choiceId }: NewSlots,
) {
  const { rows } = await sql<{ id: number; starts_at: Date }>`with made as (
      insert into admission_slot (branch_id, academic_year_id, kind, starts_at, ends_at, room_id, place, capacity, choice_id)
      select ${branchId}, ${yearId}::integer, ${kind}, starts_at, ends_at, ${roomId}::integer, ${place}, ${capacity},
        ${choiceId ?? null}::integer
      from jsonb_to_recordset(${JSON.stringify(slots.map(({ startsAt, endsAt }) => ({ starts_at: startsAt, ends_at: endsAt })))}::jsonb)
        as slot (starts_at timestamptz, ends_at timestamptz)
      returning id, starts_at, ends_at),
    assessor as (
      insert into admission_slot_assessor (slot_id, starts_at, ends_at, staff_id)
      select made.id, starts_at, ends_at, staff_id from made, unnest(${[...new Set(assessorIds)]}::integer[]) as staff_id)
    select id, starts_at from made`.execute(db);
  return new Map(rows.map(({ id, starts_at }) => [starts_at.getTime(), id]));
}

interface Entered {
  kind: string;
  /** Inquiries with their slots. */
  children: readonly { id: number; slotId: number }[];
  /** When the family chose the time; without it the office planned it. */
  chosenAt?: Date;
  details?: Record<string, string>;
}

/** Enters children into slots: each application has its interaction planned. A time that was given up can be had again. */
export async function enterChildren(ctx: Context, { kind, children, chosenAt, details = {} }: Entered) {
  const rows = children.map(({ id, slotId }) => ({ id, slot_id: slotId }));
  await sql`insert into admission_interaction (inquiry_id, slot_id, starts_at, ends_at, kind, chosen_at)
    select child.id, slot.id, slot.starts_at, slot.ends_at, slot.kind, ${chosenAt ?? null}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as child (id integer, slot_id integer)
    join admission_slot slot on slot.id = child.slot_id
    on conflict (inquiry_id, slot_id) do update set status = 'Planned', chosen_at = excluded.chosen_at
      where admission_interaction.status = 'Cancelled'`.execute(ctx.db);
  const ids = children.map(({ id }) => id);
  await sql`update admission_inquiry set state = 'Interaction planned', status = ${publishedAs['Interaction planned'] ?? ''},
      version = version + 1 where id = any(${ids}::integer[])`.execute(ctx.db);
  await auditEach(
    ctx,
    {
      ...(chosenAt && { actor: 'Parent' }),
      action: 'admission.interaction.planned',
      entity: 'admission_inquiry',
      details: { Kind: kind, ...details },
    },
    ids,
  );
}
