import { openMenu } from '#e2e/by-keyboard.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, field, ownYears, test, toast } from '#e2e/school.ts';

test('a year that has ended is closed with the keyboard alone, and reopened with a reason', async ({
  page,
  school,
}) => {
  // A past year also for a worker that was started again, whose next one lacks its sections.
  const start = ownYears() - 600;
  const name = `${start}-${start + 1}`;
  await school.sql(`
    with years as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      select year || '-' || year + 1, make_date(year, 6, 1), make_date(year + 1, 5, 31), make_date(year, 6, 1)
      from unnest(array[${start}, ${start + 1}]) as year returning id, name),
    section as (insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
      select id, 1, 4, 1, 'A', 40, 'English' from years where name = '${name}'),
    child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      values (1, 'YE${start}', 'Diya', 'Shah', 'F', '2015-01-01') returning id)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select child.id, years.id, 1, 1, 4, 'New', '${start}-06-01' from child, years where years.name = '${name}'`);
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: `/school-erp/academic/academic-master?search=${start}` });
  await openMenu(page.getByRole('button', { name: `Actions for ${name}`, exact: true }));
  await page.getByRole('menuitem', { name: 'Close the year…' }).press('Enter');
  await expect(page.getByRole('heading', { name: `Close the year ${name}` })).toBeVisible();
  const blocks = page.getByRole('region', { name: 'Blocks' }).getByRole('listitem');
  await expect(blocks).toContainText(['Students without a result']);
  await expect(blocks).toContainText(['Diya Shah (Grade 1)']);
  await expect(page.getByRole('button', { name: 'Close: 1 thing blocks' })).toBeDisabled();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectNoSidewaysScroll(page);

  await school.sql(`update student_enrollment set status = 'Promoted' where joined_on = '${start}-06-01'`);
  await page.reload();
  const unseen = page.getByRole('button', { name: /^Seen: /, pressed: false });
  await expect(page.getByRole('button', { name: /^Close: \d+ to see$/ })).toBeDisabled();
  await expect(page.getByRole('listitem').filter({ hasText: 'Grades without sections' })).toContainText('1 of 1');
  for (let left = await unseen.count(); left > 0; left--) {
    await unseen.first().press('Enter');
    await expect(unseen).toHaveCount(left - 1);
  }
  await page.getByRole('button', { name: `Close ${name}…` }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Close ${name}` });
  await expect(dialog).toContainText('Grades without sections in the next year: 1');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: `Close ${name}` }).press('Enter');
  await expect(toast(page, 'Closed.')).toBeVisible();
  await expect(page.getByText(`${name} is closed.`)).toBeVisible();

  await page.getByRole('link', { name: 'Closed', exact: true }).press('Enter');
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: name }).first()).toContainText(
    'Grades without sections in the next year: 1',
  );
  await expectAccessible(page);
  // Another test may have closed a later year at this moment, which is then the only one that is offered.
  const reopen = page.getByRole('button', { name: `Reopen ${name}…` });
  await expect(async () => {
    await page.reload();
    await expect(reopen).toBeVisible({ timeout: 2000 });
  }).toPass();
  await reopen.press('Enter');
  await field(page, 'reason').fill('A register is missing');
  await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).press('Enter');
  await expect(toast(page, `${name} is open again.`)).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: name }).first()).toContainText(
    'A register is missing',
  );
  await school.sql(`delete from student_enrollment where joined_on = '${start}-06-01'`);
  await school.sql(
    `delete from academic_section where academic_year_id in (select id from academic_year where name = '${name}')`,
  );
});
