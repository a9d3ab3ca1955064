// Reads what Vitest and Playwright have written about a run.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

export interface FileResult {
  file: string;
  seconds: number;
  passed: number;
  /** Titles of the tests that passed. */
  titles: string[];
  /** The failed tests, with the first lines of each error. */
  failures: string[];
}

export interface Verdict {
  passed: number;
  failed: number;
  titles: string[];
  failures: string[];
  files: FileResult[];
  /** Failures of the run beside its files, which are among `failures` too. */
  outside: string[];
}

export function verdictOf(files: FileResult[], outside: string[] = []): Verdict {
  const failures = [...outside, ...files.flatMap((file) => file.failures)];
  return {
    passed: files.reduce((sum, { passed }) => sum + passed, 0),
    failed: failures.length,
    titles: files.flatMap(({ titles }) => titles),
    failures,
    files,
    outside,
  };
}

interface VitestResults {
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

export function readVitest(path: string): Verdict {
  const results: VitestResults = JSON.parse(readFileSync(path, 'utf8'));
  const files = results.testResults.map(({ name, startTime, endTime, status, message, assertionResults }) => {
    const file = relative(root, name);
    const passed = assertionResults.filter((test) => test.status === 'passed');
    const broken = assertionResults.filter((test) => test.status !== 'passed');
    const failures = broken.map(({ title, status, failureMessages = [] }) =>
      // A test that does not run proves nothing.
      failureOf(file, title, status === 'failed' ? failureMessages : ['It did not run.']),
    );
    if (assertionResults.length === 0) failures.push(failureOf(file, 'cannot be loaded', [message]));
    // A file can fail without a failed test.
    else if (failures.length === 0 && status === 'failed')
      failures.push(failureOf(file, 'before or after its tests', [message || 'The error stands in the output above.']));
    return {
      file,
      seconds: (endTime - startTime) / 1000,
      passed: passed.length,
      titles: passed.flatMap(({ ancestorTitles, title }) => [...ancestorTitles, title]),
      failures,
    };
  });
  const isFailed = files.some(({ failures }) => failures.length > 0);
  return verdictOf(
    files,
    results.success || isFailed ? [] : ['An error beside the tests; it stands in the output above.'],
  );
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

export function readPlaywright(path: string): Verdict {
  const { suites, errors }: { suites: Suite[]; errors: { message?: string }[] } = JSON.parse(
    readFileSync(path, 'utf8'),
  );
  const specsOf = (suite: Suite): NonNullable<Suite['specs']> => [
    ...(suite.specs ?? []),
    ...(suite.suites ?? []).flatMap(specsOf),
  ];
  const byFile = Object.groupBy(suites.flatMap(specsOf), ({ file }) => file);
  const files = Object.entries(byFile).map(([file, specs = []]) => {
    const ran = specs.filter(({ ok, tests }) => ok && tests.every(({ status }) => status !== 'skipped'));
    const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
    return {
      file,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
      passed: ran.length,
      titles: ran.map(({ title }) => title),
      failures: specs
        .filter((spec) => !ran.includes(spec))
        .map(({ title, tests }) => {
          const broken = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
          return failureOf(
            file,
            title,
            broken.slice(0, 1).map(({ message = '' }) => message),
          );
        }),
    };
  });
  return verdictOf(
    files,
    errors.map(({ message = '' }) => message),
  );
}

/** More unsteady files than this fail a run. */
export const mostUnsteady = 3;
/** With more failed files than this the product is broken, so none of them runs again. */
export const mostAgain = 10;

/** The files that run once more: all that failed, unless they are too many. */
export function filesToRepeat({ files }: Verdict): string[] {
  const failed = files.filter(({ failures }) => failures.length > 0);
  return failed.length > mostAgain ? [] : failed.map(({ file }) => file);
}

/** The verdict after failed files ran once more, and the first failure of each file that then passed. */
export function afterRepeat(first: Verdict, again: Verdict): { verdict: Verdict; unsteady: string[] } {
  const isSteady = ({ failures, passed }: FileResult) => failures.length === 0 && passed > 0;
  const unsteady: string[] = [];
  const files = first.files.map((file) => {
    const repeated = again.files.find((other) => other.file === file.file);
    const [failure] = file.failures;
    if (failure === undefined || !repeated || !isSteady(repeated)) return file;
    unsteady.push(failure);
    return repeated;
  });
  return { verdict: verdictOf(files, [...first.outside, ...again.outside]), unsteady };
}
