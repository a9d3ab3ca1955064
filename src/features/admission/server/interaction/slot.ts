import { sql } from 'kysely';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { exportApi } from '../../contract/export.ts';
import { processApi } from '../../contract/process.ts';
import { type SlotRow, slotApi } from '../../contract/slot.ts';
import { mayCall } from '../abilities.ts';
import { lockApplications } from '../decision/decide.ts';
import { applicationsSelected } from '../decision/process-list.ts';
import { lockSeatsAt, proposedSeat, seatsAt } from '../seat/seat-lock.ts';
import { addSlots, enterChildren } from './book.ts';
import { attend, cancel, outcome } from './interaction.ts';
import { requireAssessors, whyNotPlanned } from './plannable.ts';
import { cancelSlot, moveSlot } from './slot-change.ts';
import { isSlotReached } from './slot-reach.ts';
import { requireSchoolDay, slotRules } from './slot-rules.ts';
import { exampleOfMeeting, tellFamilies } from './tell-families.ts';

const list: Handler<typeof slotApi.list> = async (ctx, asked) => {
  const today = toLocalDate(ctx.now());
  const nextDay = await nextDayWithSlots(ctx, today);
  const { readsAll } = mayCall(ctx.user, { readsAll: processApi.history });
  const day = asked.day || (readsAll ? today : nextDay || today);
  const { rows } = await sql<SlotRow>`
    select slot.id, slot.version, slot.kind, slot.room_id as "roomId", slot.cancelled_at is not null as "isCancelled", to_json(slot.starts_at) #>> '{}' as "startsAt", to_json(slot.ends_at) #>> '{}' as "endsAt",
      coalesce(room.name, slot.place) as place, slot.capacity,
      coalesce((select json_agg(staff.name order by staff.name) from admission_slot_assessor assessor
        join staff on staff.id = assessor.staff_id where assessor.slot_id = slot.id), '[]') as assessors,
      coalesce((select json_agg(json_build_object('id', inquiry.id, 'interactionId', own.id, 'status', own.status, 'isChosen', own.chosen_at is not null,
          'name', coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no)) order by own.id)
        from admission_interaction own join admission_inquiry inquiry on inquiry.id = own.inquiry_id
        where own.slot_id = slot.id and own.status <> 'Cancelled'), '[]') as children
    from admission_slot slot left join academic_room room on room.id = slot.room_id
    where slot.starts_at >= (${day}::date::timestamp at time zone 'Asia/Kolkata')
      and slot.starts_at < ((${day}::date + 1)::timestamp at time zone 'Asia/Kolkata')
      and ${isSlotReached(ctx)}
    order by slot.starts_at, slot.id limit 300`.execute(ctx.db);
  const may = mayCall(ctx.user, { plan: slotApi.plan, export: exportApi.calls });
  return { day, rows, nextDay, may };
};

async function nextDayWithSlots(ctx: UserContext, today: string): Promise<string> {
  const { rows } = await sql<{ day: string | null }>`
    select min((slot.starts_at at time zone 'Asia/Kolkata')::date)::text as day from admission_slot slot
    where slot.starts_at >= (${today}::date::timestamp at time zone 'Asia/Kolkata')
      and slot.cancelled_at is null and ${isSlotReached(ctx)}`.execute(ctx.db);
  return rows[0]?.day ?? '';
}

const plan: Handler<typeof slotApi.plan> = (ctx, { confirmToken, selection, ...asked }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const { kind, day, from, roomId, place, onHoliday } = asked;
    const assessorIds = [asked.assessorId, asked.secondAssessorId, asked.thirdAssessorId].filter((one) => one !== null);
    const [minutes, pause, capacity] = [Number(asked.minutes), Number(asked.pause), Number(asked.capacity)];
    const first = new Date(`${day}T${from}:00+05:30`);
    if (first <= ctx.now()) throw fieldRefusal('day', text`Choose a time in the future.`);
    await requireAssessors(ctx, assessorIds);
    const rows = await lockApplications(ctx, await applicationsSelected(ctx, selection));
    const seats = await lockSeatsAt(ctx, rows);
    const branchId = rows[0]?.branch_id;
    const decided = rows.map((row) => {
      const seat = proposedSeat(seatsAt(seats, row), row.quota);
      return { row, reason: whyNotPlanned(row, seat?.interaction, kind, branchId) };
    });
    const chosen = decided.flatMap(({ row, reason }) => (reason ? [] : [row]));
    const skipped = decided.flatMap(({ row, reason }) => (reason ? [{ id: row.id, name: row.name, reason }] : []));
    const yearId = chosen[0]?.academic_year_id;
    if (!onHoliday) await requireSchoolDay(ctx, day, yearId);
    const slots = Array.from({ length: Math.ceil(chosen.length / capacity) }, (_, place) => {
      const startsAt = new Date(first.getTime() + place * (minutes + pause) * 60_000);
      return {
        startsAt,
        endsAt: new Date(startsAt.getTime() + minutes * 60_000),
        children: chosen.slice(place * capacity, (place + 1) * capacity),
      };
    });
    if (branchId !== undefined && yearId !== undefined)
      await withConstraintMessages(ctx, slotRules, async () => {
        const common = { branchId, yearId, roomId, place, capacity, assessorIds };
        const made = await addSlots(ctx, { kind: kind as 'Interaction', ...common, slots });
        await enterChildren(ctx, {
          kind,
          children: slots.flatMap(({ startsAt, children }) =>
            children.map(({ id }) => ({ id, slotId: made.get(startsAt.getTime()) ?? 0 })),
          ),
        });
      });
    if (!isPreview) await tellFamilies(ctx, chosen);
    return {
      answer: {
        slots: slots.map(({ startsAt, children }) => ({
          startsAt: startsAt.toISOString(),
          children: children.map(({ name }) => name),
        })),
        skipped,
        example: isPreview ? await exampleOfMeeting(ctx, chosen) : null,
      },
      basis: [selection, asked, decided.map(({ row, reason }) => [row.id, row.version, reason?.id])],
      isRefused: chosen.length === 0,
    };
  });

export default routes(slotApi, { list, plan, move: moveSlot, cancelSlot, attend, cancel, outcome });
