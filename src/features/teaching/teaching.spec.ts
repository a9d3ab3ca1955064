import { chooseByTyping } from '#e2e/by-keyboard.ts';
import { goToPreview } from '#e2e/import.ts';
import { openPlace } from '#e2e/place.ts';
import { expect, expectLooks, expectNoSidewaysScroll, test, toast } from '#e2e/school.ts';

test('a class teacher is assigned by keyboard and covered for three days, and missing teachers are listed', async ({
  page,
  school,
}) => {
  const cover = await school.person({ name: 'Bela Cover', isStaff: true });
  const { mark, start } = await openPlace(page, school, 'section-teacher-mapping');
  const asha = await school.person({ name: 'Asha Teacher', isStaff: true });
  await page.reload();
  const gaps = page.getByRole('group').filter({ hasText: 'no teacher' });
  await expect(gaps).toContainText('2 sections or subjects have no teacher');
  await expectLooks(page);

  await page.getByRole('button', { name: `Assign Grade ${mark}, A: Class teacher` }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Grade ${mark}, A: Class teacher` });
  await dialog.getByRole('button', { name: 'Assign' }).press('Enter');
  await expect(dialog.getByText('Teacher is required.')).toBeVisible();
  await chooseByTyping(dialog.getByRole('combobox', { name: 'Teacher' }), 'Asha Teacher');
  await dialog.getByRole('button', { name: 'Assign' }).press('Enter');
  // The pressed button is gone; its cell keeps the focus.
  const entry = page.getByRole('button', { name: /^Asha Teacher \(.+: Class teacher\)/ });
  await expect(entry).toBeVisible();
  await expect(entry).toBeFocused();
  await page.getByRole('button', { name: `History of Grade ${mark}, A` }).press('Enter');
  await expect(page.getByRole('dialog', { name: `History of Grade ${mark}, A` })).toContainText('Assigned a teacher');
  await page.keyboard.press('Escape');
  await expect(gaps).toContainText('1 section or subject has no teacher');

  await entry.press('Enter');
  await page.getByRole('button', { name: 'Replace…' }).press('Enter');
  await page.keyboard.press('Escape');
  await expect(entry).toBeFocused();
  await entry.press('Enter');
  await page.getByRole('button', { name: 'Replace…' }).press('Enter');
  await chooseByTyping(dialog.getByRole('combobox', { name: 'Teacher' }), cover.name);
  await dialog.getByLabel('From').fill(`${start}-07-06`);
  await dialog.getByLabel('Until').fill(`${start}-07-08`);
  await dialog.getByRole('button', { name: 'Replace' }).press('Enter');
  await expect(page.getByRole('button', { name: /^Bela Cover \(.+: Class teacher\)/ })).toContainText(
    `6 Jul ${start} – 8 Jul ${start}`,
  );
  await expect(page.getByRole('button', { name: /^Asha Teacher \(.+: Class teacher\)/ })).toHaveCount(2);
  const day = page.getByLabel('Day', { exact: true });
  await day.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(`12-11-${start}`);
  await page.keyboard.press('Tab');
  await expect(day).toHaveValue(`12 Nov ${start}`);
  await expect(page.getByRole('button', { name: /^Bela Cover \(.+: Class teacher\)/ })).toHaveCount(0);
  await expect(entry).toHaveCount(1);

  // An inactive teacher stays in the table until replaced.
  await school.sql(`update sign_in_account set is_active = false where id = ${asha.id}`);
  await page.reload();
  await expect(entry).toContainText('inactive');
  await gaps.getByText('2 sections or subjects have no teacher').press('Enter');
  await expect(gaps).toContainText('(inactive teacher: Asha Teacher)');
});

test('teachers are imported from an export, filtered, and removed after a question', async ({ page, school }) => {
  const { mark, grade, year } = await openPlace(page, school, 'section-teacher-mapping');
  const asha = await school.person({ name: 'Asha Imported', isStaff: true });
  // The list of teachers and the load fail once, and are read again.
  let isAway = true;
  await page.route(/staff\/option|section-teacher\/load/, (route) => (isAway ? route.abort() : route.continue()));
  await page.reload();
  await page.getByRole('button', { name: `Assign Grade ${mark}, A: Class teacher` }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Grade ${mark}, A: Class teacher` });
  // The filter, the load and the dialog; each is read twice before the failure is shown.
  await expect(page.locator('button', { hasText: 'Try again' })).toHaveCount(3);
  isAway = false;
  await dialog.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(dialog.getByRole('combobox', { name: 'Teacher' })).toBeVisible();
  await page.keyboard.press('Escape');
  for (const left of [1, 0]) {
    await page.getByRole('button', { name: 'Try again' }).first().press('Enter');
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(left);
  }

  const filter = `academicYearId=${year}&gradeId=${grade}&staffId=&on=&as=csv`;
  const exported = await (await page.request.get(`/api/academic/section-teacher/export?${filter}`)).text();
  const filled = exported.replace(/,"","",("[-0-9]+"),"","no teacher"/, `,"${asha.name}","",$1,"",""`);
  await page.getByRole('button', { name: 'Import…' }).press('Enter');
  const panel = page.getByRole('dialog', { name: /^Import teachers for / });
  const choose = (text: string) =>
    panel.locator('input[type=file]').setInputFiles({
      name: 'teachers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    });
  await choose(filled.replace(asha.name, 'Nobody Known'));
  await goToPreview(panel, { asksWords: true });
  await expect(panel).toContainText('“Nobody Known” does not exist.');
  await choose(filled);
  await goToPreview(panel);
  await panel.getByRole('button', { name: 'Import 1 row' }).press('Enter');
  await expect(toast(page, '1 row imported.')).toBeVisible();
  await panel.getByRole('button', { name: 'Close', exact: true }).last().press('Enter');
  const entry = page.getByRole('button', { name: /^Asha Imported \(.+: Class teacher\)/ });
  await expect(entry).toBeVisible();

  // Chosen by keyboard, and kept in the address.
  await chooseByTyping(page.getByRole('combobox', { name: 'Teacher' }), 'Asha Imported');
  await expect(page).toHaveURL(/teacher=/);
  await expect(page.getByRole('rowheader', { name: `Grade ${mark}, A` })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: `Grade ${mark}, B` })).toHaveCount(0);

  await page.goto('/school-erp/dashboard');
  const card = page.getByRole('region', { name: 'Teachers' });
  await expect(card).toContainText('Sections without a class teacher2');
  await expect(card).toContainText('Subjects without a teacher0');
  await card.getByRole('link', { name: 'Sections without a class teacher' }).press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: `Grade ${mark}, B – no class teacher` })).toBeVisible();

  await entry.press('Enter');
  const opened = page.getByRole('dialog', { name: `Grade ${mark}, A: Class teacher` });
  await opened.getByRole('button', { name: 'Remove teacher…' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Remove Asha Imported' });
  await question.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(question).toHaveCount(0);
  const remove = opened.getByRole('button', { name: 'Remove teacher…' });
  await expect(remove).toBeFocused();
  // On a busy machine the first question may still be closing.
  await expect(async () => {
    await remove.press('Enter');
    await expect(question).toBeVisible({ timeout: 1000 });
  }).toPass();
  await question.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  await expect(toast(page, 'Removed.')).toBeVisible();
  await expect(entry).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Assign Grade ${mark}, A: Class teacher` })).toBeFocused();
});

test('a section filter narrows rows and missing teachers, and another grade clears it', async ({ page, school }) => {
  const { mark } = await openPlace(page, school, 'section-teacher-mapping');
  const gaps = page.getByRole('group').filter({ hasText: 'no teacher' });
  await expect(gaps).toContainText('2 sections or subjects have no teacher');
  const section = page.getByRole('combobox', { name: 'Section', exact: true });
  await section.selectOption(`Grade ${mark}, B`);
  await expect(gaps).toContainText('1 section or subject has no teacher');
  await expect(page.getByRole('rowheader')).toHaveText([`Grade ${mark}, B`]);
  await expect(section.getByRole('option')).toHaveCount(3);
  await page.reload();
  await expect(page.getByRole('rowheader')).toHaveText([`Grade ${mark}, B`]);
  await page.getByRole('combobox', { name: 'Grade' }).selectOption(`Next ${mark}`);
  await expect(page.getByRole('rowheader')).toHaveText([`Next ${mark}, A`]);
  await expect(section).toHaveValue('');
});

test('a grade with many subjects scrolls within its frame', async ({ page, school }) => {
  const { grade, year, mark } = await openPlace(page, school, 'section-teacher-mapping');
  await school.sql(`with subjects as (insert into configuration_subject (name, code, short_name, kind)
      select 'Subject ' || n || ' of ${mark}', n || 'x' || right('${mark}', 4), 'SUB' || n, 'Scholastic'
      from generate_series(1, 14) n returning id)
    insert into configuration_grade_subject (academic_year_id, program_id, grade_id, subject_id, is_compulsory)
      select ${year}, 1, ${grade}, id, true from subjects`);
  const { id } = await school.person({ name: 'Asha Teacher', isStaff: true });
  await school.sql(`insert into academic_section_teacher
      (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role, subject_id, effective_from)
    select ${year}, section.branch_id, 1, ${grade}, section.id, account.staff_id, 'Subject teacher', taken.subject_id,
      year.starts_on
    from academic_section section join academic_year year on year.id = ${year}
    join configuration_grade_subject taken on taken.academic_year_id = ${year} and taken.grade_id = ${grade}
    join sign_in_account account on account.id = ${id}
    where section.academic_year_id = ${year} and section.grade_id = ${grade}`);
  await page.reload();
  await expect(page.getByRole('columnheader')).toHaveCount(18 + 3);
  await expectNoSidewaysScroll(page);
});
