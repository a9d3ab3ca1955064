import { type ExpressionBuilder, sql } from 'kysely';
import type { DB } from '#database/types.ts';
import { type Context, contextOutside, type LinkContext, type LinkHolder, type Services } from '#kit/server/context.ts';
import { prepared } from '#kit/server/database/database.ts';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import { audit, auditEach } from '#kit/server/security/audit.ts';
import type { Keys } from '#kit/server/security/keys.ts';
import { linkHash, newVersion } from '#kit/server/security/link-value.ts';
import { searchHash } from '#kit/server/security/sealed.ts';
import { settingValue } from '#kit/server/settings.ts';
import { type LinkOf, linkValue, shortCode } from './link-value.ts';
import { linkDays } from './settings.ts';

const linkShape = /^[0-9a-f]{32}$/;

/**
 * The key that encrypts drafts on a family's devices: the same for every link of the inquiry, sent only to a valid
 * link.
 */
export const deviceKey = (keys: Keys, inquiryNo: string): string =>
  searchHash(keys.link, 'device', inquiryNo).toString('hex');

/** When a link created or used now expires, by the setting. */
export const linkExpiry = (now: Date) =>
  sql<Date>`${now}::timestamptz + make_interval(hours => 24 * ${settingValue(linkDays)})`;

/** As `linkExpiry`, for a link that may have been extended further. */
export const laterExpiry = (now: Date) => sql<Date>`greatest(link_expires_at, ${linkExpiry(now)})`;

/**
 * The inquiry a link opens. One and the same query for every value that opens nothing, so that no answer or delay tells
 * them apart (C5). The link that the family asked for replaces the one before it when it is opened.
 */
export async function findLinkHolder(services: Services, link: string): Promise<LinkHolder | undefined> {
  const { db, now } = services;
  const hash = linkHash(linkShape.test(link) ? link : '');
  const [inquiry] = await findByHash(db, { hash });
  if (!inquiry || inquiry.expires_at <= now()) return undefined;
  if (inquiry.is_next) await takeNextLink(services, inquiry.id, hash);
  return {
    id: inquiry.id,
    number: inquiry.inquiry_no,
    submittedAt: inquiry.submitted_at,
    status: inquiry.status,
    openPages: inquiry.open_pages,
  };
}

const findByHash = prepared((db, { hash }: { hash: Buffer }) =>
  db
    .selectFrom('admission_inquiry')
    .where((where) => where.or([where('link_hash', '=', hash), where('next_link_hash', '=', hash)]))
    .where('link_revoked_at', 'is', null)
    .select(['id', 'inquiry_no', 'submitted_at', 'status', 'open_pages'])
    .select([
      sql<boolean>`link_hash <> ${hash}`.as('is_next'),
      sql<Date>`case when link_hash = ${hash} then link_expires_at else next_link_expires_at end`.as('expires_at'),
    ]),
);

const noNextLink = {
  next_link_hash: null,
  next_short_hash: null,
  next_link_key_id: null,
  next_link_version: null,
  next_link_expires_at: null,
};

/** Ends the link before the one that the family asked for and has now opened. */
const takeNextLink = (services: Services, id: number, hash: Buffer) =>
  services.db.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('admission_inquiry')
      .set(({ ref }) => ({
        link_hash: sql<Buffer>`next_link_hash`,
        short_hash: ref('next_short_hash'),
        link_key_id: sql<string>`next_link_key_id`,
        link_version: sql<number>`next_link_version`,
        link_expires_at: linkExpiry(services.now()),
        ...noNextLink,
      }))
      .where('id', '=', id)
      .where('next_link_hash', '=', hash)
      .executeTakeFirstOrThrow();
    // A second request at the same moment has done it.
    if (numUpdatedRows === 0n) return;
    const act = {
      actor: 'Parent',
      action: 'admission.link.renewed',
      entity: 'admission_inquiry',
      entityId: id,
    } as const;
    await audit({ ...contextOutside(services, `link ${id}`), db }, act);
  });

/** Whether the request's link still opens its inquiry: it may have ended since the request started. */
export const isOpenedBy =
  ({ link, now }: LinkContext) =>
  ({ and, eb }: ExpressionBuilder<DB, 'admission_inquiry'>) =>
    and([eb('link_hash', '=', linkHash(link)), eb('link_revoked_at', 'is', null), eb('link_expires_at', '>', now())]);

interface LinkedInquiry {
  id: number;
  inquiry_no: string;
}

/**
 * Gives each inquiry a new link and ends the old one; the caller has locked the rows. The statements are the same for
 * any number of inquiries, even none. Returns the links by inquiry.
 */
export async function renewLinks(ctx: Context, actor: string, inquiries: readonly LinkedInquiry[]) {
  const keyId = ctx.keys.link.current.id;
  const renewed = inquiries.map(({ id, inquiry_no: inquiryNo }) => {
    const version = newVersion();
    const link = { inquiryNo, version, keyId };
    return { id, version, value: linkValue(ctx.keys, link), short: linkHash(shortCode(ctx.keys, link)) };
  });
  const ids = renewed.map(({ id }) => id);
  const versions = renewed.map(({ version }) => version);
  const hashes = renewed.map(({ value }) => linkHash(value));
  const shorts = renewed.map(({ short }) => short);
  await sql`
    update admission_inquiry as inquiry
    set link_hash = renewed.hash, short_hash = renewed.short, link_key_id = ${keyId}, link_version = renewed.version,
      link_revoked_at = null, link_expires_at = ${linkExpiry(ctx.now())}, next_link_hash = null, next_short_hash = null,
      next_link_key_id = null, next_link_version = null, next_link_expires_at = null
    from unnest(${ids}::integer[], ${versions}::integer[], ${hashes}::bytea[], ${shorts}::bytea[])
      as renewed (id, version, hash, short)
    where inquiry.id = renewed.id
  `.execute(ctx.db);
  await auditEach(ctx, { actor, action: 'admission.link.renewed', entity: 'admission_inquiry' }, ids);
  return new Map(renewed.map(({ id, value, version }) => [id, { value, version }]));
}

interface Offered extends LinkedInquiry {
  next_link_version: number | null;
  next_link_key_id: string | null;
  next_link_expires_at: Date | null;
}

/**
 * Gives each inquiry a link that replaces its present one when it is opened; one that was given before and waits to be
 * opened is given again. The statements are the same for any number of inquiries. Returns the versions by inquiry.
 */
export async function offerLinks(ctx: Context, actor: string, inquiries: readonly Offered[]) {
  const current = ctx.keys.link.current.id;
  const offered = inquiries.map(({ id, inquiry_no: inquiryNo, ...row }) => {
    const waits = row.next_link_version !== null && (row.next_link_expires_at ?? ctx.now()) > ctx.now();
    const version = (waits && row.next_link_version) || newVersion();
    const keyId = (waits && row.next_link_key_id) || current;
    const link = { inquiryNo, version, keyId };
    return {
      id,
      version,
      keyId,
      hash: linkHash(linkValue(ctx.keys, link)),
      short: linkHash(shortCode(ctx.keys, link)),
    };
  });
  const ids = offered.map(({ id }) => id);
  await sql`
    update admission_inquiry as inquiry
    set next_link_hash = offered.hash, next_short_hash = offered.short, next_link_key_id = offered.key_id,
      next_link_version = offered.version, next_link_expires_at = ${linkExpiry(ctx.now())}
    from unnest(${ids}::integer[], ${offered.map(({ version }) => version)}::integer[],
        ${offered.map(({ keyId }) => keyId)}::text[], ${offered.map(({ hash }) => hash)}::bytea[],
        ${offered.map(({ short }) => short)}::bytea[])
      as offered (id, version, key_id, hash, short)
    where inquiry.id = offered.id
  `.execute(ctx.db);
  await auditEach(ctx, { actor, action: 'admission.link.offered', entity: 'admission_inquiry' }, ids);
  return offered.map(({ id, version }) => ({ id, version }));
}

interface Sending {
  inquiryId: number;
  channel: 'email' | 'sms';
  recipient: string;
}

/** Extends an inquiry's live link, or replaces an expired or revoked one; returns what its value is made of. */
export async function keepAlive(ctx: Context, actor: string, inquiryId: number): Promise<LinkOf> {
  const inquiry = await ctx.db
    .selectFrom('admission_inquiry')
    .where('id', '=', inquiryId)
    .select(['id', 'inquiry_no', 'link_revoked_at', 'link_expires_at', 'short_hash'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (inquiry.link_revoked_at || inquiry.link_expires_at <= ctx.now()) await renewLinks(ctx, actor, [inquiry]);
  const { link_version, link_key_id } = await ctx.db
    .updateTable('admission_inquiry')
    .set({ link_expires_at: laterExpiry(ctx.now()) })
    .where('id', '=', inquiryId)
    .returning(['link_version', 'link_key_id'])
    .executeTakeFirstOrThrow();
  const link = { inquiryNo: inquiry.inquiry_no, version: link_version, keyId: link_key_id };
  if (!inquiry.short_hash)
    await ctx.db
      .updateTable('admission_inquiry')
      .set({ short_hash: linkHash(shortCode(ctx.keys, link)) })
      .where('id', '=', inquiryId)
      .where('short_hash', 'is', null)
      .execute();
  return link;
}

/** Sends an inquiry's link. A live link is extended; an expired or revoked one is replaced. */
export async function sendLink(ctx: Context, actor: string, { inquiryId, channel, recipient }: Sending) {
  const { version } = await keepAlive(ctx, actor, inquiryId);
  await queueMessage(ctx, { channel, template: 'admission.link', recipient, subjectId: inquiryId, version });
  await audit(ctx, { actor, action: 'admission.link.sent', entity: 'admission_inquiry', entityId: inquiryId });
}
