import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, traverse } from '@babel/core';
import { toCheck } from './changed-files.ts';

/** Where amounts are computed. A fraction in floating point does not add up (decision 0141). */
const folders = ['src/features/fee-{price,money}/{contract,server}/**/*.ts', 'src/kit/contract/money.ts'];

/** Divisions that are none of amounts, or of `bigint` values that the parser cannot know. */
const exceptions: { path: string; holds: string; reason: string }[] = [
  {
    path: 'src/features/fee-money/contract/amount-in-words.ts',
    holds: 'amount / 100',
    reason: 'Rounded down to whole rupees.',
  },
  { path: 'src/features/fee-price/contract/frequency.ts', holds: '12 / months', reason: 'A number of instalments.' },
  { path: 'src/features/fee-price/contract/plan/rounding.ts', holds: 'paise / rupee', reason: 'Both are bigint.' },
  {
    path: 'src/features/fee-price/contract/plan/rounding.ts',
    holds: '(amount * part) / whole',
    reason: 'All are bigint.',
  },
  { path: 'src/features/fee-price/contract/split.ts', holds: '(whole * step)', reason: 'All are bigint.' },
];

/** The floating-point expressions of a module. */
export function floatsIn(code: string): string[] {
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
      const words = code.slice(node.start ?? 0, node.end ?? 0);
      const isBigInt = /\bBigInt\(|\b[0-9_]+n\b/.test(words);
      if (node.type === 'BinaryExpression' && ['/', '**'].includes(node.operator) && !isBigInt) found.push(words);
      if (node.type === 'AssignmentExpression' && node.operator === '/=' && !isBigInt) found.push(words);
      if (node.type === 'NumericLiteral' && !Number.isInteger(node.value)) found.push(words);
      if (node.type === 'CallExpression' && isFloating(code.slice(node.callee.start ?? 0, node.callee.end ?? 0)))
        found.push(words);
    },
  });
  return found;
}

const isFloating = (callee: string) =>
  /^(Math\.(round|floor|ceil|trunc|fround|pow)|(Number\.)?parseFloat)$/.test(callee) || callee.endsWith('.toFixed');

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const problems = toCheck(folders.flatMap((pattern) => globSync(pattern, { cwd: root })))
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) =>
      floatsIn(readFileSync(join(root, path), 'utf8'))
        .filter((text) => !exceptions.some((one) => one.path === path && text.includes(one.holds)))
        .map((text) => `${path}: “${text}” may be a fraction. Compute amounts as bigint.`),
    );
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
