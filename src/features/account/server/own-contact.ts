import { sql } from 'kysely';
import {
  type Channel,
  callSchool,
  channels,
  codeMinutes,
  codeOf,
  countOwnCode,
  endOldContact,
  exampleCode,
  isCode,
  isHeldSession,
  newSalt,
  tooMany,
} from '#features/sign-in/api.ts';
import { wrongCode } from '#features/sign-in/contract/sign-in.ts';
import { changeContact } from '#features/staff/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { queueMessage, type Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { refuseUnproved } from '#kit/server/security/session.ts';
import { takenAddress } from '../contract/account.ts';
import { contactApi, needsPassword } from '../contract/contact.ts';

/** Whether the account is an Admin's, also in a Staff session. */
async function isAdmin({ db, user }: UserContext): Promise<boolean> {
  const account = await db
    .selectFrom('sign_in_account')
    .where('id', '=', user.id)
    .select('is_admin')
    .executeTakeFirstOrThrow();
  return account.is_admin;
}

/**
 * Links to a password and codes go to an Admin's address, so changing it needs a freshly typed password: a session from
 * a code or Google would prove no more than a phone.
 */
async function refuseWithoutPassword(ctx: UserContext) {
  if (!(await isAdmin(ctx))) return;
  if (ctx.user.role === 'Admin') return refuseUnproved(ctx.user);
  await audit(ctx, { action: 'contact.refused', entity: 'sign_in_account', entityId: ctx.user.id, result: 'refused' });
  throw new AppError('forbidden', needsPassword);
}

/** An address in use is refused only after its code was typed, so that only its owner learns this (A9). */
async function sendCode(ctx: UserContext, channel: Channel, target: string) {
  await refuseWithoutPassword(ctx);
  await countOwnCode(ctx, ctx.user.id, `contact:${ctx.user.id}`);
  return ctx.db.transaction().execute((db) => makeCode({ ...ctx, db }, channel, target));
}

async function makeCode(ctx: UserContext, channel: Channel, target: string) {
  await ctx.db
    .updateTable('sign_in_contact')
    .set({ used_at: sql`now()` })
    .where('account_id', '=', ctx.user.id)
    .where('used_at', 'is', null)
    .execute();
  const { id } = await ctx.db
    .insertInto('sign_in_contact')
    .values({
      account_id: ctx.user.id,
      channel,
      target,
      salt: newSalt(),
      expires_at: sql`now() + make_interval(mins => ${codeMinutes})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queueMessage(ctx, {
    channel: channels[channel],
    template: 'contact-code',
    recipient: target,
    subjectId: id,
    isAwaited: true,
  });
  await audit(ctx, {
    action: 'contact.code-sent',
    entity: 'sign_in_account',
    entityId: ctx.user.id,
    details: { channel },
  });
  return {};
}

const sendEmailCode: Handler<typeof contactApi.sendEmailCode> = (ctx, { email }) =>
  sendCode(ctx, 'email', email.toLowerCase());
const sendMobileCode: Handler<typeof contactApi.sendMobileCode> = (ctx, { mobile }) => sendCode(ctx, 'mobile', mobile);

const codeTries = { kind: 'contact-code-tried', most: 5, windowSeconds: codeMinutes * 60 };

const save: Handler<typeof contactApi.save> = async (ctx, { OTP }) => {
  await refuseWithoutPassword(ctx);
  const row = await ctx.db
    .selectFrom('sign_in_contact')
    .where('account_id', '=', ctx.user.id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .select(['id', 'salt', 'channel', 'target'])
    .executeTakeFirst();
  // Counted before the check, and whether or not a code exists, so that simultaneous tries are limited to five too
  // (A5).
  const wait = await countHit(ctx.db, codeTries, String(row?.id ?? `none of ${ctx.user.id}`));
  if (wait > 0) throw tooMany(wait);
  if (!row || !isCode(ctx, row, OTP)) {
    const action = 'contact.code-refused';
    await audit(ctx, { action, entity: 'sign_in_account', entityId: ctx.user.id, result: 'refused' });
    throw new AppError('invalid', wrongCode, { fields: { OTP: wrongCode } });
  }
  const channel = row.channel as Channel;
  await ctx.db
    .transaction()
    .execute((db) => take({ ...ctx, db }, { id: row.id, channel, target: row.target }))
    .catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      throw new AppError('conflict', takenAddress, { fields: { OTP: takenAddress } });
    });
  return {};
};

/** Stores a confirmed address as the person's own, and notifies the previous address. */
async function take(ctx: UserContext, { id, channel, target }: { id: number; channel: Channel; target: string }) {
  // If the same code is sent twice at once, the second request finds it used.
  const { numUpdatedRows } = await ctx.db
    .updateTable('sign_in_contact')
    .set({ used_at: sql`now()` })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new AppError('invalid', wrongCode, { fields: { OTP: wrongCode } });
  const isConfirmed = !(await isHeldSession(ctx));
  const before = await changeContact(ctx, ctx.user.staffId, { [channel]: target }, isConfirmed);
  await endOldContact(ctx, { id: ctx.user.id, isAdmin: await isAdmin(ctx) }, { [channel]: before[channel] });
  await audit(ctx, { action: 'contact.changed', entity: 'staff', entityId: ctx.user.staffId, details: { channel } });
}

/** Undefined once the code was used or has expired. */
const contactCodeMessage: Template = {
  isFor: async ({ db }, { subjectId, recipient }) =>
    (await db
      .selectFrom('sign_in_contact')
      .where('id', '=', subjectId)
      .where('target', '=', recipient)
      .select('id')
      .executeTakeFirst()) !== undefined,
  render: async (services, id) => {
    const row = await services.db
      .selectFrom('sign_in_contact')
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', services.now())
      .select(['id', 'salt'])
      .executeTakeFirst();
    if (!row) return undefined;
    return contactCodeWords(codeOf(services, row));
  },
};

const contactCodeWords = (code: string): Rendered => ({
  subject: text`${{ code }} is your code to confirm your contact details`,
  paragraphs: [
    text`${{ code }} is your code to confirm your contact details for your school account. Use it once, within ${{ codeMinutes }} minutes. The school never asks for it.`,
    text`If you did not ask for this, ignore this message. Nothing has changed.`,
  ],
});

/** News about a contact, which warns the owner also at an address that was just changed. */
const news = (words: Rendered): Template => ({ isFor: 'as queued', render: async () => words });

const emailChangedMessage = news({
  subject: text`Your email address was changed`,
  paragraphs: [
    text`This email address or mobile number was removed from your account. It no longer opens the account.`,
    callSchool,
  ],
});

const mobileChangedWords: Rendered = {
  subject: text`Your mobile number was changed`,
  paragraphs: [
    text`This email address or mobile number was removed from your account. It no longer opens the account.`,
    callSchool,
  ],
};
const mobileChangedMessage = news(mobileChangedWords);

const emailAddedWords: Rendered = {
  subject: text`An email address was added to your account`,
  paragraphs: [text`An email address was added to your school account. It can be used to sign in.`, callSchool],
};
const emailAddedMessage = news(emailAddedWords);

/** Those of them that are sent by SMS. */
export const contactTexts: Record<string, TextMessage> = {
  'contact-code': {
    when: text`When someone adds or changes a mobile number in their profile.`,
    example: () => contactCodeWords(exampleCode),
  },
  'mobile-changed': {
    when: text`To the old number, when the mobile number of an account was changed.`,
    example: () => mobileChangedWords,
  },
  'email-added': {
    when: text`To the mobile number, when the first email address was added to an account.`,
    example: () => emailAddedWords,
  },
};

const mobileAddedMessage = news({
  subject: text`A mobile number was added to your account`,
  paragraphs: [text`A mobile number was added to your school account. It can be used to sign in.`, callSchool],
});

export const contactMessages = {
  'contact-code': contactCodeMessage,
  'email-changed': emailChangedMessage,
  'mobile-changed': mobileChangedMessage,
  'email-added': emailAddedMessage,
  'mobile-added': mobileAddedMessage,
};

export const contactRoutes = routes(contactApi, { sendEmailCode, sendMobileCode, save });
