import { expect, expectAccessible, expectNoSidewaysScroll, test, toast } from '#e2e/school.ts';

const path = '/school-erp/academic/organizational-master?tab=settings';

test('a setting is found by a word, changed by the keyboard alone, and given back its default', async ({
  page,
  school,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path });
  const name = 'Validity of a family’s link';
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('VALIDITY');
  await expect(page.getByRole('button', { name: 'Reminders of an unfinished form', exact: true })).toHaveCount(0);
  await expectNoSidewaysScroll(page);

  const row = page.getByRole('row').filter({ hasText: name });
  const open = page.getByRole('button', { name, exact: true });
  await open.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Edit setting: ${name}` });
  const days = dialog.getByRole('textbox', { name: `${name} (days)` });
  await expect(days).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('400');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Enter a whole number from 1 to 365.')).toBeVisible();
  await expect(days).toBeFocused();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  // Another Admin is faster.
  await school.sql(`insert into setting (key, value, updated_by) values ('admission.link-days', '90', ${admin.staffId})
    on conflict (key) do update set value = '90', version = setting.version + 1`);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('45');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('Which version do you want to keep?');
  await expect(dialog.getByRole('alert')).toBeFocused();
  await expect(dialog.getByRole('row', { name: `${name} 90 days, ${admin.name} 45 days` })).toBeVisible();
  await expect(days).toHaveValue('45');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await dialog.getByRole('button', { name: 'Keep my version' }).press('Enter');
  await expect(days).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Saved.')).toBeVisible();
  await expect(open).toBeFocused();
  await expect(row).toContainText('45 days');
  await expect(row.getByRole('cell', { name: '60 days' })).toBeVisible();
  await expect(row).toContainText(admin.name);

  const actions = page.getByRole('button', { name: `Actions for ${name}` });
  await actions.press('Enter');
  await page.getByRole('menuitem', { name: 'History' }).press('Enter');
  const history = page.getByRole('dialog', { name: `History of ${name}` });
  await expect(history).toContainText('90 days → 45 days');
  await page.keyboard.press('Escape');
  await expect(actions).toBeFocused();
  await actions.press('Enter');
  await page.getByRole('menuitem', { name: 'Use the default' }).press('Enter');
  await expect(row).not.toContainText('45 days');
  await expect(actions).toBeFocused();
});
