import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** The classes that modules take from each sheet; a sheet whose classes some module names by an expression is left out. */
function usedClasses() {
  const used = new Map<string, Set<string>>();
  const open = new Set<string>();
  for (const file of globSync('**/*.{ts,tsx}', { cwd: root })) {
    const text = read(file);
    for (const [, name, from = ''] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const path = from.startsWith('.') ? join(dirname(file), from) : from.replace(/^#/, '');
      const names = used.get(path) ?? new Set();
      used.set(path, names);
      for (const [, word, quoted, other] of text.matchAll(
        new RegExp(`(?<![-/.\\w])${name}(?:\\.(\\w+)\\b(?!\\.css)|\\[(?:'([\\w-]+)'\\]|([^'])))`, 'g'),
      ))
        if (other) open.add(path);
        else names.add(word ?? quoted ?? '');
    }
  }
  return { used, open };
}

test('every class of a module is one that its component uses, and the other way round', () => {
  const { used, open } = usedClasses();
  const problems: string[] = [];
  for (const file of globSync('**/*.module.css', { cwd: root })) {
    const names = used.get(file) ?? new Set();
    const known = new Set(
      [
        ...read(file)
          .replaceAll(/:global\((?:[^()]|\([^()]*\))*\)|\/\*[\s\S]*?\*\/|url\([^)]*\)/g, '')
          .matchAll(/\.([a-zA-Z][\w-]*)/g),
      ].map(([, name = '']) => name),
    );
    problems.push(...[...names].filter((name) => !known.has(name)).map((name) => `${file} has no ${name}`));
    if (!open.has(file))
      problems.push(...[...known].filter((name) => !names.has(name)).map((name) => `nothing uses ${name} of ${file}`));
  }
  expect(used.size).toBeGreaterThan(100);
  expect(problems).toEqual([]);
});

test('each value of a property of a layout part has a rule', () => {
  const [sheet, source] = [read('kit/browser/ui/Layout.module.css'), read('kit/browser/ui/Layout.tsx')];
  const numbers = (name: string) =>
    [...(new RegExp(`${name}\\??: ([^;]+);`).exec(source)?.[1]?.matchAll(/\d+|'([\w-]+)'/g) ?? [])].map(
      ([number, word]) => word ?? number,
    );
  const spaces = [...(/type Space = ([^;]+);/.exec(source)?.[1]?.matchAll(/\d+/g) ?? [])].map(String);
  const wanted = [
    ...['tone', 'size', 'weight', 'breaks', 'line', 'columns', 'align', 'justify'].flatMap((name) =>
      numbers(name).map((value) => `${name}-${value}`),
    ),
    ...spaces.flatMap((space) => [`rows-${space}`, `gap-${space}`]),
    ...spaces.filter((space) => space !== '2' && space !== '32').flatMap((space) => [`mt-${space}`, `mb-${space}`]),
  ];
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((name) => !new RegExp(`\\.${name}\\b(?!-)`).test(sheet))).toEqual([]);
});
