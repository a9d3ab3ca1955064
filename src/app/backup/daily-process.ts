// Runs in a process of its own, which the server starts: makes the daily backup while nobody else wants the processor. What
// to do comes as one line on its standard input; when that ends, the server has ended, and the backup is given up.
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Config } from '#kit/server/config.ts';
import { makeDailyBackup } from './daily.ts';

process.umask(0o077);
setPriority(constants.priority.PRIORITY_LOW);

const stopping = new AbortController();
const stop = () => stopping.abort(new Error('The server was stopped.'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

const lines = createInterface({ input: process.stdin });
const [line] = await once(lines, 'line');
lines.once('close', stop);
const { config, now } = JSON.parse(line) as { config: Config; now: string };
const answer = await makeDailyBackup(config, new Date(now), stopping.signal).then(
  (made) => ({ made }),
  (error: Error) => ({ failed: error.message }),
);
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit());
