import { chooseByTyping } from '#e2e/by-keyboard.ts';
import { goToPreview } from '#e2e/import.ts';
import { openPlace } from '#e2e/place.ts';
import { expect, expectAccessible, expectLooks, type School, test, toast } from '#e2e/school.ts';

/** Enrols children with these names in a grade. */
const enroll = (sql: School['sql'], { grade, year }: { grade: number; year: number }, names: string[]) =>
  sql(`with children as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select 1, name || ${grade}, name, 'Shah', case when ordinality % 2 = 0 then 'M' else 'F' end, '2019-01-01'
      from unnest(array['${names.join("','")}']) with ordinality as names (name) returning id)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select children.id, ${year}, 1, 1, ${grade}, 'New', (select starts_on from academic_year where id = ${year}) from children`);

test('students are assigned by keyboard and dragging, distributed, numbered and promoted; a section takes no more than its seats', async ({
  page,
  school,
}) => {
  const place = await openPlace(page, school, 'section-student-mapping');
  const { mark, next } = place;
  const name = (letter: string) => `Grade ${mark}, ${letter}`;
  await expect(page.getByText('All students in this grade have a section.')).toBeVisible();
  await enroll(school.sql, place, ['Asha', 'Bhim', 'Charu', 'Dev', 'Esha']);
  await page.reload();

  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await page.getByRole('button', { name: `Move here (${name('A')})` }).press('Enter');
  await expect(page.getByText(`${name('A')} has 3 free seats for 5 students.`)).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await page.getByRole('button', { name: `Move here (${name('A')})` }).press('Enter');
  await expect(toast(page, `Students moved to ${name('A')}: 1.`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();
  const seats = (letter: string) => page.getByRole('listitem').filter({ hasText: name(letter) });
  await expect(seats('A')).toContainText('1 of 3');

  await page.getByRole('row').filter({ hasText: 'Bhim Shah' }).dragTo(seats('B'));
  await expect(seats('B')).toContainText('1 of 3');
  await page.getByRole('button', { name: 'Distribute into sections…' }).press('Enter');
  const plan = page.getByRole('dialog', { name: 'Distribute into sections' });
  await expect(plan).toContainText('New: Dev Shah');
  await expectAccessible(page);
  await plan.getByRole('button', { name: 'Assign', exact: true }).press('Enter');
  await expect(page.getByText('All students in this grade have a section.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();

  // Another day clears the selection.
  const show = page.getByRole('combobox', { name: 'Section' });
  await show.selectOption({ index: 1 });
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await expect(page.getByRole('heading', { name: 'Choose a section for 1 student' })).toBeVisible();
  const day = page.getByLabel('Effective from');
  const today = await day.inputValue();
  await day.fill(`${place.start}-08-08`);
  await expect(page.getByText(`Changes apply from 8 Aug ${place.start}.`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Sections', exact: true })).toBeVisible();
  await day.fill(today);
  await expect(page.getByText(`Changes apply from 1 Jun ${place.start}.`)).toBeVisible();
  await show.selectOption({ index: 0 });

  // A student of A is removed and moved back.
  await show.selectOption({ index: 1 });
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await expectLooks(page);
  await page.getByRole('button', { name: `Remove from ${name('A')}` }).press('Enter');
  await expect(page.getByRole('checkbox', { name: 'Asha Shah' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();
  await show.selectOption({ index: 0 });
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await page.getByRole('button', { name: `Move here (${name('A')})` }).press('Enter');
  await expect(page.getByText('All students in this grade have a section.')).toBeVisible();
  // The focus returns a moment later; the next key waits for it.
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();

  await page.getByRole('link', { name: 'Roll numbers' }).press('Enter');
  // Asha came last, so she has a later number until the section is renumbered.
  await expect(page.getByRole('button', { name: /^Roll number of Asha Shah: [^1]/ })).toBeVisible();
  await page.getByRole('button', { name: 'Renumber…' }).press('Enter');
  const numbering = page.getByRole('dialog', { name: `Renumber ${name('A')}` });
  await expect(numbering.getByRole('row').nth(1)).toHaveText(/^Asha Shah.*1$/);
  await expectAccessible(page);
  await expect(page.getByRole('button', { name: /^Roll number of Asha Shah: [^1]/ })).toBeVisible();
  await numbering.getByRole('button', { name: 'Renumber' }).press('Enter');
  await expect(page.getByRole('row').nth(1)).toHaveText(/^1Asha Shah/);
  await page.getByRole('button', { name: 'Roll number of Asha Shah: 1' }).press('Enter');
  await page.getByRole('textbox', { name: 'Roll number' }).fill('2');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByText(' has roll number 2. Enter a different one.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Roll number' }).fill('7');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Roll number of Asha Shah: 7' })).toBeVisible();
  await page.getByRole('button', { name: 'Lock roll numbers' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Renumber…' })).toHaveCount(0);
  await expectLooks(page);

  await page.getByRole('link', { name: 'Assign and move' }).press('Enter');
  await page.getByRole('combobox', { name: 'Section' }).selectOption({ index: 1 });
  await page.getByRole('button', { name: 'History of Asha Shah' }).press('Enter');
  const past = page.getByRole('dialog', { name: 'History of Asha Shah' });
  await expect(past).toContainText('Moved to another section');
  await expect(past).toContainText(/From ?\d+ \w+ \d{4}/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'History of Asha Shah' })).toBeFocused();

  await page.getByRole('link', { name: 'Promote' }).press('Enter');
  await expect(page.getByRole('combobox', { name: /^Decision for / })).toHaveCount(5);
  await page.getByRole('combobox', { name: 'Decision for Dev Shah' }).selectOption('Detain');
  await page.getByRole('combobox', { name: 'Decision for Esha Shah' }).selectOption('Decide later');
  await expectLooks(page);
  await page.getByRole('button', { name: `Promote to ${next}…` }).press('Enter');
  const ask = page.getByRole('dialog', { name: `Promote to ${next}` });
  await expect(ask).toContainText('3 students will be promoted. 1 student will be detained.');
  await ask.getByRole('button', { name: 'Promote', exact: true }).press('Enter');
  await expect(page.getByText(`Already in Next ${mark} for the new year`)).toHaveCount(3);
  await expect(page.getByText(`Already in Grade ${mark} for the new year`)).toHaveCount(1);
  await expect(page.getByRole('combobox', { name: 'Decision for Esha Shah' })).toBeVisible();
  // The stored promotion list.
  const row = page.getByRole('row').filter({ hasText: 'Promoted: 3, Detained: 1' });
  const take = row.getByRole('button', { name: /^Download PDF of / });
  // A slow list that is requested twice is made once, with a message.
  let asked = 0;
  const made = Promise.withResolvers<void>();
  await page.route('**/section-student/promoted/*', async (route) => {
    asked += 1;
    await made.promise;
    await route.continue();
  });
  const arrival = page.waitForEvent('download');
  await take.press('Enter');
  await take.press('Enter');
  await expect(toast(page, 'Preparing the file…')).toBeVisible();
  made.resolve();
  expect((await arrival).suggestedFilename()).toBe('promotion-list.pdf');
  expect(asked).toBe(1);
});

test('a student changes grade during the year by keyboard, after a question, and earlier days stay', async ({
  page,
  school,
}) => {
  const place = await openPlace(page, school, 'section-student-mapping');
  const { mark, start } = place;
  await enroll(school.sql, place, ['Asha', 'Bhim']);
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await page.getByRole('button', { name: `Move here (Grade ${mark}, A)` }).press('Enter');
  await expect(page.getByText('All students in this grade have a section.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();

  const show = page.getByRole('combobox', { name: 'Section' });
  await show.selectOption({ index: 1 });
  // A move planned for December, which the next one cancels.
  const day = page.getByLabel('Effective from');
  await day.fill(`${start}-12-01`);
  await expect(page.getByText(`Changes apply from 1 Dec ${start}.`)).toBeVisible();
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await page.getByRole('button', { name: `Move here (Grade ${mark}, B)` }).press('Enter');
  await expect(toast(page, `Students moved to Grade ${mark}, B: 1.`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();
  await day.fill(`${start}-08-12`);
  await expect(page.getByText(`Changes apply from 12 Aug ${start}.`)).toBeVisible();
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await page.getByRole('button', { name: 'Move to another grade…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Move to another grade' });
  await dialog.getByRole('button', { name: 'Continue' }).press('Enter');
  await expect(dialog.getByText('Section is required.')).toBeVisible();
  await chooseByTyping(dialog.getByRole('combobox', { name: 'Grade' }), `Next ${mark}`);
  await expect(dialog.getByRole('combobox', { name: 'Section' })).toBeEnabled();
  await chooseByTyping(dialog.getByRole('combobox', { name: 'Section' }), `Next ${mark}, A`);
  await dialog.getByRole('textbox', { name: 'Reason' }).focus();
  await page.keyboard.type('Reads well');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: `Move to Next ${mark}, A` });
  await expect(question).toContainText(`1 student moves to Next ${mark}, A on 12 Aug ${start}.`);
  await expect(question).toContainText(`Asha Shah: Leaves Grade ${mark} and joins Next ${mark}, A on 12 Aug ${start}.`);
  await expect(question).toContainText(`the move to Grade ${mark}, B on 1 Dec ${start} will be cancelled.`);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue('Reads well');
  await dialog.getByRole('button', { name: 'Continue' }).press('Enter');
  await question.getByRole('button', { name: 'Move', exact: true }).press('Enter');
  await expect(toast(page, `Students moved to Next ${mark}, A: 1.`)).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('checkbox', { name: 'Asha Shah' })).toHaveCount(0);
  await day.fill(`${start}-08-11`);
  await expect(page.getByRole('checkbox', { name: 'Asha Shah' })).toBeVisible();
  // Another grade keeps the day and clears the section.
  // A school with many grades offers them by typing.
  await chooseByTyping(page.getByRole('combobox', { name: 'Grade', exact: true }), `Next ${mark}`);
  await expect(page).toHaveURL(new RegExp(`[?&]on=${start}-08-11`));
  await expect(page).not.toHaveURL(/[?&]section=\d/);
  await expect(day).toHaveValue(`11 Aug ${start}`);
});

test('an import of roll numbers names a number in use and changes nothing, then succeeds once corrected', async ({
  page,
  school,
}) => {
  const place = await openPlace(page, school, 'section-student-mapping');
  const { mark, grade } = place;
  await enroll(school.sql, place, ['Asha', 'Bhim', 'Charu']);
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await page.getByRole('button', { name: `Move here (Grade ${mark}, A)` }).press('Enter');
  await expect(page.getByText('All students in this grade have a section.')).toBeVisible();
  await page.getByRole('link', { name: 'Roll numbers' }).press('Enter');
  await page.getByRole('button', { name: 'Import roll numbers…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Import roll numbers for Grade ${mark}, A` });
  const choose = (...lines: string[]) =>
    dialog.getByLabel(/^Choose a/).setInputFiles({
      name: 'rolls.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Roll number,GR number', ...lines].join('\n')),
    });
  await choose(`3,Asha${grade}`);
  await goToPreview(dialog);
  await expect(dialog).toContainText('Charu Shah has roll number 3. Enter a different one.');
  await expect(dialog.getByRole('button', { name: /^Import / })).toHaveCount(0);
  await choose(`3,Asha${grade}`, `2,Bhim${grade}`, `1,Charu${grade}`);
  await goToPreview(dialog);
  await expect(dialog).toContainText('1 → 3');
  await dialog.getByRole('button', { name: 'Import 2 rows' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Roll number of Charu Shah: 1' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Roll number of Asha Shah: 3' })).toBeVisible();
});

test('on a phone the day and the class lists of placing are behind “Filters”', async ({ page, school }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openPlace(page, school, 'section-student-mapping');
  const day = page.getByLabel('Effective from');
  const list = page.getByRole('button', { name: 'Class list' });
  await expect(day).toBeHidden();
  await expect(list).toBeHidden();
  await page.getByRole('button', { name: 'Filters' }).press('Enter');
  await expect(day).toBeVisible();
  await expect(list).toBeVisible();
});
