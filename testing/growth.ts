/** Below this many milliseconds a cost is not told from noise. */
const least = 8;
/** Ten times the size may cost this many times as much. */
const mostGrowth = 15;

/** Makes what is measured, for a size; only running it counts. */
type Prepare = (size: number) => () => unknown;

/**
 * Says how a cost grows faster than the size it is for; undefined where it does not. Sizes grow tenfold from `first` up to
 * `most`, so that what is very slow is found before it takes hours.
 */
export async function growthOf(prepare: Prepare, most = 60_000, first = most / 1000): Promise<string | undefined> {
  for (let size = first; size <= most; size *= 10) {
    const large = prepare(size);
    let cost = await costOf(large);
    if (cost < least) continue;
    const small = prepare(size / 10);
    const bound = Math.max(least, mostGrowth * Math.min(await costOf(small), await costOf(small), await costOf(small)));
    // Noise only adds: one run within the bound is enough, and far above it none will come.
    for (let run = 0; run < 12 && cost > bound && cost < 20 * bound; run++) cost = await costOf(large);
    if (cost > bound) return `${size} costs ${cost.toFixed(1)} ms, over ${bound.toFixed(1)} ms`;
  }
  return undefined;
}

/** Milliseconds of this process's own work, whatever else the machine does. */
async function costOf(run: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
