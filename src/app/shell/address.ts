import type { Page } from '#kit/contract/page.ts';

const base = '/school-erp';

/** The address of a page by the path that its manifest gives. */
export type AddressOf<Path extends string> = Path extends ''
  ? typeof base
  : Path extends `/${string}`
    ? Path
    : `${typeof base}/${Path}`;

/** The address of a menu page. /school-erp leads to the dashboard's own address. */
export const addressOf = ({ path: link }: Page): string => (link === '' ? base : `${base}/${link}`);

const bare = (path: string) => path.replace(/(?<!\/)\/+$/, '');

/** Whether an address is that of a record which this page lists. */
export const isBelow = (pathname: string, page: Page) =>
  page.path !== '' &&
  [page.path, page.records].some((path) => path !== undefined && pathname.startsWith(`${base}/${path}/`));

/** Whether an address is that of a page, where `$name` stands for any word, or of a record below it. */
function isIn(pathname: string, page: Page): boolean {
  const words = bare(pathname).split('/');
  return addressOf(page)
    .split('/')
    .every((word, index) => (word.startsWith('$') ? Boolean(words[index]) : word === words[index]));
}

/** The paths of the menu pages within which an address lies, as the page there names them. */
export const withinOf = (pathname: string, pages: readonly Page[]): readonly string[] =>
  pages.find((page) => page.within && isIn(pathname, page))?.within ?? [];

/** Whether an address belongs to this page. */
export function isAt(pathname: string, page: Page): boolean {
  const path = bare(pathname);
  return page.path === '' ? path === base || path === `${base}/dashboard` : path === bare(addressOf(page));
}
