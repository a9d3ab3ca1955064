/** Lets at most `most` tasks run at once; the others wait their turn, in order. */
export function slots(most: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
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
