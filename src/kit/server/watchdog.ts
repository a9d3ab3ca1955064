import { url } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** What the thread gets: a counter of the event loop's beats, and the beats that may be missed. */
export interface Watched {
  beats: Int32Array;
  mostMissed: number;
}

/** A beat a second. */
export const beatMs = 1000;

/**
 * Ends this process when its event loop stands still for so many seconds: it would answer nobody, and only its end lets
 * a process manager start it again. A thread watches, since the loop itself can't. Returns what stops the watch.
 */
export function watchEventLoop(seconds = 30): () => Promise<unknown> {
  // A debugger stops the loop too.
  if (url()) return async () => undefined;
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const beating = setInterval(() => Atomics.add(beats, 0, 1), beatMs);
  const workerData: Watched = { beats, mostMissed: (seconds * 1000) / beatMs };
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData, env: {} });
  beating.unref();
  thread.unref();
  return () => {
    clearInterval(beating);
    return thread.terminate();
  };
}
