import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problemsOf } from './expressions.ts';

const problems = (text: string, path = 'src/planted.ts') => problemsOf([{ path, text }], []);

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

test.each(slow)('F7 W1 %s is found', async (_what, text) => {
  expect(await problems(text)).toEqual([expect.stringMatching(/^src\/planted\.ts:1 .* takes .* time\./)]);
});

test('F7 W1 a slow expression in a component is found', async () => {
  const text = String.raw`export const A = ({ b }: { b: string }) => <p>{b.replace(/\s+$/, String())}</p>;`;
  expect(await problems(text, 'src/planted.tsx')).toHaveLength(1);
});

test('F7 W1 an expression that is put together at run time is found', async () => {
  const text = "export const a = (given: string) => new RegExp('^' + given);";
  expect(await problems(text)).toEqual([expect.stringContaining('at run time')]);
});

test.each([
  '/^[0-9]{4}-([0-9]{2}|[0-9]{4})$/',
  String.raw`/(?<!\/)\/+$/`,
  String.raw`/[\s-]/g`,
  String.raw`/[^\p{L}\p{N}]+/u`,
])('F7 %s is left alone', async (literal) => {
  expect(await problems(`export const a = ${literal};`)).toEqual([]);
});

test('F7 an exception holds for its own file and expression alone, and one that nothing needs is reported', async () => {
  const text = String.raw`export const a = (given: string) => given.replace(/\s+$/, '');`;
  const source = String.raw`\s+$`;
  const found = (path: string) =>
    problemsOf([{ path: 'src/a.ts', text }], [{ path, source, reason: 'Read at start.' }]);
  expect(await found('src/a.ts')).toEqual([]);
  expect(await found('src/b.ts')).toEqual([
    expect.stringMatching(/takes/),
    expect.stringMatching(/^src\/b\.ts .* Remove it/),
  ]);
});

test('F7 npm run check looks at every expression', () => {
  expect(readFileSync(join(import.meta.dirname, 'checks.ts'), 'utf8')).toContain("'scripts/expressions.ts'");
});

test('an expression is checked once, and keeps its verdict until it changes', async () => {
  const known: Record<string, string> = {};
  const found = (literal: string) =>
    problemsOf([{ path: 'src/a.ts', text: `export const a = ${literal};` }], [], known);
  const slow = String.raw`/\s+$/`;
  expect(await found(slow)).toHaveLength(1);
  expect(known).toEqual({ [slow]: expect.stringMatching(/^takes/) });
  known[slow] = '';
  expect(await found(slow)).toEqual([]);
  expect(await found(`${slow}u`)).toHaveLength(1);
});
