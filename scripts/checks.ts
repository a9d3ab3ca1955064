import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runStep, type Step } from './steps.ts';

const root = join(import.meta.dirname, '..');
const node = process.execPath;

/** The changed files, and whether they import or export other names than before. */
interface Change {
  files: readonly string[];
  namesDiffer: boolean;
}

/** The checks that need no running program; the first minute of `npm test`. */
const checks: Step[] = [
  { name: 'types of the server side', line: ['tsc', '-p', 'tsconfig.server.json'] },
  { name: 'types of the browser side', line: ['tsc', '-p', 'tsconfig.browser.json'] },
  { name: 'format, lint and boundaries', line: ['biome', 'ci', '--error-on-warnings'] },
  { name: 'no slow regular expression', line: [node, 'scripts/expressions.ts', '--check'] },
  { name: 'no word of a school in the kit', line: [node, 'scripts/kit-words.ts'] },
  { name: 'no floating point in amounts', line: [node, 'scripts/no-float.ts'] },
  { name: 'one clock', line: [node, 'scripts/one-clock.ts'] },
  { name: 'rows are mapped by the kit', line: [node, 'scripts/mapped-rows.ts'] },
  { name: 'one rule says where a child is', line: [node, 'scripts/one-place.ts'] },
  { name: 'pages lay out with the parts of the kit', line: [node, 'scripts/page-layout.ts'] },
  { name: 'nothing unused', line: ['knip', '--no-config-hints'] },
  {
    name: 'nothing that only tests use',
    line: [
      'knip',
      '--no-config-hints',
      '--production',
      '-c',
      'knip.production.jsonc',
      '--include',
      'files,exports,types',
    ],
  },
  { name: 'the changelog names this version and its acts', line: [node, 'scripts/changelog.ts'] },
  { name: 'third-party notices are those of the packages', line: [node, 'scripts/third-party.ts', '--check'] },
  { name: 'every package has a hash', line: [node, 'scripts/lock-file.ts'] },
  { name: 'row types are those of the database', line: [node, 'scripts/db-types.ts', '--check'] },
  { name: 'merged migrations are unchanged', line: [node, 'scripts/migrations-lock.ts'] },
  { name: 'new titles, comments and subjects in plain words', line: [node, 'scripts/plain-lines.ts'] },
  {
    name: 'every test runs, and its title begins with no id that nobody promised',
    line: [node, 'scripts/title-ids.ts'],
  },
  { name: 'pages for engineers are short and lead somewhere', line: [node, 'scripts/papers.ts'] },
  { name: 'the school’s guide is whole', line: [node, 'scripts/guide-pages.ts'] },
  { name: 'walks of tests are bounded', line: [node, 'scripts/walks.ts'] },
  { name: 'translations are whole and keep to the glossary', line: [node, 'scripts/translations.ts'] },
  { name: 'catalogues hold every text', line: [node, 'scripts/text.ts', '--check'] },
];

/** Those whose sources are changed only with a change that needs the whole `npm test`. */
const ofCommonFiles = [
  'no word of a school in the kit',
  'third-party notices are those of the packages',
  'every package has a hash',
  'row types are those of the database',
  'merged migrations are unchanged',
];

const changedTypes: Step = { name: 'types of what has changed', line: [node, 'scripts/changed-types.ts'] };

/** Runs all checks. After a change since a revision: those that it can break, on the changed files where that is enough. */
export async function runChecks(change?: Change): Promise<{ passed: number; failed: number }> {
  const waiting = change ? checksOf(change) : [...checks];
  const results: boolean[] = [];
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await runStep(step));
  };
  await Promise.all([work(), work()]);
  const passed = results.filter(Boolean).length;
  return { passed, failed: results.length - passed };
}

function checksOf({ files, namesDiffer }: Change): Step[] {
  const there = files.filter((path) => existsSync(join(root, path)));
  const env = { CHANGED_FILES: files.join('\n') };
  const isLeftOut = ({ name, line: [program] }: Step) =>
    ofCommonFiles.includes(name) ||
    program === 'tsc' ||
    (program === 'knip' && !namesDiffer) ||
    (program === 'biome' && there.length === 0);
  return [changedTypes, ...checks.filter((step) => !isLeftOut(step))].map(({ name, line }) => ({
    name,
    line: line[0] === 'biome' ? [...line, '--no-errors-on-unmatched', ...there] : line,
    env,
  }));
}
