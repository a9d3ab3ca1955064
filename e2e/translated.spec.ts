import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { Page } from '@playwright/test';
import { grantedSets } from '../src/access/contract/grants.ts';
import type { ProductPage } from '../src/app/menu.ts';
import { shellPages } from './product-pages.ts';
import { expect, test } from './school.ts';

// As JavaScript: only the page has a document.
const translator = stripTypeScriptTypes(
  readFileSync(new URL('../testing/translator.tsx', import.meta.url), 'utf8'),
).replace('export ', '');

/** Translates the page as the browser does, and collects the errors of its scripts. */
function translated(page: Page) {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  return async () => {
    await page.evaluate(`${translator} translateDocument();`);
    await expect(page.locator('main')).toContainText('◊');
    return errors;
  };
}

const pages = shellPages.filter(({ path }) => !path.includes('$'));
const isOfAdmins = ({ roles }: ProductPage) => roles?.includes('Admin') !== false;

// Walks all: each page is its own code; they are opened in one session for each role.
for (const [role, opened] of [
  ['Admin', pages.filter(isOfAdmins)],
  ['Staff', pages.filter((page) => !isOfAdmins(page))],
] as const)
  test(`each page of the shell that ${role} opens, its parts and its form go on working while the browser translates them`, async ({
    page,
    school,
  }) => {
    test.slow();
    const person = await school.person({ isAdmin: true, isStaff: true, sets: grantedSets });
    const translate = translated(page);
    await school.enter(page, person, { role });
    for (const { path } of opened) {
      await page.goto(`/school-erp/${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const errors = await translate();
      const parts = page.locator('main nav').first().getByRole('link');
      const last = Math.max(await parts.count(), 1) - 1;
      for (let part = 0; part <= last; part++) {
        if (last > 0) {
          await parts.nth(part).click();
          await expect(parts.nth(part)).toHaveAttribute('aria-current', 'page');
        }
        const add = page.getByRole('button', { name: /^◊?Add (?!the)/ });
        // The forms of the dashboard open filled in.
        if (part === 0 && path !== '' && (await add.count()) > 0) {
          await add.first().click();
          const dialog = page.getByRole('dialog');
          await dialog.locator('button[type="submit"]').first().click();
          await expect(dialog.locator('[aria-invalid=true], .question-wrong').first()).toBeVisible();
          await page.keyboard.press('Escape');
          await expect(dialog).toHaveCount(0);
        }
        expect([path, part, errors]).toEqual([path, part, []]);
      }
      await expect(page.locator('main')).not.toContainText(/could not be opened|went wrong/);
    }
  });

test('the pages of the form go on working while the browser translates them', async ({ page, school }) => {
  const family = await school.family({ state: 'ready to submit' });
  const translate = translated(page);
  for (const path of ['/admission', '/admission1', '/admission2', '/admission3']) {
    await page.goto(family.at(path));
    await expect(page.getByRole('button', { name: 'Save and Next' })).toBeVisible();
    const errors = await translate();
    const box = page.locator('main textarea:visible, main input[type=text]:visible:not([readonly])').first();
    await box.fill('Another answer');
    await box.blur();
    await expect(page.getByRole('status').filter({ hasText: /Saved/ }).first()).toBeVisible();
    await page.getByRole('button', { name: /^◊?Save and Next$/ }).click();
    await expect(page).not.toHaveURL(new RegExp(`${path}\\?`));
    expect([path, errors]).toEqual([path, []]);
    // While the next page loads, the page before it is hidden beside it.
    await expect(page.locator('main:visible').filter({ has: page.locator('form') })).toHaveCount(1);
    await expect(page.locator('body')).not.toContainText('could not be opened');
  }
});
