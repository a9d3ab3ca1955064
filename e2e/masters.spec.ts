import type { Page } from '@playwright/test';
import { openMenu } from './by-keyboard.ts';
import { goToPreview } from './import.ts';
import { expect, expectAccessible, test, toast } from './school.ts';

/** A text box of the form in the side panel. */
const box = (page: Page, name: string) => page.getByRole('dialog').getByRole('textbox', { name, exact: true });
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });
const rowMenu = (page: Page, name: string) => page.getByRole('button', { name: `Actions for ${name}`, exact: true });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

test('an Admin adds, edits, deactivates and deletes an entry with the keyboard alone, and its history shows it', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  const name = `Board ${Date.now() % 1e6}`;
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=board' });
  await page.getByRole('button', { name: 'Add board' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Add board' })).toBeVisible();
  await expect(box(page, 'Name')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByText('Name is required.')).toBeVisible();
  await expect(box(page, 'Name')).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expect(toast(page, `${name} was added.`)).toBeVisible();
  await expect(row(page, name)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add board' })).toBeFocused();

  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
  await box(page, 'Short name (optional)').focus();
  await page.keyboard.type('SHORT');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Your changes are not saved.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep editing' }).press('Enter');
  await box(page, 'Short name (optional)').press('Enter');
  await expect(row(page, name)).toContainText('SHORT');

  for (const what of ['Deactivate', 'Activate']) {
    await openMenu(rowMenu(page, name));
    await item(page, what).press('Enter');
    await expect(row(page, name).getByText('Inactive')).toHaveCount(what === 'Deactivate' ? 1 : 0);
  }
  await openMenu(rowMenu(page, name));
  await item(page, 'History').press('Enter');
  const history = page.getByRole('dialog', { name: `History of ${name}` });
  await expect(history.getByRole('listitem')).toHaveCount(4);
  await expect(history).toContainText('– → SHORT');
  await page.keyboard.press('Escape');
  await expect(rowMenu(page, name)).toBeFocused();
  await openMenu(rowMenu(page, name));
  await item(page, 'Delete').press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(row(page, name)).toHaveCount(0);
});

test('a file is previewed before it is imported, and a wrong one says what to correct', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  const start = Date.now() % 1e6;
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=house' });
  const choose = (text: string, name = 'houses.csv') =>
    page.getByLabel(/^Choose a/).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'More' }).click();
  await item(page, 'Import…').click();
  await choose('PK\u0003\u0004', 'houses.xlsx');
  const damaged = page.getByRole('alert').filter({ hasText: 'This file is empty or damaged. Choose another one.' });
  await expect(damaged).toBeVisible();
  const panel = page.getByRole('dialog');
  await choose(`Name,Colour\nA${start},Mauve\nB${start},Teal\n`);
  await goToPreview(panel, { asksWords: true });
  await expect(panel.getByRole('row', { name: `A${start}` })).toContainText('Use one of these');
  await expectAccessible(page);
  await choose(`Name,Colour\nA${start},Red\nB${start},Teal\n`);
  await goToPreview(panel);
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expect(toast(page, '2 houses imported.')).toBeVisible();
  await panel.getByRole('button', { name: 'Close', exact: true }).last().press('Enter');
  await expect(row(page, `A${start}`)).toBeVisible();
  await page.getByRole('button', { name: 'More' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), item(page, 'Export as CSV').click()]);
  expect(file.suggestedFilename()).toBe('houses.csv');
});

test('on paper stand the school, the title and the list, and nothing that can only be pressed', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=grade' });
  await expect(row(page, 'Grade 1')).toBeVisible();
  const onPaper = page.locator('.only-print');
  await expect(onPaper).toBeHidden();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(onPaper).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(row(page, 'Grade 1')).toBeVisible();
  for (const pressed of ['.shell-head', '.shell-menu', 'main nav', '.list-buttons', 'main [type=search]'])
    await expect(page.locator(pressed).first()).toBeHidden();
  await expect(page.getByRole('button', { name: 'Actions for Grade 1', exact: true })).toBeHidden();
  // Dark text also where the device prefers dark mode.
  const [red = 0] =
    String(await page.evaluate('getComputedStyle(document.querySelector("h1")).color'))
      .match(/\d+/g)
      ?.map(Number) ?? [];
  expect(red).toBeLessThan(80);
});

test('on a phone the tabs are one line that shows the chosen one, and a form’s buttons stand at the lower edge', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  await page.setViewportSize({ width: 360, height: 740 });
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=calendar' });
  const tabs = page.getByRole('navigation', { name: /^Parts of/ }).getByRole('link');
  await expect(tabs.filter({ hasText: 'Calendar' })).toBeInViewport({ ratio: 1 });
  const tops = await Promise.all((await tabs.all()).map(async (tab) => (await tab.boundingBox())?.y));
  expect(new Set(tops).size).toBe(1);
  await page.goto('/school-erp/academic/academic-master?tab=board');
  await page.getByRole('button', { name: 'Add board' }).click();
  const { y = 0, height = 0 } =
    (await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).boundingBox()) ?? {};
  expect(y + height).toBeGreaterThan(740 - 24);
  expect(y + height).toBeLessThanOrEqual(740);
});
