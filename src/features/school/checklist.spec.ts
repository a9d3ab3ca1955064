import { expect, test } from '#e2e/school.ts';

test('what a school sets up first is listed with its pages, until somebody hides it on their device', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/academic/organizational-master' });
  const checklist = page.getByRole('region', { name: 'Set up your school' });
  const line = (name: string) => checklist.getByRole('listitem').filter({ hasText: name });
  await expect(checklist).toContainText(/[1-5] of 6 steps done/);
  await expect(line('School profile')).toBeHidden();
  await checklist.getByText('Set up your school').click();
  await expect(line('School profile')).toContainText('Done');
  // Other tests of this school may have added a day to the calendar.
  await expect(line('Calendar')).toContainText(/Weekly offs and holidays of the current year|Done/);

  await checklist.getByRole('link', { name: 'Number series' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Inquiries', exact: true })).toBeVisible();
  await checklist.getByRole('link', { name: 'Calendar' }).press('Enter');
  await expect(page).toHaveURL('/school-erp/academic/academic-master?tab=calendar');
  await expect(checklist).toHaveCount(0);

  await school.sql(`insert into academic_calendar (academic_year_id)
    select id from academic_year where status = 'Current'`);
  await page.goto('/school-erp/academic/organizational-master');
  await checklist.getByText('Set up your school').click();
  await expect(line('Calendar')).toContainText('Done');
  // Restores the state for later tests.
  await school.sql('delete from academic_calendar where academic_year_id = 1');

  await checklist.getByRole('button', { name: 'Hide this checklist' }).press('Enter');
  await expect(checklist).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Organizational Master' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Departments' })).toBeVisible();
  await expect(checklist).toHaveCount(0);
});
