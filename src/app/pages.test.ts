import { expect, test } from 'vitest';
import { type PermissionSet, permissionSets, type Role, roles } from '#features/account/contract/access.ts';
import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';
import { comingPages } from './coming.ts';
import { features } from './features.server.ts';
import { dashboardPage, menu } from './menu.ts';
import { listMenu, listSearchedPages } from './pages.ts';

const built = features.flatMap(({ pages }) => pages);
const pathsOf = (pages: readonly { path: string }[]) => pages.map(({ path }) => path);
const menuPaths = (role: Role) => menu[role].flatMap(({ pages }): readonly string[] => pages);
const foundBy = (person: Parameters<typeof listSearchedPages>[1], pages = built) =>
  listSearchedPages(pages, person).map(({ page }) => page.path);

test('every page has one place among the manifests and the pages that are not built yet', () => {
  const paths = pathsOf([dashboardPage, ...comingPages, ...built]);
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
});

test('the manifests of both sides list the same pages', async () => {
  // Its type needs JSX, which this side of the code is compiled without.
  const file: string = './features.browser.tsx';
  const { features: sides }: { features: readonly { pages: readonly Page[] }[] } = await import(file);
  expect(pathsOf(sides.flatMap(({ pages }) => pages)).toSorted()).toEqual(pathsOf(built).toSorted());
});

test('no page that is not built yet is missing from the menu', () => {
  const listed = roles.flatMap(menuPaths);
  expect(pathsOf(comingPages).filter((path) => !listed.includes(path))).toEqual([]);
});

test.each(roles)('the menu of %s lists each page once, and only pages that exist and that they may open', (role) => {
  const shown = listMenu(built, { role, sets: permissionSets }).flatMap(({ pages }) => pathsOf(pages));
  expect(shown).toEqual(menuPaths(role));
  expect(new Set(shown).size).toBe(shown.length);
});

test.each([
  ['no permission set', [], ['Dashboard', 'Ticket', 'Announcement']],
  ['the set accountant', ['accountant'], ['Dashboard', 'Admission', 'Fee', 'Ticket', 'Announcement']],
] as const)('Staff with %s have the groups in the menu that it opens', (_, sets, groups) => {
  expect(listMenu(built, { role: 'Staff', sets }).map(({ title }) => title.id)).toEqual(groups);
});

test('search offers an Admin the pages of their menu first, then others such as the audit log', () => {
  const found = foundBy({ role: 'Admin', sets: [] });
  const inMenu = menuPaths('Admin');
  expect(found.slice(0, inMenu.length)).toEqual(inMenu);
  expect(found.slice(inMenu.length)).toEqual(expect.arrayContaining(['sign-in/account', 'audit']));
});

test('search offers Staff the pages of the menu that their permission sets open', () => {
  const foundWith = (sets: readonly PermissionSet[]) =>
    foundBy({ role: 'Staff', sets }).filter((path) => menuPaths('Staff').includes(path));
  expect(foundWith(permissionSets)).toEqual(menuPaths('Staff'));
  expect(foundWith([])).toEqual([
    '',
    'ticket/ticket-entry-assign-by-me',
    'ticket/ticket-entry-assign-to-me',
    'announcement/announcement-list',
  ]);
});

test('search offers Staff no page of an Admin', () => {
  const ofAdmin = ['sign-in/account', 'audit', ...menuPaths('Admin').filter((path) => path !== '')];
  const found = foundBy({ role: 'Staff', sets: permissionSets });
  expect(found.filter((path) => ofAdmin.includes(path))).toEqual([]);
});

test('search offers a page outside the menu to the people who may open it', () => {
  const club = { path: 'club/club-list', title: text`Clubs`, roles: ['Staff'], sets: ['office', 'hr'] };
  expect(foundBy({ role: 'Staff', sets: ['hr'] }, [club])).toContain(club.path);
  expect(foundBy({ role: 'Staff', sets: ['nurse'] }, [club])).not.toContain(club.path);
  expect(foundBy({ role: 'Admin', sets: [] }, [club])).not.toContain(club.path);
});

test('search offers no page before signing in and none with a part of its address left open', () => {
  const pages = [
    { path: '/login', title: text`Sign In` },
    { path: 'club/club-list/$id', title: text`Club` },
  ];
  const found = foundBy({ role: 'Admin', sets: [] }, pages);
  expect(found.filter((path) => pages.some((page) => page.path === path))).toEqual([]);
});
