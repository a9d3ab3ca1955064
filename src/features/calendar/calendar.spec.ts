import type { Page } from '@playwright/test';
import { chooseByTyping } from '#e2e/by-keyboard.ts';
import { expect, expectAccessible, expectLooks, test, toast } from '#e2e/school.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
const day = (page: Page, name: string) => page.getByRole('table').getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true });
const listed = (page: Page, name: string) =>
  page
    .getByRole('region', { name: /^Days of / })
    .getByRole('listitem')
    .filter({ hasText: name });

test('an Admin sets up the calendar of a year with the keyboard alone', async ({ page, school }) => {
  test.slow();
  const admin = await school.person({ isAdmin: true });
  await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
    values ('2031-32', '2031-06-01', '2032-05-31', '2031-06-01')`);
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=calendar' });
  await page.getByRole('combobox', { name: 'Working year' }).selectOption('2031-32');
  await expect(page.getByText('No holidays or other special days yet.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'June 2031' })).toBeVisible();
  await expect(page.getByText('Weekly offs: every Sunday')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Previous month' })).toHaveAttribute('aria-disabled', 'true');

  await press(page, 'Weekly offs…');
  for (const name of ['2nd Saturday', '4th Saturday'])
    await page.getByRole('checkbox', { name, exact: true }).press('Space');
  await expectAccessible(page);
  await press(page, 'Save');
  await expect(page.getByText('Weekly offs: 2nd and 4th Saturday; every Sunday')).toBeVisible();
  await expect(day(page, '14 Jun 2031 Weekly off')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'June 2031 23 working days' })).toBeVisible();

  await press(page, 'Next month');
  await day(page, '1 Jul 2031 Working day').focus();
  for (const key of ['ArrowDown', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
  await expect(field(page, 'First day')).toBeFocused();
  await expect(field(page, 'Last day')).toHaveValue('7 Jul 2031');
  await press(page, 'Save');
  for (const words of ['Kind is required.', 'Name is required.'])
    await expect(page.getByRole('dialog').getByText(words)).toBeVisible();
  await expectLooks(page);
  await field(page, 'Last day').focus();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await day(page, '7 Jul 2031 Working day').press('Enter');
  await field(page, 'Last day').fill('2031-07-08');
  await chooseByTyping(field(page, 'Kind'), 'Half');
  await field(page, 'Name').focus();
  await page.keyboard.type('Rain');
  await field(page, 'Last day').focus();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Your changes are not saved.')).toBeVisible();
  await press(page, 'Keep editing');
  await field(page, 'Name').press('Enter');
  await expect(toast(page, 'Saved.')).toBeVisible();
  await expect(day(page, '8 Jul 2031 Half day Rain')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'July 2031 24 working days' })).toBeVisible();
  await expect(listed(page, 'Rain')).toContainText('7 Jul – 8 Jul 2031');

  await day(page, '8 Jul 2031 Half day Rain').press('Enter');
  await press(page, 'Remove Rain');
  await page.keyboard.press('Escape');
  await expect(field(page, 'Name')).toHaveValue('Rain');
  await press(page, 'Remove Rain');
  await page.getByRole('dialog', { name: 'Remove Rain' }).getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(day(page, '8 Jul 2031 Working day')).toBeVisible();
  await expect(listed(page, 'Rain').getByText('7 Jul 2031', { exact: true })).toBeVisible();
});

test('a list of holidays is previewed before it is imported, and a grade has days of its own', async ({
  page,
  school,
}) => {
  test.slow();
  const admin = await school.person({ isAdmin: true });
  await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
    values ('2033-34', '2033-06-01', '2034-05-31', '2033-06-01')`);
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=calendar&month=2033-10' });
  await page.getByRole('combobox', { name: 'Working year' }).selectOption('2033-34');
  await page.getByRole('button', { name: 'Import…' }).click();
  const list = page.getByRole('textbox', { name: 'One date and name on each line' });
  await list.fill('2033-10-03,Dussehra\n32/10/2033,Never');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('row', { name: '2 32/10/2033, Never error Enter a valid date' })).toBeVisible();
  // The result is within the panel.
  await expect(page.getByRole('cell', { name: 'error Enter a valid date' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('Correct the rows and try again.')).toBeVisible();
  await expectAccessible(page);
  await list.fill('2033-10-03,Dussehra\n22/10/2033,Diwali');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Import 2 holidays' }).click();
  await expect(toast(page, '2 holidays imported.')).toBeVisible();
  await expect(day(page, '22 Oct 2033 Holiday Diwali')).toBeVisible();

  await day(page, '22 Oct 2033 Holiday Diwali').click();
  await field(page, 'First day').fill('2033-10-03');
  await expect(page.getByText('This replaces Dussehra (3 Oct 2033).')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Leave without saving' }).click();

  await page.getByRole('combobox', { name: 'Calendar for' }).selectOption('Grade 10');
  await expect(page).toHaveURL(/grade=/);
  await day(page, '3 Oct 2033 Holiday Dussehra').click();
  await expect(field(page, 'Grade (optional)').locator('option:checked')).toHaveText('Grade 10');
  await field(page, 'Kind').selectOption('Exam day');
  await field(page, 'Name').fill('Board exam');
  await school.sql(`update academic_calendar set version = version + 1
    where academic_year_id = (select id from academic_year where name = '2033-34')`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This page was changed on another device at')).toBeVisible();
  await page.getByRole('button', { name: 'Keep my version' }).click();
  await expect(day(page, '3 Oct 2033 Exam day Board exam')).toBeVisible();
  await page.getByRole('combobox', { name: 'Calendar for' }).selectOption('The whole school');
  await expect(day(page, '3 Oct 2033 Holiday Dussehra Grade 10: Exam day')).toBeVisible();
  await expect(listed(page, 'Board exam')).toContainText('3 Oct 2033, Grade 10');
  await expectLooks(page);

  await school.sql(`update academic_year set status = 'Closed' where name = '2033-34'`);
  await page.reload();
  await expect(page.getByText(/was closed on .* An Admin can reopen it/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add special days' })).toHaveCount(0);
  await expect(page.getByRole('table').getByRole('button')).toHaveCount(0);
  // Rides of other tests have no last day, so they reach into this year.
  await school.sql(`update academic_year set status = 'Open' where name = '2033-34'`);
});
