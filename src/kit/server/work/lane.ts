import { AppError, unavailableMessage } from '#kit/contract/errors.ts';

/** Whose work something is, and how to learn that they no longer wait for it. */
export interface Asker {
  /** A link or an account; everybody with the same one shares a share. */
  owner: string;
  signal?: AbortSignal;
}

/** Places that all kinds of work of one lane share; everything else waits in order. */
export type Lane = <Result>(asker: Asker, task: () => Promise<Result>) => Promise<Result>;

interface Waiting {
  owner: string;
  go: () => void;
}

/** Of one owner one task runs at a time, so that one family leaves a place to the others, and so many wait (W5). */
const mostWaitingOfOne = 2;

const busy = () => new AppError('unavailable', unavailableMessage, { retryAfter: 5 });

/**
 * Lets `most` tasks run at once, one of each owner; `mostWaiting` others wait, at most two of each owner. A task whose
 * asker goes away before it has begun is dropped. Throws `unavailable` for what is dropped, and for one too many.
 */
export function openLane(most: number, mostWaiting: number): Lane {
  const running = new Set<string>();
  let waiting: Waiting[] = [];

  const goOn = () => {
    for (const one of [...waiting]) {
      if (running.size >= most) return;
      if (running.has(one.owner)) continue;
      waiting = waiting.filter((other) => other !== one);
      running.add(one.owner);
      one.go();
    }
  };

  const wait = ({ owner, signal }: Asker) =>
    new Promise<void>((go, fail) => {
      const ofOne = waiting.filter((one) => one.owner === owner).length;
      if (waiting.length >= mostWaiting || ofOne >= mostWaitingOfOne) return fail(busy());
      const leave = () => {
        waiting = waiting.filter((other) => other !== one);
        fail(busy());
      };
      const one: Waiting = {
        owner,
        go: () => {
          signal?.removeEventListener('abort', leave);
          go();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(one);
    });

  return async (asker, task) => {
    if (asker.signal?.aborted) throw busy();
    if (running.size < most && !running.has(asker.owner)) running.add(asker.owner);
    else await wait(asker);
    try {
      return await task();
    } finally {
      running.delete(asker.owner);
      goOn();
    }
  };
}
