// Vitest runs this before each test file: `npm test` names a file to which the processor time of each is added.
import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { processorSeconds } from '../scripts/processor-time.ts';

const { FILE_COSTS: costs } = process.env;
const before = processorSeconds();

if (costs && before !== undefined) {
  afterAll(() => {
    const processor = (processorSeconds() ?? before) - before;
    appendFileSync(costs, `${JSON.stringify({ file: expect.getState().testPath, processor })}\n`);
  });
}
