import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, unavailableMessage } from '#kit/contract/errors.ts';

/** Connections at once; a further one is closed unanswered. */
const mostConnections = 1000;
/** Requests whose body is still on its way. They cost little but memory, and slow ones are shed. */
const mostArriving = 400;
/** Requests that have arrived and wait for their answer: what ten connections to the database do within a second or two. */
const mostInWork = 100;
/** Seconds after which trying again makes sense. */
const retryAfter = 5;

/** Below so many bytes a second, on average over two looks in a row, nobody is really sending (J11). */
const slowest = 1024;
const lookEvery = 5000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered under overload too, since the answer is how it is noticed. */
    always?: true;
  }
}

/** A request under way, how much its connection had received at the last look, and how often that was too little. */
interface Open {
  request: FastifyRequest;
  received: number;
  slowLooks: number;
}

/** Refuses early what could only wait (J12), and ends requests whose body hardly comes (J11). */
export function limitLoad(app: FastifyInstance) {
  app.server.maxConnections = mostConnections;
  const open = new Set<Open>();

  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.always) return;
    if (isTooMuch(open)) throw new AppError('unavailable', unavailableMessage, { retryAfter });

    const one = { request, received: receivedBy(request), slowLooks: 0 };
    open.add(one);
    reply.raw.once('close', () => open.delete(one));
  });

  const look = setInterval(() => {
    for (const one of open) if (isSlow(one)) one.request.raw.destroy();
  }, lookEvery).unref();
  app.addHook('onClose', async () => clearInterval(look));
}

/** Those whose body is still coming are counted apart: a slow client must not take the place of one that is ready. */
function isTooMuch(open: ReadonlySet<Open>): boolean {
  let arriving = 0;
  for (const { request } of open) if (!request.raw.complete) arriving++;
  return arriving >= mostArriving || open.size - arriving >= mostInWork;
}

function isSlow(one: Open): boolean {
  const received = receivedBy(one.request);
  const isEnough = one.request.raw.complete || received - one.received >= (slowest * lookEvery) / 1000;
  one.received = received;
  // The first look may come early in a request, and once the database may have kept us from reading on.
  one.slowLooks = isEnough ? 0 : one.slowLooks + 1;
  return one.slowLooks > 2;
}

const receivedBy = ({ raw }: FastifyRequest): number => raw.socket.bytesRead ?? 0;
