// `npm test`: all checks and tests; `npm test -- <feature>`: those of one feature; `npm test -- --since main`: those of what
// has changed. It ends with one line: N passed, N failed.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { oldestPostgres } from '../src/kit/server/database/oldest.ts';
import { stopOnSignal } from '../src/kit/server/signals.ts';
import { bringPostgres, canBring, smokeFiles } from '../testing/older-postgres.ts';
import { compare, readPromises } from './acceptance.ts';
import { budgetLines } from './budget.ts';
import { buildPages } from './build.ts';
import { runChecks } from './checks.ts';
import { provideChromium } from './chromium.ts';
import { readCommandLine } from './command-line.ts';
import { chooseTests, featureNames } from './feature-tests.ts';
import { type Cost, costliest, limitOf, linesOf, processorSeconds, timed, watchMachine } from './processor-time.ts';
import {
  afterRepeat,
  filesToRepeat,
  mostUnsteady,
  readPlaywright,
  readVitest,
  type Verdict,
  verdictOf,
} from './results.ts';
import { say } from './say.ts';
import { type Chosen, changedSince, chooseSince, commonFiles, namesDiffer } from './since.ts';
import { endSteps, runStep } from './steps.ts';

const { argument: feature, values } = readCommandLine({
  command: 'npm test',
  does: 'Runs everything that must hold, and ends with one line: N passed, N failed.',
  options: {
    since: {
      type: 'string',
      value: '<revision>',
      help: 'Run the checks and tests of what has changed since this branch left a revision, such as main.',
    },
  },
  argument: {
    name: 'feature',
    help: 'A folder of src/features: only the checks, its tests and specs, its rows of the access matrix and its ids.',
  },
});
if (feature !== undefined && !featureNames().includes(feature)) {
  say(`There is no feature ${feature}. The features are: ${featureNames().join(', ')}.`);
  process.exit(1);
}
const { since } = values;
const changed = since === undefined ? undefined : changedSince(since);
const chosen: Partial<Chosen> | undefined =
  feature === undefined ? changed && chooseSince(changed) : chooseTests(feature);
const refused = since === undefined ? undefined : refusal(since);
if (refused) {
  say(refused);
  process.exit(1);
}
// The access matrix test and the browser tests of pages read these.
process.env.TEST_FEATURE = feature ?? chosen?.rows?.join() ?? '';
process.env.TEST_PAGES = chosen?.pages?.join() ?? '';
const root = join(import.meta.dirname, '..');
const results = join(root, 'var/results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const fileCosts = join(results, 'costs.jsonl');
process.env.FILE_COSTS = fileCosts;
// Without types and compiled once: workers, commands and killed servers each load some two thousand modules.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/shala/compiled');

const samples = watchMachine();
const phases: Cost[] = [];
const { openTestPostgres } = await import('../testing/postgres.ts');
// All programs of the run share it, and it ends with the run.
const postgres = await timed(phases, 'database', openTestPostgres);
process.env.TEST_POSTGRES = JSON.stringify({ url: postgres.url, template: postgres.template });
stopOnSignal(async () => {
  await endSteps();
  await postgres.drop();
  process.exit(1);
});
const { checked, unit, browser, units, browsers, oldest } = await runAll().finally(postgres.drop);
const unsteady = [...units.unsteady, ...browsers.unsteady];

const titles = [...units.verdict.titles, ...browsers.verdict.titles];
// The tests of a change prove some of a feature's ids.
const { unproved } = changed ? { unproved: [] } : compare(readPromises({ feature, by: 'test' }), titles);
const { unknown, twice } = compare(readPromises(), titles);
if (unproved.length > 0) say(`FAILED  promised in an acceptance.txt, but no test passed for: ${unproved.join(' ')}`);
if (unknown.length > 0) say(`FAILED  ids of tests that no acceptance.txt knows: ${unknown.join(' ')}`);
if (twice.length > 0)
  say(`FAILED  ids that stand twice in docs/acceptance.txt and the features' files: ${twice.join(' ')}`);
const isKept = unproved.length + unknown.length + twice.length === 0;

for (const failure of [...units.verdict.failures, ...browsers.verdict.failures, ...oldest.failures])
  say(`FAILED  ${failure}`);
for (const failure of unsteady) say(`unsteady  ${failure}`);
const isSteady = unsteady.length <= mostUnsteady;
if (!isSteady) say(`FAILED  ${unsteady.length} files are unsteady; at most ${mostUnsteady} may be`);

say('seconds  processor  of the costliest files');
for (const line of linesOf(costliest([...costsOf(unit), ...costsOf(browser)]))) say(line);
say('seconds  processor  of each phase');
for (const line of linesOf(phases)) say(line);
const tested = { files: [...unit.files, ...browser.files], costs: costsOf(unit), phases, samples };
if (chosen === undefined) for (const line of budgetLines(tested)) say(line);
const total = processorSeconds();
const most = limitOf(samples);
const isCheap = total === undefined || total <= most.seconds;
say(
  total === undefined
    ? 'Without /proc the processor time is unknown.'
    : `${isCheap ? '' : 'costly  '}${total.toFixed(0)} seconds of processor time in all; usual are ${most.seconds} at most, the sample takes ${most.median.toFixed(1)} ms`,
);

// What a run cost is said and fails nothing: a shared machine may be slow in ways that the sample does not meet.
const checks = [isKept, isSteady];
const passed =
  checked.passed + units.verdict.passed + browsers.verdict.passed + oldest.passed + checks.filter(Boolean).length;
const failed =
  checked.failed +
  units.verdict.failed +
  browsers.verdict.failed +
  oldest.failed +
  checks.filter((isGood) => !isGood).length;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;

/** Why the tests of a change cannot be chosen; undefined where they can. */
function refusal(revision: string): string | undefined {
  if (feature !== undefined) return 'Name a feature or --since, not both.';
  if (!changed) return `Git does not know ${revision}, or this is no clone.`;
  const [first, ...others] = commonFiles(changed);
  const more = others.length > 0 ? ` and ${others.length} more files` : '';
  return first && `A change of ${first}${more} may matter to every test: run the whole \`npm test\`.`;
}

async function runAll() {
  const change = changed && since ? { files: changed, namesDiffer: namesDiffer(since, changed) } : undefined;
  const checked = await timed(phases, 'checks', () => runChecks(change));
  const { unit: files, specs } = chosen ?? {};
  const [hasUnit, hasSpecs] = [files, specs].map((chosenFiles) => chosenFiles?.length !== 0);
  if (hasUnit || hasSpecs) await timed(phases, 'build', buildPages);
  // Downloading may take longer than a test.
  if (chosen === undefined && canBring(String(oldestPostgres)))
    await timed(phases, 'binaries of the oldest PostgreSQL', async () => bringPostgres(String(oldestPostgres)));
  const unit = hasUnit ? await runVitest('unit and server tests', files) : verdictOf([]);

  const chromium = hasSpecs ? provideChromium() : undefined;
  if (chromium) process.env.CHROMIUM = chromium;
  const browser = hasSpecs ? await runPlaywright('browser tests', specs) : verdictOf([]);
  const oldest = chosen === undefined ? await runOnOldest() : verdictOf([]);

  // A failure by chance is named, not hidden: what failed runs once more, with nothing beside it.
  const [unitAgain, browserAgain] = [filesToRepeat(unit), filesToRepeat(browser)];
  const units = afterRepeat(
    unit,
    unitAgain.length > 0 ? await runVitest('failed files again', unitAgain, ['--no-file-parallelism']) : verdictOf([]),
  );
  const browsers = afterRepeat(
    browser,
    browserAgain.length > 0 && chromium
      ? await runPlaywright('failed browser tests again', browserAgain, ['--workers=1'])
      : verdictOf([]),
  );
  return { checked, unit, browser, units, browsers, oldest };
}

function runVitest(name: string, files: string[] = [], more: string[] = []): Promise<Verdict> {
  const output = join(results, `${name}.json`);
  const line = ['run', '--reporter=default', '--reporter=json', `--outputFile=${output}`, ...more, ...files];
  return runTests(name, ['vitest', ...line], () => readVitest(output));
}

/** All migrations and the smoke tests on the oldest PostgreSQL that a school may use. */
async function runOnOldest(): Promise<Verdict> {
  const version = String(oldestPostgres);
  if (!canBring(version)) {
    say(`Nothing is tested on PostgreSQL ${version}: its binaries are for Linux on x64.`);
    return verdictOf([]);
  }
  process.env.POSTGRES = version;
  const verdict = await runVitest(`smoke tests on PostgreSQL ${version}`, smokeFiles(), ['--project', 'works']);
  delete process.env.POSTGRES;
  return verdict;
}

/** Playwright takes files as regular expressions of their paths. */
function runPlaywright(name: string, files: string[] = [], more: string[] = []): Promise<Verdict> {
  const output = join(results, `${name}.json`);
  process.env.E2E_RESULTS = output;
  const line = ['test', ...more, ...files.map((file) => file.replaceAll('.', '\\.'))];
  return runTests(name, ['playwright', ...line], () => readPlaywright(output));
}

/** A run without results has failed, even if it exited with 0; so has one that ended with an error beside its tests. */
async function runTests(name: string, line: [string, ...string[]], read: () => Verdict): Promise<Verdict> {
  const isPassed = await timed(phases, name, () => runStep({ name, line }, true));
  const brokenOff = (why: string) => `${name}: ${why}; the error stands in the output above`;
  try {
    const verdict = read();
    if (isPassed || verdict.failed > 0) return verdict;
    return verdictOf(verdict.files, [brokenOff('an error beside the tests')]);
  } catch {
    return verdictOf([], [brokenOff('no results')]);
  }
}

/** What each file cost; browser tests share their server and browser, so only their seconds are known. */
function costsOf({ files }: Verdict): Cost[] {
  const lines = existsSync(fileCosts) ? readFileSync(fileCosts, 'utf8').split('\n').filter(Boolean) : [];
  const known = new Map(
    lines.map((line) => {
      const { file, processor }: { file: string; processor: number } = JSON.parse(line);
      return [relative(root, file), processor];
    }),
  );
  return files.map(({ file, seconds }) => ({ name: file, seconds, processor: known.get(file) }));
}
