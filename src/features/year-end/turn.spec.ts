import { expect, expectAccessible, expectNoSidewaysScroll, field, ownYears, test, toast } from '#e2e/school.ts';

test('a result is decided, all grades are promoted in one act, and a grade is undone', async ({ page, school }) => {
  const start = ownYears() - 400;
  const name = `${start}-${start + 1}`;
  await school.sql(`
    with years as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      select year || '-' || year + 1, make_date(year, 6, 1), make_date(year + 1, 5, 31), make_date(year, 6, 1)
      from unnest(array[${start}, ${start + 1}]) as year returning id, name),
    section as (insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
      select years.id, 1, grade.id, 1, 'A', 40, 'English' from years, academic_grade grade
      where grade.id in (4, (select next_grade_id from academic_grade where id = 4))
      returning id, academic_year_id, branch_id, program_id, grade_id),
    child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select 1, 'TU${start}' || n, case n when 1 then 'Diya' else 'Mira' end, 'Shah', 'F', '2015-01-01'
      from generate_series(1, 2) n returning id),
    enrolled as (insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id,
        admission_type, joined_on)
      select child.id, years.id, 1, 1, 4, 'New', '${start}-06-01' from child, years where years.name = '${name}' returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
      effective_from)
    select enrolled.id, student_id, enrolled.academic_year_id, enrolled.branch_id, enrolled.program_id, enrolled.grade_id,
      section.id, joined_on
    from enrolled join section on section.academic_year_id = enrolled.academic_year_id and section.grade_id = enrolled.grade_id`);
  const [year] = await school.sql(`select id from academic_year where name = '${name}'`);
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: `/school-erp/academic/year-end?tab=results&year=${year?.id}` });
  await page
    .getByRole('button', { name: /^Mira Shah/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Result of Mira Shah' });
  await dialog.getByRole('radio', { name: 'Detain' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Enter the reason.');
  await field(page, 'reason').fill('Below 35 % in Maths');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Mira Shah' })).toContainText('Detain');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByRole('link', { name: 'Promotion', exact: true }).click();
  const grade = page.getByRole('table', { name: 'Grades' }).getByRole('row').nth(1);
  await expect(grade).toContainText('Grade 1');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const promote = page.getByRole('button', { name: 'Promote 1 grade…' });
  // On a phone the act is at the foot, wherever the tab is scrolled to.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.mouse.wheel(0, 5000);
  await expect(promote).toBeInViewport({ ratio: 1 });
  const box = page.getByRole('checkbox', { name: 'Grade 1', exact: true });
  await box.uncheck();
  await expect(page.getByRole('button', { name: 'Promote 0 grades…' })).toBeDisabled();
  await box.check();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectNoSidewaysScroll(page);
  await promote.click();
  await expect(page.getByRole('dialog')).toContainText('2 students are promoted, detained or leave.');
  await page.getByRole('dialog').getByRole('button', { name: 'Promote', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('0 of 2.');
  await school.doRuns(admin);
  await expect(page.getByRole('dialog')).toContainText('Finished: 2 done, 0 skipped, 0 failed.');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  const result = page.getByRole('table', { name: 'Result by grade' });
  await expect(result.getByRole('row').nth(1)).toContainText('Grade 1');
  await expectAccessible(page);
  // One student, from the list of all.
  const every = page.getByRole('region', { name: 'Every student' });
  const menuOf = (child: string) => every.getByRole('button', { name: `Actions for ${child}`, exact: true });
  const undoOne = page.getByRole('menuitem', { name: 'Undo the promotion…' });
  const asked = page.getByRole('dialog', { name: 'Undo the promotion' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await menuOf('Mira Shah').click();
  await undoOne.click();
  await expect(asked).toContainText('1 student becomes undecided and is removed from the new year.');
  await expect(asked.getByRole('table', { name: 'Students' }).getByRole('row')).toHaveCount(2);
  expect((await asked.boundingBox())?.width).toBe(560);
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(asked.getByRole('button', { name: 'Undo the promotion' })).toBeInViewport({ ratio: 1 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await asked.getByRole('button', { name: 'Undo the promotion' }).click();
  await expect(toast(page, 'The promotion was undone.')).toBeVisible();
  await expect(every.getByRole('row').filter({ hasText: 'Mira Shah' })).toContainText('Not written');
  await expect(every.getByRole('row').filter({ hasText: 'Diya Shah' })).toContainText('Grade 2, A');
  await menuOf('Mira Shah').click();
  await expect(page.getByRole('menuitem', { name: 'Open the record' })).toBeVisible();
  await expect(undoOne).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page);

  // In a closed year nothing is undone.
  const undoGrade = result.getByRole('button', { name: 'Undo… Grade 1' });
  await expect(undoGrade).toBeVisible();
  const setStatus = (to: string) => school.sql(`update academic_year set ${to} where name = '${name}'`);
  await setStatus(`status = 'Closed', closed_at = now()`);
  await page.reload();
  await expect(page.getByText(`${name} is closed.`)).toBeVisible();
  await expect(result.getByRole('button', { name: 'PDF of Grade 1' })).toBeVisible();
  await expect(undoGrade).toHaveCount(0);
  await menuOf('Diya Shah').click();
  await expect(page.getByRole('menuitem', { name: 'Open the record' })).toBeVisible();
  await expect(undoOne).toHaveCount(0);
  await setStatus(`status = 'Open'`);
  await page.reload();

  await undoGrade.click();
  await expect(asked).toContainText('1 student becomes undecided');
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Undo the promotion' }).click();
  await expect(result).toContainText('Undone');
});
