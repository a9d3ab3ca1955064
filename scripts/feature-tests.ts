import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPromises } from './acceptance.ts';

const root = join(import.meta.dirname, '..');

/** The product's features, by the names of their folders. */
export const featureNames = () => globSync('*', { cwd: join(root, 'src/features') }).sort();

/**
 * What `npm test -- <feature>` runs: the tests and specs in its folder, its rows of the access matrix, and files
 * elsewhere that alone prove one of its ids.
 */
export function chooseTests(feature: string): { unit: string[]; specs: string[] } {
  const own = `src/features/${feature}/`;
  const files = globSync(['{src,scripts,testing}/**/*.test.{ts,tsx}', '{src,e2e}/**/*.spec.ts'], { cwd: root }).sort();
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const provers = (id: string) => files.filter((file) => namesId(texts.get(file) ?? '', id));

  const chosen = new Set(files.filter((file) => file.startsWith(own)));
  for (const id of readPromises({ feature, by: 'test' })) {
    const found = provers(id);
    if (!found.some((file) => file.startsWith(own))) for (const file of found) chosen.add(file);
  }
  if (existsSync(join(root, own, 'matrix.ts'))) chosen.add('src/app/matrix.test.ts');
  const isSpec = (file: string) => file.endsWith('.spec.ts');
  return {
    unit: [...chosen].filter((file) => !isSpec(file)),
    specs: [...chosen].filter(isSpec),
  };
}

/** Whether a test title begins with ids that include this one; titles of `soak` count for `npm run soak` only. */
function namesId(source: string, id: string): boolean {
  for (let at = source.indexOf(id); at >= 0; at = source.indexOf(id, at + 1)) {
    const before = source.slice(Math.max(0, at - 80), at);
    const opened = before.slice(Math.max(...["'", '"', '`'].map((quote) => before.lastIndexOf(quote))) + 1);
    const caller = before.slice(0, before.length - opened.length - 1);
    const isTitle =
      before.length > opened.length && !/soak\(\s*$/.test(caller) && /^(?:[A-Z]+[0-9.]+[ ,:]+)*$/.test(opened);
    if (isTitle && /[ ,:]/.test(source[at + id.length] ?? '')) return true;
  }
  return false;
}
