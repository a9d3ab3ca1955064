// What the files of the product import, read from their text.
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = join(import.meta.dirname, '..');
const imported = /(?:from|import)\s{0,20}\(?\s{0,20}'([^']+)'/g;
/** The names of package.json's `imports`. */
const names = /^#(kit|access|features)\//;

/** The files that each file imports, by their paths from the root of the project. */
export type Graph = ReadonlyMap<string, readonly string[]>;

interface Reading {
  /** Also the files of which only types are needed. */
  withTypes?: boolean;
}

/** What a file imports, by the names that it uses, without those of which it needs only types. */
export const importedNames = (text: string, { withTypes = false }: Reading = {}): string[] =>
  [...text.matchAll(imported)].flatMap((found) =>
    !withTypes && found[0].startsWith('from') && isOfTypes(text, found.index) ? [] : (found[1] ?? []),
  );

/** The files that a file imports, without packages and without those of which it needs only types. */
export function importsOf(path: string, text: string, reading: Reading = {}): string[] {
  return importedNames(text, reading).flatMap((name) => {
    if (name.startsWith('.')) return [posix.join(posix.dirname(path), name)];
    return name.startsWith('#') ? [name.replace(names, 'src/$1/').replace('#', '')] : [];
  });
}

/** Whether the import or export that ends here begins with `import type` or `export type`. */
function isOfTypes(text: string, end: number): boolean {
  const lines = ['\nimport ', '\nexport '].map((word) => `\n${text.slice(0, end)}`.lastIndexOf(word));
  return `\n${text}`.slice(Math.max(...lines) + 8).startsWith('type ');
}

/** The imports of all files of src, testing, scripts, e2e and the database. */
export function readGraph(reading: Reading = {}): Graph {
  const files = globSync('{src,testing,scripts,e2e,database}/**/*.{ts,tsx}', { cwd: root });
  return new Map(files.map((path) => [path, importsOf(path, readFileSync(join(root, path), 'utf8'), reading)]));
}

/** The files that import one of these, directly or through others, and these themselves; `passes` says which files lead on. */
export function importersOf(changed: readonly string[], graph: Graph, passes = (_path: string) => true): Set<string> {
  const importers = new Map<string, string[]>();
  for (const [path, imports] of graph)
    for (const target of imports) importers.set(target, [...(importers.get(target) ?? []), path]);
  const reached = new Set(changed);
  const waiting = [...changed];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const path of importers.get(next) ?? [])
      if (!reached.has(path)) {
        reached.add(path);
        if (passes(path)) waiting.push(path);
      }
  return reached;
}
