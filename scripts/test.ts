// `npm test`: all checks and tests; `npm test -- <feature>`: those of one feature. It ends with one line: N passed, N
// failed.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compare, type FileTime, readPlaywright, readPromises, readVitest, slowestFiles } from './acceptance.ts';
import { buildPages } from './build.ts';
import { runChecks } from './checks.ts';
import { provideChromium } from './chromium.ts';
import { readCommandLine } from './command-line.ts';
import { chooseTests, featureNames } from './feature-tests.ts';
import { say } from './say.ts';
import { runStep, type Step } from './steps.ts';

const { argument: feature } = readCommandLine({
  command: 'npm test',
  does: 'Runs everything that must hold, and ends with one line: N passed, N failed.',
  argument: {
    name: 'feature',
    help: 'A folder of src/features: only the checks, its tests and specs, its rows of the access matrix and its ids.',
  },
});
if (feature !== undefined && !featureNames().includes(feature)) {
  say(`There is no feature ${feature}. The features are: ${featureNames().join(', ')}.`);
  process.exit(1);
}
const chosen = feature === undefined ? undefined : chooseTests(feature);
// The access matrix test reads this.
if (feature !== undefined) process.env.TEST_FEATURE = feature;
const results = join(import.meta.dirname, '../var/results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

let { passed, failed } = await runChecks();
await buildPages();

const vitest = join(results, 'vitest.json');
const isUnitPassed = await runStep(
  {
    name: 'unit and server tests',
    line: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile=${vitest}`, ...(chosen?.unit ?? [])],
  },
  true,
);
const unit = count('unit and server tests', isUnitPassed, () => readVitest(vitest));

const hasSpecs = chosen === undefined || chosen.specs.length > 0;
const chromium = hasSpecs && provideChromium();
let isBrowserPassed = false;
if (chromium) {
  process.env.CHROMIUM = chromium;
  const line: Step['line'] = ['playwright', 'test', ...(chosen?.specs ?? [])];
  isBrowserPassed = await runStep({ name: 'browser tests', line }, true);
}
const browser = hasSpecs
  ? count('browser tests', isBrowserPassed, () => readPlaywright(join(results, 'e2e.json')))
  : noTests();

const titles = [...unit.titles, ...browser.titles];
const { unproved } = compare(readPromises({ feature, by: 'test' }), titles);
const { unknown, twice } = compare(readPromises(), titles);
if (unproved.length > 0) say(`FAILED  promised in an acceptance.txt, but no test passed for: ${unproved.join(' ')}`);
if (unknown.length > 0) say(`FAILED  ids of tests that no acceptance.txt knows: ${unknown.join(' ')}`);
if (twice.length > 0)
  say(`FAILED  ids that stand twice in docs/acceptance.txt and the features' files: ${twice.join(' ')}`);
const isKept = unproved.length + unknown.length + twice.length === 0;

for (const failure of [...unit.failures, ...browser.failures]) say(`FAILED  ${failure}`);
say('The slowest files, in seconds:');
for (const { file, seconds } of slowestFiles([...unit.files, ...browser.files])) say(`${seconds.toFixed(1)}  ${file}`);

passed += unit.passed + browser.passed + (isKept ? 1 : 0);
failed += unit.failed + browser.failed + (isKept ? 0 : 1);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;

function noTests() {
  const titles: string[] = [];
  const failures: string[] = [];
  const files: FileTime[] = [];
  return { passed: 0, failed: 0, titles, failures, files };
}

/** A run without results has failed, even if it exited with 0; so has one that ended with an error beside its tests. */
function count(name: string, isPassed: boolean, read: () => ReturnType<typeof noTests>) {
  const brokenOff = (why: string) => ({
    failed: 1,
    failures: [`${name}: ${why}; the error stands in the output above`],
  });
  try {
    const verdict = read();
    return isPassed || verdict.failed > 0 ? verdict : { ...verdict, ...brokenOff('an error beside the tests') };
  } catch {
    return { ...noTests(), ...brokenOff('no results') };
  }
}
