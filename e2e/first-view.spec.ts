import type { Page } from '@playwright/test';
import { expect, test } from './school.ts';

/** The addresses that a visit asks for, until the rows of the list are there. */
async function visit(page: Page) {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url().replace(/^https?:\/\/[^/]+/, '')));
  await page.goto('/school-erp/staff/staff-list');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.waitForLoadState('networkidle');
  // The search and Mantine's parts come when the page has its data.
  const later = asked.findIndex((path) => /\/(FoundBox|mantine)-/.test(path));
  return later < 0 ? asked : asked.slice(0, later);
}

test('a list opens with at most 25 requests and asks for nothing twice', async ({ page, school }) => {
  const person = await school.person({ isAdmin: true });
  await school.enter(page, person, { path: '/login' });
  await page.waitForLoadState('networkidle');
  // As the sign-in page leaves it.
  await page.evaluate(`localStorage.setItem('userData', '${person.id}')`);
  const asked = await visit(page);
  expect(asked).toContain('/api/staff');
  expect(asked.filter((path, place) => asked.indexOf(path) !== place)).toEqual([]);
  expect(asked.length).toBeLessThanOrEqual(25);
  // The page's HTML asks for them, before the first script has run.
  const place = (part: string) => asked.findIndex((path) => path.includes(part));
  for (const part of [
    '/assets/shell-',
    '/assets/kit-',
    '/api/sign-in/me',
    '/api/academic/year-list',
    '/api/notice/unread',
  ])
    expect(place(part), part).toBeLessThan(place('/assets/StaffListPage-'));
});

test('only a signed-in browser gets preload links for the shell', async ({ page, school }) => {
  const person = await school.person({ isAdmin: true });
  await school.enter(page, person, { path: '/login' });
  const linksOf = async (path: string, headers = {}) =>
    (await (await page.request.get(path, { headers })).text()).match(/<link rel="(modulepreload|preload)"/g)?.length ??
    0;
  expect(await linksOf('/school-erp/staff/staff-list')).toBeGreaterThanOrEqual(6);
  expect(await linksOf('/login')).toBe(0);
  await page.context().clearCookies();
  expect(await linksOf('/school-erp/staff/staff-list')).toBe(0);
});

test('menus and the search load after the rows and keep what was typed', async ({ page, school }) => {
  const person = await school.person({ isAdmin: true, name: 'Ruchika Mehta' });
  await school.enter(page, person, { path: '/login' });
  await page.waitForLoadState('networkidle');
  await page.evaluate(`localStorage.setItem('userData', '${person.id}')`);
  let isHeld = true;
  const held: (() => void)[] = [];
  await page.route('**/assets/{mantine,FoundBox}-*.js', async (route) => {
    if (isHeld) await new Promise<void>((go) => held.push(go));
    await route.continue();
  });
  await page.goto('/school-erp/staff/staff-list');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const more = page.getByRole('button', { name: 'More', exact: true });
  const search = page.getByRole('combobox', { name: 'Search people and pages' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(more).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('staff li');
  isHeld = false;
  for (const go of held) go();
  await expect(page.getByRole('option', { name: /Staff List/ }).first()).toBeVisible();
  await page.keyboard.type('st');
  await expect(search).toHaveValue('staff list');
  await page.keyboard.press('Escape');
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem').nth(1)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
});
