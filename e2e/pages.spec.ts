import type { Page } from '@playwright/test';
import { comingPages } from '../src/app/coming.ts';
import { features } from '../src/app/features.server.ts';
import { dashboardPage } from '../src/app/menu.ts';
import { expect, expectFitsEveryone, expectLooks, expectNoSidewaysScroll, test } from './school.ts';

/** Waits until what was asked of the server is there and drawn. Made before the page is opened. */
function listenToReads(page: Page) {
  let open = 0;
  page.on('request', () => open++);
  page.on('requestfinished', () => open--);
  page.on('requestfailed', () => open--);
  return async () => {
    await expect(page.locator('main')).not.toBeEmpty();
    await expect.poll(() => open).toBe(0);
    await expect(page.locator('.skeleton-lines')).toHaveCount(0);
  };
}

/** The button of the form on pages before signing in, by the page's path. */
const submits: Record<string, string> = { '/reset-password': 'Send link', '/sign-up': 'Send request' };
const problem = (page: Page) => page.getByRole('alert', { name: 'There is a problem' });

for (const { path, title } of features.flatMap(({ pages }) => pages).filter(({ path }) => path.startsWith('/')))
  test(`${title.id}, ${path}: fits every width, in light and dark, with its form refused`, async ({ page }) => {
    await page.goto(path);
    await expectFitsEveryone(page);
    const submit = submits[path];
    if (!submit) return;
    await page.getByRole('button', { name: submit }).click();
    await expect(problem(page)).toBeVisible();
    await expectFitsEveryone(page);
  });

// Pages that are not built yet differ in their words alone.
const inside = [dashboardPage, ...comingPages.slice(0, 1), ...features.flatMap(({ pages }) => pages)];

for (const { path, title } of inside.filter(({ path }) => !path.startsWith('/')))
  test(`${title.id}, ${path}: fits every width, in light and dark, each part of it, with its form refused`, async ({
    page,
    school,
  }) => {
    test.slow();
    const person = await school.person({ isAdmin: true, isStaff: true });
    const isRead = listenToReads(page);
    await school.enter(page, person, { path: `/school-erp/${path.replace(/\$\w+/, String(person.id))}` });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const parts = page.locator('.tabs').getByRole('link');
    const last = Math.max(await parts.count(), 1) - 1;
    let isFirstForm = true;
    for (let part = 0; part <= last; part++) {
      if (last > 0) {
        await parts.nth(part).click();
        await expect(parts.nth(part)).toHaveAttribute('aria-current', 'page');
      }
      await isRead();
      await expect(page.locator('main')).not.toContainText('You do not have access');
      await expectLooks(page);
      const add = page.getByRole('button', { name: /^Add / });
      if ((await add.count()) === 0) continue;
      await add.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
      await expect(page.getByRole('dialog').locator('[aria-invalid=true], .question-wrong').first()).toBeVisible();
      // The forms of a page are drawn alike: the first one is looked at wholly, the others where there is least room.
      await (isFirstForm ? expectLooks(page) : expectNoSidewaysScroll(page));
      isFirstForm = false;
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });
