import { AppError, unavailableMessage } from '#kit/contract/errors.ts';

type InSlot = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Runs at most `most` tasks at once; `mostWaiting` others wait in order. Throws `unavailable` beyond that. */
export function slots(most: number, mostWaiting: number): InSlot {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (waiting.length >= mostWaiting) throw new AppError('unavailable', unavailableMessage, { retryAfter: 5 });
    if (running >= most) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // A waiting task takes over the slot, so that no new task can overtake it.
      if (next) next();
      else running--;
    }
  };
}

/** As `slots`, separately for each owner. */
export function slotsOfEach(most: number, mostWaiting: number): (owner: string) => InSlot {
  const all = new Map<string, { inSlot: InSlot; tasks: number }>();
  return (owner) => async (task) => {
    const own = all.get(owner) ?? { inSlot: slots(most, mostWaiting), tasks: 0 };
    all.set(owner, own);
    own.tasks++;
    try {
      return await own.inSlot(task);
    } finally {
      own.tasks--;
      if (own.tasks === 0) all.delete(owner);
    }
  };
}
