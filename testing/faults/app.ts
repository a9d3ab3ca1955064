import { type ChildProcess, spawn } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../scripts/embedded-postgres.ts';
import type { Answer, Sent } from '../exchange.ts';
import { jsonOf, openFamily, payloadOf, type School } from '../school.ts';

const entry = join(import.meta.dirname, '../../src/server.ts');

/** A separate server process on a school's database and files, for fault tests. It restarts on the same port. */
export interface App {
  port: number;
  child: () => ChildProcess;
  /** Starts it (again) and returns the milliseconds until its first answer. */
  start: () => Promise<number>;
  /** Kills it with SIGKILL and waits for its end. */
  kill: () => Promise<void>;
  /** Its log and error output. */
  log: () => string;
  send: School['send'];
  /** A new family whose requests go to this process. */
  family: () => Promise<ReturnType<typeof openFamily>>;
}

interface Surroundings {
  environment?: Record<string, string>;
  /** The command it is started through, such as `unshare` with its arguments. */
  inside?: string[];
}

export async function startApp(
  { config, inquiry, sql }: School,
  { environment = {}, inside = [] }: Surroundings = {},
): Promise<App> {
  const port = await freePort();
  let child: ChildProcess;
  let log = '';
  const spawnIt = () => {
    const [program = '', ...words] = [...inside, process.execPath, entry];
    child = spawn(program, words, {
      env: {
        ...process.env,
        DATABASE_URL: config.databaseUrl,
        DATABASE_OWNER_URL: config.databaseOwnerUrl,
        SHALA_FOLDER: config.folder,
        PORT: String(port),
        HOST: '127.0.0.1',
        LOG_LEVEL: 'warn',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        log = (log + text).slice(-100_000);
      });
    }
  };
  const start = async () => {
    const started = performance.now();
    spawnIt();
    while (performance.now() - started < 120_000) {
      // A server that does not find its database ends, and is restarted, as by a service manager.
      if (child.exitCode !== null) spawnIt();
      const isUp = await send({ url: '/healthz' }).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (isUp) return performance.now() - started;
      await pause(20);
    }
    throw new Error(`The server did not start: ${log}`);
  };

  const send: School['send'] = (sent) => sendTo(port, sent);
  const app: App = {
    port,
    child: () => child,
    start,
    kill: () => end(child, 'SIGKILL').then(() => undefined),
    log: () => log,
    send,
    family: async () => {
      const { id, inquiryNo, link } = await inquiry();
      return openFamily({ send, sql }, { id, inquiryNo, value: link });
    },
  };
  await start();
  return app;
}

/** Sends a signal and returns the exit code of the process. */
export function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((done) => {
    child.once('exit', done);
    child.kill(signal);
  });
}

/** The longest wait for an answer; more is a breach by itself. */
const longestWait = 60_000;

/** Sends a request on its own connection. Rejects when the connection breaks or the time limit passes. */
export async function sendTo(
  port: number,
  { method = 'GET', url, body, headers = {} }: Sent,
  from = '127.0.0.1',
): Promise<Answer> {
  const { payload, type } = await payloadOf(body);
  return new Promise((done, fail) => {
    const length = method === 'GET' ? {} : { 'content-length': String(payload?.length ?? 0) };
    const asked = request(
      {
        host: '127.0.0.1',
        localAddress: from,
        port,
        method,
        path: url,
        agent: false,
        timeout: longestWait,
        headers: { ...length, ...(type && { 'content-type': type }), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.once('error', fail);
        response.once('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          done({
            status: response.statusCode ?? 0,
            headers: response.headers as Answer['headers'],
            text,
            bytes,
            json: jsonOf(text),
          });
        });
      },
    );
    asked.once('timeout', () => asked.destroy(new Error(`No answer within ${longestWait} ms`)));
    asked.once('error', fail);
    asked.end(payload);
  });
}
