import { defineHook } from '#kit/contract/hook.ts';

/** Asked after fee plans are made, in their transaction: a feature adds the charges by month that it knows. */
export const planMade = defineHook<{ studentIds: readonly number[]; yearId: number }, undefined>('plan-made');

/** A change of fee terms that another feature keeps, as a second person approved it. */
export interface DecidedTerms {
  kind: 'Slab price' | 'Free seat';
  /** The record, and its version when it was asked for; null for a new one. */
  subject: { id: number; version: number } | null;
  /** As it was typed. */
  input: object;
  approvalId: number;
}

/** Asked when a second person approved such a change, in the transaction of the decision: its feature saves it. */
export const termsDecided = defineHook<DecidedTerms, undefined>('terms-decided');

/** Asked for the late fines that an account owes today and that are not charged yet, in paise, by student. */
export const runningFines = defineHook<number, number>('running-fines');

/** Asked after a leaving that a second person approved lowered a plan: the account follows it. */
export const reliefDone = defineHook<{ accountId: number; day: string; changeId: number }, undefined>('relief-done');
