import { setTimeout as pause } from 'node:timers/promises';
import { isCollision } from './database.ts';

const mostRetries = 3;
/** The longest pause before the first retry, in milliseconds; each further one may be twice as long. */
const firstPause = 40;

/**
 * Does a whole transaction again, at most three times, when the database gave it up for another one's sake (K7). Pauses of
 * chance keep two that collided from colliding again.
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
