// Refuses a second clock: SQL of the product reads school_now(), its code the context's now().
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseSync, traverse } from '@babel/core';
import { toCheck } from './changed-files.ts';

/** What measures the machine, whatever day it is at school: a file, or a folder with a slash. */
const onMachineClock: Readonly<Record<string, string>> = {
  'database/migrations/202612021400_job_clock.sql': 'Turns a moment of the school into one of the machine.',
  'src/app/backup/': 'An archive is made when the machine says so.',
  'src/app/services.ts': 'Makes the school’s clock.',
  'src/features/account/server/': 'Codes and sessions end by the machine’s minutes.',
  'src/features/admission-form/server/sibling-details.ts': 'Codes end by the machine’s minutes.',
  'src/features/sign-in/': 'Codes and sessions end by the machine’s minutes.',
  'src/features/staff/api.ts': 'A confirmed address is compared with sessions.',
  'src/features/system/server/': 'Processes and their connections.',
  'src/kit/contract/fields.ts': 'The browser’s own check of a day.',
  'src/kit/server/database/migrations.ts': 'When a version came.',
  'src/kit/server/http/routes.ts': 'Rows of the audit log.',
  'src/kit/server/import/plan-table.ts': 'Two digits of a year in a file.',
  'src/kit/server/job/': 'Turns of jobs, and what is tidied up after them.',
  'src/kit/server/messages/': 'Retries of messages.',
  'src/kit/server/movable-clock.ts': 'Moves the clock of the machine.',
  'src/kit/server/security/': 'Limits and the seal of the audit log.',
  'src/kit/server/server-process.ts': 'Signs of life of a process.',
};

/** The migration that made all earlier SQL follow the school's clock; those after it are checked. */
const converted = '202612011200_school_clock.sql';

const inSql =
  /(?<![\w.])(?:now\(\)|current_(?:date|time|timestamp)\b|(?:clock|statement|transaction)_timestamp\(\)|local(?:time|timestamp)\b)/gi;

/** The readings of the machine's clock in a module: in its SQL, and in its code. */
export function clocksIn(code: string): string[] {
  const tree = parseSync(code, {
    configFile: false,
    babelrc: false,
    filename: 'module.ts',
    parserOpts: { plugins: ['typescript'] },
  });
  const found: string[] = [];
  if (!tree) return found;
  traverse(tree, {
    enter: ({ node }) => {
      if (node.type === 'TemplateElement') found.push(...clocksInSql(node.value.raw));
      if (node.type === 'StringLiteral') found.push(...clocksInSql(node.value));
      const words = code.slice(node.start ?? 0, node.end ?? 0);
      if (node.type === 'NewExpression' && words === 'new Date()') found.push(words);
      if (node.type === 'CallExpression' && words === 'Date.now()') found.push(words);
    },
  });
  return found;
}

/** The same in SQL; words after two hyphens are a comment. */
export const clocksInSql = (text: string): string[] =>
  text.split('\n').flatMap((line) => line.split('--')[0]?.match(inSql) ?? []);

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const isOfMachine = (path: string) => Object.keys(onMachineClock).some((prefix) => path.startsWith(prefix));
  const isProduct = (path: string) =>
    !/(\.test|\.spec|\/examples|\/matrix)\.ts$/.test(path) &&
    !/\/(browser|pages|ui)\//.test(path) &&
    !isOfMachine(path);
  const modules = toCheck(globSync('src/**/*.ts', { cwd: root })).filter(isProduct);
  const migrations = toCheck(globSync('database/migrations/*.sql', { cwd: root })).filter(
    (path) => basename(path) > converted && basename(path) >= '2026' && !isOfMachine(path),
  );
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const problems = [
    ...modules.flatMap((path) => clocksIn(read(path)).map((words) => ({ path, words }))),
    ...migrations.flatMap((path) => clocksInSql(read(path)).map((words) => ({ path, words }))),
  ];
  for (const { path, words } of problems)
    process.stderr.write(
      `${path}: “${words}” reads the machine’s clock. Use school_now() in SQL, ctx.now() in code.\n`,
    );
  if (problems.length > 0) process.exitCode = 1;
}
