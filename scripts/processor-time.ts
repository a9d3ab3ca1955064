import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

/**
 * Seconds of processor time of this process, of those below it, and of all that they have waited for: also those of an
 * embedded PostgreSQL. Undefined on systems without /proc. A process that outlives its parent is not counted.
 */
export function processorSeconds(): number | undefined {
  return secondsOf('self');
}

function secondsOf(id: string): number | undefined {
  try {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
    return childrenOf(id).reduce((sum, child) => sum + (secondsOf(child) ?? 0), own);
  } catch {
    return undefined; // It has ended.
  }
}

function childrenOf(id: string): string[] {
  try {
    const lists = globSync(`/proc/${id}/task/*/children`).map((file) => readFileSync(file, 'utf8'));
    return lists.flatMap((list) => list.split(' ').filter(Boolean));
  } catch {
    return []; // A thread has ended.
  }
}

export interface Cost {
  /** A phase, or a file of tests. */
  name: string;
  seconds: number;
  processor?: number;
}

/** Runs a phase and adds what it cost. */
export async function timed<Result>(costs: Cost[], name: string, work: () => Promise<Result>): Promise<Result> {
  const [started, before] = [performance.now(), processorSeconds()];
  try {
    return await work();
  } finally {
    const after = processorSeconds();
    const processor = before === undefined || after === undefined ? undefined : after - before;
    costs.push({ name, seconds: (performance.now() - started) / 1000, processor });
  }
}

/** The lines of a table: seconds by the clock, seconds of processor time, name. */
export const linesOf = (costs: readonly Cost[]): string[] =>
  costs.map(({ name, seconds, processor }) => `${cell(seconds)}  ${cell(processor)}  ${name}`);

const cell = (seconds: number | undefined) => (seconds === undefined ? '' : seconds.toFixed(1)).padStart(9);

/** The 15 costliest files, by processor time where it is known. */
export const costliest = (files: readonly Cost[]): Cost[] =>
  files.toSorted((file, other) => costOf(other) - costOf(file)).slice(0, 15);

const costOf = ({ seconds, processor = seconds }: Cost) => processor;

/** What a run usually costs at most, in seconds of processor time; raise it only with a reason in the commit. */
export const mostProcessorSeconds = 1400;

/** Milliseconds of processor time that the sample takes during a run with nothing beside it. */
export const usualSample = 20;

/** Milliseconds of processor time that this machine takes now for a fixed piece of work. */
function sample(): number {
  const before = process.cpuUsage();
  const block = Buffer.alloc(1 << 16);
  for (let round = 0; round < 400; round++) block.write(createHash('sha256').update(block).digest('hex'));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * What a run may cost, in seconds of processor time, and the median of the samples in milliseconds. A shared machine takes
 * up to three times the processor time for the same work: the limit grows with the median, and never shrinks.
 */
export function limitOf(samples: readonly number[]): { seconds: number; median: number } {
  const median = samples.toSorted((one, other) => one - other)[Math.floor(samples.length / 2)] ?? usualSample;
  return { seconds: Math.round(mostProcessorSeconds * Math.max(1, median / usualSample)), median };
}

/** Takes a sample every 15 seconds while the run works. */
export function watchMachine(): number[] {
  const samples = [sample()];
  setInterval(() => samples.push(sample()), 15_000).unref();
  return samples;
}
