import { defineHook } from '#kit/contract/hook.ts';
import type { Text } from '#kit/contract/text.ts';

/** A day whose kind or work changes, of a grade or of the whole school (null). Work is in halves: 0 to 2. */
export interface ChangedDay {
  day: string;
  gradeId: number | null;
  was: number;
  work: number;
}

/**
 * Changes what depends on school days, in the transaction that changes them and after they are written. The change is refused
 * with what the answers say until it comes back with their token.
 */
export const schoolDaysChanged = defineHook<
  { yearId: number; from: string; to: string; days: readonly ChangedDay[] },
  {
    /** Records of these days that the change does not move, for the user to look at. */
    warns: Text[];
    /** What the answer moved. */
    moves: Text[];
    /** The rows with their versions: the question is asked again where they differ. */
    basis: unknown;
  }
>('school-days-changed');

/** The days of a grade whose work changes. */
export const ofGrades = (days: readonly ChangedDay[]) =>
  days.flatMap(({ day, gradeId, was, work }) => (gradeId !== null && was !== work ? [{ day, gradeId }] : []));
