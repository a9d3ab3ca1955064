import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  costliest,
  limitOf,
  linesOf,
  mostProcessorSeconds,
  processorSeconds,
  timed,
  usualSample,
} from './processor-time.ts';
import { afterRepeat, filesToRepeat, mostAgain, readVitest, verdictOf } from './results.ts';

/** Runs Vitest on these files, as often as asked, and reads what it wrote each time. */
async function runVitest(tests: Record<string, string>, times = 1) {
  const folder = mkdtempSync(join(tmpdir(), 'shala-results-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(tests)) writeFileSync(join(folder, name), text);
  const output = join(folder, 'results.json');
  const words = ['run', '--globals', '--root', folder, '--reporter=json', `--outputFile=${output}`];
  const verdicts = [];
  for (let time = 0; time < times; time++) {
    await new Promise((done) => execFile(join(import.meta.dirname, '../node_modules/.bin/vitest'), words, done));
    verdicts.push(readVitest(output));
  }
  return verdicts;
}

test('a file whose tests pass and whose end fails, and a test that is skipped, are failures with their names', async () => {
  const [verdict] = await runVitest({
    'outside.test.ts': "afterAll(() => { throw new Error('A code was told.'); });\ntest('passes', () => {});",
    'inside.test.ts':
      "describe('inside', () => { afterAll(() => { throw new Error('Not closed.'); }); test('passes', () => {}); });",
    'skipped.test.ts': "test('passes', () => {}); test.skip('waits', () => {});",
  });
  expect(verdict).toMatchObject({ passed: 3, failed: 3 });
  expect(verdict?.failures.sort()).toEqual([
    expect.stringMatching(/inside\.test\.ts › before or after its tests\n +The error stands in the output above\.$/),
    expect.stringMatching(/outside\.test\.ts › before or after its tests\n +A code was told\.$/),
    expect.stringMatching(/skipped\.test\.ts › waits\n +It did not run\.$/),
  ]);
});

test('a file that fails the first time only is unsteady, with its first error, and a broken one fails', async () => {
  const [first, second] = await runVitest(
    {
      'broken.test.ts': "test('fails', () => expect(1).toBe(2));",
      'unsteady.test.ts': `import { existsSync, writeFileSync } from 'node:fs';
        test('passes later', () => {
          const mark = new URL('./mark', import.meta.url).pathname;
          const isFirst = !existsSync(mark);
          writeFileSync(mark, '');
          expect(isFirst).toBe(false);
        });`,
      'steady.test.ts': "test('passes', () => {});",
    },
    2,
  );
  const again = filesToRepeat(first ?? verdictOf([]));
  expect(again.sort()).toEqual([
    expect.stringMatching(/broken\.test\.ts$/),
    expect.stringMatching(/unsteady\.test\.ts$/),
  ]);
  const { verdict, unsteady } = afterRepeat(first ?? verdictOf([]), second ?? verdictOf([]));
  expect(unsteady).toEqual([
    expect.stringMatching(/unsteady\.test\.ts › passes later\n +AssertionError: expected true to be false/),
  ]);
  expect(verdict).toMatchObject({
    passed: 2,
    failed: 1,
    failures: [expect.stringContaining('broken.test.ts › fails')],
  });
  expect(verdict.titles.sort()).toEqual(['passes', 'passes later']);
});

const fileResult = (file: string, failures: string[] = [], passed = 1) => ({
  file,
  seconds: 1,
  passed,
  titles: [],
  failures,
});

test('a failed file that does not run again, or runs no test, stays failed', () => {
  const first = verdictOf([fileResult('a.test.ts', ['a failed']), fileResult('b.test.ts', ['b failed'])]);
  const { verdict, unsteady } = afterRepeat(first, verdictOf([fileResult('a.test.ts', [], 0)]));
  expect([verdict.failed, unsteady]).toEqual([2, []]);
});

test('an error beside the tests fails a run, whatever passes again', () => {
  const first = verdictOf([fileResult('a.test.ts', ['a failed'])], ['an error']);
  const { verdict, unsteady } = afterRepeat(first, verdictOf([fileResult('a.test.ts')], ['another error']));
  expect([verdict.failures, unsteady]).toEqual([['an error', 'another error'], ['a failed']]);
});

test('when many files fail, none runs again', () => {
  const failed = Array.from({ length: mostAgain + 1 }, (_, n) => fileResult(`${n}.test.ts`, ['failed']));
  expect(filesToRepeat(verdictOf(failed.slice(1)))).toHaveLength(mostAgain);
  expect(filesToRepeat(verdictOf(failed))).toEqual([]);
});

test('the costliest 15 files are named, by processor time where it is known', () => {
  const files = Array.from({ length: 20 }, (_, seconds) => ({ name: `${seconds}.test.ts`, seconds }));
  const named = costliest([...files, { name: 'waiting.test.ts', seconds: 90, processor: 5.5 }]);
  expect(named.map(({ name }) => name.split('.')[0])).toEqual(
    '19 18 17 16 15 14 13 12 11 10 9 8 7 6 waiting'.split(' '),
  );
  expect(linesOf(named.slice(-1))).toEqual(['     90.0        5.5  waiting.test.ts']);
});

test('the processor time of a phase includes that of its child processes', async () => {
  const work = 'const until = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < until);';
  const costs: Parameters<typeof timed>[0] = [];
  await timed(costs, 'working', () => new Promise((done) => execFile(process.execPath, ['-e', work], done)));
  expect(costs).toEqual([{ name: 'working', seconds: expect.any(Number), processor: expect.any(Number) }]);
  expect(costs[0]?.processor).toBeGreaterThan(0.25);
  expect(processorSeconds()).toBeGreaterThan(costs[0]?.processor ?? 0);
});

test('the processor time of a child counts while it still runs, and once it has ended', async () => {
  const before = processorSeconds() ?? 0;
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  const spent = () => (processorSeconds() ?? 0) - before;
  await expect.poll(spent).toBeGreaterThan(1);
  const running = spent();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(spent()).toBeGreaterThanOrEqual(running);
});

test('a run may cost more processor time on a machine that is slow throughout, and never less than usual', () => {
  const slow = [usualSample, 2 * usualSample, 2 * usualSample, 2 * usualSample, 9 * usualSample];
  expect(limitOf(slow)).toEqual({ seconds: 2 * mostProcessorSeconds, median: 2 * usualSample });
  expect(limitOf([usualSample / 2]).seconds).toBe(mostProcessorSeconds);
});
