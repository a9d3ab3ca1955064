import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

export interface FileTime {
  file: string;
  seconds: number;
}

interface Verdict {
  passed: number;
  failed: number;
  /** Titles of the tests that passed. */
  titles: string[];
  /** The failed tests, with the first lines of each error. */
  failures: string[];
  /** The duration of each file. */
  files: FileTime[];
}

/** Ids at the beginning of a test's title: S021, B10, D3, W4, RA12, K1.2 for the second check of area K1, and R.1 for permissions. */
const idShape = /^(S[0-9]{3}|S?B[0-9]{2}|RA[0-9]{1,2}|[A-LW][0-9]{1,2}|[A-P][0-9]{1,2}\.[0-9]|R\.[0-9])$/;

export function idsOf(title: string): string[] {
  const words = title.split(/[\s,:]+/);
  const end = words.findIndex((word) => !idShape.test(word));
  return words.slice(0, end < 0 ? words.length : end);
}

/** At the end of a line of an acceptance.txt: `npm test` asks for no test of this id, `npm run soak` does. */
const soakMark = ' (soak)';

interface Chosen {
  /** The ids of this feature alone. */
  feature?: string;
  /** Those that `npm test` must prove, or `npm run soak`. */
  by?: 'test' | 'soak';
}

/** The ids that docs/acceptance.txt and the features promise, one a line before its words. */
export function readPromises({ feature, by }: Chosen = {}): string[] {
  const files = feature
    ? globSync(`src/features/${feature}/acceptance.txt`, { cwd: root })
    : ['docs/acceptance.txt', ...globSync('src/features/*/acceptance.txt', { cwd: root })];
  const lines = files.flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n'));
  return lines
    .filter((line) => line && !line.startsWith('#'))
    .filter((line) => by === undefined || line.endsWith(soakMark) === (by === 'soak'))
    .map((line) => line.split(/\s/)[0] ?? '');
}

/**
 * Compares promised ids with the titles of passed tests; reports promises without a test and ids that are not promised.
 */
export function compare(promises: string[], passedTitles: string[]) {
  const proved = new Set(passedTitles.flatMap(idsOf));
  return {
    unproved: promises.filter((id) => !proved.has(id)),
    unknown: [...proved].filter((id) => !promises.includes(id)),
    twice: promises.filter((id, index) => promises.indexOf(id) !== index),
  };
}

interface VitestResults {
  numPassedTests: number;
  success: boolean;
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    status: string;
    message: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string; failureMessages?: string[] }[];
  }[];
}

export function readVitest(file: string): Verdict {
  const results: VitestResults = JSON.parse(readFileSync(file, 'utf8'));
  const all = results.testResults.flatMap(({ assertionResults }) => assertionResults);
  const titles = all
    .filter(({ status }) => status === 'passed')
    .flatMap(({ ancestorTitles, title }) => [...ancestorTitles, title]);
  const files = results.testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
  const failures = results.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    if (assertionResults.length === 0) return [failureOf(file, 'cannot be loaded', [message])];
    const broken = assertionResults.filter((test) => test.status !== 'passed');
    if (broken.length === 0 && status === 'failed')
      return [failureOf(file, 'before or after its tests', [message || 'The error stands in the output above.'])];
    return broken.map(({ title, status, failureMessages = [] }) =>
      failureOf(file, title, status === 'failed' ? failureMessages : ['It did not run.']),
    );
  });
  // A test that does not run proves nothing; a file can fail without a failed test.
  const failed = results.success ? failures.length : Math.max(1, failures.length);
  return { passed: results.numPassedTests, failed, titles, failures, files };
}

const failureOf = (file: string, title: string, messages: readonly string[]) =>
  [`${file} › ${title}`, ...messages.flatMap((message) => message.split('\n').slice(0, 3))].join('\n    ');

interface Suite {
  suites?: Suite[];
  specs?: {
    title: string;
    file: string;
    ok: boolean;
    tests: { status: string; results: { duration: number; errors: { message?: string }[] }[] }[];
  }[];
}

export function readPlaywright(file: string): Verdict {
  const { suites, errors }: { suites: Suite[]; errors: { message?: string }[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const specsOf = (suite: Suite): NonNullable<Suite['specs']> => [
    ...(suite.specs ?? []),
    ...(suite.suites ?? []).flatMap(specsOf),
  ];
  const specs = suites.flatMap(specsOf);
  const ran = specs.filter(({ ok, tests }) => ok && tests.every(({ status }) => status !== 'skipped'));
  return {
    passed: ran.length,
    failed: specs.length - ran.length + errors.length,
    titles: ran.map(({ title }) => title),
    failures: [
      ...errors.map(({ message = '' }) => message),
      ...specs
        .filter((spec) => !ran.includes(spec))
        .map(({ file, title, tests }) => {
          const broken = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
          return failureOf(
            file,
            title,
            broken.slice(0, 1).map(({ message = '' }) => message),
          );
        }),
    ],
    files: Object.entries(Object.groupBy(specs, ({ file }) => file)).map(([file, inFile = []]) => ({
      file,
      seconds:
        inFile
          .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
          .reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
  };
}

export const slowestFiles = (files: readonly FileTime[]) =>
  files.toSorted((file, other) => other.seconds - file.seconds).slice(0, 15);
