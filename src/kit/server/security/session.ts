import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Access, type Endpoint, mayCall } from '#kit/contract/endpoint.ts';
import {
  AppError,
  confirmMessage,
  forbiddenMessage,
  signedOutMessage,
  signInAgainMessage,
} from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { CookiesAndHeaders, Services, User } from '#kit/server/context.ts';

/** A browser accepts a cookie with this prefix only with Secure, for the whole site, and from this host (A18). */
export const sessionCookie = '__Host-session';

/** An unguessable value for a browser's cookie, and its hash for the database. */
export function newToken(): { value: string; hash: Buffer } {
  const value = randomBytes(32).toString('base64url');
  return { value, hash: tokenHash(value) };
}

export const tokenHash = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Cookies and headers of one exchange; `send` adds changes to the answer only if the request succeeds. */
export function exchangeOf(request: FastifyRequest): { http: CookiesAndHeaders; send: (reply: FastifyReply) => void } {
  const changes: ((reply: FastifyReply) => void)[] = [];
  const http: CookiesAndHeaders = {
    cookie: (name) => request.cookies[name] ?? '',
    setCookie: (name, value, seconds) =>
      changes.push((reply) =>
        reply.setCookie(name, value, {
          path: '/',
          secure: true,
          httpOnly: true,
          sameSite: 'lax',
          ...(seconds !== undefined && { maxAge: seconds }),
        }),
      ),
    header: (name) => String(request.headers[name] ?? ''),
    setHeader: (name, value) => changes.push((reply) => reply.header(name, value)),
  };
  return { http, send: (reply) => changes.forEach((change) => void change(reply)) };
}

/**
 * Refuses requests from another site's page (A23): changes, and reading non-public data, since a link there to an
 * export would be audited as the person's own. Browsers send the origin; other programs hold no cookie.
 */
export function refuseOtherSites({ method, headers, host }: FastifyRequest, access: Access) {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isRead = method === 'GET' || method === 'HEAD';
  const isOwn = isRead
    ? access === 'public' || site === undefined || site === 'same-origin' || site === 'none'
    : site === undefined
      ? origin === undefined || isHost(origin, host)
      : site === 'same-origin';
  if (!isOwn) throw new AppError('cross_site', text`This request came from another website. Reload the page.`);
}

function isHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: named } = new URL(origin);
  const own = `${protocol}//${host}`; // Parsed, so that the default port is ignored.
  return URL.canParse(own) && new URL(own).host === named;
}

/** Seconds after a proof of identity during which no further one is needed (A24). */
const confirmedWithin = 10 * 60;

/** Identifies the caller. Throws `signed_out` without a valid session, `forbidden` without one of the grants. */
export async function userOf(
  services: Services,
  request: FastifyRequest,
  { access, isBackground }: Endpoint,
): Promise<User> {
  const token = request.cookies[sessionCookie];
  const user = token ? await services.findUser(services, token, isBackground) : undefined;
  if (!user) throw new AppError('signed_out', signedOutMessage);
  request.user = user; // A refusal is audited with this user.
  if (!mayCall(access, { user })) throw new AppError('forbidden', forbiddenMessage);
  return user;
}

export function refuseUnconfirmed({ isConfirmed }: Endpoint, user: User) {
  if (isConfirmed) refuseUnproved(user);
}

/** Refuses an account whose last proof of identity is more than ten minutes old (A24). */
export function refuseUnproved(user: User) {
  if (user.confirmedFor <= confirmedWithin) return;
  // An Admin confirms by password, which Staff do not have: their code was their proof.
  if (user.role === 'Admin') throw new AppError('confirm_required', confirmMessage);
  throw new AppError('sign_in_again', signInAgainMessage);
}
