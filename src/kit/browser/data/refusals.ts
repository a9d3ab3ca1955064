import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { AppError } from '#kit/contract/errors.ts';

type TakeRefusal = (refusal: AppError, operation: Endpoint) => Promise<unknown>;
const giveUp: TakeRefusal = (refusal) => Promise.reject(refusal);
let takeRefusal = giveUp;

/**
 * Registers `take` as the handler of every refusal: once it is done, the request is sent again with the same
 * Idempotency-Key.
 */
export const onRefusal = (take = giveUp) => {
  takeRefusal = take;
};

/** Throws the refusal, unless a handler allows the request to be sent again. */
export const handleRefusal: TakeRefusal = (refusal, operation) => takeRefusal(refusal, operation);
