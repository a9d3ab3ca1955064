import { requireState } from '#features/admission-form/api.ts';
import { nextWorkingDay } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { english, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { callOutcomes, inquiryApi } from '../../contract/inquiry.ts';
import { endInquiry, readReason } from './ending.ts';
import { lockInquiry, saveInquiry } from './lock.ts';

interface Contact {
  id: number;
  channel: string;
  outcome?: (typeof callOutcomes)[number];
  note: string;
  nextOn: string;
}

async function saveContact(ctx: UserContext, { id, channel, outcome, note, nextOn }: Contact) {
  const inquiry = await lockInquiry(ctx, id);
  requireState('followUp', inquiry.state);
  await ctx.db
    .insertInto('admission_follow_up')
    .values({
      inquiry_id: id,
      channel,
      outcome: outcome ?? '',
      note,
      next_on: nextOn || null,
      staff_id: ctx.user.staffId,
      contacted_at: ctx.now(),
    })
    .execute();
  await saveInquiry(
    ctx,
    inquiry,
    'admission.inquiry.followed-up',
    { next_follow_up_on: nextOn || null },
    {
      'Contact by': channel,
      ...(outcome && { Outcome: outcome }),
      Note: note,
      ...(nextOn && { 'Next follow-up': showDate(nextOn) }),
    },
  );
}

export const logFollowUp: Handler<typeof inquiryApi.logFollowUp> = async (ctx, contact) => {
  await saveContact(ctx, contact);
  return {};
};

/** Locks the inquiry; throws `conflict` where another call was logged since the user saw that one is due. */
async function requireDueCall(ctx: UserContext, id: number, seenOn: string) {
  const inquiry = await lockInquiry(ctx, id);
  const next = inquiry.next_follow_up_on;
  if (next === seenOn) return inquiry;
  const last = await ctx.db
    .selectFrom('admission_follow_up as contact')
    .innerJoin('staff', 'staff.id', 'contact.staff_id')
    .where('contact.inquiry_id', '=', id)
    .orderBy('contact.id', 'desc')
    .select('staff.name')
    .executeTakeFirst();
  const by = last?.name ?? '';
  const day = next ? showDate(next) : '';
  throw new AppError(
    'conflict',
    by
      ? day
        ? text`${{ by }} logged a call. The next call is due on ${{ day }}.`
        : text`${{ by }} logged a call. No other is due.`
      : day
        ? text`The next call is due on ${{ day }} now.`
        : text`No call is due now.`,
  );
}

export const noAnswer: Handler<typeof inquiryApi.noAnswer> = async (ctx, { id, seenOn }) => {
  await requireDueCall(ctx, id, seenOn);
  const tomorrow = addDays(toLocalDate(ctx.now()), 1);
  const nextOn = (await nextWorkingDay(ctx, tomorrow, null)) ?? tomorrow;
  await saveContact(ctx, { id, channel: 'Call', outcome: 'No answer', note: english(text`No answer`), nextOn });
  return { nextOn };
};

export const reached: Handler<typeof inquiryApi.reached> = async (ctx, { id, seenOn, note, nextOn }) => {
  await requireDueCall(ctx, id, seenOn);
  await saveContact(ctx, { id, channel: 'Call', outcome: 'Reached', note, nextOn });
  return {};
};

export const visit: Handler<typeof inquiryApi.visit> = async (ctx, { id, seenOn, visitOn, note }) => {
  await requireDueCall(ctx, id, seenOn);
  if (visitOn < toLocalDate(ctx.now())) throw fieldRefusal('visitOn', text`Choose today or a later day.`);
  const words = note || english(text`Visit on ${{ day: showDate(visitOn) }}`);
  await saveContact(ctx, { id, channel: 'Call', outcome: 'Visit', note: words, nextOn: visitOn });
  return {};
};

export const lostInCall: Handler<typeof inquiryApi.lostInCall> = async (ctx, { id, seenOn, reasonId, note }) => {
  await requireDueCall(ctx, id, seenOn);
  const reason = await readReason(ctx, 'Reason lost', { reasonId, note });
  await saveContact(ctx, { id, channel: 'Call', outcome: 'Lost', note: reason, nextOn: '' });
  const { version } = await lockInquiry(ctx, id);
  return endInquiry(ctx, 'lose', { id, version, reason, reasonId });
};
