import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Figure } from './budgets.ts';

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  isDynamicEntry?: boolean;
}

export type Manifest = Record<string, Chunk>;

export const readManifest = (buildFolder: string): Manifest =>
  JSON.parse(readFileSync(join(buildFolder, '.vite/manifest.json'), 'utf8'));

export const formPages = 'src/features/admission-form/pages';

/** What is loaded, in chunks of the build, and how large it is. */
export function sizesOf(buildFolder: string) {
  const manifest = readManifest(buildFolder);
  const kilobytes = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(buildFolder, file)), { level: 9 }).length, 0) /
    1000;
  /** A chunk and everything it needs before it can run. */
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found;
    found.add(name);
    for (const imported of manifest[name]?.imports ?? []) withImports(imported, found);
    return found;
  };
  const formView = new Set([...withImports('form.html'), ...withImports(`${formPages}/BasicInfoPage.tsx`)]);
  const shellView = new Set([...withImports('browser.html'), ...withImports('src/app/shell/ShellRoute.tsx')]);
  return {
    manifest,
    withImports,
    /** Kilobytes of script and of style, each file by itself with gzip. */
    scripts: (names: Iterable<string>) => kilobytes([...names].map((name) => manifest[name]?.file ?? '')),
    styles: (names: Iterable<string>) => kilobytes(new Set([...names].flatMap((name) => manifest[name]?.css ?? []))),
    formView,
    shellView,
    /** Every page behind the shell and around it, that of areas to come included. */
    areaPages: Object.keys(manifest).filter(
      (name) => manifest[name]?.isDynamicEntry && !shellView.has(name) && !name.startsWith(formPages),
    ),
  };
}

/** The most that is loaded at first, in kilobytes, and the most that a page of the shell adds to it. */
export const mostLoaded = {
  form: { script: 150, style: 15 },
  shell: { script: 260, style: 40 },
  area: 60,
};

/** What is loaded, as figures of the benchmark. */
export function measureSizes(buildFolder: string): Figure[] {
  const { formView, shellView, areaPages, withImports, scripts, styles } = sizesOf(buildFolder);
  const more = areaPages.map((page) => [...withImports(page)].filter((name) => !shellView.has(name)));
  const figure = (name: string, value: number, most: number): Figure => ({ name, value, unit: 'kB', most });
  return [
    figure('First view of the form: script', scripts(formView), mostLoaded.form.script),
    figure('First view of the form: style', styles(formView), mostLoaded.form.style),
    figure('First view of the shell: script', scripts(shellView), mostLoaded.shell.script),
    figure('First view of the shell: style', styles(shellView), mostLoaded.shell.style),
    figure(
      'Page of the shell: the most it adds',
      Math.max(...more.map((names) => scripts(names) + styles(names))),
      mostLoaded.area,
    ),
  ];
}
