import { createHash, createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { anyOf, batched } from '#kit/server/batch.ts';
import type { LinkHolder, Services } from '#kit/server/context.ts';
import { prepared } from '#kit/server/database.ts';
import type { Keys } from '#kit/server/keys.ts';

const linkShape = /^[0-9a-f]{32}$/;

interface LinkOf {
  inquiryNo: string;
  version: number;
  keyId: string;
}

/**
 * The value of an inquiry's link: the first 32 hex digits of HMAC-SHA-256(link key, number + "|" + version). It looks
 * like the MD5 of the number and cannot be guessed from it (architecture.md decision 4).
 */
export function linkValue(keys: Keys, { inquiryNo, version, keyId }: LinkOf): string {
  const key = keys.link.find(keyId);
  if (!key) throw new Error(`The link key "${keyId}" is not configured.`);
  return createHmac('sha256', key).update(`${inquiryNo}|${version}`).digest('hex').slice(0, 32);
}

/** What the database keeps of a link. */
export const linkHash = (value: string): Buffer => createHash('sha256').update(value).digest();

/** The address a parent opens. */
export const linkAddress = (publicUrl: string, value: string): string => `${publicUrl}/admission?inquiryNo=${value}`;

/** When a link that is made or used now stops working, by the school's setting. */
export const linkExpiry = (now: Date) =>
  sql<Date>`${now}::timestamptz + make_interval(hours => 24 * coalesce((select link_days from academic_school), 60))`;

/** The inquiry a link opens. One and the same query for every value, so that no answer or delay tells them apart (C5). */
export async function findLinkHolder({ db, now }: Services, link: string): Promise<LinkHolder | undefined> {
  const inquiry = await findByHash(db, linkHash(linkShape.test(link) ? link : ''));
  if (!inquiry || inquiry.link_expires_at <= now()) return undefined;
  return { id: inquiry.id, number: inquiry.inquiry_no, submittedAt: inquiry.submitted_at, status: inquiry.status };
}

const findByHash = batched(
  prepared((db, { keys }: { keys: readonly Buffer[] }) =>
    db
      .selectFrom('admission_inquiry')
      .where('link_hash', '=', anyOf(keys))
      .where('link_revoked_at', 'is', null)
      .select(['link_hash as key', 'id', 'inquiry_no', 'submitted_at', 'status', 'link_expires_at']),
  ),
);
