import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { Socket } from 'node:net';
import { networkOf } from '#kit/server/security/limits.ts';
import { greediestOf } from './greediest.ts';

export interface ConnectionLimits {
  /** Connections open at once. */
  most: number;
  /** From so many on, an idle connection is kept for only `shortKeepAlive`. */
  crowded: number;
  /** Bytes of large answers that wait to be read, on all connections together. */
  unread: number;
}

/** Smaller answers are not counted: the system takes them off our hands at once. */
const largeAnswer = 64 * 1024;

/** Milliseconds an idle connection is kept while there are many. */
const shortKeepAlive = 5000;

interface Connection {
  network: string;
  isProxy: boolean;
  /** A request waits for its answer. */
  isAsking: boolean;
  /** Bytes of large answers that were not read yet. */
  unread: number;
  /** When it last had an answer to read, or began. */
  idleSince: number;
}

/** What is told of one request. */
export interface Asked {
  /** Its answer is ready and has so many bytes: nothing but its client keeps the connection from being idle. */
  answer: (bytes: number) => void;
  /** Its answer was read, or nobody is there to read it. */
  end: () => void;
}

interface Surroundings {
  isTrusted: (address: string) => boolean;
  /** Told the network whose connection was closed. */
  onClosed: (network: string) => void;
}

/**
 * Keeps a place for newcomers: when all connections are taken, the network with the most idle ones loses the one that
 * was idle longest; one whose answer is ready is idle, read or not. When too much waits to be read, the network with the most
 * such connections loses the oldest. A trusted proxy's connections are many people's, so they come last. Gives what tells
 * it of a request; undefined for one that is not to be answered, since its connection has ended. A connection that asks
 * again before it is answered is ended: no browser and no proxy does, and what it sent would be worked on though it is gone.
 */
export function limitConnections(
  server: Server,
  { most, crowded, unread: mostUnread }: ConnectionLimits,
  { isTrusted, onClosed }: Surroundings,
): (request: IncomingMessage) => Asked | undefined {
  const all = new Map<Socket, Connection>();
  let unread = 0;
  const usualKeepAlive = server.keepAliveTimeout;
  let strangers = 0;
  const count = ({ isProxy }: Connection, change: 1 | -1) => {
    if (!isProxy) strangers += change;
    server.keepAliveTimeout = strangers > crowded ? shortKeepAlive : usualKeepAlive;
  };

  /** Of these connections the one that was idle longest, of the network with most of them. */
  const findOldest = (isOne: (connection: Connection) => boolean): Socket | undefined => {
    const found = [...all].filter(([, connection]) => isOne(connection));
    const ofStrangers = found.filter(([, { isProxy }]) => !isProxy);
    const candidates = ofStrangers.length > 0 ? ofStrangers : found;
    const { client } = greediestOf(candidates.map(([, { network }]) => network));
    const ofGreediest = candidates.filter(([, { network }]) => network === client);
    return ofGreediest.reduce<[Socket, Connection] | undefined>(
      (longest, candidate) => (longest && longest[1].idleSince <= candidate[1].idleSince ? longest : candidate),
      undefined,
    )?.[0];
  };

  const close = (socket: Socket, network: string) => {
    forget(socket);
    socket.destroy();
    onClosed(network);
  };
  const forget = (socket: Socket) => {
    const connection = all.get(socket);
    if (!connection || !all.delete(socket)) return;
    unread -= connection.unread;
    count(connection, -1);
  };
  const limitUnread = () => {
    while (unread > mostUnread) {
      const slowest = findOldest((connection) => connection.unread > 0);
      if (!slowest) return;
      close(slowest, all.get(slowest)?.network ?? '');
    }
  };

  const track = (socket: Socket): Connection | undefined => {
    const address = socket.remoteAddress;
    if (address === undefined) return undefined; // It ended meanwhile.
    const connection = {
      network: networkOf(address),
      isProxy: isTrusted(address),
      isAsking: false,
      unread: 0,
      idleSince: performance.now(),
    };
    if (all.size >= most) {
      const idle = findOldest(({ isAsking }) => !isAsking);
      close(idle ?? socket, (idle && all.get(idle)?.network) ?? connection.network);
      if (!idle) return undefined;
    }
    all.set(socket, connection);
    count(connection, 1);
    socket.once('close', () => forget(socket));
    return connection;
  };
  server.on('connection', track);
  const begin = (socket: Socket): Asked | undefined => {
    if (!(socket instanceof Socket)) return { answer: () => undefined, end: () => undefined };
    if (socket.destroyed) return undefined;
    // On "localhost" Fastify opens a second server that it does not show; its connections are first seen here.
    const connection = all.get(socket) ?? track(socket);
    if (!connection) return undefined;
    if (connection.isAsking) {
      close(socket, connection.network);
      return undefined;
    }
    connection.isAsking = true;
    let waits = true;
    let held = 0;
    const hold = (bytes: number) => {
      if (waits) connection.isAsking = waits = false;
      connection.idleSince = performance.now();
      if (!all.has(socket)) return;
      connection.unread += bytes - held;
      unread += bytes - held;
      held = bytes;
      limitUnread();
    };
    return { answer: (bytes) => hold(bytes < largeAnswer ? 0 : bytes), end: () => hold(0) };
  };
  // Before the framework makes anything of a request: a thousand that are not to be answered fit into one packet.
  const [handle] = server.listeners('request') as RequestListener[];
  const begun = new WeakMap<IncomingMessage, Asked>();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const asked = begin(request.socket);
    if (!asked) return;
    begun.set(request, asked);
    response.once('close', asked.end);
    handle?.(request, response);
  });
  return (request) => begun.get(request) ?? begin(request.socket);
}
