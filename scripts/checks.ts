import { runStep, type Step } from './steps.ts';

const node = process.execPath;

/** The checks that need no running program; the first minute of `npm test`. */
const checks: Step[] = [
  { name: 'types of the server side', line: ['tsc', '-p', 'tsconfig.server.json'] },
  { name: 'types of the browser side', line: ['tsc', '-p', 'tsconfig.browser.json'] },
  { name: 'format, lint and boundaries', line: ['biome', 'ci', '--error-on-warnings'] },
  { name: 'no slow regular expression', line: [node, 'scripts/expressions.ts'] },
  { name: 'no word of a school in the kit', line: [node, 'scripts/kit-words.ts'] },
  { name: 'no floating point in amounts', line: [node, 'scripts/no-float.ts'] },
  { name: 'pages lay out with the parts of the kit', line: [node, 'scripts/page-layout.ts'] },
  { name: 'nothing unused', line: ['knip', '--no-config-hints'] },
  { name: 'every package has a hash', line: [node, 'scripts/lock-file.ts'] },
  { name: 'row types are those of the database', line: [node, 'scripts/db-types.ts', '--check'] },
  { name: 'merged migrations are unchanged', line: [node, 'scripts/migrations-lock.ts'] },
  { name: 'new titles, comments and subjects in plain words', line: [node, 'scripts/plain-lines.ts'] },
  { name: 'titles of tests begin with no id that nobody promised', line: [node, 'scripts/title-ids.ts'] },
  { name: 'catalogues hold every text', line: [node, 'scripts/text.ts', '--check'] },
];

export async function runChecks(): Promise<{ passed: number; failed: number }> {
  const waiting = [...checks];
  const results: boolean[] = [];
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await runStep(step));
  };
  await Promise.all([work(), work()]);
  const passed = results.filter(Boolean).length;
  return { passed, failed: results.length - passed };
}
