// A process whose event loop is watched for a stop of three seconds, and which does what its argument says.
import { setTimeout as pause } from 'node:timers/promises';
import { watchEventLoop } from '../src/kit/server/watchdog.ts';

const stop = watchEventLoop(3);
process.stdout.write('watched\n');
const busyFor = (milliseconds: number) => {
  for (const began = performance.now(); performance.now() - began < milliseconds; );
};
if (process.argv[2] === 'stands still') busyFor(600_000);
// Busy for longer in all, with a turn of the loop in between.
for (let turn = 0; turn < 6; turn++) {
  busyFor(700);
  await pause(50);
}
await stop();
process.stdout.write('done\n');
