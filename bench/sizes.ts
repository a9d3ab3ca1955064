import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Figure } from './budgets.ts';

interface Chunk {
  file: string;
  /** Of a group of modules (scripts/chunk-groups.ts), its name. */
  name?: string;
  css?: string[];
  imports?: string[];
  isEntry?: boolean;
  isDynamicEntry?: boolean;
}

type Manifest = Record<string, Chunk>;

/** A build of one HTML entry, by the manifest that Vite writes of it. */
function openBuild(buildFolder: string, name: 'form' | 'family' | 'browser') {
  const manifest: Manifest = JSON.parse(readFileSync(join(buildFolder, `.vite/${name}.json`), 'utf8'));
  // The form's build has one style sheet and names it apart from its page.
  const style = manifest['style.css'];
  if (style) {
    delete manifest['style.css'];
    for (const chunk of Object.values(manifest)) if (chunk.isEntry) chunk.css = [style.file];
  }
  /** A chunk and everything it needs before it can run. */
  const withImports = (chunk: string, found = new Set<string>()): Set<string> => {
    if (found.has(chunk)) return found;
    found.add(chunk);
    for (const imported of manifest[chunk]?.imports ?? []) withImports(imported, found);
    return found;
  };
  const scriptFiles = (chunks: Iterable<string>) => [...chunks].map((chunk) => manifest[chunk]?.file ?? '');
  const styleFiles = (chunks: Iterable<string>) => [
    ...new Set([...chunks].flatMap((chunk) => manifest[chunk]?.css ?? [])),
  ];
  const gzipped = (file: string) => gzipSync(readFileSync(join(buildFolder, file)), { level: 9 }).length;
  const kilobytes = (files: string[], sizeOf = gzipped) => files.reduce((sum, file) => sum + sizeOf(file), 0) / 1000;
  return {
    manifest,
    withImports,
    scriptFiles,
    styleFiles,
    /** Kilobytes of script and of style, each file by itself with gzip. */
    scripts: (chunks: Iterable<string>) => kilobytes(scriptFiles(chunks)),
    styles: (chunks: Iterable<string>) => kilobytes(styleFiles(chunks)),
    /** Kilobytes of both as browsers get them, with brotli. */
    transferred: (chunks: Set<string>) =>
      kilobytes(
        [...scriptFiles(chunks), ...styleFiles(chunks)],
        (file) => statSync(join(buildFolder, `${file}.br`)).size,
      ),
  };
}

/** What is loaded, in chunks of the build, and how large it is. */
export function sizesOf(buildFolder: string) {
  const form = openBuild(buildFolder, 'form');
  const family = openBuild(buildFolder, 'family');
  const shell = openBuild(buildFolder, 'browser');
  const ofShell = Object.keys(shell.manifest).filter((chunk) =>
    ['start', 'shell'].includes(shell.manifest[chunk]?.name ?? ''),
  );
  const shellView = new Set(ofShell.flatMap((chunk) => [...shell.withImports(chunk)]));
  return {
    form,
    formView: form.withImports('form.html'),
    /** The pages of the form after the first one, and the page that asks for consent. */
    laterPages: Object.keys(form.manifest).filter((name) => form.manifest[name]?.isDynamicEntry),
    /** The page of a guardian's link; what its guardian opens by a button is loaded then. */
    family,
    familyView: family.withImports('family.html'),
    shell,
    shellView,
    /** Every page of the shell and around it, including the pages that are not built yet. */
    areaPages: laterOf(shell, shellView).filter((name) => !isLibrary(name)),
    /** Libraries that are loaded when something is opened on a page, such as a PDF or the editor of rich text. */
    onDemand: laterOf(shell, shellView).filter(isLibrary),
  };
}

/** Files that bring Mantine or the library of the editor. */
const withLibrary = /\/(RichTextEditor|LoadedCombobox|LoadedPairsField|FoundBox|mantine)\.tsx$/;

const isLibrary = (name: string) => !name.startsWith('src/') || withLibrary.test(name);

const laterOf = ({ manifest }: ReturnType<typeof openBuild>, view: Set<string>) =>
  Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry && !view.has(name));

/** The budgets: kilobytes loaded at first, and added at most by one page of the shell, and by a library opened on it. */
export const mostLoaded = {
  form: { script: 150, style: 15 },
  /** Script and style together, in any language. */
  family: 45,
  shell: { script: 185, style: 40 },
  area: 74,
  onDemand: 162,
};

/** The budget of an untouched form: requests and bytes, including headers, answers and pictures. */
export const mostOfForm = { requests: 10, kilobytes: 135 };

/** What is loaded, as figures of the benchmark. */
export function measureSizes(buildFolder: string): Figure[] {
  const { form, formView, family, familyView, shell, shellView, areaPages, onDemand } = sizesOf(buildFolder);
  const mostOf = (pages: readonly string[]) =>
    Math.max(
      ...pages.map((page) => {
        const more = [...shell.withImports(page)].filter((name) => !shellView.has(name));
        return shell.scripts(more) + shell.styles(more);
      }),
    );
  const figure = (name: string, value: number, most: number): Figure => ({ name, value, unit: 'kB', most });
  return [
    figure('First view of the form: script', form.scripts(formView), mostLoaded.form.script),
    figure('First view of the form: style', form.styles(formView), mostLoaded.form.style),
    figure('Family page: script and style', family.scripts(familyView) + family.styles(familyView), mostLoaded.family),
    figure('First view of the shell: script', shell.scripts(shellView), mostLoaded.shell.script),
    figure('First view of the shell: style', shell.styles(shellView), mostLoaded.shell.style),
    figure('Page of the shell: the most it adds', mostOf(areaPages), mostLoaded.area),
    figure('Library opened on a page: the most it adds', mostOf(onDemand), mostLoaded.onDemand),
  ];
}
