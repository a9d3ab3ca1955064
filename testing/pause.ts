/** Below this many milliseconds a pause is indistinguishable from noise, as of a garbage collection. */
const least = 25;
/** The largest factor of the pause for ten times the size. */
const mostGrowth = 15;

/**
 * Returns how the longest pause of the event loop grows faster than the size, undefined where it does not. One turn
 * within the limit is enough: noise only adds, and work that is too slow never has one.
 */
export async function pauseGrowth(large: () => Promise<unknown>, small: () => Promise<unknown>) {
  let found = '';
  for (let turn = 1; turn <= 5; turn++) {
    const pause = await longestPause(large);
    if (pause <= least) return undefined;
    const bound = Math.max(least, mostGrowth * (await longestPause(small)));
    if (pause <= bound) return undefined;
    found = `stops the event loop for ${pause.toFixed(0)} ms, over ${bound.toFixed(0)} ms`;
  }
  return found;
}

/**
 * The longest time between two turns of the event loop while this runs, in milliseconds of this thread's processor
 * time, whatever else the machine does.
 */
async function longestPause(run: () => Promise<unknown>): Promise<number> {
  let [isRunning, longest, last] = [true, 0, ownTime()];
  const turn = () => {
    const now = ownTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await run();
  } finally {
    isRunning = false;
  }
  turn();
  return longest;
}

function ownTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
