import { provideDatabase } from './database.ts';
import { say } from './say.ts';

/**
 * Runs a command on the database, which is started for it. A failure is printed after `failed`; the signal lets the
 * work undo what it began.
 */
export async function runCommand(failed: string, work: (signal: AbortSignal) => Promise<void>) {
  const stopping = new AbortController();
  const ask = () => {
    if (stopping.signal.aborted) process.exit(1); // A second signal ends the process immediately.
    stopping.abort(new Error('It was stopped.'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  try {
    const stop = await provideDatabase();
    await work(stopping.signal).finally(stop);
  } catch (error) {
    say(`${failed}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
