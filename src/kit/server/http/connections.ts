import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { Socket } from 'node:net';
import { networkOf } from '#kit/server/security/limits.ts';
import { greediestOf } from './greediest.ts';

export interface ConnectionLimits {
  /** Connections open at once. */
  most: number;
  /** From this many on, idle connections are kept for `shortKeepAlive` only. */
  crowded: number;
  /** Bytes of large answers that clients have not read yet, on all connections together. */
  unread: number;
}

/** Smaller answers are not counted: the system buffers them immediately. */
const largeAnswer = 64 * 1024;

/** Milliseconds that an idle connection is kept while there are many. */
const shortKeepAlive = 5000;

interface Connection {
  network: string;
  isProxy: boolean;
  /** A request waits for its answer. */
  isAsking: boolean;
  /** Bytes of large answers that the client has not read yet. */
  unread: number;
  /** The time of its last unread answer, or of its start. */
  idleSince: number;
}

/** Events of one request. */
export interface RequestEvents {
  /** The answer is ready with this many bytes: from now on the connection counts as idle. */
  answer: (bytes: number) => void;
  /** The answer was read, or the client is gone. */
  end: () => void;
}

interface Surroundings {
  isTrusted: (address: string) => boolean;
  /** Called with the network whose connection was closed. */
  onClosed: (network: string) => void;
}

/**
 * When connections or buffers for unread answers run out, closes the oldest of the network with most; trusted proxies
 * come last. Also closes a connection that sends a second request before its answer (decision 0044).
 */
export function limitConnections(
  server: Server,
  { most, crowded, unread: mostUnread }: ConnectionLimits,
  { isTrusted, onClosed }: Surroundings,
): (request: IncomingMessage) => RequestEvents | undefined {
  const all = new Map<Socket, Connection>();
  let unread = 0;
  const usualKeepAlive = server.keepAliveTimeout;
  let strangers = 0;
  const count = ({ isProxy }: Connection, change: 1 | -1) => {
    if (!isProxy) strangers += change;
    server.keepAliveTimeout = strangers > crowded ? shortKeepAlive : usualKeepAlive;
  };

  /** The connection that was idle longest, of the network with most of these connections. */
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
    if (address === undefined) return undefined; // The connection has ended.
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
  const begin = (socket: Socket): RequestEvents | undefined => {
    if (!(socket instanceof Socket)) return { answer: () => undefined, end: () => undefined };
    if (socket.destroyed) return undefined;
    // On "localhost" Fastify opens a second, hidden server; only here are its connections visible.
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
  // Before the framework handles a request: one packet can hold a thousand requests that must not be answered.
  const [handle] = server.listeners('request') as RequestListener[];
  const begun = new WeakMap<IncomingMessage, RequestEvents>();
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
