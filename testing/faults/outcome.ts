/** What came of one scenario; a row of the table that `npm run soak` prints. */
export interface Outcome {
  scenario: string;
  /** How often the fault was made. */
  runs: number;
  /** Changes the server said it had kept. */
  acknowledged: number;
  /** Of these, how many were not there afterwards. */
  lost: number;
  /** How many were there more than once. */
  doubled: number;
  /** From the end of a fault to the first answer, in milliseconds; the worst of all runs. */
  worstFirstAnswer: number;
  /** Everything else that must not be, in words. */
  breaches: string[];
  /** What took longer than it may, in words: only a machine that does nothing else can be held to it. */
  late: string[];
}

/** After a fault has ended an answer comes within so many milliseconds (J2, J3, J9). */
const firstAnswerWithin = 5000;
/** While the database is away, a refusal comes within so many milliseconds (J10). */
export const refusedWithin = 6000;

/** An outcome to be filled in. */
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

/** Everything about an outcome that must not be on any machine, in words; empty when all is well. */
export function breachesOf({ lost, doubled, breaches }: Outcome): string[] {
  const all = [...new Set(breaches)];
  if (lost > 0) all.push(`${lost} acknowledged changes were lost`);
  if (doubled > 0) all.push(`${doubled} changes were made twice`);
  return all;
}

/** Limits of time that an outcome broke, in words. */
export function lateOf({ worstFirstAnswer, late }: Outcome): string[] {
  const all = [...new Set(late)];
  if (worstFirstAnswer > firstAnswerWithin) all.push(`the first answer took ${Math.round(worstFirstAnswer)} ms`);
  return all;
}
