import type { Page } from '@playwright/test';
import { comingPages } from '../src/app/coming.ts';
import { features } from '../src/app/features.server.ts';
import { dashboardPage } from '../src/app/menu.ts';
import { expect, expectFitsEveryone, expectLooks, expectNoSidewaysScroll, listenToReads, test } from './school.ts';

/** The form's button on pages before sign-in, by the page's path. */
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

// Pages that are not built yet differ only in their text.
const inside = [dashboardPage, ...comingPages.slice(0, 1), ...features.flatMap(({ pages }) => pages)];

for (const { path, title } of inside.filter(({ path }) => !path.startsWith('/')))
  test(`${title.id}, ${path}: fits every width, in light and dark, each part of it, with its form refused`, async ({
    page,
    school,
  }) => {
    test.slow();
    const person = await school.person({ isAdmin: true, isStaff: true });
    const isRead = listenToReads(page);
    await school.enter(page, person, { path: `/school-erp/${path.replace(/\$\w+/, String(person.staffId))}` });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const parts = page.locator('main nav').getByRole('link');
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
      await add.first().click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Add|Save)$/ })
        .click();
      await expect(page.getByRole('dialog').locator('[aria-invalid=true], .question-wrong').first()).toBeVisible();
      // A page's forms are drawn alike: the first is checked in full, the others only at the narrowest width.
      await (isFirstForm ? expectLooks(page) : expectNoSidewaysScroll(page));
      isFirstForm = false;
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });
