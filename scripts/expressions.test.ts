import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { soak } from '../testing/soak.ts';
import { problemsOf, readSafe, safeLines } from './expressions.ts';

const problems = (text: string, path = 'src/planted.ts') => problemsOf([{ path, text }], { exceptions: [] });

/** Each is slow on some text, and must be reported. */
const slow: [what: string, text: string][] = [
  ['a cubic one', String.raw`export const isAddress = (given: string) => /^\S+@\S+\.\S+$/.test(given);`],
  ['an exponential one', 'export const a = z.regex(/^(a+)+$/);'],
  ['a trim of blanks', String.raw`export const a = (given: string) => given.replace(/\s+$/, '');`],
  ['a trim of slashes', String.raw`export const a = (given: string) => given.replace(/\/+$/g, '');`],
  ['one made of a text', "export const a = new RegExp('^(a|a)*$', 'u');"],
  ['one made without new', String.raw`export const a = RegExp('\\s+$');`],
  ['one inside a type assertion', String.raw`export const a = (given: unknown) => /\s+$/.test(given as string);`],
];

test.each(slow)('F7 W1 %s is found', (_what, text) => {
  expect(problems(text)).toEqual([expect.stringMatching(/^src\/planted\.ts:1 .* takes .* time\./)]);
});

test('F7 W1 a slow expression in a component is found', () => {
  const text = String.raw`export const A = ({ b }: { b: string }) => <p>{b.replace(/\s+$/, String())}</p>;`;
  expect(problems(text, 'src/planted.tsx')).toHaveLength(1);
});

test('F7 W1 an expression that is put together at run time is found', () => {
  const text = "export const a = (given: string) => new RegExp('^' + given);";
  expect(problems(text)).toEqual([expect.stringContaining('at run time')]);
});

test.each([
  '/^[0-9]{4}-([0-9]{2}|[0-9]{4})$/',
  String.raw`/(?<!\/)\/+$/`,
  String.raw`/[\s-]/g`,
  String.raw`/[^\p{L}\p{N}]+/u`,
])('F7 %s is left alone', (literal) => {
  expect(problems(`export const a = ${literal};`)).toEqual([]);
});

test('F7 an exception holds for its own file and expression alone, and one that nothing needs is reported', () => {
  const text = String.raw`export const a = (given: string) => given.replace(/\s+$/, '');`;
  const source = String.raw`\s+$`;
  const found = (path: string) =>
    problemsOf([{ path: 'src/a.ts', text }], { exceptions: [{ path, source, reason: 'Read at start.' }] });
  expect(found('src/a.ts')).toEqual([]);
  expect(found('src/b.ts')).toEqual([
    expect.stringMatching(/takes/),
    expect.stringMatching(/^src\/b\.ts .* Remove it/),
  ]);
});

test('F7 npm run check looks at every expression', () => {
  expect(readFileSync(join(import.meta.dirname, 'checks.ts'), 'utf8')).toContain("'scripts/expressions.ts', '--check'");
});

test('F7 an expression is judged once, and its verdict is kept for its flags and the version of recheck', () => {
  const verdicts = {};
  const found = (literal: string, known = {}) =>
    problemsOf([{ path: 'src/a.ts', text: `export const a = ${literal};` }], { exceptions: [], known, verdicts });
  const slow = String.raw`/\s+$/`;
  expect([found(slow), found('/a/'), found('/b/g')]).toEqual([[expect.stringMatching(/takes/)], [], []]);
  const lock = safeLines(verdicts, '4.5.0');
  expect(lock).toBe('recheck 4.5.0\n/a/\n/b/g\n');
  expect(readSafe(lock, '4.5.0')).toEqual({ '/a/': '', '/b/g': '' });
  expect(readSafe(lock, '4.5.1')).toEqual({});
  expect(found(`${slow}g`, { [`${slow}g`]: '' })).toEqual([]);
  expect(found(`${slow}u`, { [slow]: '' })).toHaveLength(1);
});

soak('F7 every expression of the lock is safe', () => {
  const [, ...lines] = readFileSync(join(import.meta.dirname, 'expressions.lock'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeGreaterThan(100);
  const text = lines.map((line) => `(${line});`).join('\n');
  expect(problemsOf([{ path: 'src/a.ts', text }], { exceptions: [] })).toEqual([]);
});
