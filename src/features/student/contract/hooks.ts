import { defineHook } from '#kit/contract/hook.ts';
import { options, type Text } from '#kit/contract/text.ts';

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
  /** Of `cancelled`: the child was expected and never came, so that nothing of its days counts. */
  neverJoined?: true;
  /** Of `cancelled`: a promotion is undone, so that what began in the year before remains as it was. */
  isPromotion?: true;
  /** Of `back`, and where `regradeHook` was asked: what each feature kept of this enrolment, by its word. */
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
    /**
     * Of `cancelled`: what a student alone has in the new year, for the table of an undone promotion. One that blocks, such
     * as a receipt, keeps a promotion of the student from being undone.
     */
    each?: readonly { studentId: number; text: Text; isBlock?: true }[];
  }
>('enrolment');

/**
 * Takes off what belongs to the grade or branch of enrolments that get another one in their place. By enrolment, what was
 * taken off: `enrolmentHook` gives it back as `kept`, for what the new place takes.
 */
export const regradeHook = defineHook<readonly number[], Readonly<Record<number, unknown>>>('regrade');

/** Tells what the corrected result of a year means, at the end of the act; `changeId` is the row of the correction. */
export const resultCorrectedHook = defineHook<{ studentId: number; changeId: number }, undefined>('result-corrected');

/** What students owe by a day, by student: it is shown before they leave, and blocks their leaving certificate. */
export const leavingCheck = defineHook<{ studentIds: readonly number[]; day: string }, ReadonlyMap<number, Text[]>>(
  'leaving-check',
);

/** What the accounts of students who leave on a day come to, in sentences without amounts: shown before many leave at once. */
export const settlementCheck = defineHook<{ studentIds: readonly number[]; day: string }, Text[]>('settlement-check');

/** Two records of one child: what each feature does with the rows of the one that ends. */
export interface Merge {
  keptId: number;
  /** The record that ends. */
  retiredId: number;
  /** Its GR number. */
  retiredGrNo: string;
  choices: MergeChoices;
}

/** Of two marks of one half day. */
export const markChoices = options('Kept record', 'Other record', 'Present wins');

/** What the asker chose where both records have something. */
export interface MergeChoices {
  /** The fields of the record that are taken from the record that ends. */
  taken: readonly string[];
  marks: (typeof markChoices)[number];
  /** The half days, such as `2026-11-12 1`, for which the other mark holds than `marks` says. */
  exceptions: readonly string[];
}

export interface MergeSum {
  label: Text;
  kept: number;
  retired: number;
  after: number;
  kind: 'count' | 'money';
}

/** A half day that both records have, with different marks. */
export interface MergeCollision {
  key: string;
  label: Text;
  kept: Text;
  retired: Text;
  chosen: 'kept' | 'retired';
}

interface MergeAnswer {
  sums: MergeSum[];
  collisions: MergeCollision[];
  texts: Text[];
  blocks: Text[];
  /** The rows with their versions, for the token of the preview. */
  basis: unknown;
}

/** Gives the rows of the record that ends to the one that is kept, in the transaction of the merge. */
export const mergeHook = defineHook<Merge, MergeAnswer>('merge');

/** Two records of one adult. */
export interface GuardianMerge {
  keptId: number;
  /** The record that ends. */
  retiredId: number;
  /** The children of both. */
  studentIds: readonly number[];
}

/** Gives what names the adult who ends to the kept one, in the transaction of the merge, once the children are linked. */
export const guardianMergeHook = defineHook<GuardianMerge, Omit<MergeAnswer, 'collisions'>>('guardian-merge');
