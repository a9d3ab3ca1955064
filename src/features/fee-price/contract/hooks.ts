import { defineHook } from '#kit/contract/hook.ts';

/** Asked after fee plans are made, in their transaction: a feature adds the charges by month that it knows. */
export const planMade = defineHook<{ studentIds: readonly number[]; yearId: number }, undefined>('plan-made');

/** Asked after a leaving that a second person approved lowered a plan: the account follows it. */
export const reliefDone = defineHook<{ accountId: number; day: string; changeId: number }, undefined>('relief-done');
