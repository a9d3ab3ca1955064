import { defineHook } from '#kit/contract/hook.ts';
import type { Text } from '#kit/contract/text.ts';

/** A change of one enrolment. */
export interface EnrolmentChange {
  studentId: number;
  enrollmentId: number;
  yearId: number;
  /**
   * `moved` has another section or branch, or no section any more; `regraded` another grade or program, mostly in a new
   * enrolment. `back` undoes what `left` or `cancelled` ended; a student who is re-admitted or promoted has `joined`.
   */
  kind: 'joined' | 'moved' | 'regraded' | 'category' | 'left' | 'back' | 'cancelled';
  /** The first day of the change; of `left` and `cancelled` the last day at the school. */
  day: string;
  /** Of `back`: what each feature kept of this enrolment, by its word. */
  kept?: Readonly<Record<string, unknown>>;
}

/** Does what follows from changed enrolments, in the transaction of the act. */
export const enrolmentHook = defineHook<
  readonly EnrolmentChange[],
  {
    /** What ends or returns with the enrolments, for the preview. */
    texts: Text[];
    blocks: Text[];
    /** The rows with their versions, for the token of the preview. */
    basis: unknown;
    /** By enrolment; given back with `back`. */
    kept?: Readonly<Record<number, unknown>>;
  }
>('enrolment');

/** What students owe by a day, by student: it is shown before they leave, and blocks their leaving certificate. */
export const leavingCheck = defineHook<{ studentIds: readonly number[]; day: string }, ReadonlyMap<number, Text[]>>(
  'leaving-check',
);
