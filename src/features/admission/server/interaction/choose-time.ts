import { sql } from 'kysely';
import { isOpenedBy, sendToParents } from '#features/admission-form/api.ts';
import { timeApi, timeMessages } from '#features/admission-form/contract/time.ts';
import { toLocalDate, toLocalTime } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { onDay, type Text, text } from '#kit/contract/text.ts';
import type { Context, LinkContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { lockApplications } from '../decision/decide.ts';
import { lockSeatsAt, proposedSeat, seatsAt } from '../seat/seat-lock.ts';
import { enterChildren } from './book.ts';
import { findChoice, isNear } from './find-choice.ts';
import { whyNotPlanned } from './plannable.ts';

/** So many free times are named to a family whose time was taken. */
const mostNamed = 3;

/** True in a query of `slot` and its `choice`: a family may take it. */
const isFree = (now: Date) => sql<boolean>`(slot.cancelled_at is null and slot.booked < slot.capacity
  and slot.starts_at > ${now} and choice.ended_at is null and choice.until > ${now})`;

/** The free times of a family's choices of a kind, without those at which the child is elsewhere. */
async function freeTimes({ db, now }: Pick<Context, 'db' | 'now'>, inquiryId: number, kind: string) {
  const { rows } = await sql<{ id: number; startsAt: string; endsAt: string; place: string }>`
    select slot.id, to_json(slot.starts_at) #>> '{}' as "startsAt", to_json(slot.ends_at) #>> '{}' as "endsAt",
      coalesce(room.name, slot.place) as place
    from admission_time_choice_family family
    join admission_time_choice choice on choice.id = family.choice_id and choice.kind = ${kind}
    join admission_slot slot on slot.choice_id = choice.id
    left join academic_room room on room.id = slot.room_id
    where family.inquiry_id = ${inquiryId} and ${isFree(now())}
      and not exists (select from admission_interaction other where other.inquiry_id = ${inquiryId}
        and other.status <> 'Cancelled' and other.during && slot.during
        and (other.kind <> slot.kind or other.slot_id = slot.id))
    order by slot.starts_at, slot.id limit 300`.execute(db);
  return rows;
}

/** Acts of one link within an hour: far more than a family needs. */
const acts = { kind: 'admission-time', most: 120, windowSeconds: 3600 };

async function requireTurn({ db, inquiry }: LinkContext) {
  const wait = await countHit(db, acts, String(inquiry.id));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
}

const times: Handler<typeof timeApi.times> = async (ctx) => {
  await requireTurn(ctx);
  const choice = await findChoice(ctx, ctx.inquiry.id);
  return choice ? freeTimes(ctx, ctx.inquiry.id, choice.kind) : [];
};

/** The slot as the family's choices have it; throws `not_found` for every other one. Its choice can't end meanwhile. */
async function findSlot({ db, inquiry }: LinkContext, slotId: number) {
  const { rows } = await sql<{ id: number; kind: string; isEnded: boolean; until: Date }>`
    select slot.id, slot.kind, choice.ended_at is not null as "isEnded", choice.until
    from admission_slot slot join admission_time_choice choice on choice.id = slot.choice_id
    join admission_time_choice_family family on family.choice_id = choice.id and family.inquiry_id = ${inquiry.id}
    where slot.id = ${slotId} for share of choice`.execute(db);
  const [found] = rows;
  if (!found) throw notFound();
  return found;
}

/** The child's interactions of this kind that are planned and not over. */
async function findPlanned({ db, now, inquiry }: LinkContext, kind: string) {
  const { rows } = await sql<{ id: number; slotId: number; startsAt: Date; choiceId: number | null }>`
    select own.id, own.slot_id as "slotId", own.starts_at as "startsAt", slot.choice_id as "choiceId"
    from admission_interaction own join admission_slot slot on slot.id = own.slot_id
    where own.inquiry_id = ${inquiry.id} and own.kind = ${kind} and own.status = 'Planned' and own.ends_at > ${now()}
    order by own.starts_at limit 1`.execute(db);
  return rows[0];
}

const choose: Handler<typeof timeApi.choose> = async (ctx, { slotId }) => {
  await requireTurn(ctx);
  const inquiryId = ctx.inquiry.id;
  const [row] = await lockApplications(ctx, [inquiryId]);
  await ctx.db
    .selectFrom('admission_inquiry')
    .where('id', '=', inquiryId)
    .where(isOpenedBy(ctx))
    .select('id')
    .executeTakeFirstOrThrow(notFound);
  const slot = await findSlot(ctx, slotId);
  const seats = row ? await lockSeatsAt(ctx, [row]) : [];
  const seat = row && proposedSeat(seatsAt(seats, row), row.quota);
  if (!row?.isOpenYear || whyNotPlanned(row, seat?.interaction, slot.kind, row.branch_id))
    throw new AppError('conflict', timeMessages.closed);
  const planned = await findPlanned(ctx, slot.kind);
  if (planned?.slotId === slotId) return readTime(ctx, slotId);
  if (planned && planned.choiceId === null) throw new AppError('conflict', timeMessages.closed);
  if (slot.isEnded || slot.until <= ctx.now()) throw new AppError('conflict', timeMessages.over);
  if (planned && isNear(planned.startsAt, ctx.now())) throw new AppError('conflict', timeMessages.late);
  await takeSlot(ctx, slot, planned?.slotId);
  if (planned)
    await ctx.db
      .updateTable('admission_interaction')
      .set({ status: 'Cancelled' })
      .where('id', '=', planned.id)
      .execute();
  const time = await readTime(ctx, slotId);
  await enterChildren(ctx, {
    kind: slot.kind,
    children: [{ id: inquiryId, slotId }],
    chosenAt: ctx.now(),
    details: { ...(planned && { From: planned.startsAt.toISOString() }), To: new Date(time.startsAt).toISOString() },
  });
  await confirm(ctx);
  return time;
};

/**
 * Locks the slot with the one that is given up, by id, and sees whether it is free. If two families choose it at once,
 * the second gets a list of times still free.
 */
async function takeSlot(ctx: LinkContext, { id, kind }: { id: number; kind: string }, given: number | undefined) {
  const { rows } = await sql<{ id: number; isFree: boolean }>`
    select slot.id, ${isFree(ctx.now())} as "isFree"
    from admission_slot slot join admission_time_choice choice on choice.id = slot.choice_id
    where slot.id = any(${[id, given].filter((one) => one !== undefined)}::integer[])
    order by slot.id for update of slot`.execute(ctx.db);
  if (rows.some((slot) => slot.id === id && slot.isFree)) return;
  throw new AppError('conflict', noLongerFree(await freeTimes(ctx, ctx.inquiry.id, kind)));
}

/** Names the next free times, of one day. */
function noLongerFree(free: Awaited<ReturnType<typeof freeTimes>>): Text {
  const [first] = free;
  if (!first) return timeMessages.gone;
  const day = toLocalDate(new Date(first.startsAt));
  const ofDay = free.filter(({ startsAt }) => toLocalDate(new Date(startsAt)) === day).slice(0, mostNamed);
  const times = ofDay.map(({ startsAt }) => toLocalTime(new Date(startsAt))).join(', ');
  return text`This time is no longer free. Free on ${{ day: onDay(day) }}: ${{ times }}`;
}

async function readTime({ db }: Context, slotId: number) {
  const { rows } = await sql<{ startsAt: string; endsAt: string; place: string }>`
    select to_json(slot.starts_at) #>> '{}' as "startsAt", to_json(slot.ends_at) #>> '{}' as "endsAt",
      coalesce(room.name, slot.place) as place
    from admission_slot slot left join academic_room room on room.id = slot.room_id where slot.id = ${slotId}`.execute(
    db,
  );
  const [time] = rows;
  if (!time) throw notFound();
  return time;
}

/** The message of a planned meeting to both parents. One that still waits says the time chosen last. */
async function confirm(ctx: LinkContext) {
  const waiting = await ctx.db
    .selectFrom('outbox')
    .where('template', '=', 'admission.meeting')
    .where('subject_id', '=', ctx.inquiry.id)
    .where('status', '=', 'queued')
    .select('id')
    .executeTakeFirst();
  if (!waiting) await sendToParents(ctx, 'Parent', { inquiryId: ctx.inquiry.id, template: 'admission.meeting' });
}

export const chooseTimeRoutes = routes(timeApi, { times, choose });
