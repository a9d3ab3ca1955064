import type { Page } from '@playwright/test';
import { formPaths } from '../src/features/admission-form/contract/pages.ts';
import { productPages, shellPages } from './product-pages.ts';
import {
  ask,
  expect,
  expectAccessibleWide,
  expectFitsEveryone,
  expectLooks,
  expectNoSidewaysScroll,
  listenToReads,
} from './school.ts';
import { type Entered, expectTrial, listenToAnswers, trialUrl } from './trial.ts';
import { test } from './visits.ts';

// A page is visited once, in the trial language: its words are longer than English words, so a page that fits here fits there.
test.use({ baseURL: trialUrl });

/** Pages whose form opens with usual values, so that it is accepted as it is. */
const opensFilled = ['fee/frequency-of-payment', ''];

const submit = (page: Page) => page.locator('main form button[type="submit"]:visible').last();

/** In every look, and with its form refused. */
async function expectWhole(page: Page, entered: Entered, button = submit(page)) {
  await expect(page.locator('h1').first()).toContainText('«');
  await expectTrial(page, entered);
  await expectAccessibleWide(page);
  await expectFitsEveryone(page);
  // The sign-in button waits for both fields.
  if ((await button.count()) === 0 || (await button.isDisabled())) return;
  await button.click();
  await expectTrial(page, entered);
  await expectFitsEveryone(page);
}

/** `npm test -- --since` opens the pages that a change is shown on. */
const chosen = process.env.TEST_PAGES?.split(',').filter(Boolean) ?? [];
const isChosen = ({ path }: { path: string }) => chosen.length === 0 || chosen.includes(path);

test('every page of the manifests is opened here', async () => {
  const opened = productPages.map(({ path }) => path);
  expect(opened.sort()).toEqual((await ask<string[]>('/pages', {})).sort());
});

// Walks all: each page is its own code and texts.
for (const { path, title } of productPages.filter(({ path }) => path.startsWith('/')).filter(isChosen))
  test(`${title.id}, ${path}: is translated whole and fits every width, in light and dark, with its form refused`, async ({
    page,
  }) => {
    const entered = listenToAnswers(page);
    await page.goto(path);
    await expectWhole(page, entered);
  });

for (const [state, path] of (
  [
    ...formPaths.map((path) => ['untouched', path] as const),
    ['half filled', '/admission'],
    ['ready to submit', '/admission4'],
    ['submitted', '/admission4'],
    ['consent needed', '/admission'],
    ['expired', '/admission'],
  ] as const
).filter(([, path]) => isChosen({ path })))
  test(`B31 B32 B33 the form, ${state}, at ${path}: is translated whole and fits every width, in light and dark, with its answers refused`, async ({
    page,
    school,
  }) => {
    const entered = listenToAnswers(page);
    const family = await school.family({ state });
    await page.goto(family.at(path));
    await expectWhole(page, entered, page.locator('button[type="submit"]:visible').last());
  });

// Walks all: each page is its own code and texts.
for (const { path, title, roles } of shellPages.filter(isChosen))
  test(`${title.id}, ${path}: is translated whole and fits every width, in light and dark, each part of it, with its form refused`, async ({
    enterAs,
  }) => {
    test.slow();
    const { page, person } = await enterAs(roles?.includes('Admin') === false ? 'Staff' : 'Admin');
    const entered = listenToAnswers(page);
    const isRead = listenToReads(page);
    await page.goto(`/school-erp/${path.replace(/\$\w+/, String(person.staffId))}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // Some parts are there only once the rights of the user are read.
    await isRead();
    // The first is that of the page's parts, not the way back to a list; a second one holds the tabs of a list within a part.
    const tabs = page.locator('main nav:has(a[aria-current=page])');
    const parts = tabs.first().getByRole('link');
    const last = Math.max(await parts.count(), 1) - 1;
    let isFirstForm = true;
    let opened = 0;
    for (let part = 0; part <= last; part++) {
      if (last > 0) {
        await parts.nth(part).click();
        await expect(parts.nth(part)).toHaveAttribute('aria-current', 'page');
      }
      await isRead();
      await expect(page.locator('main')).not.toContainText('Yoouu doo noot haavee aacceess');
      // The school's guide is written in English alone.
      if (path !== 'help') await expectTrial(page, entered);
      // The parts of a page are drawn alike, so one of them shows what a wide window adds.
      if (part === 0) await expectAccessibleWide(page);
      await expectLooks(page);
      const add = page.getByRole('button', { name: /^«AAdd (?!thee)/ });
      if ((await add.count()) > 0 && !opensFilled.includes(path)) {
        opened++;
        await add.first().click();
        await page.getByRole('dialog').locator('button[type="submit"]').first().click();
        const wrong = page.getByRole('dialog').locator('[aria-invalid=true], .question-wrong');
        // A form is saved if each of its questions has only one answer.
        await expect
          .poll(async () => (await wrong.count()) > 0 || (await page.getByRole('dialog').count()) === 0)
          .toBe(true);
        if ((await wrong.count()) > 0) {
          await expectTrial(page, entered);
          await (isFirstForm ? expectLooks(page) : expectNoSidewaysScroll(page));
          isFirstForm = false;
          await page.keyboard.press('Escape');
        }
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
      const inner = tabs.nth(1).getByRole('link');
      for (let tab = 1; tab < (await inner.count()); tab++) {
        await inner.nth(tab).click();
        await expect(inner.nth(tab)).toHaveAttribute('aria-current', 'page');
        await isRead();
        await expectTrial(page, entered);
        await expectNoSidewaysScroll(page);
      }
    }
    // At least one form of the page was refused.
    expect([opened > 0, isFirstForm]).toEqual([opened > 0, opened === 0]);
  });
