import { expect, expectAccessible, expectNoSidewaysScroll, picture, test, toast } from '#e2e/school.ts';

test('the principal’s signature is taken, shown, and taken away again after a question', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/academic/organizational-master' });
  const sheet = page.getByRole('region', { name: 'Principal’s signature' });
  await sheet.getByRole('button', { name: 'Save the signature' }).press('Enter');
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toContainText('Choose a picture first.');
  await sheet.locator('[type=file]').last().setInputFiles(picture);
  // The line is away for a moment: it is said, and it goes on by itself.
  let isAway = true;
  await page.route('**/school/signature', (route) => (isAway ? route.abort() : route.continue()));
  await sheet.getByRole('button', { name: 'Save the signature' }).press('Enter');
  await expect(sheet.getByRole('status').getByText('No connection. Trying again.')).toBeVisible();
  isAway = false;
  await expect(toast(page, 'The signature is saved.')).toBeVisible();
  const shown = sheet.getByRole('img');
  await expect.poll(() => shown.evaluate(({ naturalWidth }) => naturalWidth)).toBeGreaterThan(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await sheet.getByRole('button', { name: 'Remove the principal’s signature' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Remove the principal’s signature' });
  await expect(question).toContainText('Those that are kept stay signed.');
  await question.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  await expect(toast(page, 'The signature is removed.')).toBeVisible();
  await expect(sheet).toBeFocused();
  await expect(sheet.getByRole('button', { name: 'Remove the principal’s signature' })).toHaveCount(0);
});
