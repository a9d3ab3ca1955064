import { sql } from 'kysely';
import { offeredLanguages } from '#features/school/api.ts';
import type { FindShortLink } from '#kit/server/context.ts';
import { linkHash } from '#kit/server/security/link-value.ts';
import { linkAddress, linkValue } from './link-value.ts';

/** The form that a short link leads to; undefined for every one that opens nothing. */
export const findShortLink: FindShortLink = async ({ db, keys, now }, code) => {
  const hash = linkHash(code);
  const row = await db
    .selectFrom('admission_inquiry')
    .where((where) => where.or([where('short_hash', '=', hash), where('next_short_hash', '=', hash)]))
    .where('link_revoked_at', 'is', null)
    .select(['inquiry_no', 'language', 'link_version', 'link_key_id', 'link_expires_at'])
    .select(['next_link_version', 'next_link_key_id', 'next_link_expires_at'])
    .select(sql<boolean>`coalesce(short_hash = ${hash}, false)`.as('is_present'))
    .executeTakeFirst();
  if (!row) return undefined;
  const [version, keyId, expiresAt] = row.is_present
    ? [row.link_version, row.link_key_id, row.link_expires_at]
    : [row.next_link_version, row.next_link_key_id, row.next_link_expires_at];
  if (version === null || !keyId || !expiresAt || expiresAt <= now()) return undefined;
  const address = linkAddress('', linkValue(keys, { inquiryNo: row.inquiry_no, version, keyId }));
  // Not `lang`, which is the reader's choice: one that was made on the device counts before this.
  const isOffered = (await offeredLanguages({ db })).some((language) => language === row.language);
  return isOffered ? `${address}&usual=${row.language}` : address;
};
