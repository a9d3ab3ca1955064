// A server that speaks S3, in a process of its own so that a test can kill it. Words: its folder, its port, its buckets.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [directory, port, ...buckets] = process.argv.slice(2);
const S3rver = createRequire(join(import.meta.dirname, 's3/package.json'))('@20minutes/s3rver');
await new S3rver({
  ...{ directory, port: Number(port), address: '127.0.0.1', silent: true },
  configureBuckets: buckets.map((name) => ({ name })),
}).run();
process.send?.('ready');
