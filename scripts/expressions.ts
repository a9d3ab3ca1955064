// Finds regular expressions whose time grows faster than the length of the text: one request could block the server.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';
import { toCheck } from './changed-files.ts';
import { readCommandLine } from './command-line.ts';

const require = createRequire(import.meta.url);

interface Source {
  path: string;
  text: string;
}

interface Expression {
  path: string;
  line: number;
  /** Undefined where the expression is built at run time and cannot be checked. */
  source: string | undefined;
  flags: string;
}

/** Expressions that stay although they are slow or built at run time, each with its reason. */
const allowed: { path: string; source?: string; reason: string }[] = [
  {
    path: 'src/kit/server/work/pdf-objects.ts',
    source:
      '([\\d+.-]+)(?:[\\0\\t\\n\\f\\r \\x80\\xff]|%[^\\r\\n]*[\\r\\n])+[\\d+.-]+(?:[\\0\\t\\n\\f\\r \\x80\\xff]|%[^\\r\\n]*[\\r\\n])*$',
    reason: 'Is given at most 100 bytes.',
  },
  {
    path: 'src/kit/server/work/pdf-objects.ts',
    source:
      '(?:^[\\0\\t\\n\\f\\r \\x80\\xff]*|(?:^|%)[^\\r\\n]*[\\r\\n][\\0\\t\\n\\f\\r \\x80\\xff]*)(?:[\\d+.-]+[\\0\\t\\n\\f\\r \\x80\\xff]*)?$',
    reason: 'Is given at most 100 bytes.',
  },
];

/** The search for an attack is limited in steps, not in time, so that a busy machine reaches the same result. */
const noTimeouts = { timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null };

/** What is wrong with each expression, '' for nothing. */
type Verdicts = Record<string, string>;

interface Judging {
  exceptions?: typeof allowed;
  /** Expressions that are not judged again. */
  known?: Verdicts;
  /** Gets the verdict of each expression of the sources. */
  verdicts?: Verdicts;
}

/** A message for each expression that is slow or built at run time, and for each exception that nothing needs. */
export function problemsOf(
  sources: Source[],
  { exceptions = allowed, known = {}, verdicts = {} }: Judging = {},
): string[] {
  const slowness = ({ source, flags }: Expression): string | undefined => {
    if (source === undefined) return 'is put together at run time. Write it as a literal.';
    const key = `/${source}/${flags}`;
    verdicts[key] ??= known[key] ?? judge(source, flags);
    return verdicts[key];
  };
  const isFor = (expression: Expression) => (exception: (typeof allowed)[number]) =>
    exception.path === expression.path && exception.source === expression.source;

  const all = sources.flatMap(expressionsOf);
  const slow = all
    .filter((expression) => !exceptions.some(isFor(expression)))
    .flatMap((expression) => {
      const problem = slowness(expression);
      return problem
        ? [`${expression.path}:${expression.line} /${expression.source ?? '…'}/${expression.flags} ${problem}`]
        : [];
    });
  const idle = exceptions
    .filter((exception) => !all.some((expression) => isFor(expression)(exception)))
    .map(({ path, source }) => `${path} /${source ?? '…'}/ is not there any more. Remove it from the exceptions.`);
  return [...slow, ...idle];
}

function judge(source: string, flags: string): string {
  // Of three ways to run it, the one that needs neither Java nor a binary; the variable is read when the module loads.
  process.env.RECHECK_SYNC_BACKEND = 'pure';
  const { checkSync }: typeof import('recheck') = require('recheck');
  const found = checkSync(source, flags, noTimeouts);
  const cost =
    found.status === 'vulnerable' ? found.complexity.summary : found.status === 'safe' ? undefined : 'unknown';
  return cost ? `takes ${cost} time. Bound its repetitions, or use plain string functions.` : '';
}

function expressionsOf({ path, text }: Source): Expression[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const found: Expression[] = [];
  const add = ({ start }: ESTree.Node, source: string | undefined, flags: string) =>
    found.push({ path, line: text.slice(0, start).split('\n').length, source, flags });
  const addMade = (node: ESTree.NewExpression | ESTree.CallExpression) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
    const [source, flags = ''] = node.arguments.map((argument) =>
      argument.type === 'Literal' && typeof argument.value === 'string' ? argument.value : undefined,
    );
    add(node, source, flags);
  };
  const addLiteral = (node: ESTree.Node) => {
    if (node.type === 'Literal' && 'regex' in node) add(node, node.regex.pattern, node.regex.flags);
  };
  new Visitor({
    Literal: addLiteral,
    NewExpression: addMade,
    CallExpression: addMade,
  }).visit(program);
  return found;
}

/** What recheck has found safe, a line each after its version, so that a fresh clone need not judge them. */
const lock = join(import.meta.dirname, 'expressions.lock');

/** The safe expressions of a lock that this version of recheck has judged. */
export const readSafe = (text: string, version: string): Verdicts => {
  const [judge, ...lines] = text.split('\n');
  return judge === judgeOf(version) ? Object.fromEntries(lines.filter(Boolean).map((line) => [line, ''])) : {};
};

/** The text of a lock with the safe expressions among these verdicts. */
export const safeLines = (verdicts: Verdicts, version: string): string => {
  const safe = Object.keys(verdicts).filter((expression) => verdicts[expression] === '');
  return `${[judgeOf(version), ...safe.sort()].join('\n')}\n`;
};

const judgeOf = (version: string) => `recheck ${version}`;

if (import.meta.main) {
  const { values } = readCommandLine({
    command: 'npm run expressions',
    does: 'Judges every regular expression, and writes the safe ones into scripts/expressions.lock.',
    options: { check: { type: 'boolean', help: 'Write nothing, and end with 1 where the lock lacks one.' } },
  });
  const root = join(import.meta.dirname, '..');
  const all = globSync('{src,scripts}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: (name) => /\.(?:test|spec)\.tsx?$/.test(name),
  });
  const paths = values.check ? toCheck(all) : all;
  const exceptions = allowed.filter(({ path }) => paths.includes(path) || !all.includes(path));
  const sources = paths.sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const { version } = require('recheck/package.json');
  const known = readSafe(readFileSync(lock, 'utf8'), version);
  const verdicts: Verdicts = {};
  const problems = problemsOf(sources, { exceptions, known, verdicts });
  const fresh = Object.keys(verdicts).filter((expression) => verdicts[expression] === '' && !(expression in known));
  if (!values.check) writeFileSync(lock, safeLines(verdicts, version));
  else if (fresh.length > 0) problems.push(`New: ${fresh.join(' ')}. Run npm run expressions, and commit its lock.`);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
