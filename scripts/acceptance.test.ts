import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compare, idsOf, readPromises, readVitest, slowestFiles } from './acceptance.ts';

test('the ids of a test are those its title begins with', () => {
  expect(idsOf('S021 B10 D3 K1.2 R.1 names are required, as S099 says')).toEqual(['S021', 'B10', 'D3', 'K1.2', 'R.1']);
  expect(idsOf('names are required (S021)')).toEqual([]);
});

test('a promise without a passing test, and an id that nobody promised, are found', () => {
  const { unproved, unknown } = compare(['S001', 'S002'], ['S001 opens', 'S003 closes']);
  expect({ unproved, unknown }).toEqual({ unproved: ['S002'], unknown: ['S003'] });
});

test('the ids of every feature are promised beside those of no single feature', () => {
  const promises = readPromises();
  expect(promises).toEqual(expect.arrayContaining(['B1', 'S001', 'K4.1']));
  expect(compare(promises, []).twice).toEqual([]);
  expect(readPromises({ feature: 'student' })).toContain('K4.1');
  expect(readPromises({ feature: 'student' })).not.toContain('B1');
});

test('an id is for soak or for the tests, by the mark at the end of its line', () => {
  expect(readPromises({ by: 'soak' })).toContain('J10');
  expect(readPromises({ by: 'test' })).not.toContain('J10');
  expect([...readPromises({ by: 'soak' }), ...readPromises({ by: 'test' })].sort()).toEqual(readPromises().sort());
});

test('an id that stands in two files is found', () => {
  expect(compare([...readPromises(), ...readPromises({ feature: 'tag' })], []).twice).toEqual(
    readPromises({ feature: 'tag' }),
  );
});

test('the slowest 15 files are named, the slowest first', () => {
  const files = Array.from({ length: 20 }, (_, seconds) => ({ file: `${seconds}.test.ts`, seconds }));
  expect(slowestFiles(files).map(({ seconds }) => seconds)).toEqual(
    files
      .slice(5)
      .map(({ seconds }) => seconds)
      .reverse(),
  );
});

test('a file whose tests pass and whose end fails, and a test that is skipped, are failures with their names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shala-failing-end-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tests = {
    'outside.test.ts': "afterAll(() => { throw new Error('A code was told.'); });\ntest('passes', () => {});",
    'inside.test.ts':
      "describe('inside', () => { afterAll(() => { throw new Error('Not closed.'); }); test('passes', () => {}); });",
    'skipped.test.ts': "test('passes', () => {}); test.skip('waits', () => {});",
  };
  for (const [name, text] of Object.entries(tests)) writeFileSync(join(folder, name), text);
  const output = join(folder, 'results.json');
  const words = ['run', '--globals', '--root', folder, '--reporter=json', `--outputFile=${output}`];
  await new Promise((done) => execFile(join(import.meta.dirname, '../node_modules/.bin/vitest'), words, done));
  const { passed, failed, failures } = readVitest(output);
  expect({ passed, failed }).toEqual({ passed: 3, failed: 3 });
  expect(failures.sort()).toEqual([
    expect.stringMatching(/inside\.test\.ts › before or after its tests\n +The error stands in the output above\.$/),
    expect.stringMatching(/outside\.test\.ts › before or after its tests\n +A code was told\.$/),
    expect.stringMatching(/skipped\.test\.ts › waits\n +It did not run\.$/),
  ]);
});
