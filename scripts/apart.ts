import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a script of `workApart` in a child process, which ends with this one. Throws with the message it failed with.
 */
export async function runApart(script: string): Promise<void> {
  const child = fork(script, { execArgv: [] });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end); // A busy child would notice the closed channel only later.
  let problem = 'Its process was stopped.';
  child.on('message', (words) => {
    problem = String(words);
  });
  // All messages have arrived only once the channel is closed.
  const [[code]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  process.off('exit', end);
  if (code !== 0) throw new Error(problem);
}

/** Does the work of a script started by `runApart` and ends its process, early if the parent has ended. */
export async function workApart(work: () => Promise<void>): Promise<void> {
  process.on('disconnect', () => process.exit(1));
  try {
    await work();
    process.exit(0);
  } catch (error) {
    process.send?.((error as Error).message, () => process.exit(1));
  }
}
