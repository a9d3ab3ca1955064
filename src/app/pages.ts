import type { PermissionSet, Role } from '#access/contract/grants.ts';
import { mayOpen } from '#access/contract/may-open.ts';
import type { SearchedPage } from '#features/search/contract.ts';
import type { Page } from '#kit/contract/page.ts';
import type { Text } from '#kit/contract/text.ts';
import { dashboardPage, menu } from './menu.ts';

interface Person {
  role: Role;
  sets: readonly PermissionSet[];
}

interface Group {
  title: Text;
  icon: (typeof menu)[Role][number]['icon'];
  pages: readonly Page[];
}

/** The complete menu of a role; `built` are the pages of all manifests. */
export function listGroups(built: readonly Page[], role: Role): Group[] {
  const pageAt = new Map([dashboardPage, ...built].map((page) => [page.path, page]));
  return menu[role].map((group) => ({ ...group, pages: group.pages.flatMap((path) => pageAt.get(path) ?? []) }));
}

/** The menu of a person: only pages that they may open, and no empty group. */
export const listMenu = (built: readonly Page[], person: Person): Group[] =>
  listGroups(built, person.role)
    .map((group) => ({
      ...group,
      pages: group.pages.filter((page) => mayOpen(page, person)),
    }))
    .filter(({ pages }) => pages.length > 0);

/**
 * The pages that search offers a person: those of their menu, then every other page of a manifest that they may open, then
 * the tabs of all of them, then what they may do on them.
 */
export function listSearchedPages(built: readonly Page[], person: Person): SearchedPage[] {
  const inMenu: SearchedPage[] = listMenu(built, person).flatMap(({ title, pages }) =>
    pages.map((page) => ({ page, group: title })),
  );
  const listed = new Set(inMenu.map(({ page }) => page.path));
  const others = built.filter(
    (page) => !listed.has(page.path) && !page.path.startsWith('/') && !page.path.includes('$') && mayOpen(page, person),
  );
  const pages = [...inMenu, ...others.map((page) => ({ page }))];
  const tabs = pages.flatMap(({ page }) => (page.tabs ?? []).map((tab) => ({ page, tab, group: page.title })));
  const acts = pages.flatMap(({ page }) =>
    (page.acts ?? []).filter((act) => mayOpen(act, person)).map((act) => ({ page, act, group: page.title })),
  );
  return [...pages, ...tabs, ...acts];
}
