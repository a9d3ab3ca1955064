import { expect, test } from 'vitest';
import { budgetLines, type Class, classOf, usualSeconds } from './budget.ts';
import { usualSample } from './processor-time.ts';

test.each<[Class, string, string]>([
  ['browser', 'e2e/pages.spec.ts', ''],
  ['components', 'src/kit/browser/list/RecordList.test.tsx', ''],
  ['alone', 'src/app/trial.alone.test.ts', 'allMasters; await openSchool();'],
  ['faults', 'testing/faults/clock.test.ts', 'await openSchool();'],
  ['walks', 'src/app/matrix.test.ts', 'allRoutes.map(name); await openSchool();'],
  ['server', 'src/app/health.test.ts', 'school = await openSchool();'],
  ['server', 'src/features/fee/server/day.test.ts', 'await openSchool({ SHALA_PATIENCE: "1" });'],
  ['server', 'src/features/student/server/move.test.ts', 'onStage();'],
  ['unit', 'src/kit/contract/money.test.ts', 'a day on which schools open'],
])('the class %s is that of %s', (name, file, text) => {
  expect(classOf(file, text)).toBe(name);
});

const tested = (file: string, tests: number) => ({
  file,
  seconds: 1,
  passed: tests,
  titles: [],
  failures: [],
});
const cost = (name: string, processor: number | undefined) => ({ name, seconds: 1, processor });
const unit = 'src/kit/contract/money.test.ts';
const linesFor = (processor: number, sample = usualSample) =>
  budgetLines(
    { files: [tested(unit, 10)], costs: [cost(unit, processor)], phases: [], samples: [sample] },
    () => '',
  ).slice(1);

test('a class is costly above its usual seconds for each test, and not at them', () => {
  const usual = 10 * usualSeconds.unit;
  expect(linesFor(usual)).toEqual([expect.stringMatching(/^ +0\.\d{3} +0\.\d{3} {2}unit: 10 tests in 0 s$/)]);
  expect(linesFor(usual * 1.1)).toEqual([expect.stringContaining('costly  unit: 10 tests')]);
});

test('a slow machine has more usual seconds, and a fast one no fewer', () => {
  const usual = 10 * usualSeconds.unit;
  expect(linesFor(usual * 1.9, usualSample * 2)[0]).not.toContain('costly');
  expect(linesFor(usual * 2.1, usualSample * 2)[0]).toContain('costly');
  expect(linesFor(usual, usualSample / 2)[0]).not.toContain('costly');
});

test('walks are counted by files, and browser tests cost what their phase did', () => {
  const walk = 'src/app/matrix.test.ts';
  const files = [tested(walk, 200), tested('e2e/pages.spec.ts', 60)];
  const costs = [cost(walk, 2), cost('e2e/pages.spec.ts', undefined)];
  const phases = [cost('build', 50), cost('browser tests', 90)];
  const [, ...lines] = budgetLines({ files, costs, phases, samples: [] }, () => 'allRoutes');
  expect(lines.map((line) => line.trim().replaceAll(/ +/g, ' '))).toEqual([
    `2.000 ${usualSeconds.walks.toFixed(3)} walks: 1 files in 2 s`,
    `1.500 ${usualSeconds.browser.toFixed(3)} browser: 60 tests in 90 s`,
  ]);
});

test('a class whose cost is unknown has no line', () => {
  expect(budgetLines({ files: [tested(unit, 3)], costs: [], phases: [], samples: [] }, () => '')).toHaveLength(1);
});
