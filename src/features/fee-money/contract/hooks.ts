import { defineHook } from '#kit/contract/hook.ts';

/** Asked when a payment of an applicant is cancelled or bounces, in its transaction; the application is locked. */
export const paymentEnded = defineHook<
  { paymentId: number; inquiryId: number; how: 'Cancelled' | 'Bounced'; reason: string },
  undefined
>('payment-ended');

/** Asked before families are reminded of fees: the children whose family has said that it paid, and is to be believed a while. */
export const saysPaid = defineHook<{ studentIds: readonly number[] }, readonly number[]>('fee-says-paid');
