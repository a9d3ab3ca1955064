// `npm run year`: a school of 600 lives a year, its turn and the first weeks of the next one.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readCommandLine } from './command-line.ts';

const { values } = readCommandLine({
  command: 'npm run year',
  does: 'Lives a school year with everybody at work and servers killed on the way, and checks each month what must hold.',
  options: {
    seed: { type: 'string', value: '<number>', accepts: /^\d+$/, default: '1', help: 'Repeat the year of this seed.' },
    part: {
      type: 'string',
      value: '<number>',
      accepts: /^(1|0?\.\d+)$/,
      default: '1',
      help: 'How much of the year before its turn: 0.1 for a month of a small school.',
    },
  },
});
const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'testing/faults/whole-year.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, SOAK: 'on', YEAR_SEED: values.seed, YEAR_PART: values.part },
});
process.exit(status ?? 1);
