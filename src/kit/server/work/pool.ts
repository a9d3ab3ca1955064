import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { AppError, unavailableMessage } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import { answers, frame, readFrames } from './frames.ts';
import type { Asker, Lane } from './lane.ts';
import type { Result } from './serve.ts';

/** One kind of work that is done in processes of its own, and the limits of one job. */
export interface Kind {
  /** The file that calls `serve`. */
  program: URL;
  /** The places it shares with other kinds. */
  lane: Lane;
  /** From the moment the process has the payload. */
  seconds: number;
  /** After so many of processor time a job that others wait for is ended and begun again as a long one. */
  shortSeconds?: number;
  /** Bytes of memory that are resident; 300 MB is enough for everything but papers. */
  memory: number;
  /** Bytes of the result. */
  result: number;
  /** How many jobs one process may do, one after another, unless one of them is refused; 1 keeps every job to itself. */
  jobs: number;
  /** Whether it needs native code of a package, which Node's permissions don't hold. */
  isNative?: true;
  /** Why a payload is refused that breaks its process or takes too long, and for one that takes too much memory. */
  broken: Text;
  tooLarge: Text;
}

/** Does one job, given a function that reads the payload once it is the job's turn. */
export type Run = (readPayload: () => Buffer | Promise<Buffer>, asker: Asker) => Promise<Result>;

const megabyte = 1024 * 1024;
/**
 * Behind the watch on resident memory, which looks ten times a second: what a process may have to write on at all. It is not a
 * limit on addresses, of which Node reserves 10 GB and uses few.
 */
const mostData = 3 * 1024 * megabyte;
const lookEvery = 100;
/** A process that nobody has needed for so long is ended. */
const idleMs = 60_000;
/** Hidden behind other work as a rule; a busy machine lets a process with the lowest priority wait. */
const secondsToStart = 20;

const root = join(import.meta.dirname, '../../../..');
/** A network of its own, in which there is nobody; only root may have one without becoming another user. */
const alone = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--user']), '--net'];
let isAloneAllowed: boolean | undefined;
const canBeAlone = () => {
  isAloneAllowed ??= spawnSync(alone[0] ?? '', [...alone.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
  return isAloneAllowed;
};

/** Nothing but the program's own code can be opened: no key, no file of a family (W20). */
const readable = [join(root, 'src/kit'), join(root, 'package.json'), realpathSync(join(root, 'node_modules'))];

// A process that outlives the server ends by its limit of processor time.
const start = 'ulimit -c 0; ulimit -d "$1"; ulimit -t "$2"; shift 2; exec env -i nice -n 10 "$@"';

interface Worker {
  child: ChildProcess & { stdin: Writable; stdout: Readable };
  /** Resolves when it can take a payload; rejects when it ends before. */
  ready: Promise<void>;
  /** Who hears its next answer. */
  listen: (hear: (answer: Answer) => void) => void;
  end: () => void;
  jobs: number;
  /** Ends it when nobody has needed it for long. */
  idle?: NodeJS.Timeout;
}

/** What a process answers; 'large' is a result of too many bytes, 'ended' an end without one. */
type Answer = { kind: (typeof answers)[number] | undefined; bytes: Buffer } | 'large' | 'ended';

const later = () => new AppError('unavailable', unavailableMessage, { retryAfter: 5 });

/**
 * A pool of processes for one kind of work, in each of which one job runs at a time: when it breaks, hangs or takes too
 * much, that process is ended and nobody else notices (D14). They have no environment, can open no file but their own
 * code, and reach no network where the system lets us hide it. `run` gives the result or why the payload is refused; it throws `unavailable` when the machine was too busy, and a
 * plain error for a bug.
 */
export function openPool(kind: Kind): Run {
  const idle: Worker[] = [];

  const take = (): Worker => {
    for (let worker = idle.pop(); worker; worker = idle.pop()) {
      clearTimeout(worker.idle);
      if (isAlive(worker)) return worker;
    }
    return startWorker(kind);
  };
  const keep = (worker: Worker) => {
    worker.child.unref();
    worker.listen(worker.end);
    worker.idle = setTimeout(() => {
      idle.splice(idle.indexOf(worker), 1);
      worker.end();
    }, idleMs).unref();
    idle.push(worker);
  };

  const work = async (readPayload: Parameters<Run>[0], mustYield: () => boolean) => {
    const worker = take();
    worker.child.ref();
    let isReusable = false;
    try {
      const [payload] = await Promise.all([readPayload(), worker.ready]);
      const { result, isClean } = await doJob(kind, worker, { payload, mustYield });
      isReusable = isClean && worker.jobs < kind.jobs;
      return result;
    } finally {
      if (isReusable) keep(worker);
      else {
        worker.end();
        worker.child.unref();
        // The next one is there before somebody waits for it.
        if (idle.length === 0) keep(startWorker(kind));
      }
    }
  };
  return async (readPayload, asker) => {
    for (let isLong = false; ; isLong = true) {
      const result = await kind.lane(asker, ({ isWanted }) => work(readPayload, isWanted), isLong);
      if (result) return result;
    }
  };
}

/** One job; no result when it took long and had to yield its place. */
async function doJob(
  { seconds, shortSeconds = Number.POSITIVE_INFINITY, memory, broken, tooLarge }: Kind,
  worker: Worker,
  { payload, mustYield }: { payload: Buffer; mustYield: () => boolean },
): Promise<{ result?: Result; isClean: boolean }> {
  const { pid = 0, stdin } = worker.child;
  worker.jobs++;
  const { promise, resolve: finish } = Promise.withResolvers<Answer | 'slow' | 'yielded'>();
  worker.listen(finish);
  const workedBefore = secondsWorked(pid);
  const timer = setTimeout(() => finish('slow'), seconds * 1000);
  const watch = setInterval(() => {
    if (residentBytes(pid) > memory) finish('large');
    else if (mustYield() && secondsWorked(pid) - workedBefore > shortSeconds) finish('yielded');
  }, lookEvery);
  for (const part of frame(0, payload)) stdin.write(part);
  const answer = await promise;
  clearTimeout(timer);
  clearInterval(watch);

  const refused = (why: Text) => ({ result: { refused: why }, isClean: false });
  if (answer === 'yielded') return { isClean: false };
  if (answer === 'large') return refused(tooLarge);
  if (answer === 'slow') {
    // Out of time without having worked for most of it: the machine was busy with others, and the payload is not at fault.
    if (secondsWorked(pid) - workedBefore < 0.8 * seconds) throw later();
    return refused(broken);
  }
  if (answer === 'ended') {
    // SIGKILL comes from outside, such as a system without memory; a fault of the payload ends a process in other ways.
    if (pid === 0 || worker.child.signalCode === 'SIGKILL') throw later();
    return refused(broken);
  }
  if (answer.kind === 'refused') return refused(JSON.parse(answer.bytes.toString()));
  if (answer.kind !== 'done') throw new Error(`A job failed: ${answer.bytes.toString()}`);
  return { result: { bytes: answer.bytes }, isClean: residentBytes(pid) < memory / 2 };
}

function startWorker({ program, seconds, jobs, isNative, memory, result }: Kind): Worker {
  const file = fileURLToPath(program);
  const flags = [
    '--permission',
    // Its databases are files that no permission is asked for.
    '--no-experimental-sqlite',
    ...(isNative ? ['--allow-addons'] : []),
    ...[...readable, dirname(file)].map((path) => `--allow-fs-read=${path}`),
    '--no-warnings',
    `--max-old-space-size=${Math.floor(memory / megabyte)}`,
  ];
  const limits = [String(mostData / 1024), String(seconds * jobs + secondsToStart)];
  // Frames on standard streams, not Node's own channel between processes: it copies a message once more with every chunk
  // of it, and the collector's pauses were everybody's.
  const line = [...(canBeAlone() ? alone : []), process.execPath, ...flags, file];
  const child = spawn('sh', ['-c', start, 'sh', ...limits, ...line], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { promise: ready, resolve: isReady, reject: isNotReady } = Promise.withResolvers<void>();
  ready.catch(() => undefined);
  let hear: (answer: Answer) => void = () => undefined;
  const end = () => {
    child.kill('SIGKILL');
  };
  const timer = setTimeout(end, secondsToStart * 1000).unref();
  readFrames(child.stdout, {
    most: result,
    take: ({ tag, bytes }) => {
      clearTimeout(timer);
      if (answers[tag] === 'ready') isReady();
      else hear({ kind: answers[tag], bytes });
    },
    refuse: () => hear('large'),
  });
  const ended = () => {
    clearTimeout(timer);
    isNotReady(later());
    hear('ended');
  };
  child.once('exit', ended).once('error', ended);
  // Its end is told by `exit`; what can no longer be written to it is no failure of its own.
  child.stdin.on('error', () => undefined);
  // It alone does not keep the server from ending.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref: () => void }).unref();
  const listen = (listener: (answer: Answer) => void) => {
    hear = listener;
  };
  return { child, ready, end, jobs: 0, listen };
}

const isAlive = ({ child }: Worker) => child.pid !== undefined && child.exitCode === null && child.signalCode === null;

/** Bytes of memory a process holds; 0 where the system does not say, or once it has ended. */
function residentBytes(pid: number): number {
  return Number(readProc(pid, 'statm').split(' ')[1] ?? 0) * 4096;
}

/** Seconds of processor time a process has used in all its threads; 0 where the system does not say. */
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
