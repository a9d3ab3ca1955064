import { expect, expectAccessible, expectNoSidewaysScroll, test, toast } from '#e2e/school.ts';

test('a number series shows its next number while it is changed, and does not go back', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/academic/organizational-master?tab=number-series' });
  await expect(page.getByRole('row', { name: /^Staff EMP[0-9]{4} Never restarts/ })).toBeVisible();
  await page.getByRole('button', { name: 'Staff', exact: true }).press('Enter');

  const dialog = page.getByRole('dialog', { name: 'Edit number series: Staff' });
  const [prefix, pattern, value] = ['Prefix (optional)', 'Pattern', 'Next value'].map((name) =>
    dialog.getByRole('textbox', { name, exact: true }),
  );
  if (!prefix || !pattern || !value) throw new Error('There are three boxes.');
  const before = Number(await value.inputValue());
  await prefix.fill('ADM');
  await expect(dialog.getByText(`ADM${String(before).padStart(4, '0')}`)).toBeVisible();
  await pattern.fill('{prefix}');
  await expect(dialog.getByText('–', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Use {seq} exactly once.')).toBeVisible();
  await expect(pattern).toBeFocused();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await pattern.fill('{prefix}{seq:6}');
  await value.fill(String(before + 99));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Saved.')).toBeVisible();
  const number = `ADM${String(before + 99).padStart(6, '0')}`;
  await expect(page.getByRole('row', { name: number })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Staff', exact: true })).toBeFocused();

  await page.getByRole('button', { name: 'Staff', exact: true }).press('Enter');
  await value.fill('1');
  await value.press('Enter');
  await expect(dialog.getByText('or a higher number.')).toBeVisible();
  // Restores the state for later tests.
  await school.sql(`update number_series set prefix = 'EMP', pattern = '{prefix}{seq:4}' where code = 'staff'`);
});
