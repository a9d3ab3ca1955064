import { ageFor } from '#features/academic/contract/age.ts';
import { candidateStates } from '#features/admission-form/contract/state.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { processApi } from '../../contract/process.ts';
import { endInquiry, readReason, reopenInquiry } from '../inquiry/ending.ts';
import { saveInquiry } from '../inquiry/lock.ts';
import { isFree, lockSeats, takesSeat } from '../seat/seat-lock.ts';
import { noSeatFree } from '../seat/seat-read.ts';
import { lockApplication } from './application.ts';
import { nextPosition } from './held.ts';

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
