import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import {
  type Endpoint,
  keepsAnswer,
  type LinkKind,
  linkNameOf,
  linkParameter,
  mayCall,
  needsProof,
  type OutputOf,
  type ParsedOf,
} from '#kit/contract/endpoint.ts';
import {
  AppError,
  deadLinkMessage,
  malformed,
  notFoundMessage,
  problemMessage,
  proveMessage,
} from '#kit/contract/errors.ts';
import { fieldErrors } from '#kit/contract/fields.ts';
import { importPlan } from '#kit/contract/import-plan.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import {
  type Context,
  type Holder,
  type HolderContext,
  type LinkContext,
  noTable,
  type RawBody,
  type Services,
  type User,
  type UserContext,
} from '#kit/server/context.ts';
import { retryAfterCollision } from '#kit/server/database/retry.ts';
import { type CheckedUpload, inspectAll } from '#kit/server/files/inspect.ts';
import { type ParsedTable, parseTable } from '#kit/server/import/parse-table.ts';
import { withWords } from '#kit/server/language/say.ts';
import { unaskedRefusal } from '#kit/server/master/constraint-messages.ts';
import { audit } from '#kit/server/security/audit.ts';
import { addressOf, countHit, networkOf } from '#kit/server/security/limits.ts';
import { countLink, countOpened } from '#kit/server/security/openings.ts';
import { exchangeOf, refuseOtherSites, refuseUnconfirmed, userOf } from '#kit/server/security/session.ts';
import { fingerprintOf, withIdempotency } from './idempotency.ts';
import { dropAll, readMultipart } from './multipart.ts';
import { bringsBody } from './overload.ts';
import { slots, slotsOfEach } from './slots.ts';

export type ContextOf<Operation extends Endpoint> = Operation['access'] extends 'link'
  ? LinkContext
  : Operation['access'] extends LinkKind
    ? HolderContext
    : Operation['access'] extends 'public'
      ? Context
      : UserContext;

/** The general handler's context, for every kind of caller. */
type AnyContext = LinkContext & UserContext;

/** The function of an endpoint: its context by `access`, its input parsed, its output checked. */
export type Handler<Operation extends Endpoint> = (
  ctx: ContextOf<Operation>,
  input: ParsedOf<Operation>,
) => Promise<OutputOf<Operation>> | OutputOf<Operation>;

/** Facts that the server adds to an input before validation; they override fields of the same names. */
type ServerInput<Operation extends Endpoint> = (
  ctx: ContextOf<Operation>,
) => Promise<Partial<ParsedOf<Operation>>> | Partial<ParsedOf<Operation>>;

type Api = Record<string, Endpoint>;
type Handlers<Operations extends Api> = { [Name in keyof Operations]: Handler<Operations[Name]> };
type ServerInputs<Operations extends Api> = { [Name in keyof Operations]?: ServerInput<Operations[Name]> };

export interface Route {
  endpoint: Endpoint;
  handle: (ctx: AnyContext, input: never) => unknown;
  serverInput?: (ctx: AnyContext) => unknown;
}

/** Binds every endpoint of an API to its function; a missing, extra or wrongly typed one does not compile. */
export function routes<Operations extends Api>(
  api: Operations,
  handlers: Handlers<Operations>,
  serverInput: ServerInputs<Operations> = {},
): Route[] {
  return Object.entries(api).map(([name, endpoint]) => ({
    endpoint,
    handle: handlers[name] as Route['handle'],
    serverInput: serverInput[name] as Route['serverInput'],
  }));
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Endpoint['access'];
    /** Refusals in the admission form's envelope. */
    envelope?: boolean;
    titled?: boolean;
    /** Pages ask for it by themselves. */
    isBackground?: boolean | undefined;
  }
  interface FastifyRequest {
    /** What a link opens, and the name of its value in the query. */
    holder: { name: string; record: Holder; link: string } | null;
    user: User | null;
  }
}

/** Unknown, altered, expired and revoked links from one address within an hour. */
const unknownLinks = { kind: 'unknown-link', most: 30, windowSeconds: 3600 };

/**
 * Hits of one address update one row in turn: more at once would only occupy database connections. At most as many wait
 * as links are looked up, so nobody is refused here.
 */
const inTurn = slots(2, 100);

/**
 * Changes of one form, or of the tables one account works on, run in turn anyway: they wait here and not in the
 * database, where each would occupy a connection. Nobody is refused here.
 */
const changesOf = { link: slotsOfEach(1, 100), account: slotsOfEach(3, 100) };

/** Serves routes below /api. The caller is identified before anything of the request is parsed. */
export function serve(app: FastifyInstance, services: Services, all: Route[]) {
  serveOn(
    app,
    services,
    all.filter(({ endpoint }) => !endpoint.isRaw),
  );
  const raw = all.filter(({ endpoint }) => endpoint.isRaw);
  // Of their own, so that no other operation takes a body that is not parsed.
  if (raw.length > 0)
    void app.register(async (own) => {
      own.removeAllContentTypeParsers();
      own.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
      serveOn(own, services, raw);
    });
}

function serveOn(app: FastifyInstance, services: Services, all: readonly Route[]) {
  for (const route of all) {
    const { method, path, access, envelope = false, titled = false, mostBytes } = route.endpoint;
    const link = linkNameOf(access);
    app.route({
      method,
      url: `/api${path}`,
      config: { access, envelope, titled, isBackground: route.endpoint.isBackground },
      ...(mostBytes !== undefined && { bodyLimit: mostBytes }),
      onRequest: async (request) => {
        refuseOtherSites(request, access);
        if (link) {
          request.holder = await holderOf(services, request, link);
          if (needsProof(access) && !request.holder.record.isProven)
            throw new AppError('confirm_required', proveMessage);
        } else if (!mayCall(access, {})) await admit(services, request, route.endpoint);
        refuseOtherKinds(request, route.endpoint);
        if (access !== 'public') request.load?.bookTo(callerOf(request), largeBodyOf(route.endpoint));
      },
      handler: async (request, reply) => {
        const { http, send } = exchangeOf(request);
        const gone = new AbortController();
        // After a whole answer nobody reads the error that an abort makes.
        reply.raw.once('close', () => reply.raw.writableFinished || gone.abort());
        const caller = { owner: ownerOf(request), signal: gone.signal };
        const answered = await answer({ ...services, http, caller }, route, request);
        send(reply);
        return route.endpoint.output === servedFile
          ? sendFile(reply, servedFile.parse(answered))
          : // Families have the languages that the server alone has words for.
            reply.send(access === 'public' || link ? withWords(answered) : answered);
      },
    });
  }
}

/** Requests with files for one record within an hour: each costs decoding, even a refused one. */
const uploadRequests = { kind: 'upload', most: 30, windowSeconds: 3600 };

/** Counts a request when its first file begins, so that a request over the limit is not read. */
async function countUpload({ db }: Services, request: FastifyRequest, field: string) {
  const owner = callerOf(request);
  if (!owner) return;
  const wait = await countHit(db, uploadRequests, owner);
  if (wait === 0) return;
  const message = text(
    { message: 'Too many attempts. Try again in {n, plural, one {# minute} other {# minutes}}.' },
    { n: Math.ceil(wait / 60) },
  );
  throw new AppError('too_many_tries', message, { retryAfter: wait, fields: { [field]: message } });
}

const jsonKind = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;
const formKind = /^multipart\/form-data\s*(;|$)/i;
const namesKind = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** Refuses, unread, a body that the operation does not take: none for a GET, else JSON or a form with files. */
function refuseOtherKinds(request: FastifyRequest, { method, files, isRaw }: Endpoint) {
  const kind = request.headers['content-type'];
  const unsupported = (why: string) => malformed(why, 'unsupported');
  if (method === 'GET') {
    if (bringsBody(request)) throw unsupported('Send this without a body.');
    return;
  }
  if (kind === undefined && !bringsBody(request) && !files) return;
  if (!(files ? formKind : jsonKind).test(kind ?? '') && !(isRaw && namesKind.test(kind ?? '')))
    throw unsupported(`Send this as ${files ? 'multipart/form-data' : 'application/json'}.`);
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw unsupported('Send this without compression.');
}

/** Whether an operation's body may be large, and the field of its first file. */
const largeBodyOf = ({ files, mostBytes }: Endpoint) =>
  files || mostBytes !== undefined ? { field: Object.keys(files ?? {})[0] } : undefined;

/** Audited refusals of one account within an hour; more would add no information. */
const writtenRefusals = { kind: 'access-refused', most: 200, windowSeconds: 3600 };

/** Admits signed-in users with permission; audits refused ones (H1). */
async function admit(services: Services, request: FastifyRequest, endpoint: Endpoint) {
  try {
    refuseUnconfirmed(endpoint, await userOf(services, request, endpoint));
  } catch (error) {
    const { user } = request;
    const isTurnedAway = user && error instanceof AppError && error.code === 'forbidden';
    if (isTurnedAway && (await countHit(services.db, writtenRefusals, String(user.id))) === 0) {
      const details = { operation: `${endpoint.method} ${endpoint.path}` };
      const act = { action: 'access.refused', entity: 'operation', entityId: 0, result: 'refused', details } as const;
      await audit({ ...services, user, requestId: request.id, address: addressOf(request) }, act);
    }
    throw error;
  }
}

/** The owner of limits and repeated requests; '' for an anonymous caller. */
const callerOf = ({ holder, user }: FastifyRequest): string =>
  holder
    ? `${holder.name === linkParameter ? 'link' : holder.name}:${holder.record.id}`
    : user
      ? `account:${user.id}`
      : '';

/** The owner of the share of work. */
const ownerOf = (request: FastifyRequest): string =>
  callerOf(request) || `network:${networkOf(addressOf(request) ?? 'gone')}`;

async function holderOf(services: Services, request: FastifyRequest, name: string) {
  const query = request.query as Record<string, unknown>;
  const link = query[name];
  delete query[name]; // Removed first: a body may have the inquiry's number under this name.
  // Looked up even without a link, so that the time reveals nothing (C5).
  const value = typeof link === 'string' ? link : '';
  const record = await services.linkHolders[name]?.(services, value, (cookie) => request.cookies[cookie] ?? '');
  if (record) return { name, record, link: value };

  // A client that has disconnected has no address any more.
  const network = networkOf(addressOf(request) ?? 'gone');
  const wait = await inTurn(() => countHit(services.db, unknownLinks, network));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  throw new AppError('not_found', name === linkParameter ? deadLinkMessage : notFoundMessage);
}

async function answer(
  services: Services & Pick<Context, 'http' | 'caller'>,
  route: Route,
  request: FastifyRequest,
): Promise<unknown> {
  const { endpoint } = route;
  const { requestInput, uploads, refused, raw } = await read(services, endpoint, request);
  const table = await tableOf(services, endpoint, requestInput);

  const ctx = {
    ...services,
    ...(request.holder && { holder: request.holder.record, inquiry: request.holder.record, link: request.holder.link }),
    ...(request.user && { user: request.user }),
    requestId: request.id,
    address: addressOf(request),
    keepsAnswer: keepsAnswer(endpoint),
    uploads,
    raw,
    table,
    logSurvived: (error: unknown) => request.log.error({ error }, 'A part of an answer failed'),
  } as unknown as AnyContext;

  const act = async (ctx: AnyContext) => {
    const serverInput = (await route.serverInput?.(ctx)) ?? {};
    const input = parse(endpoint, { ...requestInput, ...serverInput }, refused);
    if (endpoint.opens && ctx.user) await countOpened(ctx, endpoint.opens, (input as { id: number }).id);
    if (endpoint.givesLink && ctx.user) await countLink(ctx);
    const answered = endpoint.output.parse(await route.handle(ctx, input as never));
    if (endpoint.isReported) await reportWritten(ctx);
    return answered;
  };
  if (endpoint.method === 'GET') return act(ctx);

  const change = () =>
    inTransaction(request, ctx, (inside) => {
      const key = request.headers['idempotency-key'];
      const owner = callerOf(request);
      if (typeof key !== 'string' || !owner || !keepsAnswer(endpoint)) return act(inside);
      if (key.length < 8 || key.length > 200) throw malformed('Idempotency-Key must have 8 to 200 characters.');
      const fingerprint = fingerprintOf(`${endpoint.method} ${endpoint.path}`, requestInput, uploads);
      return withIdempotency(inside, { owner, key, fingerprint }, () => act(inside));
    });
  const whole = () => retryAfterCollision(change);
  try {
    if (endpoint.ownTransactions) return await act(ctx);
    if (request.holder) return await changesOf.link(callerOf(request))(whole);
    return await (request.user ? changesOf.account(callerOf(request))(whole) : whole());
  } catch (error) {
    const refusal = unaskedRefusal(ctx, error);
    if (refusal) request.log.error({ error }, 'An operation met a constraint that it should have asked about');
    throw refusal ?? error;
  } finally {
    if (request.user) services.kept.forget(request.user.id);
  }
}

/** Parses the table of an import. Its errors are thrown when the handler reads it, after errors in the address. */
async function tableOf(
  { caller }: Pick<Context, 'caller'>,
  { table: known }: Endpoint,
  input: Record<string, unknown>,
) {
  const { file } = input;
  const plan = z.optional(importPlan).safeParse(input.plan);
  // The schema of the input refuses these.
  if (!known || typeof file !== 'string' || !plan.success) return noTable;
  try {
    const table = await parseTable(file, { known, plan: plan.data }, caller);
    return () => table;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    return (): ParsedTable => {
      throw error;
    };
  }
}

/** Reports the audit rows of this request to the other Admins; a preview writes none. */
async function reportWritten(ctx: AnyContext) {
  const row = await ctx.db
    .selectFrom('audit')
    .where('at', '>=', sql<Date>`now()`)
    .where('request_id', '=', ctx.requestId)
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (row) await ctx.reportAct(ctx, Number(row.id));
}

/** Reads the input of a request, and opens its files before taking a database connection. */
async function read(
  services: Services & Pick<Context, 'caller'>,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<{
  requestInput: Record<string, unknown>;
  uploads: Record<string, CheckedUpload>;
  refused?: AppError;
  raw?: RawBody;
}> {
  if (endpoint.isRaw)
    return {
      requestInput: mergeInputs(request.params as object, request.query as object),
      uploads: {},
      raw: {
        bytes: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
        isForm: namesKind.test(request.headers['content-type'] ?? ''),
      },
    };
  if (!endpoint.files) {
    return {
      requestInput: mergeInputs(request.params as object, request.query as object, bodyOf(request)),
      uploads: {},
    };
  }
  const { fields, files } = await readMultipart(request, endpoint.files, {
    folder: services.temp,
    onFirstFile: (field) => countUpload(services, request, field),
  });
  try {
    const requestInput = mergeInputs(request.params as object, request.query as object, fields);
    const inspected = await inspectAll(endpoint.files, { files, caller: services.caller });
    await request.load?.startWork();
    return { requestInput, ...inspected };
  } finally {
    await dropAll(files.values());
  }
}

/** Runs an act in one transaction, and then its deferred work for a commit or a rollback. */
async function inTransaction(
  request: FastifyRequest,
  ctx: AnyContext,
  act: (ctx: AnyContext) => Promise<unknown>,
): Promise<unknown> {
  const keeping = {
    afterCommit: [] as (() => Promise<void>)[],
    onRollback: [] as Parameters<Context['onRollback']>[0][],
  };
  let isDone = false;
  try {
    const answered = await ctx.db.transaction().execute(async (db) => {
      const answered = await act({
        ...ctx,
        db,
        afterCommit: (act) => keeping.afterCommit.push(act),
        onRollback: (act) => keeping.onRollback.push(act),
      });
      isDone = true;
      return answered;
    });
    await runAfterCommit(request, keeping.afterCommit);
    return answered;
  } catch (error) {
    // A commit without an answer may have succeeded: files it refers to stay, and the file check decides (D10).
    if (!isDone)
      await runAfterCommit(
        request,
        keeping.onRollback.map((act) => () => act(ctx.db)),
      );
    throw error;
  }
}

/** The file check repeats a failed cleanup; the answer does not depend on it. */
async function runAfterCommit(request: FastifyRequest, acts: (() => Promise<unknown>)[]) {
  for (const act of acts) {
    await act().catch((error: unknown) => request.log.warn({ error }, 'Cleaning up after a request failed'));
  }
}

function bodyOf(request: FastifyRequest): object {
  const body = request.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) throw malformed('Send a JSON object.');
  return body;
}

/** Params, query and body as one object; a name that comes from two of them is refused. */
function mergeInputs(...sources: object[]): Record<string, unknown> {
  const seen = new Set<string>();
  for (const name of sources.flatMap((source) => Object.keys(source))) {
    if (seen.has(name)) throw malformed(`${name.slice(0, 40)} comes twice.`);
    seen.add(name);
  }
  return Object.assign({}, ...sources);
}

function parse(endpoint: Endpoint, values: object, refused: AppError | undefined): unknown {
  const parsed = endpoint.input.safeParse(values);
  if (parsed.success) {
    if (refused) throw refused;
    return parsed.data;
  }

  const fields = { ...fieldErrors(parsed.error), ...refused?.fields };
  // A row number in the address that is not a number matches nothing.
  if (Object.keys(fields).some((name) => endpoint.path.includes(`:${name}`)))
    throw new AppError('not_found', notFoundMessage);
  throw new AppError(refused?.code ?? 'invalid', problemMessage, { fields });
}

function sendFile(reply: FastifyReply, { mediaType, name, bytes }: z.output<typeof servedFile>) {
  // Only pictures we encoded ourselves are shown in the page's origin; a PDF is sent as a download (D8).
  const manner = mediaType.startsWith('image/') ? 'inline' : 'attachment';
  const ascii = name.replace(/[^ -~]|["\\%]/g, '_');
  return reply
    .type(mediaType)
    .header('content-disposition', `${manner}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('cache-control', 'private, no-store')
    .header('cross-origin-resource-policy', 'same-origin')
    .send(Buffer.from(bytes));
}
