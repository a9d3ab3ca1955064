import { expect, expectLooks, ownYears, test, toast } from '#e2e/school.ts';

test('B4.35 the prices of a year are filled with the keyboard alone, raised, checked, saved as drafts and asked to be published', async ({
  page,
  school,
}) => {
  const mark = String(Math.floor(Math.random() * 1e6));
  const start = ownYears();
  const accountant = await school.person({ isStaff: true, sets: ['accountant'] });
  const [place] = await school.sql(`
    with years as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      values ('${start}-${start + 1}', '${start}-06-01', '${start + 1}-05-31', '${start}-06-01') returning id),
    grades as (insert into academic_grade (name, code, stage, position)
      select 'Grade ' || place || ' ${mark}', place || right('${mark}', 5), 'Middle', ${2 * start} + place
      from generate_series(0, 1) place returning id, name),
    often as (insert into fee_frequency (name, code, kind, unit, is_equal)
      values ('Monthly ${mark}', 'M${mark}', 'Monthly', 1, true) returning id),
    parts as (insert into fee_frequency_row (frequency_id, seq, label, from_month, months, due_month, due_day)
      select id, 1, 'Year', 0, 12, 0, 10 from often),
    series as (insert into fee_receipt_series (name, short_name) values ('School ${mark}', 'S${mark}') returning id),
    heads as (insert into fee_head (name, short_name, category, frequency_id, applies_to, pro_rata, priority, receipt_series_id)
      select name || ' ${mark}', left(name, 3) || '${mark}', 'Tuition', often.id, 'All students', 'None', 50,
        series.id from often, series, unnest(array['Tuition', 'Term']) name returning id),
    made as (insert into fee_structure (name, academic_year_id, branch_id, program_id, admission_type, edited_by)
      select grades.name, years.id, 1, 1, 'All students', (select min(id) from staff) from years, grades
      returning id, name, academic_year_id, branch_id, program_id, admission_type, status),
    own as (insert into fee_structure_grade (structure_id, grade_id, academic_year_id, branch_id, program_id, category_key,
        admission_type, status)
      select made.id, grades.id, academic_year_id, branch_id, program_id, 0, admission_type, status
      from made join grades on grades.name = made.name),
    lines as (insert into fee_structure_line (structure_id, fee_head_id, annual, frequency_id)
      select made.id, heads.id, 6000000, often.id from made, heads, often)
    select (select id from years) as year`);
  const path = `/school-erp/fee/fee-structure-allocation?part=price&academicYearId=${place?.year}`;
  await school.enter(page, accountant, { path });
  await expect(page.getByRole('grid', { name: 'Prices' })).toBeVisible();
  const cell = (grade: number, head: number) =>
    page
      .getByRole('row', { name: `Grade ${grade} ${mark}` })
      .getByRole('gridcell')
      .nth(head);
  await cell(0, 0).focus();
  await page.keyboard.type('64,800');
  await page.keyboard.press('Enter');
  await expect(cell(1, 0)).toBeFocused();
  // The test’s keyboard has no keys of these digits: it writes them into the box alone.
  await page.keyboard.press('F2');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('૭૦,૦૦૦');
  await page.keyboard.press('Tab');
  await expect(cell(1, 1)).toBeFocused();
  await page.keyboard.type('33OO');
  await page.keyboard.press('Enter');
  await expect(cell(1, 1)).toContainText('Enter an amount, such as 1,25,000.50.');
  await expect(page.getByRole('button', { name: '1 to correct' })).toBeDisabled();
  await expectLooks(page);
  await page.keyboard.press('Delete');
  await page.keyboard.type('3,300');
  await page.keyboard.press('Enter');
  await page.getByLabel('Amounts to raise').selectOption('All amounts');
  await page.getByLabel('Rise (%)').fill('10');
  await page.getByRole('button', { name: 'Apply' }).press('Enter');
  await expect(page.getByText('4 amounts raised')).toBeVisible();
  await expect(cell(0, 0)).toHaveText('71,200');
  await page.getByRole('button', { name: 'Save as drafts…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Save these prices as drafts?' });
  await expect(dialog).toContainText('₹1,48,200.00');
  await expectLooks(page);
  await dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await expect(toast(page, 'The drafts are ready to be published.')).toBeVisible();
  await expect(page.getByRole('link', { name: '2 drafts to publish' })).toBeVisible();
  await page.getByRole('button', { name: 'Publish prices' }).press('Enter');
  await page.getByRole('button', { name: 'Preview' }).press('Enter');
  const asking = page.getByRole('dialog', { name: 'Send these prices for approval?' });
  await expect(asking).toContainText('2 requests are created, one for each fee structure.');
  await expectLooks(page);
  await asking.getByRole('button', { name: 'Send for approval' }).press('Enter');
  await expect(toast(page, 'Waiting for approval: 2.')).toBeVisible();
  await expect(page.getByRole('rowheader', { name: `Grade 1 ${mark}` })).toContainText('Waiting for approval');
  await expect(page.getByRole('button', { name: 'Publish prices' })).toHaveCount(0);
  await page.goto(`/school-erp/fee/fee-structure-allocation?part=structure&tab=all&search=${mark}`);
  await expect(page.getByRole('row', { name: `Grade 1 ${mark}` })).toContainText('₹80,600.00');
});
