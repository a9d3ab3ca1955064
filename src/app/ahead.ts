import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { yearApi } from '#features/calendar/contract/year.ts';
import { notificationApi } from '#features/notification/contract.ts';
import { signInApi } from '#features/sign-in/contract/sign-in.ts';
import type { Page } from '#kit/contract/page.ts';
import { english } from '#kit/contract/text.ts';
import type { OpenedPage } from '#kit/server/http/static-pages.ts';
import { sessionCookie } from '#kit/server/security/session.ts';
import { features } from './features.server.ts';
import { dashboardPage } from './menu.ts';

/** What every page of the shell reads before its own data. */
const reads = [signInApi.me, yearApi.list, notificationApi.unread];

/** The chunks that every page of the shell loads (scripts/chunk-groups.ts), in the order of their styles. */
const chunks = ['sign-in', 'shell', 'kit'];

const under = '/school-erp/';

interface Chunk {
  name?: string;
  file: string;
  css?: string[];
  imports?: string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

/** Draws the frame of the shell with the title of a page (src/first-paint.tsx). */
export type DrawShell = (configuration: object, title: string) => string;

/** What pages of the shell get with their HTML: the frame, and preloads of their scripts, styles and first data. */
export function readAhead(buildFolder: string, drawShell: DrawShell) {
  const manifest: Manifest = JSON.parse(readFileSync(join(buildFolder, '.vite/browser.json'), 'utf8'));
  const base = chunks.flatMap((name) => Object.keys(manifest).filter((key) => manifest[key]?.name === name));
  const modules = pageModules();
  const shell = [
    ...modulesOf(manifest, base),
    // The frame needs them, so nothing is painted before they are here.
    ...stylesOf(manifest, base).map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...reads.map(({ path }) => `<link rel="preload" as="fetch" crossorigin href="/api${path}">`),
  ];
  const openedBy = (title: string, module?: string): OpenedPage => {
    const own = module ? withImports(manifest, module).filter((key) => !base.includes(key)) : [];
    const links = [
      ...shell,
      ...modulesOf(manifest, own),
      ...stylesOf(manifest, own).map((file) => `<link rel="preload" as="style" crossorigin href="/${file}">`),
    ].join('');
    return { links, firstPaint: (configuration) => drawShell(configuration, title) };
  };
  const unknown = openedBy('');
  const dashboard: Page = { ...dashboardPage, path: 'dashboard' };
  const pages = [dashboard, ...features.flatMap((feature): readonly Page[] => feature.pages)].map((page) => {
    // A record has its own name.
    const title = page.path.includes('$') ? '' : english(page.title);
    return { ...page, opened: openedBy(title, modules.get(page.path)) };
  });
  const find = (path: string) => findPage(pages, path.slice(under.length));
  return {
    cookie: sessionCookie,
    under,
    open: (path: string) => find(path)?.page.opened ?? unknown,
    dataOf: (url: string) => {
      const [path = '', search] = url.split('?');
      const found = search === undefined ? find(path) : undefined;
      if (!found?.page.isReadAhead) return undefined;
      return `/api${found.page.reads?.replace('GET ', '').replace(/:\w+/, () => found.value)}`;
    },
  };
}

/** The page at a path below the shell's own, and the value of its parameter. */
export function findPage<One extends Page>(pages: readonly One[], path: string) {
  const parts = path.replace(/\/$/, '').split('/');
  const matches = pages.flatMap((page) => {
    const named = page.path.split('/');
    const place = named.findIndex((part) => part.startsWith('$'));
    if (named.length !== parts.length || named.some((part, at) => at !== place && part !== parts[at])) return [];
    const value = parts[place] ?? '';
    return place < 0 || /^[0-9]{1,9}$/.test(value) ? [{ page, value }] : [];
  });
  // An exact path wins over one with a parameter.
  return matches.find(({ page }) => !page.path.includes('$')) ?? matches[0];
}

/** The module of each page by its path, read from the features' `pages/feature.tsx`. */
export function pageModules(): Map<string, string> {
  const root = join(import.meta.dirname, '../..');
  const modules = new Map([['dashboard', 'src/app/shell/DashboardRoute.tsx']]);
  for (const file of globSync('src/features/*/pages/feature.tsx', { cwd: root }))
    for (const line of readFileSync(join(root, file), 'utf8').split('\n')) {
      const [before = '', after = ''] = line.split(/: \(\) => import\(/);
      const [, module] = after.split("'");
      if (module) modules.set((before.split(' ').at(-1) ?? '').replaceAll("'", ''), join(dirname(file), module));
    }
  return modules;
}

/** A chunk and everything that it imports at once. */
function withImports(manifest: Manifest, key: string, found = new Set<string>()): string[] {
  if (!found.has(key)) {
    found.add(key);
    for (const imported of manifest[key]?.imports ?? []) withImports(manifest, imported, found);
  }
  return [...found];
}

/** The start script and what it imports are in the page already. */
const modulesOf = (manifest: Manifest, keys: readonly string[]) =>
  keys
    .flatMap((key) => manifest[key] ?? [])
    .filter(({ file, name = '' }) => file.endsWith('.js') && !['start', 'rolldown-runtime'].includes(name))
    .map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`);

const stylesOf = (manifest: Manifest, keys: readonly string[]) =>
  keys.flatMap((key) => (manifest[key]?.name === 'start' ? [] : (manifest[key]?.css ?? [])));
