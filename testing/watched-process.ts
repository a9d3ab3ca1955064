// A process whose event loop is watched for a stop of three seconds, and which does what its argument says.
import { setTimeout as pause } from 'node:timers/promises';
import { watchEventLoop } from '../src/kit/server/watchdog.ts';

const stop = watchEventLoop(3);
process.stdout.write('watched\n');
/** A longer gap is a suspension, during which it was not busy. */
const mostGap = 1000;
const busyFor = (milliseconds: number) => {
  for (let [left, last] = [milliseconds, performance.now()]; left > 0; ) {
    const gap = performance.now() - last;
    last += gap;
    if (gap < mostGap) left -= gap;
  }
};
if (process.argv[2] === 'stands still') busyFor(600_000);
// Shortly before a beat: a suspension is longest for the watch then.
await pause(2900);
process.stdout.write('turning\n');
// Busy for longer in all, with a turn of the loop in between.
for (let turn = 0; turn < 6; turn++) {
  busyFor(700);
  await pause(50);
}
await stop();
process.stdout.write('done\n');
