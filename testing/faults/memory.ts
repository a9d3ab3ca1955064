import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/embedded-postgres.ts';
import { startServing } from '../serving-command.ts';
import { end } from './app.ts';
import { begin, type Outcome } from './outcome.ts';

const root = join(import.meta.dirname, '../..');
/** The memory limit of the server's process after its first start, in megabytes. */
const most = 400;
const readyWithin = 180_000;

/** `npm start` on an empty folder, including the build and the demo school, and then a second time (W23). */
export async function firstStart(): Promise<Outcome> {
  const outcome = begin('first start');
  const folder = mkdtempSync(join(tmpdir(), 'shala-memory-'));
  rmSync(join(root, 'dist/.stamp'), { force: true });
  try {
    for (const which of ['first', 'second']) {
      outcome.runs++;
      const held = await heldAfterStart(folder);
      process.stdout.write(`  ${which} start: ${held} MB\n`);
      if (held > most) outcome.breaches.push(`after the ${which} start the server held ${held} MB`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return outcome;
}

/** Starts, and returns the resident memory of the serving process in megabytes. */
async function heldAfterStart(folder: string): Promise<number> {
  const { child: starter } = await startServing('start', { folder, port: await freePort(), readyWithin });
  try {
    const [server] = readFileSync(`/proc/${starter.pid}/task/${starter.pid}/children`, 'utf8').split(' ');
    const status = readFileSync(`/proc/${server}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
  } finally {
    await end(starter, 'SIGTERM');
  }
}
