import { sql } from 'kysely';
import type { Context, FindLinkHolder, FindShortLink, Services } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { linkHash, newVersion, shortAddress } from '#kit/server/security/link-value.ts';
import { settingValue } from '#kit/server/settings.ts';
import { deviceCookie, hashesOf } from './device.ts';
import { familyAddress, familyCode, familyValue } from './link-value.ts';
import { languageOfGuardian } from './preference.ts';
import { linkDays } from './settings.ts';

const linkShape = /^[0-9a-f]{32}$/;

/** The hash of what may be a link; of '' for everything else, so that each costs the same. */
export const hashOf = (value: string): Buffer => linkHash(linkShape.test(value) ? value : '');

/**
 * The guardian of a link that works: not revoked, not expired, with a child here today; or, without a link, of a phone that
 * is proven. One and the same query for every value that opens nothing. A phone proves the guardian of its own code alone.
 */
export const findFamilyHolder: FindLinkHolder = async ({ db, now }, link, cookie) => {
  const chosen = /^of-(\d{1,9})$/.exec(link)?.[1];
  const { rows } = await sql<{ id: number; isProven: boolean }>`
    with phone as materialized (
      select distinct guardian_id from family_device
      where token_hash = any(${hashesOf(cookie(deviceCookie))}::bytea[]) and ended_at is null and expires_at > ${now()}),
    holder as (
      select guardian_id from family_link
      where link_hash = ${hashOf(link)} and revoked_at is null and expires_at > ${now()}
      union
      select guardian_id from phone where ${link === ''}::boolean or guardian_id = ${Number(chosen ?? 0)})
    select holder.guardian_id as id, exists (select from phone where phone.guardian_id = holder.guardian_id) as "isProven"
    from holder where exists (select from family_children(holder.guardian_id, ${toLocalDate(now())})) limit 2`.execute(
    db,
  );
  // Of two guardians on one phone the page asks which one.
  return rows.length === 1 ? rows[0] : undefined;
};

/** Where a guardian's short link leads: one that has expired, to the page that offers a new one. */
export const findShortLink: FindShortLink = async ({ db, keys }, code) => {
  const row = await db
    .selectFrom('family_link')
    .where('short_hash', '=', linkHash(code))
    .where('revoked_at', 'is', null)
    .select(['guardian_id as guardianId', 'version', 'key_id as keyId'])
    .executeTakeFirst();
  if (!row) return undefined;
  const address = familyAddress('', familyValue(keys, row));
  const language = await languageOfGuardian({ db }, row.guardianId);
  // Not `lang`, which is the reader's choice: one that was made on the device counts before this.
  return language ? `${address}&usual=${language}` : address;
};

/** Gives the guardians new links, which end their earlier links. The caller has locked the guardians. */
async function makeLinks(ctx: Context, guardianIds: readonly number[]): Promise<void> {
  const keyId = ctx.keys.link.current.id;
  const made = guardianIds.map((guardianId) => {
    const version = newVersion();
    const link = { guardianId, version, keyId };
    return {
      guardianId,
      version,
      link: linkHash(familyValue(ctx.keys, link)).toString('hex'),
      short: linkHash(familyCode(ctx.keys, link)).toString('hex'),
    };
  });
  await sql`
    insert into family_link (guardian_id, version, key_id, link_hash, short_hash, sent_at, expires_at)
    select made."guardianId", made.version, ${keyId}, decode(made.link, 'hex'), decode(made.short, 'hex'), ${ctx.now()}, ${ctx.now()}
    from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as made ("guardianId" integer, version integer, link text, short text)
    on conflict (guardian_id) do update set version = excluded.version, key_id = excluded.key_id,
      link_hash = excluded.link_hash, short_hash = excluded.short_hash, revoked_at = null, revoked_reason = '',
      opened_first_at = null, opened_last_at = null`.execute(ctx.db);
}

/** What is needed of a link to send it. */
export interface SentLink {
  guardianId: number;
  version: number;
}

/**
 * The links of these guardians, for messages that are being queued: each is made if it is missing or was revoked, and
 * its time begins again. `isRenewed` ends those that work.
 */
export async function extendLinks(
  ctx: Context,
  guardianIds: readonly number[],
  isRenewed = false,
): Promise<SentLink[]> {
  const ids = [...new Set(guardianIds)].sort((one, other) => one - other);
  await sql`select id from guardian where id = any(${ids}::integer[]) order by id for no key update`.execute(ctx.db);
  const standing = await ctx.db
    .selectFrom('family_link')
    .where('guardian_id', '=', sql<number>`any(${ids}::integer[])`)
    .where('revoked_at', 'is', null)
    .select('guardian_id')
    .execute();
  const kept = new Set(isRenewed ? [] : standing.map(({ guardian_id }) => guardian_id));
  await makeLinks(
    ctx,
    ids.filter((id) => !kept.has(id)),
  );
  return ctx.db
    .updateTable('family_link')
    .set({
      sent_at: ctx.now(),
      expires_at: sql<Date>`${ctx.now()}::timestamptz + make_interval(days => ${settingValue(linkDays)})`,
    })
    .where('guardian_id', '=', sql<number>`any(${ids}::integer[])`)
    .returning(['guardian_id as guardianId', 'version'])
    .execute();
}

/** The addresses of a guardian's link of this version, or else of the present one; undefined when it no longer works. */
export async function linkOf(
  services: Services,
  { guardianId, version }: { guardianId: number; version: number | null },
) {
  const { db, keys, now, publicUrl } = services;
  const row = await db
    .selectFrom('family_link')
    .where('guardian_id', '=', guardianId)
    .$if(version !== null, (query) => query.where('version', '=', version))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now())
    .select(['version', 'key_id', 'expires_at'])
    .executeTakeFirst();
  if (!row) return undefined;
  const link = { guardianId, version: row.version, keyId: row.key_id };
  return {
    link: familyAddress(publicUrl, familyValue(keys, link)),
    shortLink: shortAddress(publicUrl, familyCode(keys, link)),
    until: toLocalDate(row.expires_at),
  };
}
