import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Runs a script of `workApart` in a process of its own, which ends when this one does. Throws with the words it failed with. */
export async function runApart(script: string): Promise<void> {
  const child = fork(script, { execArgv: [] });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end); // Busy as it is, it would see only later that the channel is closed.
  let problem = 'Its process was stopped.';
  child.on('message', (words) => {
    problem = String(words);
  });
  // Not before the channel is closed has every message arrived.
  const [[code]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  process.off('exit', end);
  if (code !== 0) throw new Error(problem);
}

/** Does the work of a script that `runApart` runs, and ends its process: at once where the one that asked has ended. */
export async function workApart(work: () => Promise<void>): Promise<void> {
  process.on('disconnect', () => process.exit(1));
  try {
    await work();
    process.exit(0);
  } catch (error) {
    process.send?.((error as Error).message, () => process.exit(1));
  }
}
