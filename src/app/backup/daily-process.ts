// Runs in a child process of the server and makes the daily backup at the lowest priority. Its instructions are one
// line on standard input; when that input ends, the server has ended and the backup is cancelled.
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
