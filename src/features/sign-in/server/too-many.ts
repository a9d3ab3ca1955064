import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';

const inSeconds = (n: number) =>
  text({ message: 'Too many attempts. Try again in {n, plural, one {# second} other {# seconds}}.' }, { n });
const inMinutes = (n: number) =>
  text({ message: 'Too many attempts. Try again in {n, plural, one {# minute} other {# minutes}}.' }, { n });

/** Refuses for `wait` seconds. */
export const tooMany = (wait: number) =>
  new AppError('too_many_tries', wait < 60 ? inSeconds(wait) : inMinutes(Math.ceil(wait / 60)), { retryAfter: wait });
