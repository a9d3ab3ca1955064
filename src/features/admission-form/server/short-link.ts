import type { FastifyInstance } from 'fastify';
import type { Services } from '#kit/server/context.ts';
import { addHits, networkOf } from '#kit/server/security/limits.ts';
import { linkAddress, linkValue, shortHash } from './link-value.ts';

/** Unknown short links of one network within an hour. */
const unknownShortLinks = { kind: 'unknown-short-link', most: 30, windowSeconds: 3600 };
const shape = /^[1-9A-HJ-NP-Za-km-z]{10}$/;

/** The long link of a short one; undefined for every one that opens nothing. */
async function findLink({ db, keys }: Services, code: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('admission_inquiry')
    .where('short_hash', '=', shortHash(shape.test(code) ? code : ''))
    .where('link_revoked_at', 'is', null)
    .select(['inquiry_no', 'link_version', 'link_key_id'])
    .executeTakeFirst();
  return row && linkValue(keys, { inquiryNo: row.inquiry_no, version: row.link_version, keyId: row.link_key_id });
}

/** `/a/…` leads to the form; one that opens nothing leads to the page that offers a new link. */
export function serveShortLinks(app: FastifyInstance, services: Services) {
  app.get<{ Params: { code: string } }>('/a/:code', { config: { access: 'public' } }, async (request, reply) => {
    const network = networkOf(request.ip);
    const { hits } = await addHits(services.db, unknownShortLinks, network, 0);
    const link = hits < unknownShortLinks.most ? await findLink(services, request.params.code) : undefined;
    if (link) return reply.redirect(linkAddress('', link));
    await addHits(services.db, unknownShortLinks, network, 1);
    return reply.redirect('/admission');
  });
}
