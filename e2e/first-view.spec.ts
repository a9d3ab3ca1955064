import type { Page, Request } from '@playwright/test';
import { grantedSets } from '../src/access/contract/grants.ts';
import { productPages } from './product-pages.ts';
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

test('the frame and the title are there before any script, until the page replaces them', async ({ page, school }) => {
  const person = await school.person({ isAdmin: true });
  await school.enter(page, person, { path: '/login' });
  await page.waitForLoadState('networkidle');
  await page.evaluate(`localStorage.setItem('userData', '${person.id}')`);
  let go: () => void = () => undefined;
  const held = new Promise<void>((release) => {
    go = release;
  });
  await page.route('**/assets/start-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/school-erp/staff/staff-list', { waitUntil: 'commit' });
  const frame = page.locator('#root > [aria-hidden]');
  await expect(frame.getByText('Staff List')).toBeVisible();
  // It has its place once its style sheets are there.
  const isStyled = `[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet)`;
  await expect.poll(() => page.evaluate<boolean>(isStyled)).toBe(true);
  // The element may just be replaced, and has no box then.
  const place = async (words: ReturnType<Page['locator']>) => {
    let box = await words.boundingBox();
    while (!box) box = await words.boundingBox();
    return box;
  };
  const before = await place(frame.getByText('Staff List'));
  go();
  const title = page.getByRole('heading', { name: 'Staff List', level: 1 });
  await expect(title).toBeVisible();
  await expect(frame).toHaveCount(0);
  const after = await place(title);
  expect(Math.abs(after.x - before.x) + Math.abs(after.y - before.y)).toBeLessThan(12);
});

test('a browser whose session has ended sees the frame, and then the sign-in page', async ({ page, school }) => {
  const person = await school.person({ isAdmin: true });
  await school.enter(page, person);
  await page.waitForLoadState('networkidle');
  await school.sql(`delete from sign_in_session where account_id = ${person.id}`);
  await page.goto('/school-erp/staff/staff-list');
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  await expect(page.locator('.shell-head')).toHaveCount(0);
});

test('each page requests the data that its HTML preloads', async ({ page, school }) => {
  const person = await school.person({ isStaff: true, sets: [...grantedSets] });
  await school.enter(page, person);
  await page.evaluate(`localStorage.setItem('userData', '${person.id}')`);
  const ahead = productPages.filter(({ isReadAhead }) => isReadAhead === true);
  // Walks all: the few pages that are read ahead; each declares its own data.
  for (const { path } of ahead) {
    const address = `/school-erp/${path.replace(/\$\w+/, '1')}`;
    const link = (await page.request.get(address)).headers().link ?? '';
    const data = /^<(\/api\/[^>]+)>/.exec(link)?.[1];
    expect(data, address).toBeDefined();
    // Without the link only the page itself asks.
    await page.route(`**${address}`, async (route) => {
      const response = await route.fetch();
      const { link: _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    const asked: string[] = [];
    const note = (request: Request) => asked.push(request.url().replace(/^https?:\/\/[^/]+/, ''));
    page.on('request', note);
    await page.goto(address);
    await expect.poll(() => asked, { message: address }).toContain(data);
    page.off('request', note);
  }
});

test('only a signed-in browser gets preload links for the shell', async ({ page, school }) => {
  const person = await school.person({ isAdmin: true });
  await school.enter(page, person, { path: '/login' });
  const linksOf = async (path: string, headers = {}) =>
    (await (await page.request.get(path, { headers })).text()).match(/<link rel="(modulepreload|preload)"/g)?.length ??
    0;
  expect(await linksOf('/school-erp/staff/staff-list')).toBeGreaterThanOrEqual(6);
  expect(await linksOf('/login')).toBe(0);
  const frame = async () =>
    (await (await page.request.get('/school-erp/staff/staff-list')).text()).includes('shell-head');
  expect(await frame()).toBe(true);
  await page.context().clearCookies();
  expect(await linksOf('/school-erp/staff/staff-list')).toBe(0);
  expect(await frame()).toBe(false);
});

test('menus and the search load after the rows, and keep text typed before that', async ({ page, school }) => {
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
