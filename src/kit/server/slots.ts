import { AppError, unavailableMessage } from '#kit/contract/errors.ts';

/** Lets at most `most` tasks run at once; `mostWaiting` others wait their turn, in order. Throws `unavailable` beyond that. */
export function slots(most: number, mostWaiting: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
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
      // A waiting task takes the place over, so that nobody can slip in between.
      if (next) next();
      else running--;
    }
  };
}
