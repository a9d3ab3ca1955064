/** The result of one scenario; a row of the table that `npm run soak` prints. */
export interface Outcome {
  scenario: string;
  /** The number of times the fault was made. */
  runs: number;
  /** The number of acknowledged changes. */
  acknowledged: number;
  /** The number of these that were lost. */
  lost: number;
  /** The number that were stored more than once. */
  doubled: number;
  /** Milliseconds from the end of a fault to the first answer; the worst of all runs. */
  worstFirstAnswer: number;
  /** All other faults, in words. */
  breaches: string[];
  /** Exceeded time limits, in words: only an otherwise idle machine must meet them. */
  late: string[];
}

/** Milliseconds until the first answer after a fault has ended (J2, J3, J9). */
const firstAnswerWithin = 5000;
/** Milliseconds until a refusal while the database is unreachable (J10). */
export const refusedWithin = 6000;

/** An outcome before the run. */
export const begin = (scenario: string): Outcome => ({
  scenario,
  runs: 0,
  acknowledged: 0,
  lost: 0,
  doubled: 0,
  worstFirstAnswer: 0,
  breaches: [],
  late: [],
});

/** All faults of an outcome that no machine may have, in words; empty when it passed. */
export function breachesOf({ lost, doubled, breaches }: Outcome): string[] {
  const all = [...new Set(breaches)];
  if (lost > 0) all.push(`${lost} acknowledged changes were lost`);
  if (doubled > 0) all.push(`${doubled} changes were made twice`);
  return all;
}

/** The time limits that an outcome exceeded, in words. */
export function lateOf({ worstFirstAnswer, late }: Outcome): string[] {
  const all = [...new Set(late)];
  if (worstFirstAnswer > firstAnswerWithin) all.push(`the first answer took ${Math.round(worstFirstAnswer)} ms`);
  return all;
}
