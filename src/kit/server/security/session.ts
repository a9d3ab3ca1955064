import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access, Endpoint } from '#kit/contract/endpoint.ts';
import {
  AppError,
  confirmMessage,
  forbiddenMessage,
  signedOutMessage,
  signInAgainMessage,
} from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { CookiesAndHeaders, Services, User } from '#kit/server/context.ts';

/** The browser takes a cookie so named only with Secure, for the whole site, and from this very host (A18). */
export const sessionCookie = '__Host-session';

/** Something unguessable for a browser to hold, and what the database keeps of it. */
export function newToken(): { value: string; hash: Buffer } {
  const value = randomBytes(32).toString('base64url');
  return { value, hash: tokenHash(value) };
}

export const tokenHash = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Cookies and headers of one exchange; answers are changed by `send` alone, once the request was not refused. */
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
 * Refuses what another site's page asks for (A23): a change, and also reading what is not public, since an export that a
 * link of theirs leads to is counted and written down as the person's own. Browsers say where a request comes from; what
 * says nothing is no browser, and holds no cookie it was not given.
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
  const own = `${protocol}//${host}`; // Parsed, so that the scheme's usual port counts as none.
  return URL.canParse(own) && new URL(own).host === named;
}

/** How long after a proof of who somebody is no further one is asked for, in seconds (A24). */
const confirmedWithin = 10 * 60;

/** Who calls. Throws `signed_out` without a live session, `forbidden` when none of the grants holds. */
export async function userOf(services: Services, request: FastifyRequest, access: Access): Promise<User> {
  const token = request.cookies[sessionCookie];
  const user = token ? await services.findUser(services, token) : undefined;
  if (!user) throw new AppError('signed_out', signedOutMessage);
  request.user = user; // A refusal is written down with who was refused.
  if (!isGranted(access, user)) throw new AppError('forbidden', forbiddenMessage);
  return user;
}

const isGranted = (access: Access, { role, sets }: User) =>
  Array.isArray(access) &&
  access.some(
    (grant) => grant.role === role && (grant.sets.length === 0 || grant.sets.some((set: string) => sets.includes(set))),
  );

export function refuseUnconfirmed({ isConfirmed }: Endpoint, user: User) {
  if (isConfirmed) refuseUnproved(user);
}

/** Refuses an account whose last proof of who it is was given more than ten minutes ago (A24). */
export function refuseUnproved(user: User) {
  if (user.confirmedFor <= confirmedWithin) return;
  // An Admin confirms by the password, which Staff have none of: their code was their proof.
  if (user.role === 'Admin') throw new AppError('confirm_required', confirmMessage);
  throw new AppError('sign_in_again', signInAgainMessage);
}
