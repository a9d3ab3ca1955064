import { sql } from 'kysely';
import { candidateStates } from '#features/admission-form/contract/state.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import type { processApi } from '../../contract/process.ts';
import type { Quota } from '../../contract/seat.ts';
import { readReason } from '../inquiry/ending.ts';
import { isFree, type LockedSeat, lockSeatsAt, proposedSeat, seatsAt } from '../seat/seat-lock.ts';
import { noSeatFree } from '../seat/seat-read.ts';
import { applicationsSelected } from './process-list.ts';

const isHeld = text`A decision about this application is on hold. Undo it first.`;
const isPast = text`The status does not allow a decision.`;
const isWaiting = text`Is on the waiting list already.`;
const noInteraction = text`The interaction is not done.`;
const noSeats = text`No seats are planned for this grade and quota.`;
const yearClosed = text`The academic year is closed.`;

/** The selected applications, locked after their years, in the order in which seats are given. */
export async function lockApplications(ctx: Pick<UserContext, 'db'>, ids: readonly number[]) {
  const chosen = sql<number>`any(${ids}::integer[])`;
  const years = await sql<{ id: number }>`select id from academic_year where status <> 'Closed'
    and id in (select academic_year_id from admission_inquiry where id = ${chosen}) order by id for share`.execute(
    ctx.db,
  );
  const open = new Set(years.rows.map(({ id }) => id));
  const rows = await ctx.db
    .selectFrom('admission_inquiry')
    .where('id', '=', chosen)
    .select(['id', 'version', 'inquiry_no', 'first_name', 'last_name', 'state', 'quota', 'seat_id', 'held_kind'])
    .select(['academic_year_id', 'branch_id', 'program_id', 'grade_id', 'interaction_waived_reason'])
    .select(['waitlist_position', 'received_at'])
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows
    .map((row) => ({
      ...row,
      name: [row.first_name, row.last_name].filter(Boolean).join(' ') || row.inquiry_no,
      isOpenYear: open.has(row.academic_year_id),
    }))
    .sort(
      (one, other) =>
        (one.waitlist_position ?? 0) - (other.waitlist_position ?? 0) ||
        (one.received_at?.getTime() ?? 0) - (other.received_at?.getTime() ?? 0) ||
        one.id - other.id,
    );
}
export type Application = Awaited<ReturnType<typeof lockApplications>>[number];
type Kind = Parameters<Handler<typeof processApi.decide>>[1]['kind'];

const isCandidate = (state: string) => (candidateStates as readonly string[]).includes(state);

/** Why nothing can be decided about an application; undefined where it can. */
function whyNot(row: Application, kind: Kind, seat: LockedSeat | undefined): Text | undefined {
  if (!row.isOpenYear) return yearClosed;
  if (row.held_kind) return isHeld;
  if (!isCandidate(row.state)) return isPast;
  if (kind === 'Reject') return undefined;
  if (kind === 'Waitlist' && row.state === 'Waitlisted') return isWaiting;
  if (!seat) return noSeats;
  if (kind === 'Waitlist') return undefined;
  if (lacksInteraction(row, seat)) return noInteraction;
  return isFree(seat) ? undefined : noSeatFree(seat);
}

/** Whether a seat of this row needs an interaction that is not done. */
export const lacksInteraction = (
  row: { state: string; quota: string; interaction_waived_reason: string },
  seat: { interaction: string },
) =>
  seat.interaction !== 'None' &&
  row.quota !== 'RTE' &&
  row.interaction_waived_reason === '' &&
  (row.state === 'Verified' || row.state === 'Interaction planned');

/** The highest position that each waiting list ever had, by seat row. */
async function lastPositions({ db }: UserContext, seatIds: readonly number[]) {
  const { rows } = await sql<{ id: number; last: number }>`
    select seat_id as id, max(position)::integer as last from (
      select seat_id, waitlist_position as position from admission_inquiry where seat_id = any(${seatIds}::integer[])
      union all
      select seat_id, waitlist_position from admission_decision where seat_id = any(${seatIds}::integer[])
    ) as place group by seat_id`.execute(db);
  return new Map(rows.map(({ id, last }) => [id, last ?? 0]));
}

export const decide: Handler<typeof processApi.decide> = (ctx, { confirmToken, selection, ...asked }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { kind, seatQuota, conditions, offerUntil, reasonId, note } = asked;
    if (kind === 'Reject') await readReason(ctx, 'Reason not offered', { reasonId, note });
    if (offerUntil !== '' && offerUntil < toLocalDate(ctx.now()))
      throw fieldRefusal('offerUntil', text`Enter today or a later day.`);
    const rows = await lockApplications(ctx, await applicationsSelected(ctx, selection));
    const seats = await lockSeatsAt(ctx, rows);
    const last =
      kind === 'Waitlist'
        ? await lastPositions(
            ctx,
            seats.map(({ id }) => id),
          )
        : new Map<number, number>();
    const decided = rows.map((row) => {
      const own = row.state === 'Waitlisted' ? seats.find(({ id }) => id === row.seat_id) : undefined;
      const seat = own ?? proposedSeat(seatsAt(seats, row), row.quota, (seatQuota ?? '') as Quota | '');
      const reason = whyNot(row, kind, seat);
      if (reason) return { row, reason };
      const isKept = kind === 'Reject';
      if (kind === 'Offer' && seat) seat.taken++;
      const position = kind === 'Waitlist' && seat ? (last.get(seat.id) ?? 0) + 1 : row.waitlist_position;
      if (kind === 'Waitlist' && seat && position) last.set(seat.id, position);
      return {
        row,
        reason,
        held: {
          inquiry_id: row.id,
          seat_id: isKept ? row.seat_id : (seat?.id ?? null),
          seat_quota: isKept ? null : (seat?.quota ?? null),
          from_state: row.state,
          position,
        },
      };
    });
    const held = decided.flatMap((one) => (one.held ? [one.held] : []));
    await hold(ctx, held, { kind, conditions, offerUntil, reasonId, note });
    await auditEach(
      ctx,
      { action: 'admission.decision.held', entity: 'admission_inquiry', details: { Decision: kind } },
      held.map(({ inquiry_id }) => inquiry_id),
    );
    const skipped = decided.flatMap(({ row, reason }) => (reason ? [{ id: row.id, name: row.name, reason }] : []));
    return {
      answer: {
        changed: held.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        seats: kind === 'Reject' ? [] : seatsTaken(seats, held),
      },
      basis: [
        selection,
        asked,
        decided.map(({ row, reason, held }) => [row.id, row.version, reason?.id, held?.seat_id]),
      ],
      isRefused: held.length === 0,
    };
  });

/** The rows of the seat plan that decisions are about, with how many, and what is free then. */
const seatsTaken = (seats: readonly LockedSeat[], held: readonly Held[]) =>
  seats.flatMap(({ id, quota, total, reserved, taken, admission_fee, offer_days }) => {
    const count = held.filter(({ seat_id }) => seat_id === id).length;
    const free = total - reserved - taken;
    return count > 0
      ? [{ id, quota: quota as Quota, count, free, fee: Number(admission_fee), offerDays: offer_days }]
      : [];
  });

interface Held {
  inquiry_id: number;
  seat_id: number | null;
  seat_quota: string | null;
  from_state: string;
  position: number | null;
}

/** Writes the decisions and holds them, in two statements for any number. */
async function hold(
  ctx: UserContext,
  held: readonly Held[],
  {
    kind,
    conditions,
    offerUntil,
    reasonId,
    note,
  }: Pick<Parameters<Handler<typeof processApi.decide>>[1], 'kind' | 'conditions' | 'offerUntil' | 'reasonId' | 'note'>,
) {
  const rows = sql`jsonb_to_recordset(${JSON.stringify(held)}::jsonb) as held
    (inquiry_id integer, seat_id integer, seat_quota text, from_state text, position integer)`;
  await sql`with decision as (
      insert into admission_decision (inquiry_id, kind, seat_id, from_state, waitlist_position, conditions, reason_id,
        remark, offer_until, decided_by, decided_at)
      select inquiry_id, ${kind}, seat_id, from_state, case when ${kind} = 'Waitlist' then position end,
        ${kind === 'Offer' ? conditions : ''}, ${kind === 'Reject' ? reasonId : null}::integer, ${note},
        ${kind === 'Offer' && offerUntil ? offerUntil : null}::date, ${ctx.user.staffId}, ${ctx.now()}
      from ${rows} returning id, inquiry_id)
    update admission_inquiry own set held_kind = ${kind}, held_decision_id = decision.id,
      seat_id = coalesce(held.seat_id, own.seat_id), seat_quota = coalesce(held.seat_quota, own.seat_quota),
      waitlist_position = held.position, version = own.version + 1
    from ${rows} join decision using (inquiry_id) where own.id = held.inquiry_id`.execute(ctx.db);
}

const notHeld = text`No decision is on hold.`;

export const undoDecisions: Handler<typeof processApi.undo> = (ctx, { confirmToken, selection }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const rows = await lockApplications(ctx, await applicationsSelected(ctx, selection));
    await lockSeatsAt(ctx, rows);
    const held = rows.filter(({ held_kind }) => held_kind);
    const ids = held.map(({ id }) => id);
    await sql`update admission_decision set cancelled_at = ${ctx.now()}
      where inquiry_id = any(${ids}::integer[]) and released_at is null and cancelled_at is null`.execute(ctx.db);
    // A child on the waiting list keeps its seat row and place.
    await sql`update admission_inquiry set held_kind = null, held_decision_id = null, version = version + 1,
        seat_id = case when state = 'Waitlisted' then seat_id end,
        seat_quota = case when state = 'Waitlisted' then seat_quota end,
        waitlist_position = case when state = 'Waitlisted' then waitlist_position end
      where id = any(${ids}::integer[])`.execute(ctx.db);
    await auditEach(ctx, { action: 'admission.decision.undone', entity: 'admission_inquiry', details: {} }, ids);
    const skipped = rows.flatMap(({ id, name, held_kind }) => (held_kind ? [] : [{ id, name, reason: notHeld }]));
    return {
      answer: { changed: ids.length, skipped: skipped.slice(0, mostSkippedShown), skippedCount: skipped.length },
      basis: [selection, rows.map(({ id, version }) => [id, version])],
      isRefused: ids.length === 0,
    };
  });
