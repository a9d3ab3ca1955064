// Which packages a running server needs: those that its files import, and what these need in turn.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importedNames, readGraph } from './module-graph.ts';

const root = join(import.meta.dirname, '..');

/** The commands of an operator, which are packed beside the server; `healthy` is a container's own. */
export const packedCommands = [
  'backup',
  'create-admin',
  'fleet',
  'healthy',
  'inquiry',
  'prepare-database',
  'restore',
  'rotate-key',
  'upgrade',
] as const;

const entries = [
  'src/server.ts',
  'src/app/backup/daily-process.ts',
  ...globSync('src/kit/server/work/*-work.ts', { cwd: root }),
  ...packedCommands.map((name) => `scripts/${name}.ts`),
];
/** Opened by their paths: the fonts of papers. */
const opened = ['@expo-google-fonts/noto-sans', '@expo-google-fonts/noto-sans-gujarati'];

/** The package of an import: "zod" of "zod/mini". */
const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

/** The files that the server and the operator's commands load. */
export function servedFiles(): string[] {
  const graph = readGraph();
  const reached = new Set<string>(entries);
  for (const path of reached) for (const target of graph.get(path) ?? []) reached.add(target);
  return [...reached].filter((path) => graph.has(path)).sort();
}

/** The packages that these files import. Words after "from" in a statement are none. */
export function servedPackages(files: readonly string[]): string[] {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = files.flatMap((path) => importedNames(readFileSync(join(root, path), 'utf8')).map(packageOf));
  const known = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  return [...new Set([...names, ...opened])].filter((name) => known.has(name)).sort();
}

interface Entry {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** The places in node_modules of these packages and of all that they need, as package-lock.json has them. */
export function placesOf(names: readonly string[], lock: Record<string, Entry>): string[] {
  const places = new Set<string>();
  const find = (name: string, from: string): string | undefined => {
    const at = `${from}${from && '/'}node_modules/${name}`;
    if (at in lock) return at;
    return from === '' ? undefined : find(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
  };
  const add = (name: string, from: string) => {
    const place = find(name, from);
    // A binary for another system is in the file, but not installed.
    if (!place || places.has(place) || !existsSync(join(root, place))) return;
    places.add(place);
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = lock[place] ?? {};
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta?.[peer]?.optional);
    for (const need of Object.keys({ ...dependencies, ...optionalDependencies })) add(need, place);
    for (const need of peers) add(need, place);
  };
  for (const name of names) add(name, '');
  return [...places].sort();
}
