import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('a dark device and a person who chose dark see the same colours', () => {
  const lists = [...read('kit/browser/ui/dark.css').matchAll(/:root[^{]*\{([^}]*)\}/g)].map(([, list]) => list);
  expect(lists).toHaveLength(2);
  expect(lists[0]).toContain('--paper');
  expect(lists[1]).toBe(lists[0]);
});

test('no other style asks the device for its colours, so that the choice of a person rules all of them', () => {
  const asking = globSync('**/*.css', { cwd: root }).filter((file) => read(file).includes('prefers-color-scheme'));
  expect(asking).toEqual(['kit/browser/ui/dark.css']);
});
