import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, LogController, type RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import { AppError, malformed, notFoundMessage } from '#kit/contract/errors.ts';
import { verbatim } from '#kit/contract/text.ts';
import { levelOf, requestLine } from '#kit/server/log.ts';
import { parseJson } from './json.ts';
import { type LoadLimits, limitLoad } from './overload.ts';
import { trustIn, watchForProxies } from './proxies.ts';
import { answerFailures, refuse } from './refusals.ts';
import { countRefusals } from './refused.ts';

interface Options {
  log: Logger;
  /** Proxies whose X-Forwarded-For is trusted; none when empty. */
  trustedProxies: string[];
  /** People reach the server over TLS, so it sends Strict-Transport-Security. */
  isSecure: boolean;
  /** Smaller ones for a test. */
  limits?: LoadLimits;
}

const mostUrl = 4096;
const mostBody = 64 * 1024;

const tooLong = () => new AppError('too_long', verbatim('This web address is too long.'));

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ');

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), browsing-topics=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
};

/**
 * An HTTP server with the behaviour common to every answer: safe headers (E2), request ids, a log line, size limits
 * (F4), and one form of refusal. A route without `config.access` stops the start (B1).
 */
export async function openHttp({ log, trustedProxies, isSecure, limits }: Options): Promise<FastifyInstance> {
  const isTrusted = trustIn(trustedProxies);
  const headersOf = ({ id }: { id: string }) => ({
    ...headers,
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
    'x-request-id': id,
  });
  const watchForProxy = watchForProxies(log, isTrusted);
  const refusals = countRefusals(log);
  const app = Fastify({
    loggerInstance: log,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: mostBody,
    trustProxy: trustedProxies.length > 0 ? isTrusted : false,
    requestTimeout: 60_000,
    // Node checks both time limits only at this interval; its own 30 s would turn 10 s into 40.
    http: { maxHeaderSize: 8192, headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    forceCloseConnections: 'idle',
    // During a stop, requests on open connections are still served, and their connections then end (J13).
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'id' }),
    routerOptions: { maxParamLength: 200 },
    // For a malformed address no hook runs, and the framework's own answer would repeat it with the link.
    frameworkErrors: ({ statusCode }, request, reply) => {
      reply.headers(headersOf(request));
      const isLong = statusCode === 414;
      if (!isLong && isPage(request)) return reply.redirect(withoutEscapes(request.url));
      return refuse(request, reply, isLong ? tooLong() : malformed('This address can’t be read.'));
    },
  }) as unknown as FastifyInstance;

  await app.register(cookie);
  const all: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    all.push(route);
  });
  app.addHook('onReady', async () => {
    const open = all.find(({ config }) => !config?.access);
    if (open) throw new Error(`${open.method} ${open.url} does not say who may call it (config.access).`);
  });
  app.decorateRequest('holder', null);
  app.decorateRequest('user', null);
  app.decorateRequest('isCounted', false);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request));
    watchForProxy(request);
    if (request.url.length > mostUrl) throw tooLong();
  });
  limitLoad(app, isTrusted, refusals, limits);
  // A connection that stayed open after its answer would delay the stop (J13).
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    if (request.isCounted) return;
    const answered = {
      status: reply.statusCode,
      ms: Number(reply.elapsedTime.toFixed(1)),
      isBackground: request.routeOptions.config.isBackground === true,
    };
    const { status, ms } = answered;
    request.log[levelOf(request, answered)]({ ...requestLine(request), status, ms }, 'request');
  });

  // Only types that our own pages send: text/plain would need no permission from another site's page (A23).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) =>
    body === '' ? {} : parseJson(body),
  );
  await app.register(multipart, { throwFileSizeLimit: false });

  answerFailures(app, refusals);
  app.setNotFoundHandler((request, reply) => {
    const parts = request.url.replace(/\?.*$/s, '').split('/');
    const other = all
      .filter(({ url }) => url.startsWith('/api/') && isPathOf(url, parts))
      .flatMap(({ method }) => method);
    if (other.length > 0) {
      reply.header('allow', other.join(', '));
      return refuse(request, reply, new AppError('method_not_allowed', verbatim('This cannot be done here.')));
    }
    const isLogin = /^\/login(\?|$)/.test(request.url);
    if (isPage(request) && !isLogin) return reply.redirect(findMeant(request.url, all) ?? '/login');
    return refuse(request, reply, new AppError('not_found', notFoundMessage));
  });
  return app;
}

const isPage = ({ method, url }: { method: string; url: string }) => method === 'GET' && !url.startsWith('/api/');

/** A page's address up to an escape that can't be read, such as half of a full stop that a message added. */
function withoutEscapes(url: string): string {
  const [path = '', query] = url.split('?', 2);
  const kept = path.split('%', 1)[0] ?? '';
  // Never an address of another host.
  return /^\/[0-9A-Za-z]/.test(kept) ? kept + (query === undefined ? '' : `?${query}`) : '/login';
}

/** The page that was meant by an address with capitals, or with what a message adds after its path; undefined without one. */
function findMeant(address: string, all: readonly RouteOptions[]): string | undefined {
  const [typed = '', query] = address.split('?', 2);
  const path = /^[0-9A-Za-z/_-]*/.exec(typed)?.[0] ?? '';
  if (/[0-9A-Za-z]/.test(typed.slice(path.length).replace(/%[0-9A-Fa-f]{2}/g, ''))) return undefined;
  const meant = path.toLowerCase().replace(/\/$/, '');
  const isServed = !meant.startsWith('/api/') && all.some(({ method, url }) => method === 'GET' && url === meant);
  return isServed && meant !== typed ? meant + (query === undefined ? '' : `?${query}`) : undefined;
}

/** Whether an address belongs to a route, whatever its parameters. */
const isPathOf = (route: string, values: string[]): boolean => {
  const named = route.split('/');
  return named.length === values.length && named.every((part, index) => part.startsWith(':') || part === values[index]);
};
