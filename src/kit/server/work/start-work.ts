// Runs in a child process: starts the processes that open files. The server does not fork itself, since each page of
// its memory would then fault at the next write: up to a second for a large server on a virtual machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A process to start, or the id of one to end. */
export type ProcessOrder = { id: number; limits: Limits; line: string[] } | { end: number };

export interface Limits {
  /** Writable memory in kB. */
  data: number;
  /** Seconds of processor time, which end a process that outlives the server. */
  seconds: number;
}

/** A started process with one of its streams as handle, or the end of a process. */
export type ProcessEvent = { id: number; pid: number; stream: 'stdin' | 'stdout' } | { id: number; ended: string };

const start = 'ulimit -c 0; ulimit -d "$1"; ulimit -t "$2"; shift 2; exec env -i nice -n 5 "$@"';

/** An empty network namespace; only root may have one without becoming another user. */
const unshare = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--user']), '--net'];
const canBeAlone = spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
const alone = canBeAlone ? unshare : [];

const running = new Map<number, Promise<ChildProcess | undefined>>();
/** Those that have been started and have not ended. */
const alive = new Set<ChildProcess>();

const tell = (told: ProcessEvent, stream?: Socket) => process.connected && process.send?.(told, stream);

// A signal to the whole group of the server lets running jobs finish.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The end of the server, also by SIGKILL, closes this pipe. The channel does not always tell it: not while a stream is on its
// way to the server. A process that works does not read, so it is ended.
process.stdin.resume();
for (const event of ['end', 'error', 'close'] as const)
  process.stdin.once(event, () => {
    for (const child of alive) child.kill('SIGKILL');
    process.exit();
  });
process.on('message', (asked: ProcessOrder) => {
  if ('end' in asked) void running.get(asked.end)?.then((child) => child?.kill('SIGKILL'));
  else running.set(asked.id, startChild(asked));
});

async function startChild({
  id,
  limits,
  line,
}: Exclude<ProcessOrder, { end: number }>): Promise<ChildProcess | undefined> {
  const ended = (why: unknown) => {
    running.delete(id);
    tell({ id, ended: String(why) });
  };
  const pairs = await makePairs().catch(ended);
  if (!pairs) return undefined;
  const [[input, stdin], [output, stdout]] = pairs;
  const child = spawn('sh', ['-c', start, 'sh', String(limits.data), String(limits.seconds), ...alone, ...line], {
    env: {},
    cwd: '/',
    stdio: [input, output, 'inherit'],
  });
  alive.add(child);
  child.once('exit', () => alive.delete(child)).once('error', () => alive.delete(child));
  input.destroy();
  output.destroy();
  child.once('exit', (code, signal) => ended(signal ?? code)).once('error', ({ message }) => ended(message));
  if (child.pid === undefined) {
    stdin.destroy();
    stdout.destroy();
  } else {
    tell({ id, pid: child.pid, stream: 'stdin' }, stdin);
    tell({ id, pid: child.pid, stream: 'stdout' }, stdout);
  }
  return child;
}

/** Two pairs of connected sockets that nothing has read from: the child's end, and the server's. */
async function makePairs(): Promise<[[Socket, Socket], [Socket, Socket]]> {
  const folder = mkdtempSync(join(tmpdir(), 'shala-work-'));
  const path = join(folder, 'socket');
  const listening = createServer({ pauseOnConnect: true }).listen(path);
  try {
    await once(listening, 'listening');
    const makePair = async (): Promise<[Socket, Socket]> => {
      const near = connect(path);
      near.pause();
      const [[far]] = await Promise.all([once(listening, 'connection'), once(near, 'connect')]);
      return [far, near];
    };
    return [await makePair(), await makePair()];
  } finally {
    listening.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
