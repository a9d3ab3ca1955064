/** Below this many milliseconds a cost is indistinguishable from noise. */
const least = 8;
/** The largest factor of the cost for ten times the size. */
const mostGrowth = 15;
/** Work that costs a hundred times as much for ten times the size is found before the largest size. */
const verySlow = 50;

/** Prepares the work for a size; only running it is measured. */
type Prepare = (size: number) => () => unknown;

/**
 * Returns how a cost grows faster than its size, from a tenth of `most` to `most`; undefined where it does not. Smaller
 * sizes, tenfold from `first`, are measured before, so that very slow work is found before it takes hours.
 */
export async function growthOf(prepare: Prepare, most = 60_000, first = most / 1000): Promise<string | undefined> {
  for (let size = first; size <= most; size *= 10) {
    const large = prepare(size);
    if ((await costOf(large)) < least) continue;
    // Ten small runs in a row are as much work, so memory and caches weigh on both alike.
    const found = await compare(large, tenTimes(prepare(size / 10)), size < most ? verySlow : mostGrowth);
    if (found) return `${size} ${found}`;
  }
  return undefined;
}

/**
 * Runs both by turns: a busy machine slows what runs at that moment, and noise only adds. One turn within the limit is
 * enough; slow work never has one, and very slow work runs three times.
 */
async function compare(large: () => unknown, tenSmall: () => unknown, limit: number): Promise<string | undefined> {
  let found = '';
  for (let turn = 1; turn <= 12; turn++) {
    const bound = Math.max(least, (limit / 10) * (await costOf(tenSmall)));
    const cost = await costOf(large);
    if (cost <= bound) return undefined;
    found = `costs ${cost.toFixed(1)} ms, over ${bound.toFixed(1)} ms`;
    if (turn === 3 && cost > 3 * bound) break;
  }
  return found;
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
