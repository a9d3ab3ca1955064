import { AppError, unavailableMessage } from '#kit/contract/errors.ts';

/** Whose work something is, and how to learn that they no longer wait for it. */
export interface Asker {
  /** A link or an account; everybody with the same one shares a share. */
  owner: string;
  signal?: AbortSignal;
}

/** What a task that has begun may ask of its lane. */
export interface Place {
  /** Whether somebody else waits for the place of a task that is not long. */
  isWanted: () => boolean;
}

/** Places that all kinds of work of one lane share; everything else waits. Tasks that are long leave one place to the others. */
export type Lane = <Result>(asker: Asker, task: (place: Place) => Promise<Result>, isLong?: boolean) => Promise<Result>;

interface Waiting {
  owner: string;
  isLong: boolean;
  go: () => void;
  leave: () => void;
}

/** Of one owner one task runs at a time, so that one family leaves a place to the others, and so many wait (W5). */
const mostWaitingOfOne = 2;

const busy = () => new AppError('unavailable', unavailableMessage, { retryAfter: 5 });

/** An owner's longest task is remembered until so long after their last one. */
const rememberedMs = 10 * 60_000;

/**
 * Lets `most` tasks run at once, one of each owner; `mostWaiting` others wait, at most two of each owner that are not long. The
 * next is one whose owner had the shortest tasks lately, of these the first that asked; when too many wait, the last in
 * this order is dropped. So is a task whose asker goes away before it has begun. Throws `unavailable` for what is dropped.
 */
export function openLane(most: number, mostWaiting: number): Lane {
  const running = new Map<string, boolean>();
  const longest = rememberLongest();
  let waiting: Waiting[] = [];

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

  const wait = ({ owner, signal }: Asker, isLong: boolean) =>
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

  return async (asker, task, isLong = false) => {
    const { owner, signal } = asker;
    if (signal?.aborted) throw busy();
    if (mayRun({ owner, isLong })) running.set(owner, isLong);
    else await wait(asker, isLong);
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

/** How long the longest task of each owner was lately, in half seconds: all that are quick are alike. */
function rememberLongest() {
  const all = new Map<string, { ms: number; at: number }>();
  const msOf = (owner: string) => all.get(owner)?.ms ?? 0;
  return {
    of: (owner: string) => Math.floor(msOf(owner) / 500),
    add: (owner: string, ms: number) => {
      const longest = { ms: Math.max(ms, msOf(owner)), at: performance.now() };
      // The owner with the last task stands last.
      all.delete(owner);
      all.set(owner, longest);
      for (const [old, { at }] of all) {
        if (longest.at - at < rememberedMs) break;
        all.delete(old);
      }
    },
  };
}
