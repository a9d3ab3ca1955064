import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { greediestOf } from './greediest.ts';
import { networkOf } from './limits.ts';

export interface ConnectionLimits {
  /** Connections open at once. */
  most: number;
  /** From so many on, an idle connection is kept for only `shortKeepAlive`. */
  crowded: number;
}

/** Milliseconds an idle connection is kept while there are many. */
const shortKeepAlive = 5000;

interface Connection {
  network: string;
  isProxy: boolean;
  /** Requests that wait for their answer. */
  requests: number;
  idleSince: number;
}

interface Surroundings {
  isTrusted: (address: string) => boolean;
  /** Told the network whose connection was closed. */
  onClosed: (network: string) => void;
}

/**
 * Keeps a place for newcomers: when all connections are taken, the network with the most idle ones loses the one that
 * was idle longest. A trusted proxy's connections are many people's, so they come last. Gives what tells it of a request.
 */
export function limitConnections(
  server: Server,
  { most, crowded }: ConnectionLimits,
  { isTrusted, onClosed }: Surroundings,
): (socket: Socket) => () => void {
  const all = new Map<Socket, Connection>();
  const usualKeepAlive = server.keepAliveTimeout;
  let strangers = 0;
  const count = ({ isProxy }: Connection, change: 1 | -1) => {
    if (!isProxy) strangers += change;
    server.keepAliveTimeout = strangers > crowded ? shortKeepAlive : usualKeepAlive;
  };

  const findIdle = (): Socket | undefined => {
    const idle = [...all].filter(([, { requests }]) => requests === 0);
    const ofStrangers = idle.filter(([, { isProxy }]) => !isProxy);
    const candidates = ofStrangers.length > 0 ? ofStrangers : idle;
    const { client } = greediestOf(candidates.map(([, { network }]) => network));
    const ofGreediest = candidates.filter(([, { network }]) => network === client);
    return ofGreediest.reduce<[Socket, Connection] | undefined>(
      (longest, one) => (longest && longest[1].idleSince <= one[1].idleSince ? longest : one),
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
    if (connection && all.delete(socket)) count(connection, -1);
  };

  const track = (socket: Socket): Connection | undefined => {
    const address = socket.remoteAddress;
    if (address === undefined) return undefined; // It ended meanwhile.
    const connection = {
      network: networkOf(address),
      isProxy: isTrusted(address),
      requests: 0,
      idleSince: performance.now(),
    };
    if (all.size >= most) {
      const idle = findIdle();
      close(idle ?? socket, (idle && all.get(idle)?.network) ?? connection.network);
      if (!idle) return undefined;
    }
    all.set(socket, connection);
    count(connection, 1);
    socket.once('close', () => forget(socket));
    return connection;
  };
  server.on('connection', track);

  return (socket) => {
    // On "localhost" Fastify opens a second server that it does not show; its connections are first seen here.
    const connection = all.get(socket) ?? (socket instanceof Socket ? track(socket) : undefined);
    if (!connection) return () => undefined;
    connection.requests++;
    return () => {
      connection.requests--;
      connection.idleSince = performance.now();
    };
  };
}
