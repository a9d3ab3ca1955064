import {
  isLinkTextRefused,
  previewMessage,
  readLink,
  readShortLink,
  revokeLink as revoke,
  sendLink,
  stateAfter,
} from '#features/admission-form/api.ts';
import { tooMany } from '#features/sign-in/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { differsFromTemplate, outdated } from '#kit/server/messages/outbox.ts';
import { countHit } from '#kit/server/security/limits.ts';
import type { inquiryApi } from '../../contract/inquiry.ts';
import { requireInquiry } from '../scope.ts';
import { lockInquiry, saveInquiry } from './lock.ts';
import { closedGrade, isGradeOpen } from './open-grade.ts';

/** Sends the form's link to each address; a new inquiry becomes one whose form is sent. */
export async function sendTo(
  ctx: UserContext,
  inquiry: { id: number; state: string },
  channel: 'email' | 'sms',
  recipients: readonly string[],
) {
  const { id, state } = inquiry;
  const next = state === 'In progress' ? state : stateAfter('sendForm', state);
  for (const recipient of recipients) await sendLink(ctx, ctx.user.name, { inquiryId: id, channel, recipient });
  await ctx.db
    .updateTable('admission_inquiry')
    .set({ state: next, link_sent_at: ctx.now() })
    .where('id', '=', id)
    .execute();
}

export const differentText = text`This text differs from the registered template. Send by email, or ask an Admin to correct the template.`;

const noAddress = text`The inquiry has no such email address or mobile number. Edit it first.`;
const sendings = { kind: 'form-sent', most: 10, windowSeconds: 3600 };

export const sendForm: Handler<typeof inquiryApi.sendForm> = async (ctx, { id, channel, to }) => {
  const inquiry = await lockInquiry(ctx, id);
  const open = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .where('id', '=', id)
    .where(isGradeOpen(ctx.now()))
    .select('id')
    .executeTakeFirst();
  if (!open) throw new AppError('conflict', closedGrade);
  const wait = await countHit(ctx.db, sendings, String(id));
  if (wait > 0) throw tooMany(wait);
  const isEmail = channel === 'Email';
  const addresses = {
    Father: isEmail ? inquiry.father_email : inquiry.father_mobile,
    Mother: isEmail ? inquiry.mother_email : inquiry.mother_mobile,
  };
  const recipients = to.split(',').map((parent) => addresses[parent as keyof typeof addresses]);
  if (recipients.some((address) => !address)) throw fieldRefusal('to', noAddress);
  await sendTo(ctx, inquiry, isEmail ? 'email' : 'sms', [...new Set(recipients.map(String))]);
  // Only now the text has the link and the date that are sent; the refusal undoes the sending.
  if (!isEmail && (await isLinkTextRefused(ctx, id))) throw fieldRefusal('channel', differentText);
  return {};
};

export const readMessage: Handler<typeof inquiryApi.message> = async (ctx, { id, channel }) => {
  await requireInquiry(ctx, id);
  const message = await previewMessage(ctx, id, channel === 'Email' ? 'email' : 'sms');
  return { subject: message?.subject ?? '', words: message?.text ?? '' };
};

export const copyLink: Handler<typeof inquiryApi.copyLink> = (ctx, { id }) => handOver(ctx, id);

/** Gives the link to an employee, who gives it to the family; `details` says how. */
export async function handOver(ctx: UserContext, id: number, details: Record<string, string> = {}) {
  const inquiry = await lockInquiry(ctx, id);
  const next = inquiry.state === 'In progress' ? inquiry.state : stateAfter('sendForm', inquiry.state);
  const link = await readLink(ctx, ctx.user.name, id);
  const sentAt = inquiry.link_sent_at ?? ctx.now();
  await saveInquiry(ctx, inquiry, 'admission.link.copied', { state: next, link_sent_at: sentAt }, details);
  return { link, shortLink: await readShortLink(ctx, ctx.user.name, id) };
}

export const revokeLink: Handler<typeof inquiryApi.revokeLink> = async (ctx, { id }) => {
  await lockInquiry(ctx, id);
  await revoke(ctx, ctx.user.name, id);
  return {};
};

const sendingWords: Record<string, Text> = {
  queued: text`Waiting to be sent`,
  sent: text`Sent`,
  expired: text`No longer needed`,
  failed: text`Failed: every attempt to send it was refused or not answered.`,
};
const notSent: Record<string, Text> = {
  [differsFromTemplate]: text`Not sent: the text differs from the registered template.`,
  [outdated]: text`Not sent: the contact or the link changed first.`,
};

/** What became of a message, in plain words. */
export const sendingWordsOf = ({ status, last_error }: { status: string; last_error: string | null }): Text =>
  (status === 'failed' || status === 'expired' ? notSent[last_error ?? ''] : undefined) ??
  sendingWords[status] ??
  text`Not sent`;
