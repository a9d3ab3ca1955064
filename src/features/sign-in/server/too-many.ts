import { AppError } from '#kit/contract/errors.ts';

const inWords = (seconds: number) =>
  seconds < 60 ? `${seconds} seconds` : seconds < 120 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`;

/** The refusal of who has to wait so many seconds first. */
export const tooMany = (wait: number) =>
  new AppError('too_many_tries', `Too many tries. Please try again in ${inWords(wait)}.`, { retryAfter: wait });
