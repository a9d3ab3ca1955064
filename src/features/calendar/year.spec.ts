import type { Page } from '@playwright/test';
import { openMenu } from '#e2e/by-keyboard.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, ownYears, test, toast } from '#e2e/school.ts';

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });

test('a year is copied with the keyboard alone, after a preview, and deleted again', async ({ page, school }) => {
  const start = ownYears();
  const [from, to] = [`${start}-${start + 1}`, `${start + 1}-${start + 2}`];
  await school.sql(`
    with year as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      values ('${from}', '${start}-06-01', '${start + 1}-05-31', '${start}-06-01') returning id),
    terms as (insert into academic_term (academic_year_id, name, starts_on, ends_on)
      select id, 'Whole year', '${start}-06-01', '${start + 1}-05-31' from year)
    insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select id, 1, 4, 1, letter, 40, 'English' from year, unnest(array['A', 'B', 'C']) letter`);
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: `/school-erp/academic/academic-master?search=${start}` });
  const menu = (name: string) => page.getByRole('button', { name: `Actions for ${name}`, exact: true });
  await openMenu(menu(from));
  await page.getByRole('menuitem', { name: 'Copy to a new year…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Copy ${from} to a new year` });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue(to);
  await dialog.getByLabel('Last day').fill(`${start}-12-31`);
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter');
  await expect(dialog.getByText('Enter a later last day.')).toBeVisible();
  await dialog.getByLabel('Last day').fill(`${start + 2}-04-30`);
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter');
  await expect(dialog).toContainText(`${to} will be added as a planned year.`);
  await expect(dialog.getByRole('row', { name: 'Sections' })).toHaveText('Sections30');
  await dialog.getByText('1 entry not copied').press('Enter');
  await expect(dialog).toContainText('This term is outside the new year or overlaps another term.');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await dialog.getByRole('button', { name: 'Back' }).press('Enter');
  await expect(dialog.getByLabel('Last day')).toHaveValue(`30 Apr ${start + 2}`);
  await dialog.getByLabel('Last day').fill(`${start + 2}-05-31`);
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter');
  await dialog.getByRole('button', { name: `Add ${to}` }).press('Enter');
  await expect(toast(page, 'Added.')).toBeVisible();
  await page.goto(`/school-erp/academic/academic-master?search=${start + 1}`);
  await expect(page.getByRole('row').filter({ has: menu(to) })).toContainText('Planned');

  await openMenu(menu(to));
  await page.getByRole('menuitem', { name: 'Delete with all its data' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expect(toast(page, 'Deleted.')).toBeVisible();
  await expect(menu(to)).toHaveCount(0);
});

test('the working year decides which sections are shown and what a new one begins with', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  const mark = `W${Date.now() % 1e5}`;
  // A past year: the rides of other tests have no last day, and would reach into a later one once it is closed.
  const start = ownYears() - 1000;
  const name = `${start}-${start + 1}`;
  await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
    values ('${name}', '${start}-06-01', '${start + 1}-05-31', '${start}-06-01')`);
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select id, 1, 4, 1, '${mark}', 40, 'English' from academic_year where name = '2026-27'`);
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=section' });
  await expect(row(page, `Grade 1, ${mark}`)).toBeVisible();
  await page.getByRole('combobox', { name: 'Working year' }).selectOption(`${name}, ended`);
  await expect(page.getByText(`No sections in ${name} yet.`)).toBeVisible();
  await expect(row(page, `Grade 1, ${mark}`)).toHaveCount(0);
  await page.getByRole('button', { name: 'Add section' }).click();
  const year = page.getByRole('dialog').getByRole('combobox', { name: 'Academic year' });
  await expect(year.locator('option:checked')).toHaveText(name);
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Working year' }).locator('option:checked')).toHaveText(
    `${name}, ended`,
  );
  await expect(page.getByText(`You see ${name} (ended).`)).toBeVisible();
  await page.getByRole('button', { name: 'Remove filter Academic year' }).click();
  await expect(row(page, `Grade 1, ${mark}`)).toBeVisible();
  await school.sql(`update academic_year set status = 'Closed' where name = '${name}'`);
  await page.goto('/school-erp/academic/academic-master?tab=section');
  await expect(page.getByText(/was closed on .* An Admin can reopen it/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add section' })).toHaveCount(0);
  await school.sql(`delete from academic_section where name = '${mark}'`);
  await school.sql(`update academic_year set status = 'Open' where name = '${name}'`);
  await school.sql(`delete from academic_year where name = '${name}'`);
});
