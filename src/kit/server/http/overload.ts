import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { addressOf, networkOf } from '#kit/server/security/limits.ts';
import { type ConnectionLimits, limitConnections, type RequestEvents } from './connections.ts';
import { openFairQueue, type QueueLimits, type Turn } from './fair-queue.ts';
import { greediestOf } from './greediest.ts';
import { Busy, type RefusalCount } from './refused.ts';

/** The limits of everything that runs at once (docs/decisions/0039). */
export interface LoadLimits {
  connections: ConnectionLimits;
  /** Requests whose link or session is being looked up. Until it is known, they count for their network. */
  lookUps: QueueLimits;
  /** Requests whose body is being received. They cost little but memory, and slow ones are ended. */
  bodies: number;
  /** Large bodies of one link or account that are being received or inspected. */
  largePerClient: number;
  /** Requests whose body was received: a few for each connection to the database. */
  work: QueueLimits;
}

export const usualLimits: LoadLimits = {
  connections: { most: 1000, crowded: 500, unread: 200 * 1024 * 1024 },
  lookUps: { places: 90, perClient: 30, most: 400 },
  bodies: 400,
  largePerClient: 3,
  work: { places: 40, perClient: 8, most: 200 },
};

/** A body without a declared length is ended beyond this size; no operation accepts more. */
const longestBody = 34 * 1024 * 1024;

/** Below this rate in bytes per second, averaged over two checks, the client counts as stalled (J11). */
const slowest = 1024;
const lookEvery = 5000;
const writeEvery = 10_000;

const uploadsMessage = text`Your other files are still uploading. Try again when they are saved.`;

/** The events that a request reports as it passes the stages. */
interface Load {
  /**
   * The client is known: `client`, or its network for ''. `large` marks a body that may be large, with the field of its
   * file. Throws when there is no room for its body.
   */
  bookTo: (client: string, large?: { field?: string }) => void;
  /** The body was read; resolves when the request may run. */
  startWork: () => Promise<void>;
  /** The answer is ready. */
  finish: () => void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered under overload too, since health checks detect it by the answer. */
    always?: true;
  }
  interface FastifyRequest {
    load: Load | null;
    /** Its connection; null before the first check. */
    asked: RequestEvents | null;
  }
}

/**
 * A body being received: the bytes its connection had received at first and at the last check, and how often that was
 * too few.
 */
interface Arriving {
  request: FastifyRequest;
  client: string;
  isLarge: boolean;
  receivedBefore: number;
  received: number;
  slowLooks: number;
}

/**
 * Gives every client its share of connections, look-ups, bodies and work (W4), refuses early what would only wait
 * (J12), and ends stalled requests (J11). A client is a link or account once known, before that a network.
 */
export function limitLoad(
  app: FastifyInstance,
  isTrusted: (address: string) => boolean,
  refusals: RefusalCount,
  limits: LoadLimits = usualLimits,
) {
  const lookUps = openFairQueue(limits.lookUps, () => new Busy('look-ups'));
  const work = openFairQueue(limits.work, () => new Busy('work'));
  const arriving = new Set<Arriving>();
  /** Bodies answered before they were complete: their remaining bytes are discarded. */
  const unwanted = new Set<Arriving>();
  const beginRequest = limitConnections(app.server, limits.connections, {
    isTrusted,
    onClosed: (network) => refusals.add('connections', network),
  });

  app.decorateRequest('load', null);
  app.decorateRequest('asked', null);
  app.addHook('onRequest', async (request, reply) => {
    const { always, access = 'public' } = request.routeOptions.config;
    const asked = beginRequest(request.raw);
    if (!asked) {
      reply.hijack(); // Its connection has ended.
      return;
    }
    request.asked = asked;
    const turn: Turn = { client: networkOf(addressOf(request) ?? '') };
    let body: Arriving | undefined;
    const forgetBody = () => body && arriving.delete(body);
    reply.raw.once('close', () => {
      asked.end();
      lookUps.cancel(turn);
      work.cancel(turn);
      // A request that is being read or run goes on, and keeps its place until it is answered.
      if (!request.raw.complete) forgetBody();
    });
    if (always) return;

    request.load = {
      bookTo: (client, large) => {
        lookUps.leave(turn);
        turn.client = client || turn.client;
        if (!bringsBody(request)) return;
        if (large) refuseFurther(arriving, turn.client, limits.largePerClient, large.field);
        if (arriving.size >= limits.bodies) makeRoomFor(turn.client, arriving);
        body = { ...arrivingOf(request), client: turn.client, isLarge: Boolean(large) };
        arriving.add(body);
      },
      startWork: () => {
        forgetBody();
        return work.enter(turn);
      },
      finish: () => {
        lookUps.leave(turn);
        forgetBody();
        work.leave(turn);
        if (bringsBody(request) && !request.raw.complete) unwanted.add({ ...arrivingOf(request), client: turn.client });
      },
    };
    if (access === 'public') request.load.bookTo('');
    else await lookUps.enter(turn);
  });
  app.addHook('preHandler', async (request) => {
    // The handler reads a form with files itself and reports it.
    if (!request.isMultipart()) await request.load?.startWork();
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    request.load?.finish();
    request.asked?.answer(bytesOf(payload));
  });

  const look = setInterval(() => {
    for (const body of arriving) if (isSlow(body) || isEndless(body)) body.request.raw.destroy();
    for (const body of unwanted) {
      const { raw } = body.request;
      if (raw.complete || raw.destroyed) unwanted.delete(body);
      else if (isSlow(body) || isEndless(body)) raw.destroy();
    }
  }, lookEvery).unref();
  const writing = setInterval(refusals.write, writeEvery).unref();
  app.addHook('onClose', async () => {
    clearInterval(look);
    clearInterval(writing);
    refusals.write();
  });
}

const arrivingOf = (request: FastifyRequest): Arriving => ({
  request,
  client: '',
  isLarge: false,
  receivedBefore: receivedBy(request),
  received: receivedBy(request),
  slowLooks: 0,
});

/** Bytes of an answer in memory; a stream holds hardly any. */
const bytesOf = (payload: unknown): number =>
  typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0;

/** Whether a request has a body, by its headers. */
export const bringsBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function refuseFurther(arriving: ReadonlySet<Arriving>, client: string, most: number, field?: string) {
  const own = [...arriving].filter((body) => body.isLarge && body.client === client);
  if (own.length < most) return;
  throw new AppError('too_many_tries', uploadsMessage, {
    retryAfter: 10,
    fields: field ? { [field]: uploadsMessage } : {},
  });
}

/** Ends the newest body of the client that has most, unless that is the requesting client. */
function makeRoomFor(client: string, arriving: Set<Arriving>) {
  const unread = [...arriving].filter(({ request }) => !request.raw.complete);
  const { client: greediest } = greediestOf([client, ...unread.map((body) => body.client)]);
  const newest = unread.findLast((body) => body.client === greediest);
  if (greediest === client || !newest) throw new Busy('bodies');
  arriving.delete(newest);
  newest.request.raw.destroy();
}

function isSlow(body: Arriving): boolean {
  const received = receivedBy(body.request);
  const isEnough = body.request.raw.complete || received - body.received >= (slowest * lookEvery) / 1000;
  body.received = received;
  // The first check may come early in a request, or after the database has kept us from reading.
  body.slowLooks = isEnough ? 0 : body.slowLooks + 1;
  return body.slowLooks > 2;
}

const isEndless = ({ request, receivedBefore, received }: Arriving): boolean =>
  !request.raw.complete && received - receivedBefore > longestBody;

const receivedBy = ({ raw }: FastifyRequest): number => raw.socket.bytesRead ?? 0;
