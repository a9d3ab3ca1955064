import type { Page } from '@playwright/test';
import { grantedSets } from '#access/contract/grants.ts';
import { whereFocusIs } from './by-keyboard.ts';
import { expect, expectAccessible, test } from './school.ts';

/** The Admin's menu: the pages that are built. */
const adminMenu = {
  Dashboard: '/school-erp',
  'School Setup': {
    'Academic Master': 'academic/academic-master',
    'Organizational Master': 'academic/organizational-master',
    'Section Teacher Mapping': 'academic/section-teacher-mapping',
    'Section Student Mapping': 'academic/section-student-mapping',
  },
  'Student Master': { 'Student List': 'student/student-list' },
  'Staff Master': { 'Staff List': 'staff/staff-list' },
  Ticket: { 'Ticket Masters': 'ticket/ticket-master' },
  'Observation Master': '/school-erp/observation/observation-master',
  Observation: { 'Staff Observation': 'staff-observation/staff-observation-list' },
  'Subject Master': '/school-erp/configuration/subject',
  Master: { 'Tag Master': 'configuration/tag-master', 'Skill Master': 'configuration/skill-master' },
} as const;

const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' });

/** The titles of the menu in order, with every group opened in turn, each with its link or the links of its pages. */
async function readMenu(page: Page) {
  const entries: [string, string | Record<string, string>][] = [];
  for (const entry of await menu(page).locator('> ul > li').all()) {
    const group = entry.getByRole('button');
    if ((await group.count()) === 0) {
      const link = entry.getByRole('link');
      entries.push([(await link.textContent()) ?? '', (await link.getAttribute('href')) ?? '']);
      continue;
    }
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click();
    const pages: Record<string, string> = {};
    for (const link of await entry.getByRole('link').all())
      pages[(await link.textContent()) ?? ''] = ((await link.getAttribute('href')) ?? '').replace('/school-erp/', '');
    entries.push([(await group.textContent()) ?? '', pages]);
    await expect(menu(page).locator('button[aria-expanded=true]')).toHaveCount(1);
  }
  return entries;
}

test('the menu of an Admin has the pages that are built, and each opens', async ({ page, school }) => {
  await school.enter(page, await school.person({ isAdmin: true }));
  await expect(menu(page)).toBeVisible();
  const schoolName = await page.getByRole('banner').getByRole('link').locator('span').first().textContent();
  expect(await readMenu(page)).toEqual(Object.entries(adminMenu));
  const open = menu(page).getByRole('button', { expanded: true });
  await open.click();
  await expect(open).toHaveCount(0);

  for (const [title, pages] of Object.entries(adminMenu)) {
    const isGroup = typeof pages !== 'string';
    if (isGroup) await menu(page).getByRole('button', { name: title, exact: true }).click();
    for (const name of isGroup ? Object.keys(pages) : [title]) {
      const link = menu(page).getByRole('link', { name, exact: true });
      await link.click();
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
      await expect(page).toHaveTitle(`${name} | ${schoolName}`);
      await expect(link).toHaveAttribute('aria-current', 'page');
    }
  }
});

test('the shell fits every width from 360 to 1920 px', async ({ page, school }) => {
  await school.enter(page, await school.person({ isStaff: true, sets: grantedSets, name: 'A'.repeat(100) }));
  for (const width of [360, 640, 1023, 1024, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(menu(page)).toBeVisible({ visible: width >= 1024 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), `at ${width} px`).toBe(width);
    const header = await page.getByRole('banner').boundingBox();
    const person = await page.getByRole('banner').getByRole('button').last().boundingBox();
    expect((person?.x ?? 0) + (person?.width ?? 0), `at ${width} px`).toBeLessThanOrEqual(width);
    expect(header?.height).toBe(48);
    const find = await page.getByLabel('Search people and pages').boundingBox();
    expect(find?.width, `of the search at ${width} px`).toBeGreaterThan(100);
  }
});

test('on a phone the chosen tab is in view, and the menu is a drawer that a page closes, and Escape too', async ({
  page,
  school,
}) => {
  const path = '/school-erp/academic/academic-master?tab=calendar';
  await school.enter(page, await school.person({ isAdmin: true }), { path });
  const parts = page.getByRole('navigation', { name: 'Parts of Academic Master' });
  const tab = parts.getByRole('link', { name: 'Calendar' });
  await expect(tab).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(tab).toBeInViewport({ ratio: 1 });
  await page.reload();
  await expect(tab).toBeInViewport({ ratio: 1 });

  const burger = page.getByRole('button', { name: 'Menu', exact: true });
  await burger.click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(burger).toBeFocused();
  await burger.click();
  await drawer.getByRole('link', { name: 'Section Student Mapping' }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Section Student Mapping' })).toBeFocused();
});

test('with the keyboard alone one comes to the page, the menu, the person and out', async ({ page, school }) => {
  const person = await school.person({ isStaff: true });
  await school.enter(page, person);
  const { keyboard } = page;
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.locator('#page')).toBeFocused();
  await page.goto('/school-erp/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  const me = page.getByRole('button', { name: person.name });
  for (let stops = 0; stops < 8; stops++) {
    await keyboard.press('Tab');
    if ((await whereFocusIs(page)).words.includes(person.name)) break;
  }
  await expect(me).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  // The menu takes the focus a moment after it is drawn.
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeFocused();
  await keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
});

test('dark colours are chosen by keyboard, stay after signing out, and are there before any script', async ({
  page,
  school,
}) => {
  const person = await school.person({ isStaff: true });
  await page.emulateMedia({ colorScheme: 'light' });
  await school.enter(page, person);
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  const light = await ground();
  await page.getByRole('button', { name: person.name }).focus();
  await page.keyboard.press('Enter');
  const dark = page.getByRole('menuitemradio', { name: 'Dark' });
  await expect(page.getByRole('menuitemradio', { name: 'Same as the device' })).toBeChecked();
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeFocused();
  // Past Help and Light.
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowDown');
  await expect(dark).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dark).toBeChecked();
  await expect.poll(ground).not.toBe(light);
  await expectAccessible(page);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
  await page.route('**/*.js', (route) => route.abort());
  await page.reload();
  expect(await ground()).not.toBe(light);
});

test('a page that cannot be fetched says so in the shell, a shell that cannot be reached in its place, and both open once the server is back', async ({
  page,
  school,
}) => {
  await school.enter(page, await school.person({ isAdmin: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await page.route('**/*', (route) => route.abort());
  await menu(page).getByRole('link', { name: 'Subject Master' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'This page could not be opened' })).toBeFocused();
  await expect(page.locator('main')).toContainText('The school’s system can’t be reached.');
  await expect(menu(page)).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Subject Master' })).toBeVisible();

  await page.route('**/api/sign-in/me', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This page could not be opened' })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/sign-in/me');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Subject Master' })).toBeVisible();
});

test('the bell tells of new notices, opens their pages and is worked by keyboard, on a phone too', async ({
  page,
  school,
}) => {
  const person = await school.person({ isAdmin: true });
  await school.sql(`insert into notice (account_id, kind, text, path, created_at)
    select account.id, 'test', jsonb_build_object('id', 'Dipa Shah assigned inquiry INQ/2026-27/0000' || n || ' to you.'),
      '/school-erp/staff/staff-list?tab=due', now() - make_interval(hours => 30 * (3 - n))
    from sign_in_account account, generate_series(1, 3) as n where account.user_name = '${person.userName}'`);
  await school.enter(page, person);
  const bell = page.getByRole('button', { name: /^Notices/ });
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 700 });
    await expect(bell).toHaveAccessibleName('Notices, 3 unread');
    const box = await bell.boundingBox();
    expect([box?.width, box?.height]).toEqual([44, 44]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await bell.focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Notices' });
    await expect(panel.getByRole('link')).toHaveCount(3);
    if (width === 320) await expectAccessible(page);
    if (process.env.NOTICE_SHOTS) await page.screenshot({ path: `${process.env.NOTICE_SHOTS}/bell-${width}.png` });
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(bell).toBeFocused();
  }
  await bell.click();
  await page.getByRole('dialog').getByRole('link', { name: /00003/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Staff List' })).toBeVisible();
  await expect(page).toHaveURL('/school-erp/staff/staff-list?tab=due');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(bell).toHaveAccessibleName('Notices, 2 unread');
});
