import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';
import { findPage, pageModules } from './ahead.ts';
import { features } from './features.server.ts';

test('every page of the shell has a module whose scripts its HTML can ask for', () => {
  const modules = pageModules();
  const pages = features.flatMap((feature): readonly Page[] => feature.pages);
  expect(pages.filter(({ path }) => !path.startsWith('/') && !modules.has(path))).toEqual([]);
  const root = join(import.meta.dirname, '../..');
  expect([...modules.values()].filter((module) => !existsSync(join(root, module)))).toEqual([]);
});

const page = (path: string): Page => ({ path, title: text`Tree` });

test.each([
  ['tree/list', 'tree/list', ''],
  ['tree/list/', 'tree/list', ''],
  ['tree/17', 'tree/$treeID', '17'],
  ['tree/17/leaf', undefined, undefined],
  ['tree/oak', undefined, undefined],
  ['tree/12345678901', undefined, undefined],
])('the page at %s is found by its words or by the number of its record', (path, found, value) => {
  const match = findPage([page('tree/$treeID'), page('tree/list')], path);
  expect([match?.page.path, match?.value]).toEqual([found, value]);
});

test('a page is read ahead only by GET, with no parameter but the one in its address', () => {
  const ahead = features
    .flatMap((feature): readonly Page[] => feature.pages)
    .filter(({ isReadAhead }) => isReadAhead === true);
  expect(ahead.length).toBeGreaterThan(0);
  for (const { path, reads = '' } of ahead) {
    expect(reads, path).toMatch(/^GET /);
    expect(reads.split(':').length, path).toBe(path.split('$').length);
  }
});
