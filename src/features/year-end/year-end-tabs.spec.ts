import { expect, expectAccessible, expectNoSidewaysScroll, field, ownYears, test, toast } from '#e2e/school.ts';

test('U1.16 the office completes the leavers of a year, reads who is unexplained and numbers the next year’s sections', async ({
  page,
  school,
}) => {
  const start = ownYears() - 400;
  const name = `${start}-${start + 1}`;
  await school.sql(`
    with years as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      select year || '-' || year + 1, make_date(year, 6, 1), make_date(year + 1, 5, 31), make_date(year, 6, 1)
      from unnest(array[${start}, ${start + 1}]) as year returning id, name),
    grade as (insert into academic_grade (name, code, stage, position, is_active)
      select 'Last ${start}', 'L${start}', stage, 100000 + ${start}, false from academic_grade limit 1 returning id),
    section as (insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
      select years.id, 1, grade.id, 1, 'A', 40, 'English' from years, grade returning id, academic_year_id),
    child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      values (1, 'YL${start}', 'Tara', 'Shah', 'F', '2005-01-01') returning id)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select child.id, years.id, 1, 1, grade.id, 'New', '${start}-06-01' from child, years, grade where years.name = '${name}'`);
  const [year] = await school.sql(`select id from academic_year where name = '${name}'`);
  const office = await school.person({ isStaff: true, sets: ['office'] });
  await school.enter(page, office, { path: `/school-erp/academic/year-end?year=${year?.id}` });
  await page.getByRole('link', { name: 'Leavers', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Tara Shah' })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('checkbox', { name: 'Select Tara Shah' }).check();
  await page.getByRole('button', { name: 'Conduct and progress' }).click();
  await field(page, 'progress').fill('Promoted with merit');
  await page.getByRole('button', { name: 'Preview' }).click();
  const described = page.getByRole('dialog', { name: 'Conduct and progress' }).last();
  await expect(described).toContainText('1 student is changed.');
  await expectAccessible(page);
  await described.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Students changed: 1.')).toBeVisible();
  const leaver = page.getByRole('row').filter({ hasText: 'Tara Shah' });
  await expect(leaver).toContainText('Promoted with merit');

  await page.getByRole('checkbox', { name: 'Select Tara Shah' }).check();
  await page.getByRole('button', { name: 'Complete leavers' }).click();
  await expect(field(page, 'conduct')).toHaveValue('Good');
  await page.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog', { name: 'Complete leavers' }).last();
  await expect(dialog).toContainText('1 student gets the last day of the year and a leaving certificate.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Complete', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('0 of 1.');
  await school.doRuns(office);
  await expect(page.getByRole('dialog')).toContainText('Finished: 1 done, 0 skipped, 0 failed.');
  await expect(page.getByRole('button', { name: 'Download all as one PDF' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect(leaver).toContainText('LC/');

  await page.getByRole('link', { name: 'Unexplained', exact: true }).click();
  await expect(page.getByText(/Roll of 31 May .*: 1 = 0 in .* 1 completed/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Next year', exact: true }).click();
  await expect(page.getByRole('heading', { name: `${start + 1}-${start + 2}` })).toBeVisible();
  await page.getByRole('button', { name: 'Number all sections…' }).click();
  await expect(page.getByRole('dialog')).toContainText('The roll numbers are in this order already');
  await expectAccessible(page);
});
