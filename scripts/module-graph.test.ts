import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { notBuilt } from './build.ts';
import { importersOf, importsOf, readGraph } from './module-graph.ts';

test('the imports of a file are modules of the product that it loads', () => {
  const text = `import { join } from 'node:path';
import { field } from '#kit/contract/field.ts';
import { plan } from '../contract/plan.ts';
import type { Plan } from './plan.ts';
import { type Row, rows } from './rows.ts';
import '#testing/each-file.ts';
export type { Other } from './other.ts';
export { more } from './more.ts';
const page = () => import('./Page.tsx');
`;
  expect(importsOf('src/features/fee/server/plan.ts', text)).toEqual([
    'src/kit/contract/field.ts',
    'src/features/fee/contract/plan.ts',
    'src/features/fee/server/rows.ts',
    'testing/each-file.ts',
    'src/features/fee/server/more.ts',
    'src/features/fee/server/Page.tsx',
  ]);
});

test('the importers of a file are found through others, up to those that lead no further', () => {
  const graph = new Map([
    ['c', ['b']],
    ['b', ['a']],
    ['d', ['c']],
  ]);
  expect([...importersOf(['a'], graph)]).toEqual(['a', 'b', 'c', 'd']);
  expect([...importersOf(['a'], graph, (path) => path !== 'c')]).toEqual(['a', 'b', 'c']);
});

test('no page is built from a file whose change builds no pages', () => {
  const graph = readGraph();
  const built = new Set<string>();
  const waiting = [...graph.keys()].filter((path) =>
    /^src\/(form|family|browser|first-paint|kit)\.tsx$|-work\.ts$/.test(path),
  );
  expect(waiting.length).toBeGreaterThan(7);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    if (!built.has(next)) {
      built.add(next);
      waiting.push(...(graph.get(next) ?? []));
    }
  expect(built.size).toBeGreaterThan(800);
  expect([...built].filter((path) => notBuilt.some((glob) => matchesGlob(path, glob)))).toEqual([]);
});
