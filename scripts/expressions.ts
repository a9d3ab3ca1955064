// Finds regular expressions whose time grows faster than the length of the text: one request could block the server.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseSync, traverse, type types } from '@babel/core';
import { readCache, writeCache } from './cache.ts';

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

/** `known` has the verdicts of earlier runs, and gets those of this one. */
export async function problemsOf(sources: Source[], exceptions = allowed, known: Verdicts = {}): Promise<string[]> {
  // Of three ways to run it, the one that needs neither Java nor a binary; the variable is read when the module loads.
  process.env.RECHECK_SYNC_BACKEND = 'pure';
  const { checkSync } = await import('recheck');
  const slowness = ({ source, flags }: Expression): string | undefined => {
    if (source === undefined) return 'is put together at run time. Write it as a literal.';
    const key = `/${source}/${flags}`;
    if (known[key] === undefined) {
      const found = checkSync(source, flags, noTimeouts);
      const cost =
        found.status === 'vulnerable' ? found.complexity.summary : found.status === 'safe' ? undefined : 'unknown';
      known[key] = cost ? `takes ${cost} time. Bound its repetitions, or use plain string functions.` : '';
    }
    return known[key];
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

function expressionsOf({ path, text }: Source): Expression[] {
  const plugins: ('typescript' | 'jsx')[] = path.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'];
  const tree = parseSync(text, { configFile: false, babelrc: false, filename: path, parserOpts: { plugins } });
  const found: Expression[] = [];
  if (!tree) return found;
  const add = (node: types.Node, source: string | undefined, flags: string) =>
    found.push({ path, line: node.loc?.start.line ?? 0, source, flags });
  traverse(tree, {
    enter: ({ node }) => {
      if (node.type === 'RegExpLiteral') add(node, node.pattern, node.flags);
      if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return;
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
      const [source, flags = ''] = node.arguments.map((argument) =>
        argument.type === 'StringLiteral' ? argument.value : undefined,
      );
      add(node, source, flags);
    },
  });
  return found;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const paths = globSync('{src,scripts}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: (name) => /\.(?:test|spec)\.tsx?$/.test(name),
  });
  const sources = paths.sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const { version } = createRequire(import.meta.url)('recheck/package.json');
  // A verdict takes up to a second, and stays the same until recheck changes.
  const known = readCache<Verdicts>('expressions', version) ?? {};
  const problems = await problemsOf(sources, allowed, known);
  writeCache('expressions', version, known);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
