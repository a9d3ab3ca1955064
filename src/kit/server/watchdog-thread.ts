// Runs in a thread beside the server: ends the process when the server's event loop no longer counts.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { beatMs, type Watched } from './watchdog.ts';

const { beats, mostMissed }: Watched = workerData;
let [last, missed] = [-1, 0];

// It counts its own turns, not the time: a suspended machine or a stopped process stops this thread as well.
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  missed = beat === last ? missed + 1 : 0;
  last = beat;
  if (missed < mostMissed) return;
  writeSync(
    2,
    `Shala was ended: its event loop stood still for ${Math.round((mostMissed * beatMs) / 1000)} seconds.\n`,
  );
  process.kill(process.pid, 'SIGKILL');
}, beatMs);
