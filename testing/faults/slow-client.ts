import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Family, form, paper, payloadOf } from '../school.ts';

/** A client that controls what it sends, and when. */
export interface SlowClient {
  socket: Socket;
  send: (bytes: string | Buffer) => void;
  /** All bytes received so far. */
  answer: () => string;
  /** Milliseconds from its first byte until its connection ended. */
  ended: Promise<number>;
}

/** Connects from an address of this machine that stands for a client elsewhere. */
export async function openClient(port: number, from = '127.0.0.1'): Promise<SlowClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  const started = performance.now();
  let answer = '';
  socket.on('error', () => undefined); // Any end is fine.
  socket.on('data', (data) => {
    answer += data;
  });
  const ended = new Promise<number>((done) => socket.once('close', () => done(performance.now() - started)));
  await new Promise<void>((done) => socket.once('connect', done).once('close', () => done()));
  return { socket, send: (bytes) => socket.writable && socket.write(bytes), answer: () => answer, ended };
}

/** Sends some bytes at this interval in milliseconds while the connection is open. */
export function drip({ socket, send }: SlowClient, bytes: string, everyMs: number) {
  const timer = setInterval(() => send(bytes), everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** The head and the body of an upload, for sending in pieces. */
export async function uploadInPieces(family: Family): Promise<{ head: string; body: Buffer }> {
  const fields = form({ documentName: 'Aadhar Card' }, { DocumentIFormFile: await paper('Aadhar Card') });
  const { payload = Buffer.alloc(0), type } = await payloadOf(fields);
  const head = [
    `POST /api/admission/documents?inquiryNo=${family.link} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${type}`,
    `Content-Length: ${payload.length}`,
  ];
  return { head: `${head.join('\r\n')}\r\n\r\n`, body: payload };
}

/** Returns the duration of a promise, or undefined when it exceeds `most` milliseconds. */
export async function within(most: number, ended: Promise<number>): Promise<number | undefined> {
  return Promise.race([ended, pause(most).then(() => undefined)]);
}
