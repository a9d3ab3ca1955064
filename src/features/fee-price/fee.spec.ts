import { expect, expectAccessible, expectProblems, field, test, toast } from '#e2e/school.ts';

const path = '/school-erp/fee/frequency-of-payment';

test('an accountant adds a usual frequency with the keyboard alone and sees its days in the working year', async ({
  page,
  school,
}) => {
  const accountant = await school.person({ isStaff: true, sets: ['accountant'] });
  await school.enter(page, accountant, { path });
  await page.getByRole('button', { name: 'Quarterly' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Add frequency' });
  await expect(form.getByRole('list', { name: 'Due days' }).getByRole('listitem')).toHaveCount(4);
  await expectAccessible(page);
  await form.getByLabel('Due on day').fill('5');
  await field(page, 'name').fill('By quarter');
  await form.getByLabel('Percentages').press('Space');
  await form.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await expectProblems(page, { 'rows.0.share': 'Enter a share, or choose equal shares.' });
  await form.getByLabel('Equal shares').press('Space');
  await form.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await expect(toast(page, 'By quarter was added.')).toBeVisible();
  await expect(page.getByRole('row', { name: /^By quarter Quarterly 5 \w+ 20\d\d, 5 / })).toBeVisible();
});

test('the office reads fee heads and frequencies, and is offered no change', async ({ page, school }) => {
  const office = await school.person({ isStaff: true, sets: ['office'] });
  await school.enter(page, office, { path: '/school-erp/fee/fee-master' });
  // The tests of the price grid make heads in the same school.
  await expect(page.getByText('No fee heads yet.').or(page.getByRole('table')).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Add/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Late fine rules' }).click();
  await expect(page.getByText('No late fine rules yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Add/ })).toHaveCount(0);
});
