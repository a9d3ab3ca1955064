import type { ElementHandle, Page } from '@playwright/test';
import { expect, expectAccessible, expectEasyToHit, expectNoSidewaysScroll, test } from './school.ts';

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

async function openGallery(page: Page, address = '/dev/kit') {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Kit', exact: true })).toBeVisible();
  return problems;
}

/** The gallery's enabled buttons; the list stays the same when others appear. */
const buttonsOf = (page: Page, type: 'button' | 'submit') =>
  page.locator(`.gallery-state button[type=${type}]:enabled:not([aria-disabled=true]):visible`).elementHandles();

/** Buttons that toasts cover are pressed as well. */
const press = (button: ElementHandle) => button.dispatchEvent('click');

/** Shows dialogs in place among the states, so that all are visible together. */
const openInPlace = `HTMLDialogElement.prototype.showModal = function () {
  this.show();
  this.style.position = 'static';
}`;

const repeatedIds = `[...document.querySelectorAll('[id]')]
  .map(({ id }) => id)
  .filter((id, index, all) => all.indexOf(id) !== index)`;

test('every component and dialog of the gallery is accessible in light and in dark colours', async ({ page }) => {
  await page.addInitScript(openInPlace);
  const problems = await openGallery(page);
  expect(await page.evaluate(repeatedIds)).toEqual([]);
  for (const button of await buttonsOf(page, 'button')) await press(button);
  for (const button of await buttonsOf(page, 'submit')) await press(button);
  expect(await page.locator('dialog[open]').count()).toBeGreaterThan(15);
  await expect(page.getByRole('alert', { name: 'There is a problem' }).first()).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  expect(problems).toEqual([]);
});

test('the gallery shows light and dark colours whatever the system asks for, and opens at a section', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await openGallery(page, '/dev/kit#toast');
  await expect(page.getByRole('heading', { name: 'Toast' })).toBeInViewport();
  const paper = () => page.evaluate<string>(`getComputedStyle(document.body).getPropertyValue('--paper')`);
  const light = await paper();
  await page.getByLabel('Colours').selectOption('Dark');
  await expect.poll(paper).not.toBe(light);
  await expect(page).toHaveURL('/dev/kit?colours=dark#toast');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByLabel('Colours').selectOption('Light');
  await expect.poll(paper).toBe(light);
});

test.describe('on a phone', () => {
  test.use(phone);

  test('every component and dialog of the gallery is easy to hit and stands within 320 px', async ({ page }) => {
    const problems = await openGallery(page);
    await expectEasyToHit(page);
    await expectNoSidewaysScroll(page);
    const dialog = page.locator('dialog[open]');
    let opened = 0;
    for (const button of await buttonsOf(page, 'button')) {
      await press(button);
      if (!(await dialog.count())) continue;
      opened += 1;
      await expectEasyToHit(page);
      await expectNoSidewaysScroll(page);
      await page.keyboard.press('Escape');
      const leave = dialog.getByRole('button', { name: 'Leave without saving' });
      if (await leave.count()) await leave.click();
      await expect(dialog).toHaveCount(0);
    }
    expect(opened).toBeGreaterThan(15);
    expect(problems).toEqual([]);
  });
});
