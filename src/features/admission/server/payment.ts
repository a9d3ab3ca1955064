import { stateAfter } from '#features/admission-form/api.ts';
import { publishedAs } from '#features/admission-form/contract/state.ts';
import { yearNames } from '#features/school/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { nextNumber, refusingRepeat } from '#kit/server/database/numbering.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { type processApi, processMessages } from '../contract/process.ts';
import { lockApplication } from './application.ts';
import { saveInquiry } from './lock.ts';
import { isFree, lockSeats } from './seat-lock.ts';

const rules = {
  table: 'admission_payment',
  fields: {},
  constraintMessages: {
    admission_payment_reference: { field: 'reference', message: processMessages.referenceUsed },
    admission_payment_cash: { field: 'mode', message: processMessages.cash },
    admission_payment_one: { field: 'mode', message: processMessages.paidOnce },
  },
};

/** Locks an application with its seat row, whose offer is open or ended by its date. */
async function lockOffer(ctx: UserContext, asked: { id: number; version: number }) {
  const inquiry = await lockApplication(ctx, asked);
  const state = stateAfter('confirm', inquiry.state);
  const [seat] = await lockSeats(ctx, [inquiry.seat_id]);
  if (!seat) throw new AppError('conflict', processMessages.full);
  return { inquiry, seat, state };
}
type Offer = Awaited<ReturnType<typeof lockOffer>>;

/** Throws where the day is after the offer’s last one, or the seat of an ended offer is given to another child. */
function requireInTime({ inquiry, seat }: Offer, day: string) {
  const last = inquiry.offer_expires_on ?? '';
  if (day > last)
    throw fieldRefusal('paidOn', text`The offer ended on ${{ day: showDate(last) }}. Reopen the application first.`);
  const seats = seat.total - seat.reserved;
  if (inquiry.state === 'Offer expired' && !isFree(seat))
    throw new AppError(
      'conflict',
      text`Paid in time, but all ${{ seats }} seats are given. Add a seat or give the money back.`,
    );
}

const confirm = (
  ctx: UserContext,
  { inquiry, state }: Offer,
  { action, details }: { action: string; details: Record<string, string> },
) =>
  saveInquiry(
    ctx,
    inquiry,
    action,
    { state, status: publishedAs[state] ?? '', ended_state: '' },
    { Status: `${inquiry.state} → ${state}`, ...details },
  );

export const pay: Handler<typeof processApi.pay> = async (ctx, { mode, reference, paidOn, ...asked }) => {
  const offer = await lockOffer(ctx, asked);
  const amount = Number(offer.seat.admission_fee);
  if (amount === 0) throw new AppError('conflict', processMessages.noFee);
  if (paidOn > toLocalDate(ctx.now())) throw fieldRefusal('paidOn', text`Enter today or an earlier day.`);
  const released = await ctx.db
    .selectFrom('admission_decision')
    .where('inquiry_id', '=', asked.id)
    .where('kind', '=', 'Offer')
    .where('released_at', 'is not', null)
    .orderBy('id', 'desc')
    .select('released_at')
    .executeTakeFirst();
  if (released?.released_at && paidOn < toLocalDate(released.released_at))
    throw fieldRefusal('paidOn', text`Enter a day that is not before the offer.`);
  requireInTime(offer, paidOn);
  const years = await yearNames({ db: ctx.db, now: () => new Date(`${paidOn}T12:00:00+05:30`) });
  const slipNo = await nextNumber(ctx.db, { code: 'admission-fee' }, years);
  await withConstraintMessages(ctx, rules, () =>
    ctx.db
      .insertInto('admission_payment')
      .values({
        inquiry_id: asked.id,
        slip_no: slipNo,
        amount,
        mode,
        reference: mode === 'Cash' ? '' : reference,
        paid_on: paidOn,
        taken_by: ctx.user.staffId as number,
        taken_at: ctx.now(),
      })
      .execute()
      .catch(refusingRepeat('admission_payment_slip', slipNo)),
  );
  await confirm(ctx, offer, {
    action: 'admission.fee.recorded',
    details: { Amount: showMoney(amount), Mode: mode, Slip: slipNo },
  });
  return { slipNo };
};

export const reversePayment: Handler<typeof processApi.reversePayment> = async (ctx, { reason, ...asked }) => {
  const inquiry = await lockApplication(ctx, asked);
  const state = stateAfter('reversePayment', inquiry.state);
  const payment = await ctx.db
    .updateTable('admission_payment')
    .set({ reversed_at: ctx.now(), reversed_by: ctx.user.staffId, reverse_reason: reason })
    .where('inquiry_id', '=', asked.id)
    .where('reversed_at', 'is', null)
    .returning(['slip_no', 'amount'])
    .executeTakeFirst();
  if (!payment) throw new AppError('conflict', text`No payment is recorded.`);
  const tomorrow = addDays(toLocalDate(ctx.now()), 1);
  const last = inquiry.offer_expires_on ?? '';
  await saveInquiry(
    ctx,
    inquiry,
    'admission.fee.reversed',
    { state, status: publishedAs[state] ?? '', offer_expires_on: [last, tomorrow].sort()[1] ?? tomorrow },
    { Status: `${inquiry.state} → ${state}`, Slip: payment.slip_no, Reason: reason },
  );
  return {};
};

export const accept: Handler<typeof processApi.accept> = async (ctx, asked) => {
  const offer = await lockOffer(ctx, asked);
  if (Number(offer.seat.admission_fee) > 0) throw new AppError('conflict', processMessages.hasFee);
  requireInTime(offer, toLocalDate(ctx.now()));
  await confirm(ctx, offer, { action: 'admission.offer.accepted', details: {} });
  return {};
};
