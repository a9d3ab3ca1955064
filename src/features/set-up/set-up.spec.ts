import { expect, test } from '#e2e/school.ts';

test('what a school enters first is on the Admin’s dashboard with its pages, until it is hidden on the device', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp' });
  const steps = page.getByRole('region', { name: 'Set up your school' });
  const step = (name: string) => steps.getByRole('listitem').filter({ hasText: name });
  await expect(steps).toContainText(/[1-8] of 9 steps done/);
  await expect(step('School profile')).toContainText('6 of 6 details entered');
  await steps.getByRole('link', { name: 'School profile' }).press('Enter');
  await expect(page).toHaveURL('/school-erp/academic/organizational-master?tab=school');

  await page.goto('/school-erp');
  await steps.getByRole('button', { name: 'Hide these steps' }).press('Enter');
  await expect(steps).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'To do today' })).toBeVisible();
  await expect(steps).toHaveCount(0);
});
