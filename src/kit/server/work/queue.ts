import { AppError, unavailableMessage } from '#kit/contract/errors.ts';

/** The owner of work, and a signal when they no longer wait for it. */
export interface Caller {
  /** A link or an account; all requests with the same owner share one share. */
  owner: string;
  signal?: AbortSignal;
}

/** What a running task may ask its queue. */
export interface Turn {
  /** Whether a short task of another owner waits for this place. */
  isWanted: () => boolean;
}

/** The places that all kinds of work in one queue share; other tasks wait. Long tasks leave one place to the others. */
export type Queue = <Result>(
  caller: Caller,
  task: (turn: Turn) => Promise<Result>,
  isLong?: boolean,
) => Promise<Result>;

interface Waiting {
  owner: string;
  isLong: boolean;
  go: () => void;
  leave: () => void;
}

/** Each owner runs one task at a time, so that one family leaves places to others; this many more may wait (W5). */
const mostWaitingOfOne = 2;

const busy = () => new AppError('unavailable', unavailableMessage, { retryAfter: 5 });

/** How busy the queues with a name are, for a monitor. */
const lanes = new Map<string, () => { running: number; waiting: number }>();
export const listLanes = (): { lane: string; running: number; waiting: number }[] =>
  [...lanes].map(([lane, look]) => ({ lane, ...look() }));

/** Milliseconds after an owner's last task until their longest task is forgotten. */
const rememberedMs = 10 * 60_000;

/**
 * Runs at most `most` tasks, one per owner; `mostWaiting` others wait. Owners with the shortest recent tasks come
 * first; when too many wait, the last is dropped, as are tasks whose owner is gone. Throws `unavailable` for those.
 * A monitor sees it by the name of its `lane`.
 */
export function openQueue(most: number, mostWaiting: number, lane?: string): Queue {
  const running = new Map<string, boolean>();
  const longest = rememberLongest();
  let waiting: Waiting[] = [];
  if (lane) lanes.set(lane, () => ({ running: running.size, waiting: waiting.length }));

  const mayRun = ({ owner, isLong }: Pick<Waiting, 'owner' | 'isLong'>) => {
    const long = [...running.values()].filter(Boolean).length;
    return running.size < most && !running.has(owner) && !(isLong && long >= Math.max(most - 1, 1));
  };
  const goOn = () => {
    const [next] = inOrder(waiting.filter(mayRun));
    if (!next) return;
    waiting = waiting.filter((other) => other !== next);
    running.set(next.owner, next.isLong);
    next.go();
    goOn();
  };
  const inOrder = (tasks: Waiting[]) =>
    tasks.toSorted((left, right) => longest.of(left.owner) - longest.of(right.owner));

  const wait = ({ owner, signal }: Caller, isLong: boolean) =>
    new Promise<void>((go, fail) => {
      const leave = () => {
        signal?.removeEventListener('abort', leave);
        waiting = waiting.filter((other) => other !== task);
        fail(busy());
      };
      const task: Waiting = {
        owner,
        isLong,
        leave,
        go: () => {
          signal?.removeEventListener('abort', leave);
          go();
        },
      };
      const ofOne = waiting.filter((other) => other.owner === owner && !other.isLong).length;
      if (!isLong && ofOne >= mostWaitingOfOne) return fail(busy());
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(task);
      if (waiting.length > mostWaiting) inOrder(waiting).at(-1)?.leave();
    });

  return async (caller, task, isLong = false) => {
    const { owner, signal } = caller;
    if (signal?.aborted) throw busy();
    if (mayRun({ owner, isLong })) running.set(owner, isLong);
    else await wait(caller, isLong);
    const began = performance.now();
    try {
      return await task({
        isWanted: () => !isLong && waiting.some((other) => !other.isLong && !running.has(other.owner)),
      });
    } finally {
      longest.add(owner, performance.now() - began);
      running.delete(owner);
      goOn();
    }
  };
}

/** The longest recent task of each owner, in half seconds, so that all quick tasks count alike. */
function rememberLongest() {
  const all = new Map<string, { ms: number; at: number }>();
  const msOf = (owner: string) => all.get(owner)?.ms ?? 0;
  return {
    of: (owner: string) => Math.floor(msOf(owner) / 500),
    add: (owner: string, ms: number) => {
      const longest = { ms: Math.max(ms, msOf(owner)), at: performance.now() };
      // Keeps the map in the order of each owner's last task.
      all.delete(owner);
      all.set(owner, longest);
      for (const [old, { at }] of all) {
        if (longest.at - at < rememberedMs) break;
        all.delete(old);
      }
    },
  };
}
