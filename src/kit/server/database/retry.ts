import { setTimeout as pause } from 'node:timers/promises';
import { isCollision } from './database.ts';

const mostRetries = 3;
/** The longest pause before the first retry, in milliseconds; the limit doubles with each further retry. */
const firstPause = 40;

/**
 * Retries a transaction up to three times when the database aborted it in favour of another (K7). Random pauses keep
 * two transactions from colliding again.
 */
export async function retryAfterCollision<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await act();
    } catch (error) {
      if (retries === mostRetries || !isCollision(error)) throw error;
      await pause(Math.random() * firstPause * 2 ** retries);
    }
  }
}
