import { provideDatabase } from './database.ts';
import { say } from './say.ts';

/**
 * Runs a command that works on the database, provided for it. A failure is said after the words of `failed`, and a signal
 * is handed in, so that the work can take back what it began.
 */
export async function runCommand(failed: string, work: (signal: AbortSignal) => Promise<void>) {
  const stopping = new AbortController();
  const ask = () => {
    if (stopping.signal.aborted) process.exit(1); // A second signal ends at once.
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
