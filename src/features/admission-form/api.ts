import { type Insertable, sql } from 'kysely';
import type { AdmissionInquiry } from '#database/types.ts';
import { yearNames } from '#features/school/api.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { drawNumbers, refusingRepeat } from '#kit/server/database/numbering.ts';
import { type CamelRow, fromCamelRow } from '#kit/server/database/row-map.ts';
import { say } from '#kit/server/language/say.ts';
import { queueMessages, render, type Template } from '#kit/server/messages/outbox.ts';
import { differs, textKey } from '#kit/server/messages/text-message.ts';
import { audit, auditEach } from '#kit/server/security/audit.ts';
import { linkHash, newVersion, shortAddress } from '#kit/server/security/link-value.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import { noticeVersions } from './contract/consent.ts';
import { recordConsent } from './server/consent.ts';
import { keepAlive, linkExpiry, renewLinks } from './server/link.ts';
import { linkAddress, linkValue, shortCode } from './server/link-value.ts';
import { messagePlace, replyPlace } from './server/message.ts';
import { messages } from './server/messages.ts';

export { isOpenedBy, sendLink } from './server/link.ts';
export { example as exampleMessage, type LinkWords, readLinkWords } from './server/link-words.ts';
export { printForm } from './server/printed-form.ts';
export { nameFormFile, readAadhaar, readForm, readFormFile, readSubmission } from './server/read-form.ts';
export { isForLinkHolder } from './server/recipient.ts';
export { requireState, stateAfter } from './server/state.ts';
export {
  type FormAdult,
  type FormChild,
  type FormFiles,
  listFormFiles,
  openHealth,
  toChildren,
} from './server/to-child.ts';

/** An inquiry's row, but for its number and link. Without a state the form is sent: the caller hands over the link. */
type InquiryRow = Omit<
  Insertable<AdmissionInquiry>,
  'inquiry_no' | 'link_hash' | 'short_hash' | 'link_key_id' | 'link_version' | 'link_expires_at'
>;

/** Details of a child and its parents. Only year, board, program and grade are required. */
export type NewInquiry = CamelRow<InquiryRow> & {
  /** Consent the office already has, such as on paper; without it the form asks the parent. */
  consent?: { name: string; relation: 'Father' | 'Mother' | 'Guardian' };
};

/**
 * Creates inquiries with the next numbers of their academic year, such as INQ/2026-27/00042, in this order and in the
 * same few statements for any number up to a thousand. Call it inside the transaction of the business act: a rollback
 * frees the numbers.
 */
export async function createInquiries(
  ctx: Context,
  actor: string,
  all: readonly InquiryRow[],
  details: Record<string, string> = {},
) {
  const byYear = Map.groupBy(all, ({ academic_year_id }) => academic_year_id);
  const years = await ctx.db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`any(${[...byYear.keys()]}::integer[])`)
    .select(['id', 'name'])
    .orderBy('id')
    .execute();
  const current = await yearNames(ctx);
  const numbers = new Map<number, string[]>();
  for (const { id, name } of years) {
    const count = byYear.get(id)?.length ?? 0;
    const drawn = await drawNumbers(ctx.db, { code: 'inquiry' }, { ...current, academicYear: name }, count);
    numbers.set(
      id,
      drawn.map(({ number }) => number),
    );
  }
  const keyId = ctx.keys.link.current.id;
  const made = all.map((values) => {
    const inquiryNo = numbers.get(values.academic_year_id)?.shift();
    if (!inquiryNo) throw new Error(`There is no academic year ${values.academic_year_id}.`);
    const link = { inquiryNo, version: newVersion(), keyId };
    const value = linkValue(ctx.keys, link);
    const row = {
      inquiry_no: inquiryNo,
      link_hash: bytes(linkHash(value)),
      short_hash: bytes(linkHash(shortCode(ctx.keys, link))),
      link_key_id: keyId,
      link_version: link.version,
      link_expires_at: ctx.now(),
      state: 'Form sent',
      ...values,
    };
    return { inquiryNo, value, row };
  });
  await insertRows(ctx.db, 'admission_inquiry', made.map(({ row }) => row) as never).catch(
    refusingRepeat('admission_inquiry_inquiry_no_key', made[0]?.inquiryNo ?? ''),
  );
  const rows = await ctx.db
    .updateTable('admission_inquiry')
    .set({ link_expires_at: linkExpiry(ctx.now()) })
    .where('inquiry_no', '=', sql<string>`any(${made.map(({ inquiryNo }) => inquiryNo)}::text[])`)
    .returning(['id', 'inquiry_no as inquiryNo'])
    .execute();
  const idOf = new Map(rows.map(({ id, inquiryNo }) => [inquiryNo, id]));
  const created = made.map(({ inquiryNo, value }) => {
    return { id: idOf.get(inquiryNo) ?? 0, inquiryNo, value, link: linkAddress(ctx.publicUrl, value) };
  });
  await auditEach(
    ctx,
    { actor, action: 'admission.inquiry.created', entity: 'admission_inquiry', details },
    created.map(({ id }) => id),
  );
  return created;
}

/** As JSON writes a `bytea` for PostgreSQL. */
const bytes = (value: Buffer) => `\\x${value.toString('hex')}`;

/** As `createInquiries`, for one. Returns its id, number and link. */
export async function createInquiry(ctx: Context, actor: string, { consent, ...values }: NewInquiry) {
  const [made] = await createInquiries(ctx, actor, [fromCamelRow(values)]);
  if (!made) throw new Error('No inquiry was created.');
  if (consent)
    await recordConsent(ctx, made.id, {
      ...consent,
      noticeVersion: noticeVersions.en,
      language: 'en',
      recordedBy: actor,
    });
  return made;
}

/** Ends an inquiry's link immediately. */
export async function revokeLink(ctx: Context, actor: string, inquiryId: number) {
  await ctx.db
    .updateTable('admission_inquiry')
    .set({ link_revoked_at: ctx.now() })
    .where('id', '=', inquiryId)
    .execute();
  await audit(ctx, { actor, action: 'admission.link.revoked', entity: 'admission_inquiry', entityId: inquiryId });
}

/** The address of an inquiry's link; a revoked or expired one is replaced, a live one extended. */
export async function readLink(ctx: Context, actor: string, inquiryId: number): Promise<string> {
  const inquiry = await keepAlive(ctx, actor, inquiryId);
  return linkAddress(ctx.publicUrl, linkValue(ctx.keys, inquiry));
}

/** The short form of an inquiry's link, for paper and text messages. */
export async function readShortLink(ctx: Context, actor: string, inquiryId: number): Promise<string> {
  return shortAddress(ctx.publicUrl, shortCode(ctx.keys, await keepAlive(ctx, actor, inquiryId)));
}

/** The text message with an inquiry's link in the family's language, for another way of sending it. The link is alive. */
export async function readLinkMessage(ctx: Context, inquiryId: number): Promise<string> {
  const message = await messages['admission.link']?.render(ctx, inquiryId, null);
  if (!message?.sms) throw new Error('The link has no text message.');
  return say(message.language ?? 'en')(message.sms);
}

/** A message with an inquiry's link as the family would read it, without the link; undefined while it is revoked. */
export async function previewMessage(
  ctx: Context,
  inquiryId: number,
  channel: 'email' | 'sms',
  kind: ToParents['template'] = 'admission.link',
  template: Template | undefined = messages[kind],
) {
  const message = template && (await render(ctx, template, inquiryId, channel));
  return message && { ...message, text: message.text.replace(/https?:\/\/\S+/g, '…') };
}

/** The message that `sendToParents` would send to the first of an inquiry's contacts, without the link. */
export async function previewToParents(ctx: Context, { inquiryId, template }: ToParents, own?: Template) {
  const [contact = ''] = await contactsOf(ctx, inquiryId);
  const channel = contact.includes('@') ? 'email' : 'sms';
  const message = await previewMessage(ctx, inquiryId, channel, template, own);
  return message && { subject: channel === 'email' ? message.subject : '', words: message.text };
}

/** Gives an inquiry a new link and returns its address; the old one stops working. */
export async function renewLink(ctx: Context, actor: string, inquiryId: number): Promise<string> {
  const inquiry = await ctx.db
    .selectFrom('admission_inquiry')
    .where('id', '=', inquiryId)
    .select(['id', 'inquiry_no'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  const links = await renewLinks(ctx, actor, [inquiry]);
  return linkAddress(ctx.publicUrl, links.get(inquiryId)?.value ?? '');
}

/** One contact of each parent: the email address, else the mobile number. */
async function contactsOf({ db }: Context, inquiryId: number) {
  const row = await db
    .selectFrom('admission_inquiry')
    .where('id', '=', inquiryId)
    .select(['father_email', 'father_mobile', 'mother_email', 'mother_mobile'])
    .executeTakeFirstOrThrow();
  const contacts = [row.father_email ?? row.father_mobile, row.mother_email ?? row.mother_mobile];
  return [...new Set(contacts.filter((contact) => contact !== null))];
}

/** Whether the text message with an inquiry's link would not be sent: it differs from the registered template. */
export async function isLinkTextRefused(ctx: Context, inquiryId: number): Promise<boolean> {
  const kind = 'admission.link';
  const template = messages[kind];
  const rendered = template && (await render(ctx, template, inquiryId, 'sms', null, { kind }));
  if (!rendered) return false;
  const registered = (await ctx.readRegisteredTexts(ctx)).get(textKey(kind, rendered.language));
  return differs(registered, rendered.text);
}

export interface ToParents {
  inquiryId: number;
  /** A message with the form's link. */
  template:
    | 'admission.link'
    | 'admission.correction'
    | 'admission.correction-reminder'
    | 'admission.reminder'
    | 'admission.decision'
    | 'admission.meeting'
    | 'admission.choose-time'
    | 'admission.offer-reminder'
    | 'admission.welcome';
  /** Each parent gets at most one message for the same key. */
  key?: string;
}

/** Sends each parent one message with the form's link, which it extends. Returns the number of messages. */
export async function sendToParents(
  ctx: Context,
  actor: string,
  { inquiryId, template, key }: ToParents,
): Promise<number> {
  const contacts = await contactsOf(ctx, inquiryId);
  if (contacts.length === 0) return 0;
  const { version } = await keepAlive(ctx, actor, inquiryId);
  await queueMessages(
    ctx,
    contacts.map((recipient) => ({
      channel: recipient.includes('@') ? ('email' as const) : ('sms' as const),
      template,
      recipient,
      subjectId: inquiryId,
      version,
      ...(key && { dedupeKey: `${key} ${recipient}` }),
    })),
  );
  return contacts.length;
}

/** The words of a family's message to the school. */
export const openMessage = ({ keys }: Context, inquiryId: number, sealed: Buffer): string =>
  open(keys.data, messagePlace(inquiryId), sealed).toString();

/** Encrypts the school's reply to a message. */
export const sealReply = ({ keys }: Context, messageId: number, words: string): Buffer =>
  seal(keys.data, replyPlace(messageId), words);

export const openReply = ({ keys }: Context, messageId: number, sealed: Buffer): string =>
  open(keys.data, replyPlace(messageId), sealed).toString();

/** Emails the school's reply to the parents who have an address. Returns the number of messages. */
export async function sendReply(ctx: Context, inquiryId: number, messageId: number): Promise<number> {
  const addresses = (await contactsOf(ctx, inquiryId)).filter((contact) => contact.includes('@'));
  await queueMessages(
    ctx,
    addresses.map((recipient) => ({
      channel: 'email' as const,
      template: 'admission.reply',
      recipient,
      subjectId: messageId,
    })),
  );
  return addresses.length;
}
