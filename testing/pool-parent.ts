// Opens a pool for each program that is named, and gives each a job. A test kills it.
import { pathToFileURL } from 'node:url';
import { verbatim } from '#kit/contract/text.ts';
import { openPool } from '#kit/server/work/pool.ts';
import { openQueue } from '#kit/server/work/queue.ts';

const [act = '', ...programs] = process.argv.slice(2);
const queue = openQueue(20, 20);
const megabyte = 1024 * 1024;

for (const program of programs) {
  const run = openPool({
    program: pathToFileURL(program),
    queue,
    seconds: 60,
    memory: 300 * megabyte,
    result: megabyte,
    jobs: 10,
    isNative: true,
    broken: verbatim('It is broken.'),
    tooLarge: verbatim('It takes too much.'),
  });
  // Without an act the process waits, ready, for a payload that never comes.
  const payload = act ? Buffer.from(JSON.stringify({ act })) : new Promise<Buffer>(() => undefined);
  void run(() => payload, { owner: program }).catch(() => undefined);
}
