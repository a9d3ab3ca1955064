import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../scripts/embedded-postgres.ts';
import { bringPackages } from './bring.ts';

/**
 * What happens to a request on its way: it is lost before the server sees it, its body or its answer is cut in the middle,
 * its answer is lost or comes late or never, the bucket is full or the server busy.
 */
export type Fault = 'lost' | 'cut body' | 'cut answer' | 'lost answer' | 'slow' | 'silent' | 'full' | 'busy';

export interface Asked {
  method: string;
  /** The path and query, decoded. */
  url: string;
}

export interface S3Server {
  /** Settings of a school whose files and archives are in its buckets. */
  settings: Record<string, string>;
  /** Every request so far. */
  asked: Asked[];
  /** Decides what happens to a request; none by default. */
  fault: (asked: Asked) => Fault | undefined;
  /** The names in a bucket, as the server keeps them. */
  names: (bucket: string) => string[];
  read: (bucket: string, name: string) => Buffer;
  /** Kills the server with SIGKILL. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  close: () => Promise<void>;
}

/** Milliseconds of a slow answer. */
const late = 700;
const end = '._S3rver_object';

/** An S3 server from npm that checks signatures, with a proxy before it that makes faults. */
export async function startS3(): Promise<S3Server> {
  bringPackages(join(import.meta.dirname, 's3'));
  const folder = mkdtempSync(join(tmpdir(), 'shala-s3-'));
  const port = await freePort();
  let child: ChildProcess;
  const proxy = createServer((asked, answer) => void pass(server, port, asked, answer));
  const server: S3Server = {
    settings: {},
    asked: [],
    fault: () => undefined,
    names: (bucket) =>
      readdirSync(join(folder, bucket), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith(end) && !path.includes('._S3rver_uploads'))
        .map((path) => path.slice(0, -end.length))
        .sort(),
    read: (bucket, name) => readFileSync(join(folder, bucket, `${name}${end}`)),
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    start: async () => {
      const words = [folder, String(port), 'files', 'archives'];
      // Its marks of where a list goes on are made by a cipher that OpenSSL has put away.
      const execArgv = ['--openssl-legacy-provider'];
      child = fork(join(import.meta.dirname, 's3-process.ts'), words, { execArgv });
      const exit = once(child, 'exit').then(([code]) => {
        throw new Error(`The S3 server ended with ${code}.`);
      });
      await Promise.race([once(child, 'message'), exit]);
      exit.catch(() => undefined);
    },
    close: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  server.settings = {
    S3_ENDPOINT: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
    S3_BUCKET: 'files/north',
    BACKUP_BUCKET: 'archives/north',
  };
  return server;
}

async function pass(server: S3Server, port: number, incoming: IncomingMessage, answer: ServerResponse) {
  const asked = { method: incoming.method ?? '', url: decodeURIComponent(incoming.url ?? '') };
  server.asked.push(asked);
  const fault = server.fault(asked);
  incoming.on('error', () => undefined);
  if (fault === 'lost') return void incoming.socket.destroy();
  if (fault === 'silent') return void incoming.resume();
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  if (fault === 'full' || fault === 'busy') {
    const [status, code] = fault === 'full' ? [507, 'XMinioStorageFull'] : [503, 'SlowDown'];
    return void answer.writeHead(status as number).end(`<Error><Code>${code}</Code></Error>`);
  }
  const body = Buffer.concat(chunks);
  const { method, url: path, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (said) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of said) parts.push(part);
      if (fault === 'slow') await new Promise((done) => setTimeout(done, late));
      if (fault === 'lost answer') return incoming.socket.destroy();
      const whole = Buffer.concat(parts);
      answer.writeHead(said.statusCode ?? 500, said.headers);
      if (fault !== 'cut answer') return answer.end(whole);
      answer.write(whole.subarray(0, whole.length / 2), () => incoming.socket.destroy());
    })().catch(() => incoming.socket.destroy());
  });
  onward.on('error', () => incoming.socket.destroy());
  if (fault !== 'cut body') return void onward.end(body);
  onward.write(body.subarray(0, body.length / 2), () => {
    onward.destroy();
    incoming.socket.destroy();
  });
}
