import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unboundedWalks } from './walks.ts';

const head = `import { allRoutes } from './server.ts';
import { allMasters as lists, features } from '../src/app/features.server.ts';
const endpoints = allRoutes.map(({ endpoint }) => endpoint);
const pages = [first, ...features.flatMap(({ pages }) => pages)];
`;
const found = (code: string) => unboundedWalks(head + code).map((walk) => walk.replace(/^\d+: /, ''));

test.each([
  "test.each(endpoints)('%s is safe', async () => {});",
  "describe.each(lists.map((one) => [one.table, one] as const))('%s', () => {});",
  "for (const one of endpoints.filter(({ method }) => method === 'GET')) await ask(one);",
  'for (const { path } of pages) test(path, async () => {});',
  'await Promise.all(endpoints.map(ask));',
  'for (const [name, one] of Object.entries(features)) await ask(name, one);',
])('a planted walk without a bound is refused: %s', (walk) => {
  expect(found(walk)).toEqual([walk]);
});

test.each([
  "test.each(oneOfEach(endpoints, handlerOf))('%s is safe', async () => {});",
  'const some = oneOfEach(endpoints, handlerOf);\nfor (const one of some) await ask(one);',
  "describe.each(placesOfEachKind(endpoints))('%s', () => {});",
  "test.each(isSoak ? lists : lists.slice(0, 1))('%s', () => {});",
  "soak('every list is read', async () => {\n  for (const one of lists) await ask(one);\n});",
  '// Walks all: each page is its own code.\nfor (const { path } of pages) test(path, async () => {});',
])('a walk that says how it is bounded is not refused: %s', (walk) => {
  expect(found(walk)).toEqual([]);
});

test('a loop in process, a search and a list of one feature are no walks', () => {
  expect(found('for (const one of endpoints) expect(one.access).toBeDefined();')).toEqual([]);
  expect(found("const one = endpoints.find(({ path }) => path === '/a');\nawait ask(one);")).toEqual([]);
  expect(found("test.each(['a', 'b'])('%s', async () => {});")).toEqual([]);
});

test('a comment of another line does not bound a walk', () => {
  const walk = "test.each(endpoints)('%s', async () => {});";
  expect(found(`// Walks all: in process.\nconst other = 1;\n${walk}`)).toEqual([walk]);
  expect(found(`// Walks all:\n${walk}`)).toEqual([walk]);
});

test('the check is one of those of npm run check', () => {
  expect(readFileSync(join(import.meta.dirname, 'checks.ts'), 'utf8')).toContain("'scripts/walks.ts'");
});
