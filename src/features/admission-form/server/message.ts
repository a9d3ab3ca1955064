import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { seal } from '#kit/server/security/sealed.ts';
import { messageApi, messageSent, noContact } from '../contract/message.ts';
import { sendLinkApi } from '../contract/send-link.ts';
import { tellSchool } from './consent.ts';
import { auditChange, openForChange, parent, says } from './form.ts';
import { newLinkRequests } from './inquiry.ts';
import { sendLink } from './link.ts';
import { masked } from './masked.ts';
import { tellReviewer } from './reviewer.ts';

/** Messages of one family to the school within an hour. */
const messages = { kind: 'message-to-school', most: 10, windowSeconds: 3600 };

const toSchool: Handler<typeof messageApi.toSchool> = async (ctx, { about, messageText, ...keys }) => {
  await openForChange(ctx, keys);
  const wait = await countHit(ctx.db, messages, `inquiry:${ctx.inquiry.id}`);
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });

  const { id } = await ctx.db
    .insertInto('admission_message')
    .values({
      inquiry_id: ctx.inquiry.id,
      about,
      text: seal(ctx.keys.data, messagePlace(ctx.inquiry.id), messageText),
      sent_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tellSchool(ctx, { template: 'admission.message', subjectId: id });
  await tellReviewer(ctx, {
    kind: 'admission.message',
    text: text`The family of ${{ inquiryNo: ctx.inquiry.number }} wrote to the school.`,
    orElse: { sets: ['office', 'admissionHead'] },
  });
  const details = { messageId: id };
  await auditChange(ctx, { action: 'admission.message.sent', entity: 'admission_inquiry', details });
  return { isSuccess: true, ...says(messageSent) };
};

/** The place that a family's message is sealed to. */
export const messagePlace = (inquiryId: number) => `admission_message.text:${inquiryId}`;

/** The place that the school's reply is sealed to. */
export const replyPlace = (messageId: number) => `admission_message.reply:${messageId}`;

/** Sends the same link to the contacts in the inquiry; no other address can be entered, so nobody else gets it. */
const sendSameLink: Handler<typeof sendLinkApi.sendLink> = async (ctx, input) => {
  await openForChange(ctx, input);
  const inquiry = await ctx.db
    .selectFrom('admission_inquiry')
    .where('id', '=', ctx.inquiry.id)
    .select(['father_mobile', 'mother_mobile', 'father_email', 'mother_email'])
    .executeTakeFirstOrThrow();
  const mobiles = [inquiry.father_mobile, inquiry.mother_mobile].map((target) => ({ channel: 'sms' as const, target }));
  const emails = [inquiry.father_email, inquiry.mother_email].map((target) => ({ channel: 'email' as const, target }));
  const contacts = new Map(
    [...mobiles, ...emails].flatMap(({ channel, target }) => (target ? [[target, channel]] : [])),
  );
  if (contacts.size === 0) return { isSuccess: false, ...says(noContact) };

  const sentTo: string[] = [];
  let longest = 0;
  for (const [target, channel] of contacts) {
    const wait = await countHit(ctx.db, newLinkRequests, target.toLowerCase());
    longest = Math.max(longest, wait);
    if (wait > 0) continue;
    await sendLink(ctx, parent, { inquiryId: ctx.inquiry.id, channel, recipient: target });
    sentTo.push(masked(target));
  }
  if (sentTo.length === 0) {
    throw new AppError('too_many_tries', text`We sent the link three times within an hour. Check your messages.`, {
      retryAfter: longest,
    });
  }
  const sent = text`Saved. We sent this link again to ${{ contacts: sentTo.join(', ') }}.`;
  return { isSuccess: true, ...says(sent) };
};

export default [...routes(messageApi, { toSchool }), ...routes(sendLinkApi, { sendLink: sendSameLink })];
