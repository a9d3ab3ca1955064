import { posix } from 'node:path';

interface Source {
  /** From the root of the project. */
  path: string;
  text: string;
}

const folders = 'src/features/';
const imported = /(?:from|import)\s{0,20}\(?\s{0,20}'([^']+)'/g;
/** Demo data and tests may need rows of any feature. */
const isFree = (path: string) => /\.(test|spec)\.tsx?$|\/(seed|matrix|examples)\.ts$/.test(path);

/** The feature that an import of this file names; undefined outside the features. */
function featureOf(name: string, path: string): string | undefined {
  const target = name.startsWith('.') ? posix.join(posix.dirname(path), name) : name.replace(/^#features\//, folders);
  return target.startsWith(folders) ? target.slice(folders.length).split('/')[0] : undefined;
}

/** The rings of features whose folders import each other, directly or through others, each in the order of its names. */
export function featureRings(sources: readonly Source[]): string[][] {
  const imports = new Map<string, Set<string>>();
  for (const { path, text } of sources.filter(({ path }) => path.startsWith(folders) && !isFree(path))) {
    const from = path.slice(folders.length).split('/')[0] ?? '';
    const known = imports.get(from) ?? new Set();
    imports.set(from, known);
    for (const [, name = ''] of text.matchAll(imported)) {
      const to = featureOf(name, path);
      if (to !== undefined && to !== from) known.add(to);
    }
  }
  const reached = new Map([...imports.keys()].map((feature) => [feature, reachedFrom(feature, imports)]));
  const rings = [...imports.keys()]
    .filter((feature) => reached.get(feature)?.has(feature))
    .map((feature) =>
      [...imports.keys()].filter((o) => reached.get(feature)?.has(o) && reached.get(o)?.has(feature)).sort(),
    );
  return [...new Map(rings.map((ring) => [ring.join(), ring])).values()];
}

function reachedFrom(feature: string, imports: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const waiting = [feature];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const other of imports.get(next) ?? [])
      if (!reached.has(other)) {
        reached.add(other);
        waiting.push(other);
      }
  return reached;
}
