import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '#kit/server/context.ts';
import { addHits, networkOf } from '#kit/server/security/limits.ts';

/** Short links of one network within an hour that open nothing, after which the log says so once. */
const unknownShortLinks = { kind: 'unknown-short-link', most: 30, windowSeconds: 3600 };
/** A message may add a full stop, or a bracket on either side. */
const shape = /^[^0-9A-Za-z]{0,3}([1-9A-HJ-NP-Za-km-z]{10})(?![0-9A-Za-z])/;

/** The address that a short link leads to. Every kind is asked, even for one without its shape, so that the time reveals nothing. */
async function findAddress(services: Services, given: string): Promise<string | undefined> {
  const code = shape.exec(given)?.[1] ?? '';
  const found = await Promise.all(services.shortLinks.map((find) => find(services, code)));
  return found.find((address) => address !== undefined);
}

/**
 * `/a/…` leads to the page of its link; one that opens nothing leads to the page that offers a new link, whatever the reason. Every one
 * is looked up, so that nobody can keep the families of a network from their pages; the codes are too many to guess.
 */
export function serveShortLinks(app: FastifyInstance, services: Services) {
  const open = async (request: FastifyRequest<{ Params: { code: string } }>, reply: FastifyReply) => {
    const address = await findAddress(services, request.params.code);
    if (address) return reply.redirect(address);
    const { hits } = await addHits(services.db, unknownShortLinks, networkOf(request.ip), 1);
    if (hits === unknownShortLinks.most) request.log.warn('One network tries many short links that open nothing');
    return reply.redirect('/admission');
  };
  // Phones capitalise the first letter.
  for (const path of ['/a/:code', '/a/:code/', '/A/:code', '/A/:code/'])
    app.get(path, { config: { access: 'public' } }, open);
}
