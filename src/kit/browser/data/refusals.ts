import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { AppError } from '#kit/contract/errors.ts';

type TakeRefusal = (refusal: AppError, operation: Endpoint) => Promise<unknown>;
const giveUp: TakeRefusal = (refusal) => Promise.reject(refusal);
let takeRefusal = giveUp;

/** Has `take` handle every refusal: once it is done the request is sent again, with the same Idempotency-Key. */
export const onRefusal = (take = giveUp) => {
  takeRefusal = take;
};

/** Throws the refusal, unless somebody handles it and the request may be sent again. */
export const handleRefusal: TakeRefusal = (refusal, operation) => takeRefusal(refusal, operation);
