import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Services } from '#kit/server/context.ts';
import { addHits, networkOf } from '#kit/server/security/limits.ts';
import { linkAddress, linkValue, shortHash } from './link-value.ts';

/** Short links of one network within an hour that open nothing, after which the log says so once. */
const unknownShortLinks = { kind: 'unknown-short-link', most: 30, windowSeconds: 3600 };
/** A message may add a full stop, or a bracket on either side. */
const shape = /^[^0-9A-Za-z]{0,3}([1-9A-HJ-NP-Za-km-z]{10})(?![0-9A-Za-z])/;

/** The long link of a short one; undefined for every one that opens nothing. */
async function findLink({ db, keys, now }: Services, code: string): Promise<string | undefined> {
  const hash = shortHash(shape.exec(code)?.[1] ?? '');
  const row = await db
    .selectFrom('admission_inquiry')
    .where((where) => where.or([where('short_hash', '=', hash), where('next_short_hash', '=', hash)]))
    .where('link_revoked_at', 'is', null)
    .select(['inquiry_no', 'link_version', 'link_key_id', 'link_expires_at'])
    .select(['next_link_version', 'next_link_key_id', 'next_link_expires_at'])
    .select(sql<boolean>`coalesce(short_hash = ${hash}, false)`.as('is_present'))
    .executeTakeFirst();
  if (!row) return undefined;
  const [version, keyId, expiresAt] = row.is_present
    ? [row.link_version, row.link_key_id, row.link_expires_at]
    : [row.next_link_version, row.next_link_key_id, row.next_link_expires_at];
  if (version === null || !keyId || !expiresAt || expiresAt <= now()) return undefined;
  return linkValue(keys, { inquiryNo: row.inquiry_no, version, keyId });
}

/**
 * `/a/…` leads to the form; one that opens nothing leads to the page that offers a new link, whatever the reason. Every one
 * is looked up, so that nobody can keep the families of a network from their forms; the codes are too many to guess.
 */
export function serveShortLinks(app: FastifyInstance, services: Services) {
  const open = async (request: FastifyRequest<{ Params: { code: string } }>, reply: FastifyReply) => {
    const link = await findLink(services, request.params.code);
    if (link) return reply.redirect(linkAddress('', link));
    const { hits } = await addHits(services.db, unknownShortLinks, networkOf(request.ip), 1);
    if (hits === unknownShortLinks.most) request.log.warn('One network tries many short links that open nothing');
    return reply.redirect('/admission');
  };
  // Phones capitalise the first letter.
  for (const path of ['/a/:code', '/a/:code/', '/A/:code', '/A/:code/'])
    app.get(path, { config: { access: 'public' } }, open);
}
