import { expect, expectNoSidewaysScroll, picture, test, toast } from '#e2e/school.ts';

test('the principal’s signature is taken, shown, and taken away again after a question', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/academic/organizational-master' });
  const sheet = page.getByRole('region', { name: 'Principal’s signature' });
  await sheet.getByRole('button', { name: 'Save signature' }).press('Enter');
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toContainText('Choose a file.');
  await sheet.locator('[type=file]').last().setInputFiles(picture);
  // The connection fails for a moment: the page says so and retries by itself.
  let isAway = true;
  await page.route('**/school/signature', (route) => (isAway ? route.abort() : route.continue()));
  await sheet.getByRole('button', { name: 'Save signature' }).press('Enter');
  await expect(sheet.getByRole('status').getByText('No connection. Trying again.')).toBeVisible();
  isAway = false;
  await expect(toast(page, 'Saved.')).toBeVisible();
  const shown = sheet.getByRole('img');
  await expect.poll(() => shown.evaluate(({ naturalWidth }) => naturalWidth)).toBeGreaterThan(0);
  await expectNoSidewaysScroll(page);

  await sheet.getByRole('button', { name: 'Remove principal’s signature' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Remove principal’s signature' });
  await expect(question).toContainText('Issued documents keep the signature.');
  await question.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  await expect(toast(page, 'Removed.')).toBeVisible();
  await expect(sheet).toBeFocused();
  await expect(sheet.getByRole('button', { name: 'Remove principal’s signature' })).toHaveCount(0);
});

test('the school’s profile is saved, and shown', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/academic/organizational-master' });
  const code = page.getByRole('textbox', { name: 'UDISE code (optional)' });
  await code.fill('123');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toContainText('Enter 11 digits.');
  await code.fill('24220100123');
  await page.getByRole('link', { name: 'Settings' }).click();
  const unsaved = page.getByRole('dialog', { name: 'Your changes are not saved.' });
  await unsaved.getByRole('button', { name: 'Keep editing' }).press('Enter');
  await expect(code).toHaveValue('24220100123');
  await code.press('Enter');
  await expect(toast(page, 'Saved.')).toBeVisible();
  await expect(code).toBeFocused();
  await code.fill('24220100124');
  await code.press('Enter');
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toHaveCount(0);
  await expect
    .poll(() => school.sql('select udise_code from academic_school'))
    .toEqual([{ udise_code: '24220100124' }]);
  await page.reload();
  await expect(code).toHaveValue('24220100124');
});
