/** Below this many milliseconds a cost is indistinguishable from noise. */
const least = 8;
/** The largest factor of the cost for ten times the size. */
const mostGrowth = 15;
/** Work that costs a hundred times as much for ten times the size is found before the largest size. */
const verySlow = 50;

/** Prepares the work for a size; only running it is measured. */
type Prepare = (size: number) => () => unknown;

/** Runs work and returns what it cost. */
type CostOf = (run: () => unknown) => Promise<number>;

/**
 * Returns how a cost grows faster than its size, from a tenth of `most` to `most`; undefined where it does not. Smaller
 * sizes, tenfold from `first`, are measured before, so that very slow work is found before it takes hours. The cost is
 * processor time in milliseconds, unless another is given.
 */
export async function growthOf(
  prepare: Prepare,
  most = 60_000,
  first = most / 1000,
  costOf: CostOf = processorTime,
): Promise<string | undefined> {
  for (let size = first; size <= most; size *= 10) {
    if ((await costOf(prepare(size))) < least) continue;
    const limit = size < most ? verySlow : mostGrowth;
    const found = await compare(prepare, size, 10, limit, least, costOf);
    if (found && (await isSteady(prepare, size, limit, costOf))) return `${size} ${found}`;
  }
  return undefined;
}

/**
 * Growth goes on from a ninth of the size to a third and from there to the whole. A cost that rises once is none: a
 * list of more than 16,000 items lies in memory of its own, which is new each time, and costs four times as much.
 */
async function isSteady(prepare: Prepare, size: number, limit: number, costOf: CostOf): Promise<boolean> {
  return Boolean(
    (await compare(prepare, Math.round(size / 3), 3, limit, 0, costOf)) &&
      (await compare(prepare, size, 3, limit, 0, costOf)),
  );
}

/**
 * How the cost grows from this fraction of the size: faster than `limit` times for ten times the size; undefined where
 * it does not. Runs both by turns: a busy machine slows what runs at that moment, and noise only adds. One turn within
 * the limit is enough; slow work never has one, and very slow work runs three times.
 */
async function compare(
  prepare: Prepare,
  size: number,
  fraction: number,
  limit: number,
  noise: number,
  costOf: CostOf,
): Promise<string | undefined> {
  const large = prepare(size);
  // Small ones in a row are as much work as the large one, so memory and caches weigh on both alike.
  const small = prepare(Math.round(size / fraction));
  const smallOnes = async () => {
    for (let turn = 0; turn < fraction; turn++) await small();
  };
  const perTenfold = Math.log10(fraction);
  let found = '';
  for (let turn = 1; turn <= 12; turn++) {
    const bound = Math.max(noise, (limit ** perTenfold / fraction) * (await costOf(smallOnes)));
    const cost = await costOf(large);
    if (cost <= bound) return undefined;
    found = `costs ${cost.toFixed(1)} ms, over ${bound.toFixed(1)} ms`;
    if (turn === 3 && cost > 3 ** perTenfold * bound) break;
  }
  return found;
}

/** Processor milliseconds of this process, whatever else the machine does. */
async function processorTime(run: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
