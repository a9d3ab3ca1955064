/** Below this many milliseconds a cost is indistinguishable from noise. */
const least = 8;
/** The largest factor of the cost for ten times the size. */
const mostGrowth = 15;

/** Prepares the work for a size; only running it is measured. */
type Prepare = (size: number) => () => unknown;

/**
 * Returns how a cost grows faster than its size; undefined where it does not. Sizes grow tenfold from `first` to
 * `most`, so that very slow work is found before it takes hours.
 */
export async function growthOf(prepare: Prepare, most = 60_000, first = most / 1000): Promise<string | undefined> {
  for (let size = first; size <= most; size *= 10) {
    const large = prepare(size);
    let cost = await costOf(large);
    if (cost < least) continue;
    // Ten small runs in a row are as much work, so memory and caches weigh on both alike.
    const small = tenTimes(prepare(size / 10));
    const ten = Math.min(await costOf(small), await costOf(small), await costOf(small));
    const bound = Math.max(least, (mostGrowth / 10) * ten);
    // Noise only adds: one run within the limit is enough, and slow work never has one. Very slow work runs three times.
    for (let run = 0; cost > bound && run < (cost < 20 * bound ? 12 : 2); run++) cost = await costOf(large);
    if (cost > bound) return `${size} costs ${cost.toFixed(1)} ms, over ${bound.toFixed(1)} ms`;
  }
  return undefined;
}

const tenTimes = (run: () => unknown) => async () => {
  for (let turn = 0; turn < 10; turn++) await run();
};

/** Processor milliseconds of this process, whatever else the machine does. */
async function costOf(run: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
