import { defineHook } from '#kit/contract/hook.ts';

/** Asked after fee plans are made, in their transaction: a feature adds the charges by month that it knows. */
export const planMade = defineHook<{ studentIds: readonly number[]; yearId: number }, undefined>('plan-made');

/** Asked when a payment of an applicant is cancelled or bounces, in its transaction; the application is locked. */
export const paymentEnded = defineHook<
  { paymentId: number; inquiryId: number; how: 'Cancelled' | 'Bounced'; reason: string },
  undefined
>('payment-ended');
