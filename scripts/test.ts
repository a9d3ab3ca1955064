// `npm test`: everything that must hold. It ends with one line: N passed, N failed.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compare, readPlaywright, readPromises, readVitest } from './acceptance.ts';
import { buildPages } from './build.ts';
import { runChecks } from './checks.ts';
import { provideChromium } from './chromium.ts';
import { readCommandLine } from './command-line.ts';
import { say } from './say.ts';
import { runStep } from './steps.ts';

readCommandLine({
  command: 'npm test',
  does: 'Runs everything that must hold, and ends with one line: N passed, N failed.',
});
const results = join(import.meta.dirname, '../var/results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

let { passed, failed } = await runChecks();
await buildPages();

const vitest = join(results, 'vitest.json');
await runStep(
  {
    name: 'unit and server tests',
    line: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile=${vitest}`],
  },
  true,
);
const unit = count(() => readVitest(vitest));

const chromium = provideChromium();
if (chromium) {
  process.env.CHROMIUM = chromium;
  await runStep({ name: 'browser tests', line: ['playwright', 'test'] }, true);
}
const browser = count(() => readPlaywright(join(results, 'e2e.json')));

const { unproved, unknown, twice } = compare(readPromises(), [...unit.titles, ...browser.titles]);
if (unproved.length > 0) say(`FAILED  promised in an acceptance.txt, but no test passed for: ${unproved.join(' ')}`);
if (unknown.length > 0) say(`FAILED  ids of tests that no acceptance.txt knows: ${unknown.join(' ')}`);
if (twice.length > 0)
  say(`FAILED  ids that stand twice in docs/acceptance.txt and the features' files: ${twice.join(' ')}`);
const isKept = unproved.length + unknown.length + twice.length === 0;

passed += unit.passed + browser.passed + (isKept ? 1 : 0);
failed += unit.failed + browser.failed + (isKept ? 0 : 1);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;

/** A run that left no results behind has failed, whatever else. */
function count(read: () => { passed: number; failed: number; titles: string[] }) {
  try {
    return read();
  } catch {
    return { passed: 0, failed: 1, titles: [] };
  }
}
