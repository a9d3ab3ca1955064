import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('every class that a page names as a word is in a style sheet', () => {
  const sheets = globSync('**/*.css', { cwd: root }).filter((file) => !file.endsWith('.module.css'));
  const known = new Set(sheets.flatMap((file) => [...read(file).matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name)));
  const named = globSync('**/*.tsx', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/className="([^"]+)"/g)]
      .flatMap(([, names = '']) => names.split(' '))
      .map((name) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
});
