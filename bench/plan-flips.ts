import { median } from './budgets.ts';

/** A statement that becomes slow on a connection that has run it often. */
export interface Flip {
  /** The page that sends it. */
  page: string;
  statement: string;
  /** Milliseconds with a plan for its values, and with the plan that the connection keeps. */
  before: number;
  after: number;
}

/** From its sixth run on, PostgreSQL may keep one plan of a named statement for all values. */
const plannedRuns = 5;
const keptRuns = 5;
export const flipRuns = plannedRuns + keptRuns;

/** What the runs of one statement on one connection say; undefined where they stay as fast as they were. */
export function flipOf(runs: readonly number[]): Pick<Flip, 'before' | 'after'> | undefined {
  // Skip the first run, which may read from disk.
  const before = median(runs.slice(1, plannedRuns));
  // Other programs slow some of them, but not all.
  const after = Math.min(...runs.slice(plannedRuns));
  return after > 2 * before && after - before > 2 ? { before, after } : undefined;
}

/** The flips as lines of text, the costliest first. */
export const linesOf = (flips: readonly Flip[]) =>
  [...flips]
    .sort((one, other) => other.after - other.before - (one.after - one.before))
    .map(
      ({ page, statement, before, after }) =>
        `  ${before.toFixed(1)} -> ${after.toFixed(1)} ms  ${page}\n    ${statement.replaceAll(/\s+/g, ' ').slice(0, 300)}\n`,
    )
    .join('');
