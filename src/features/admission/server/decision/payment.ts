import { stateAfter } from '#features/admission-form/api.ts';
import { publishedAs } from '#features/admission-form/contract/state.ts';
import { bouncePayment, cancelPayment, lockDay, recordAdmissionFee } from '#features/fee-money/api.ts';
import { paymentEnded } from '#features/fee-money/contract/hooks.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext, UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type processApi, processMessages } from '../../contract/process.ts';
import { saveInquiry } from '../inquiry/lock.ts';
import { isFree, lockSeats } from '../seat/seat-lock.ts';
import { lockApplication } from './application.ts';
import { endWaiver } from './fee-waiver.ts';

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
      text`Paid in time, but all ${{ seats }} seats are assigned. Add a seat or refund the payment.`,
    );
}

async function confirm(
  ctx: UserContext,
  { inquiry, state }: Offer,
  { action, details }: { action: string; details: Record<string, string> },
) {
  await endWaiver(ctx, inquiry.id);
  await saveInquiry(
    ctx,
    inquiry,
    action,
    { state, status: publishedAs[state] ?? '', ended_state: '' },
    { Status: `${inquiry.state} → ${state}`, ...details },
  );
}

export const pay: Handler<typeof processApi.pay> = async (ctx, { mode, reference, paidOn, ...asked }) => {
  const today = toLocalDate(ctx.now());
  if (paidOn > today) throw fieldRefusal('paidOn', text`Enter today or an earlier day.`);
  await lockDay(ctx, paidOn);
  const offer = await lockOffer(ctx, asked);
  const amount = Number(offer.seat.admission_fee);
  if (amount === 0) throw new AppError('conflict', processMessages.noFee);
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
  const { id: feePaymentId, receipts } = await recordAdmissionFee(ctx, asked.id, {
    ...(await factsOf(ctx, offer.inquiry)),
    amount,
    mode: modesOfFees[mode as keyof typeof modesOfFees],
    reference: mode === 'Cash' ? '' : reference,
    paidOn,
    backReason: paidOn === today ? '' : `Paid in time for the offer of ${offer.inquiry.inquiry_no}`,
    remark: '',
  });
  const slipNo = receipts.map(({ receiptNo }) => receiptNo).join(', ');
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
        fee_payment_id: feePaymentId,
      })
      .execute(),
  );
  await confirm(ctx, offer, {
    action: 'admission.fee.recorded',
    details: { Amount: showMoney(amount), Mode: mode, Receipts: slipNo },
  });
  return { slipNo };
};

/** How the fees call the mode of an admission fee. */
const modesOfFees = {
  Cash: 'Cash',
  UPI: 'UPI',
  Card: 'Card',
  Transfer: 'Bank transfer',
  Cheque: 'Cheque',
  DD: 'Demand draft',
} as const;

/** The child, payer and place of an application, as its receipts name them. */
async function factsOf({ db }: UserContext, inquiry: Offer['inquiry']) {
  const { name: grade } = await db
    .selectFrom('academic_grade')
    .where('id', '=', inquiry.grade_id)
    .select('name')
    .executeTakeFirstOrThrow();
  const named = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ');
  const father = named(inquiry.father_first_name, inquiry.father_last_name);
  const mother = named(inquiry.mother_first_name, inquiry.mother_last_name);
  const child = named(inquiry.first_name, inquiry.last_name) || inquiry.inquiry_no;
  const mobile = (father ? inquiry.father_mobile : inquiry.mother_mobile) ?? '';
  return {
    child: { name: child, inquiryNo: inquiry.inquiry_no, grade },
    payer: { name: father || mother || child, mobile: /^[0-9]{10}$/.test(mobile) ? mobile : '' },
    place: {
      yearId: inquiry.academic_year_id,
      branchId: inquiry.branch_id,
      programId: inquiry.program_id,
      gradeId: inquiry.grade_id,
      categoryId: null,
    },
  };
}

/** A cheque bounces at once; what was paid otherwise is cancelled by the cashier on the same day, later by a second person. */
export const reversePayment: Handler<typeof processApi.reversePayment> = async (ctx, { reason, ...asked }) => {
  const inquiry = await lockApplication(ctx, asked);
  stateAfter('reversePayment', inquiry.state);
  const payment = await ctx.db
    .selectFrom('admission_payment')
    .where('inquiry_id', '=', asked.id)
    .where('reversed_at', 'is', null)
    .select(['id', 'mode', 'fee_payment_id'])
    .executeTakeFirst();
  if (!payment) throw new AppError('conflict', text`No payment is recorded.`);
  const id = payment.fee_payment_id;
  if (id === null) await offerAgain(ctx, inquiry, reason);
  else if (payment.mode === 'Cheque' || payment.mode === 'DD') await bouncePayment(ctx, { id, reason });
  else return cancelPayment(ctx, { id, reason });
  return { isAsked: false };
};

/** The seat of an admission fee that was cancelled, or whose cheque bounced, is offered again. */
export const offerSeatAgain = answer(
  paymentEnded,
  { by: 'admission', step: 3 },
  async (ctx, { paymentId, inquiryId, reason }) => {
    const payment = await ctx.db
      .selectFrom('admission_payment')
      .innerJoin('admission_inquiry as inquiry', 'inquiry.id', 'admission_payment.inquiry_id')
      .where('inquiry.id', '=', inquiryId)
      .where('fee_payment_id', '=', paymentId)
      .where('reversed_at', 'is', null)
      .select(['inquiry.id', 'inquiry.version', 'inquiry.state', 'inquiry.offer_expires_on'])
      .executeTakeFirst();
    if (payment) await offerAgain(ctx, payment, reason);
    return undefined;
  },
);

/** Notes that the payment of a locked application is reversed; a confirmed seat is offered again, at least until tomorrow. */
async function offerAgain(
  ctx: ActingContext,
  inquiry: { id: number; version: number; state: string; offer_expires_on: string | null },
  reason: string,
) {
  const reversed = await ctx.db
    .updateTable('admission_payment')
    .set({ reversed_at: ctx.now(), reversed_by: ctx.user?.staffId ?? null, reverse_reason: reason })
    .where('inquiry_id', '=', inquiry.id)
    .where('reversed_at', 'is', null)
    .returning('slip_no')
    .executeTakeFirstOrThrow();
  if (inquiry.state !== 'Seat confirmed') return;
  const state = stateAfter('reversePayment', inquiry.state);
  const tomorrow = addDays(toLocalDate(ctx.now()), 1);
  const last = inquiry.offer_expires_on ?? '';
  await ctx.db
    .updateTable('admission_inquiry')
    .set({
      state,
      status: publishedAs[state] ?? '',
      offer_expires_on: [last, tomorrow].sort()[1] ?? tomorrow,
      version: inquiry.version + 1,
    })
    .where('id', '=', inquiry.id)
    .execute();
  await audit(ctx, {
    action: 'admission.fee.reversed',
    entity: 'admission_inquiry',
    entityId: inquiry.id,
    version: inquiry.version + 1,
    details: { Status: `${inquiry.state} → ${state}`, Receipts: reversed.slip_no, Reason: reason },
  });
}

export const accept: Handler<typeof processApi.accept> = async (ctx, asked) => {
  const offer = await lockOffer(ctx, asked);
  if (Number(offer.seat.admission_fee) > 0) throw new AppError('conflict', processMessages.hasFee);
  requireInTime(offer, toLocalDate(ctx.now()));
  await confirm(ctx, offer, { action: 'admission.offer.accepted', details: {} });
  return {};
};
