import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Limits, ProcessEvent, ProcessOrder } from './start-work.ts';

export interface Started {
  pid: number;
  stdin: Socket;
  stdout: Socket;
}

interface Starting {
  limits: Limits;
  /** The program and its arguments. */
  line: string[];
  started: (process: Started) => void;
  /** Called once: with the signal, the exit code or the error that ended it. */
  ended: (why: string) => void;
}

const root = join(import.meta.dirname, '../../../..');

/** A program as JavaScript, which starts in half the processor time; its source while its code is worked on. */
export function fileOf(program: URL): string {
  const source = fileURLToPath(program);
  const built = join(root, 'dist/work', `${basename(source, '.ts')}.js`);
  const isWorkedOn = ['development', 'test'].includes(process.env.NODE_ENV ?? '');
  return !isWorkedOn && existsSync(built) ? built : source;
}

/** The process that starts the others, and those it has started. */
interface Starter {
  child: ChildProcess;
  started: Map<number, Starting & { stdin?: Socket; pid?: number }>;
}

let starter: Starter | undefined;
let [lastId, holds] = [0, 0];

/** Starts a process from a small one, because forking the server costs it time. Returns what ends it. */
export function startProcess(starting: Starting): () => void {
  starter ??= openStarter();
  const { child, started } = starter;
  const id = ++lastId;
  started.set(id, starting);
  ask(child, { id, limits: starting.limits, line: starting.line });
  return () => ask(child, { end: id });
}

function endProcess(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Keeps this program running until the returned function is called: started processes alone do not. */
export function hold(): () => void {
  holds++;
  keepRunning();
  return () => {
    holds--;
    keepRunning();
  };
}

function keepRunning() {
  if (!starter) return;
  const { child } = starter;
  if (holds > 0) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

const ask = (child: ChildProcess, asked: ProcessOrder) => {
  // Its end is told to all it has started.
  if (child.connected) child.send(asked, () => undefined);
};

function openStarter(): Starter {
  const file = fileOf(new URL('./start-work.ts', import.meta.url));
  const child = spawn(process.execPath, ['--no-warnings', file], {
    env: {},
    cwd: '/',
    // The pipe on its standard input closes with this process, however it ends.
    stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
  });
  child.stdin?.on('error', () => undefined);
  const started: Starter['started'] = new Map();
  const end = (id: number, why: string) => {
    const process = started.get(id);
    started.delete(id);
    process?.ended(why);
  };
  child.on('message', (told: ProcessEvent, handle: Socket | undefined) => {
    if ('ended' in told) return end(told.id, told.ended);
    const process = started.get(told.id);
    if (!process || !handle) return handle?.destroy();
    if (told.stream === 'stdin') process.stdin = handle;
    else if (process.stdin) {
      process.pid = told.pid;
      process.started({ pid: told.pid, stdin: process.stdin, stdout: handle });
    }
  });
  const ended = (why: unknown) => {
    if (starter?.child === child) starter = undefined;
    for (const [id, { pid }] of [...started]) {
      // A process that works does not read that its pipe was closed.
      if (pid !== undefined) endProcess(pid);
      end(id, String(why));
    }
  };
  child.once('exit', (code, signal) => ended(signal ?? code)).once('error', ({ message }) => ended(message));
  starter = { child, started };
  keepRunning();
  return starter;
}
