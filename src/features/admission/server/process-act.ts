import { sql } from 'kysely';
import { ageFor } from '#features/academic/contract/age.ts';
import { candidateStates } from '#features/admission-form/contract/state.ts';
import { AppError, fieldRefusal, staleMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { processApi } from '../contract/process.ts';
import { lockApplication } from './application.ts';
import { endInquiry, readReason, reopenInquiry } from './ending.ts';
import { nextPosition } from './held.ts';
import { saveInquiry } from './lock.ts';
import { shareOpenYear } from './seat.ts';
import { isFree, lockSeats, takesSeat } from './seat-lock.ts';
import { noSeatFree } from './seat-read.ts';

const notNow = (state: string) =>
  new AppError('conflict', text`This can’t be done while the status is “${{ state }}”.`);
const otherPlace = text`Choose a row of the same year and branch.`;

export const move: Handler<typeof processApi.move> = async (ctx, { seatId, ageReason, ...asked }) => {
  const inquiry = await lockApplication(ctx, asked);
  if (![...candidateStates, 'Offered', 'Seat confirmed'].includes(inquiry.state)) throw notNow(inquiry.state);
  const seats = await lockSeats(ctx, [inquiry.seat_id, seatId]);
  const seat = seats.find(({ id }) => id === seatId);
  if (seat?.academic_year_id !== inquiry.academic_year_id || seat.branch_id !== inquiry.branch_id)
    throw fieldRefusal('seatId', otherPlace);
  if (seat.id === inquiry.seat_id) throw fieldRefusal('seatId', text`The application is in this row already.`);
  if (inquiry.holds_seat && !isFree(seat)) throw fieldRefusal('seatId', noSeatFree(seat));
  const place = await ctx.db
    .selectFrom('academic_grade as grade')
    .innerJoin('academic_program as program', (join) => join.on('program.id', '=', seat.program_id))
    .innerJoin('academic_year as year', (join) => join.on('year.id', '=', seat.academic_year_id))
    .where('grade.id', '=', seat.grade_id)
    .select(['grade.name', 'min_age_months', 'max_age_months', 'program.board_id', 'age_cutoff_on'])
    .executeTakeFirstOrThrow();
  const isOtherGrade = seat.grade_id !== inquiry.grade_id;
  const age = inquiry.birth_date ? ageFor(inquiry.birth_date, place, place.age_cutoff_on) : undefined;
  if (isOtherGrade && age?.isOutside && ageReason === '') throw fieldRefusal('ageReason', age.words);
  const quota = takesSeat(inquiry.quota, seat.quota) ? inquiry.quota : seat.quota;
  const hasPlace = inquiry.seat_id !== null;
  await saveInquiry(
    ctx,
    inquiry,
    'admission.application.moved',
    {
      grade_id: seat.grade_id,
      program_id: seat.program_id,
      board_id: place.board_id ?? inquiry.board_id,
      quota,
      ...(isOtherGrade && { age_reason: age?.isOutside ? ageReason : '' }),
      ...(hasPlace && { seat_id: seat.id, seat_quota: seat.quota }),
      ...(inquiry.waitlist_position !== null && { waitlist_position: nextPosition(seat.id) }),
    },
    { Grade: place.name, Quota: seat.quota },
  );
  return {};
};

export const extend: Handler<typeof processApi.extend> = async (ctx, { until, ...asked }) => {
  const inquiry = await lockApplication(ctx, asked);
  if (inquiry.state !== 'Offered') throw notNow(inquiry.state);
  const last = inquiry.offer_expires_on ?? '';
  if (until <= last || until < toLocalDate(ctx.now()))
    throw fieldRefusal('until', text`Enter a later day. An offer is never shortened.`);
  await saveInquiry(
    ctx,
    inquiry,
    'admission.offer.extended',
    { offer_expires_on: until },
    { 'Last day': `${last} → ${until}` },
  );
  return {};
};

export const notNeeded: Handler<typeof processApi.notNeeded> = async (ctx, { reason, ...asked }) => {
  const inquiry = await lockApplication(ctx, asked);
  if (inquiry.state !== 'Verified' && inquiry.state !== 'Interaction planned') throw notNow(inquiry.state);
  await saveInquiry(
    ctx,
    inquiry,
    'admission.interaction.waived',
    { interaction_waived_reason: reason },
    { Reason: reason },
  );
  return {};
};

export const rejectApplication: Handler<typeof processApi.reject> = async (ctx, { reasonId, note, ...asked }) => {
  await lockApplication(ctx, asked);
  return endInquiry(ctx, 'reject', {
    ...asked,
    reasonId,
    reason: () => readReason(ctx, 'Reason not offered', { reasonId, note }),
  });
};

export const withdrawApplication: Handler<typeof processApi.withdraw> = async (ctx, { reasonId, note, ...asked }) => {
  await lockApplication(ctx, asked);
  return endInquiry(ctx, 'withdraw', {
    ...asked,
    reasonId,
    reason: () => readReason(ctx, 'Reason withdrawn', { reasonId, note }),
  });
};

export const reopenApplication: Handler<typeof processApi.reopen> = async (ctx, asked) => {
  const inquiry = await lockApplication(ctx, asked);
  await lockSeats(ctx, [inquiry.seat_id]);
  return reopenInquiry(ctx, asked);
};

export const rank: Handler<typeof processApi.rank> = async (ctx, { seatId, ids, reason }) => {
  const row = await ctx.db
    .selectFrom('admission_seat')
    .where('id', '=', seatId)
    .select('academic_year_id')
    .executeTakeFirst();
  if (!row) throw new AppError('stale', staleMessage);
  await shareOpenYear(ctx, row.academic_year_id);
  const waiting = await sql<{ id: number; position: number; name: string }>`
    select id, waitlist_position as position, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no) as name
    from admission_inquiry where seat_id = ${seatId} and state = 'Waitlisted' order by id for update`.execute(ctx.db);
  await lockSeats(ctx, [seatId]);
  const present = new Map(waiting.rows.map((child) => [child.id, child]));
  if (present.size !== ids.length || new Set(ids).size !== ids.length || !ids.every((id) => present.has(id)))
    throw new AppError('stale', staleMessage);
  const positions = waiting.rows.map(({ position }) => position).sort((one, other) => one - other);
  const ordered = sql`unnest(${ids}::integer[], ${positions}::integer[]) as ordered (id, position)`;
  await sql`update admission_inquiry own set waitlist_position = ordered.position, version = version + 1
    from ${ordered} where own.id = ordered.id`.execute(ctx.db);
  // A child that leaves the list returns to the place that it has now.
  await sql`update admission_decision decision set waitlist_position = ordered.position
    from ${ordered} where decision.id = (select max(id) from admission_decision
      where inquiry_id = ordered.id and kind = 'Waitlist' and released_at is not null)`.execute(ctx.db);
  await audit(ctx, {
    action: 'admission.waiting-list.ranked',
    entity: 'admission_seat',
    entityId: seatId,
    details: {
      Reason: reason,
      Order: ids
        .map((id) => present.get(id)?.name)
        .join(', ')
        .slice(0, 1000),
    },
  });
  return {};
};
