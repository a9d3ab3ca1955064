// `npm test -- --since <revision>`: the tests of what has changed. A feature's tests, rows of the access matrix and specs run
// with its code; tests of other features where they import it, and the pages that show it.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { formPaths } from '../src/features/admission-form/contract/pages.ts';
import { chooseTests } from './feature-tests.ts';
import { git } from './merged.ts';
import { type Graph, importersOf, readGraph } from './module-graph.ts';

const root = join(import.meta.dirname, '..');

/** The files that differ from the commit in which this branch left a revision; undefined where git does not know it. */
export function changedSince(revision: string): string[] | undefined {
  const base = git('merge-base', revision, 'HEAD')?.trim();
  const changed = base && git('diff', '--name-only', '--no-renames', base);
  const added = git('ls-files', '--others', '--exclude-standard');
  if (changed === undefined || added === undefined) return undefined;
  return [...new Set(`${changed}\n${added}`.split('\n').filter(Boolean))].sort();
}

/** The lines in which a module takes from others or gives to them: a change of one may leave a name that nothing uses. */
export function namesOf(text: string): string {
  let isOpen = false;
  const lines = text.split('\n').filter((line) => {
    const begins = isOpen || line.startsWith('import ') || line.startsWith('export {');
    isOpen = begins && !line.includes(';');
    return begins || line.startsWith('export ') || line.includes("import('");
  });
  return lines.join('\n');
}

/** Whether one of the changed files imports or exports other names than in the commit in which this branch left a revision. */
export function namesDiffer(revision: string, changed: readonly string[]): boolean {
  const base = git('merge-base', revision, 'HEAD')?.trim();
  return changed
    .filter((path) => /\.tsx?$/.test(path))
    .some((path) => {
      const before = git('show', `${base}:${path}`);
      const now = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
      return before === undefined || now === undefined || namesOf(before) !== namesOf(now);
    });
}

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);
const isSpec = (path: string) => path.endsWith('.spec.ts');
const featureOf = (path: string) => /^src\/features\/([^/]+)\//.exec(path)?.[1];

/** What changes no program, or is checked without running one. */
const harmless = ['src/locales/', 'docs/', 'scripts/expressions.lock'];

/** The changed files that may matter to every test. */
export const commonFiles = (changed: readonly string[]): string[] =>
  changed.filter(
    (path) =>
      !featureOf(path) && !isTest(path) && !path.endsWith('.md') && !harmless.some((start) => path.startsWith(start)),
  );

export interface Chosen {
  unit: string[];
  specs: string[];
  /** Features whose rows of the access matrix are walked. */
  rows: string[];
  /** Paths of pages that e2e/pages.spec.ts opens. */
  pages: string[];
}

/** More tests or pages of other features than this are left to the whole `npm test`, but for tests that import what changed. */
const mostOfOthers = 10;

type Side = 'server' | 'browser';

const sideOfTest = (path: string): Side => (/\/(pages|ui)\/|\.tsx$/.test(path) ? 'browser' : 'server');

/** A contract belongs to both sides. */
const sidesOf = (path: string): Side[] =>
  /\/contract(\/|\.ts$)/.test(path) ? ['server', 'browser'] : [sideOfTest(path)];

/** Tests and manifests name the whole product, so what they import leads no further. */
export const leadsOn = (path: string) => featureOf(path) !== undefined && !isTest(path) && !path.endsWith('/seed.ts');

/** What runs after these files have changed. */
export function chooseSince(changed: readonly string[], graph: Graph = readGraph()): Chosen {
  const code = changed.filter((path) => featureOf(path) && !isTest(path) && !path.endsWith('/acceptance.txt'));
  const reached = [...importersOf(code, graph, leadsOn)].filter(featureOf);
  const own = new Set(code.map(featureOf));
  const others = [...new Set(reached.map(featureOf))].filter((feature) => !own.has(feature));

  const testsOf = (feature: string | undefined, files: readonly string[]): string[] => {
    const sides = files.filter((path) => featureOf(path) === feature && !isTest(path)).flatMap(sidesOf);
    const { unit, specs } = chooseTests(feature ?? '');
    return [...unit.filter((path) => sides.includes(sideOfTest(path))), ...specs];
  };
  const ofOthers = others.flatMap((feature) => testsOf(feature, reached)).filter((path) => path !== matrixTest);
  const isWithOthers = ofOthers.length <= mostOfOthers;

  const tests = new Set([
    ...changed.filter((path) => isTest(path) && graph.has(path)),
    ...[...own].flatMap((feature) => testsOf(feature, code)),
    ...(isWithOthers ? ofOthers : reached.filter((path) => isTest(path) && !isSpec(path))),
  ]);
  const pages = pagesOf(reached);
  const ownPages = pages.filter(({ feature }) => own.has(feature));
  const chosenPages = (pages.length <= mostOfOthers ? pages : ownPages).map(({ path }) => path);
  const rows = [...own, ...(isWithOthers ? others : [])].filter(
    (feature) => feature !== undefined && graph.has(`src/features/${feature}/matrix.ts`),
  );
  return {
    unit: [...tests].filter((path) => !isSpec(path)).sort(),
    specs: [...new Set([...[...tests].filter(isSpec), ...(chosenPages.length > 0 ? [pagesSpec] : [])])].sort(),
    rows: tests.has(matrixTest) ? (rows as string[]).sort() : [],
    pages: chosenPages.sort(),
  };
}

const matrixTest = 'src/app/matrix.test.ts';
const pagesSpec = 'e2e/pages.spec.ts';

/** The pages whose modules are among these, by the features' browser manifests. */
function pagesOf(modules: readonly string[]): { path: string; feature: string | undefined }[] {
  // The form has routes of its own.
  const formFolder = 'src/features/admission-form/pages/';
  const isInForm = modules.some((path) => path.startsWith(formFolder) && !isTest(path));
  const ofForm = isInForm ? formPaths.map((path) => ({ path, feature: featureOf(formFolder) })) : [];
  const ofManifests = globSync('src/features/*/pages/feature.tsx', { cwd: root }).flatMap((manifest) => {
    const text = readFileSync(join(root, manifest), 'utf8');
    return [...text.matchAll(/'([^']+)': \(\) => import\('([^']+)'\)/g)]
      .filter(([, , module = '']) => modules.includes(posix.join(posix.dirname(manifest), module)))
      .map(([, path = '']) => ({ path, feature: featureOf(manifest) }));
  });
  return [...ofForm, ...ofManifests];
}
