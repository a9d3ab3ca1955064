import { openStates } from '#features/admission-form/contract/state.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { addDays, endOfDay, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type inquiryApi, mostLinkDays } from '../../contract/inquiry.ts';
import { lockInquiry, saveInquiry } from './lock.ts';

const isRevoked = text`The link is revoked. Send the form again: that makes a new link.`;
/** The states in which the family fills in or corrects the form. */
export const withFamily: readonly string[] = [...openStates, 'Correction requested'];

/** Lets the link live until the end of a day; one that has expired opens the form again. */
export const extendLink: Handler<typeof inquiryApi.extendLink> = async (ctx, { id, expiresOn }) => {
  const inquiry = await lockInquiry(ctx, id);
  if (inquiry.link_revoked_at) throw new AppError('conflict', isRevoked);
  if (!withFamily.includes(inquiry.state)) {
    const { state } = inquiry;
    throw new AppError('conflict', text`This can’t be done while the status is “${{ state }}”.`);
  }
  const today = toLocalDate(ctx.now());
  const [least, most] = [addDays(today, 1), addDays(today, mostLinkDays)];
  if (expiresOn < least || expiresOn > most)
    throw fieldRefusal(
      'expiresOn',
      text`Enter a date from ${{ least: showDate(least) }} to ${{ most: showDate(most) }}.`,
    );
  await saveInquiry(
    ctx,
    inquiry,
    'admission.link.extended',
    { link_expires_at: endOfDay(expiresOn) },
    { 'Works until': showDate(expiresOn) },
  );
  return {};
};
