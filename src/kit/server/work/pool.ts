import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, unavailableMessage } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import { answers, frame, readFrames } from './frames.ts';
import type { Caller, Queue } from './queue.ts';
import type { Result } from './serve.ts';
import { fileOf, hold, type Started, startProcess } from './starter.ts';

/** One kind of work for child processes, and the limits of one job. */
export interface Kind {
  /** The file that calls `serve`. */
  program: URL;
  /** The queue it shares with other kinds. */
  queue: Queue;
  /** The limit of processor time for one job. On a busy machine a job is given up after twice the time on the clock. */
  seconds: number;
  /** After this much processor time, a job that others wait for is ended and queued again as a long one. */
  shortSeconds?: number;
  /** The limit of resident memory in bytes; 300 MB is enough for everything but papers. */
  memory: number;
  /** The limit of the result in bytes. */
  result: number;
  /** The number of jobs per process, unless one is refused; 1 gives each job its own process. */
  jobs: number;
  /** Whether it needs a package's native code, which Node's permissions cannot restrict. */
  isNative?: true;
  /** The messages for a payload that breaks its process or takes too long, and for one that needs too much memory. */
  broken: Text;
  tooLarge: Text;
}

/** Runs one job; `readPayload` is called when it is the job's turn. */
export type Run = (readPayload: () => Buffer | Promise<Buffer>, caller: Caller) => Promise<Result>;

const megabyte = 1024 * 1024;
/**
 * A backup of the check of resident memory, which runs ten times a second: the limit of writable memory. It does not
 * limit address space, of which Node reserves 10 GB and uses little.
 */
const mostData = 3 * 1024 * megabyte;
const lookEvery = 100;
/** Milliseconds after which an unused process is ended: families who send one file after another seldom wait for a start. */
const idleMs = 5 * 60_000;
/** Milliseconds that a job waits for a process that is ready and busy, before it gets one of its own. */
const patienceMs = 500;
/** Milliseconds that a job waits for its turn, before it is to be sent again. */
const mostWaitingMs = 30_000;
/** Usually hidden behind other work; on a busy machine a process with the lowest priority may wait. */
const secondsToStart = 20;

let patience = 1;
/** Sets how many times as long as usual the jobs of this program may take. */
export function setPatience(times: number) {
  patience = times;
}

const root = join(import.meta.dirname, '../../../..');
/** The only readable files are the program's own code: no key, no family's file (W20). */
const readable = [join(root, 'src/kit'), join(root, 'package.json'), realpathSync(join(root, 'node_modules'))];

interface Worker {
  /** Resolves when it can take a payload; rejects when it ends before. */
  ready: Promise<Started>;
  /** Sets the receiver of its next answer. */
  listen: (hear: (answer: Answer) => void) => void;
  end: () => void;
  jobs: number;
  /** The signal, exit code or error that ended it. */
  endedBy?: string;
  /** Ends the process when it is unused for long. */
  idle?: NodeJS.Timeout;
}

/** A process's answer; 'large' is a result over the limit, 'ended' an exit without one. */
type Answer = { kind: (typeof answers)[number] | undefined; bytes: Buffer } | 'large' | 'ended';

const later = () => new AppError('unavailable', unavailableMessage, { retryAfter: 5 });

/**
 * A pool of child processes for one kind of work, one job each, ended when it breaks, hangs or uses too much (D14).
 * They can open only their own code. `run` returns the result or refusal; it throws `unavailable` on a busy machine.
 */
export function openPool(kind: Kind): Run {
  const idle: Worker[] = [];
  let jobs = 0;
  let newest: Promise<unknown> | undefined;
  /** Called when a process is idle again. */
  const waiting: (() => void)[] = [];

  const takeIdle = (): Worker | undefined => {
    for (let worker = idle.pop(); worker; worker = idle.pop()) {
      clearTimeout(worker.idle);
      if (worker.endedBy === undefined) return worker;
    }
    return undefined;
  };
  const start = (): Worker => {
    const worker = startWorker(kind);
    newest = worker.ready.catch(() => undefined);
    return worker;
  };
  const take = async (): Promise<Worker> => {
    const worker = takeIdle();
    if (worker || jobs === 1 || kind.jobs === 1) return worker ?? start();
    // Another process is started only for a job that keeps the first one long.
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    waiting.push(free);
    await Promise.race([isFree, Promise.resolve(newest).then(() => pause(patienceMs))]);
    waiting.splice(waiting.indexOf(free), 1);
    return takeIdle() ?? start();
  };
  const keep = (worker: Worker) => {
    worker.listen(worker.end);
    worker.idle = setTimeout(() => {
      idle.splice(idle.indexOf(worker), 1);
      worker.end();
    }, idleMs).unref();
    idle.push(worker);
    waiting[0]?.();
  };

  const work = async (readPayload: Parameters<Run>[0], mustYield: () => boolean) => {
    const release = hold();
    jobs++;
    const worker = await take();
    let isReusable = false;
    try {
      const [payload, started] = await Promise.all([readPayload(), worker.ready]);
      const { result, isClean } = await doJob(kind, worker, { payload, started, mustYield });
      isReusable = isClean && worker.jobs < kind.jobs;
      return result;
    } finally {
      jobs--;
      if (isReusable) keep(worker);
      else {
        worker.end();
        // Starts the next process before a job needs it.
        if (idle.length === 0) keep(start());
      }
      release();
    }
  };
  return async (readPayload, { owner, signal }) => {
    for (let isLong = false; ; isLong = true) {
      const turn = AbortSignal.any([AbortSignal.timeout(mostWaitingMs * patience), ...(signal ? [signal] : [])]);
      const result = await kind.queue({ owner, signal: turn }, ({ isWanted }) => work(readPayload, isWanted), isLong);
      if (result) return result;
    }
  };
}

/** Runs one job; no result when it took long and had to yield its place. */
async function doJob(
  { seconds, shortSeconds = Number.POSITIVE_INFINITY, memory, broken, tooLarge }: Kind,
  worker: Worker,
  { payload, started: { pid, stdin }, mustYield }: { payload: Buffer; started: Started; mustYield: () => boolean },
): Promise<{ result?: Result; isClean: boolean }> {
  worker.jobs++;
  const { promise, resolve: finish } = Promise.withResolvers<Answer | 'slow' | 'late' | 'yielded'>();
  worker.listen(finish);
  const workedBefore = secondsWorked(pid);
  const timer = setTimeout(() => finish('late'), 2 * seconds * patience * 1000);
  const watch = setInterval(() => {
    const worked = secondsWorked(pid) - workedBefore;
    if (residentBytes(pid) > memory) finish('large');
    else if (worked > seconds) finish('slow');
    else if (worked > shortSeconds && mustYield()) finish('yielded');
  }, lookEvery);
  for (const part of frame(0, payload)) stdin.write(part);
  const answer = await promise;
  clearTimeout(timer);
  clearInterval(watch);

  const refused = (why: Text) => ({ result: { refused: why }, isClean: false });
  if (answer === 'yielded') return { isClean: false };
  if (answer === 'large') return refused(tooLarge);
  if (answer === 'slow') return refused(broken);
  // The machine was busy, and the payload is not at fault.
  if (answer === 'late') throw later();
  if (answer === 'ended') {
    // SIGKILL comes from outside, for example when memory is low; a faulty payload ends a process in other ways.
    if (worker.endedBy === 'SIGKILL') throw later();
    return refused(broken);
  }
  if (answer.kind === 'refused') return refused(JSON.parse(answer.bytes.toString()));
  if (answer.kind !== 'done') throw new Error(`A job failed: ${answer.bytes.toString()}`);
  return { result: { bytes: answer.bytes }, isClean: residentBytes(pid) < memory / 2 };
}

function startWorker({ program, seconds, jobs, isNative, memory, result }: Kind): Worker {
  const file = fileOf(program);
  const flags = [
    '--permission',
    // SQLite opens its files without Node's permission check.
    '--no-experimental-sqlite',
    ...(isNative ? ['--allow-addons'] : []),
    ...[...readable, dirname(file)].map((path) => `--allow-fs-read=${path}`),
    '--no-warnings',
    `--max-old-space-size=${Math.floor(memory / megabyte)}`,
  ];
  const { promise: ready, resolve: isReady, reject: isNotReady } = Promise.withResolvers<Started>();
  ready.catch(() => undefined);
  let hear: (answer: Answer) => void = () => undefined;
  const listen = (listener: (answer: Answer) => void) => {
    hear = listener;
  };
  let streams: Started | undefined;
  const end = startProcess({
    limits: { data: mostData / 1024, seconds: seconds * jobs + secondsToStart },
    line: [process.execPath, ...flags, file],
    started: (started) => {
      streams = started;
      // Frames on streams, not Node's own channel: it copies a message again for every chunk, and the garbage
      // collection paused all requests.
      readFrames(started.stdout, {
        most: result,
        take: ({ tag, bytes }) => {
          clearTimeout(timer);
          if (answers[tag] === 'ready') isReady(started);
          else hear({ kind: answers[tag], bytes });
        },
        refuse: () => hear('large'),
      });
      for (const stream of [started.stdin, started.stdout]) {
        // Its end is told by `ended`; a failed write to it is no failure of its own.
        stream.on('error', () => undefined);
        // An idle process must not keep the server from ending.
        stream.unref();
      }
    },
    ended: (why) => {
      clearTimeout(timer);
      worker.endedBy = why;
      streams?.stdin.destroy();
      streams?.stdout.destroy();
      isNotReady(later());
      hear('ended');
    },
  });
  const timer = setTimeout(end, secondsToStart * patience * 1000).unref();
  const worker: Worker = { ready, end, jobs: 0, listen };
  return worker;
}

/** Resident memory of a process in bytes; 0 where unknown, or once it has ended. */
function residentBytes(pid: number): number {
  return Number(readProc(pid, 'statm').split(' ')[1] ?? 0) * 4096;
}

/** Processor time of all threads of a process in seconds; 0 where unknown. */
function secondsWorked(pid: number): number {
  const fields = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
