import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const browser = join(import.meta.dirname, '..');
const read = (pattern: string, exclude = (_name: string) => false) =>
  globSync(pattern, { cwd: browser, exclude })
    .map((file) => readFileSync(join(browser, file), 'utf8'))
    .join('\n');
const names = (text: string, expression: RegExp) => [...text.matchAll(expression)].map(([, name]) => name);

const used = names(read('{*/*.gallery.tsx,gallery/*.tsx,../../kit.tsx}'), /<([A-Z]\w*)/g);

test.each(['ui', 'form', 'list'])('the gallery shows every component that kit/browser/%s exports', (folder) => {
  const sources = read(`${folder}/*.tsx`, (name) => /\.(gallery|test)\.tsx$/.test(name));
  // What comes later is shown by the component that loads it.
  const isLater = (name = '') => name === 'Mantine' || name.startsWith('Loaded');
  const components = names(sources, /^export (?:const|function) ([A-Z]\w*)/gm).filter(
    (name) => !name?.endsWith('Context') && !isLater(name),
  );
  expect(components.length).toBeGreaterThan(3);
  expect(components.filter((name) => !used.includes(name))).toEqual([]);
});
