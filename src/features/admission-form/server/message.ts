import { AppError } from '#kit/contract/errors.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { seal } from '#kit/server/security/sealed.ts';
import { linkOnItsWay, messageApi, messageSent, noContact } from '../contract/message.ts';
import { tellSchool } from './consent.ts';
import { auditChange, openForChange, parent } from './form.ts';
import { newLinkRequests } from './inquiry.ts';
import { sendLink } from './link.ts';

/** Words of one family to the school within an hour. */
const messages = { kind: 'message-to-school', most: 10, windowSeconds: 3600 };

const toSchool: Handler<typeof messageApi.toSchool> = async (ctx, { about, messageText, ...keys }) => {
  await openForChange(ctx, keys);
  const wait = await countHit(ctx.db, messages, `inquiry:${ctx.inquiry.id}`);
  if (wait > 0) throw new AppError('too_many_tries', 'Too many tries. Please try again later.', { retryAfter: wait });

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
  const details = { messageId: id };
  await auditChange(ctx, { action: 'admission.message.sent', entity: 'admission_inquiry', details });
  return { isSuccess: true, message: messageSent };
};

/** What a family's message is sealed to. */
export const messagePlace = (inquiryId: number) => `admission_message.text:${inquiryId}`;

/** The same link to every contact the inquiry holds; no address can be entered, so that nobody else can be sent it. */
const sendSameLink: Handler<typeof messageApi.sendLink> = async (ctx, input) => {
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
  if (contacts.size === 0) return { isSuccess: false, message: noContact, sentTo: [] };

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
    throw new AppError('too_many_tries', 'The link was sent three times within an hour. Please look for it there.', {
      retryAfter: longest,
    });
  }
  return { isSuccess: true, message: linkOnItsWay, sentTo };
};

/** "98XXXXXX11" or "n…@family.example": enough to know one's own by. */
const masked = (target: string) =>
  target.includes('@')
    ? target.replace(/^(.)[^@]*/, '$1…')
    : target.slice(0, 2) + 'X'.repeat(Math.max(0, target.length - 4)) + target.slice(-2);

export default routes(messageApi, { toSchool, sendLink: sendSameLink });
