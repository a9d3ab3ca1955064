import type { Page } from '@playwright/test';
import { workingYearName } from '../src/features/calendar/contract/year.ts';
import { chooseByTyping } from './by-keyboard.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, ownYears, type School, test, toast } from './school.ts';

type Sql = (statement: string) => Promise<Record<string, unknown>[]>;

/** Two years of its own, a grade with sections A and B of three seats in both, the next grade with one section A. */
async function openPlace(page: Page, school: School, path: string) {
  const mark = String(Math.floor(Math.random() * 1e6));
  const start = ownYears();
  const [place] = await school.sql(`
    with years as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      values ('${start}-${start + 1}', '${start}-06-01', '${start + 1}-05-31', '${start}-06-01'),
        ('${start + 1}-${start + 2}', '${start + 1}-06-01', '${start + 2}-05-31', '${start + 1}-06-01')
      returning id, name),
    next as (insert into academic_grade (name, code, stage, position)
      select 'Next ${mark}', 'N' || right('${mark}', 5), 'Middle', ${2 * start} returning id),
    grade as (insert into academic_grade (name, code, stage, position, next_grade_id)
      select 'Grade ${mark}', 'G' || right('${mark}', 5), 'Middle', ${2 * start + 1}, (select id from next)
      returning id),
    sections as (insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
      select years.id, 1, case when letter = 'next A' then (select id from next) else (select id from grade) end, 1,
        right(letter, 1), 3, 'English'
      from years, unnest(array['A', 'B', 'next A']) letter returning id)
    select (select id from grade) as grade, (select min(id) from years) as year`);
  const { grade, year } = place as { grade: number; year: number };
  await page.addInitScript(`localStorage.setItem('${workingYearName}', '${year}')`);
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: `/school-erp/academic/${path}?grade=${grade}` });
  return { grade, year, mark, start, next: `${start + 1}-${start + 2}` };
}

/** On a desk in light and on a phone in dark, and never wider than the smallest one. */
async function expectFits(page: Page) {
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
  }
  await page.emulateMedia({ colorScheme: null });
}

test('a class teacher is assigned with the keyboard alone, covered for three days, and what is missing is listed', async ({
  page,
  school,
}) => {
  const cover = await school.person({ name: 'Bela Cover', isStaff: true });
  const { mark, start } = await openPlace(page, school, 'section-teacher-mapping');
  const asha = await school.person({ name: 'Asha Teacher', isStaff: true });
  await page.reload();
  const gaps = page.getByRole('group').filter({ hasText: 'without a teacher' });
  await expect(gaps).toContainText('2 places are without a teacher');
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: `Assign class teacher of Grade ${mark}, A` }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Grade ${mark}, A: Class teacher` });
  await dialog.getByRole('button', { name: 'Assign' }).press('Enter');
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toContainText('Teacher is required.');
  await expectAccessible(page);
  await chooseByTyping(dialog.getByRole('combobox', { name: 'Teacher' }), 'Asha Teacher');
  await dialog.getByRole('button', { name: 'Assign' }).press('Enter');
  // What was pressed is gone; the focus stays in its place.
  const entry = page.getByRole('button', { name: /^Asha Teacher \(class teacher of / });
  await expect(entry).toBeVisible();
  await expect(entry).toBeFocused();
  await page.getByRole('button', { name: `History of Grade ${mark}, A` }).press('Enter');
  await expect(page.getByRole('dialog', { name: `History of Grade ${mark}, A` })).toContainText('assigned a teacher');
  await page.keyboard.press('Escape');
  await expect(gaps).toContainText('1 place is without a teacher');

  await entry.press('Enter');
  await page.getByRole('button', { name: 'Replace…' }).press('Enter');
  await page.keyboard.press('Escape');
  await expect(entry).toBeFocused();
  await entry.press('Enter');
  await page.getByRole('button', { name: 'Replace…' }).press('Enter');
  await dialog.getByRole('combobox', { name: 'Teacher' }).selectOption({ label: cover.name });
  await dialog.getByLabel('From').fill(`${start}-07-06`);
  await dialog.getByLabel('Until').fill(`${start}-07-08`);
  await dialog.getByRole('button', { name: 'Replace' }).press('Enter');
  await expect(page.getByRole('button', { name: /^Bela Cover \(class teacher of / })).toContainText(
    `6 Jul ${start} – 8 Jul ${start}`,
  );
  await expect(page.getByRole('button', { name: /^Asha Teacher \(class teacher of / })).toHaveCount(2);
  // Typed by its keys, the same for day and month as browsers put them in different orders.
  const day = page.getByLabel('Day', { exact: true });
  await day.focus();
  await page.keyboard.type(`1111${start}`, { delay: 100 });
  await expect(day).toHaveValue(`${start}-11-11`);
  await expect(page.getByRole('button', { name: /^Bela Cover \(class teacher of / })).toHaveCount(0);
  await expect(entry).toHaveCount(1);

  // Somebody who has left stays in sight until another one takes over.
  await school.sql(`update sign_in_account set is_active = false where id = ${asha.id}`);
  await page.reload();
  await expect(entry).toContainText('has left');
  await gaps.getByText('2 places are without a teacher').press('Enter');
  await expect(gaps).toContainText('(Asha Teacher has left)');
  await expectFits(page);
  await expectNoSidewaysScroll(page);
});

test('teachers are imported from the file that was exported, looked at one by one, and taken back after a question', async ({
  page,
  school,
}) => {
  const { mark, grade, year } = await openPlace(page, school, 'section-teacher-mapping');
  const asha = await school.person({ name: 'Asha Imported', isStaff: true });
  // The list of teachers and the load fail once: it is said, and asked again.
  let isAway = true;
  await page.route(/staff\/option|section-teacher\/load/, (route) => (isAway ? route.abort() : route.continue()));
  await page.reload();
  await page.getByRole('button', { name: `Assign class teacher of Grade ${mark}, A` }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Grade ${mark}, A: Class teacher` });
  await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  isAway = false;
  await dialog.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(dialog.getByRole('combobox', { name: 'Teacher' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);

  const look = `academicYearId=${year}&gradeId=${grade}&staffId=&on=&as=csv`;
  const exported = await (await page.request.get(`/api/academic/section-teacher/export?${look}`)).text();
  const filled = exported.replace(/,"","",("[-0-9]+"),"","nobody yet"/, `,"${asha.name}","",$1,"",""`);
  await page.getByRole('button', { name: 'Import…' }).press('Enter');
  const panel = page.getByRole('dialog', { name: /^Import teachers of / });
  const choose = (text: string) =>
    panel.locator('input[type=file]').setInputFiles({
      name: 'teachers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    });
  await choose(filled.replace(asha.name, 'Nobody Known'));
  await expect(panel).toContainText('1 row cannot be imported as it is, so none is.');
  await expect(panel).toContainText('There is no Teacher “Nobody Known”.');
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await choose(filled);
  await panel.getByRole('button', { name: 'Import 1 row' }).press('Enter');
  await expect(toast(page, 'Imported.')).toBeVisible();
  const entry = page.getByRole('button', { name: /^Asha Imported \(class teacher of / });
  await expect(entry).toBeVisible();

  // Chosen with the keys, and kept in the address.
  await page.getByRole('combobox', { name: 'Teacher' }).focus();
  await page.keyboard.type('Asha Imported');
  await expect(page).toHaveURL(/teacher=/);
  await expect(page.getByRole('rowheader', { name: `Grade ${mark}, A` })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: `Grade ${mark}, B` })).toHaveCount(0);
  await expectFits(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.goto('/school-erp/dashboard');
  const card = page.getByRole('region', { name: 'Teachers that are missing' });
  await expect(card).toContainText('Sections without a class teacher: 2 · subjects without a teacher: 0');
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await card.getByRole('link').press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: `Grade ${mark}, B has no class teacher` })).toBeVisible();

  await entry.press('Enter');
  const opened = page.getByRole('dialog', { name: `Grade ${mark}, A: Class teacher` });
  await opened.getByRole('button', { name: 'Take back…' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Take back Asha Imported' });
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(question).toHaveCount(0);
  await expect(opened.getByRole('button', { name: 'Take back…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Take back', exact: true }).press('Enter');
  await expect(toast(page, 'Taken back.')).toBeVisible();
  await expect(entry).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Assign class teacher of Grade ${mark}, A` })).toBeFocused();
});

test('the sections of a grade are narrowed to one, its gaps with it, and another grade forgets it', async ({
  page,
  school,
}) => {
  const { mark } = await openPlace(page, school, 'section-teacher-mapping');
  const gaps = page.getByRole('group').filter({ hasText: 'without a teacher' });
  await expect(gaps).toContainText('2 places are without a teacher');
  const section = page.getByRole('combobox', { name: 'Section', exact: true });
  await section.selectOption(`Grade ${mark}, B`);
  await expect(gaps).toContainText('1 place is without a teacher');
  await expect(page.getByRole('rowheader')).toHaveText([`Grade ${mark}, B`]);
  await expect(section.getByRole('option')).toHaveCount(3);
  await page.reload();
  await expect(page.getByRole('rowheader')).toHaveText([`Grade ${mark}, B`]);
  await page.getByRole('combobox', { name: 'Grade' }).selectOption(`Next ${mark}`);
  await expect(page.getByRole('rowheader')).toHaveText([`Next ${mark}, A`]);
  await expect(section).toHaveValue('');
});

test('a grade of many subjects scrolls within its frame, and nothing of it widens the page', async ({
  page,
  school,
}) => {
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

test('who is no Admin is not told which teachers are missing, nor is it asked for', async ({ page, school }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await school.enter(page, await school.person({ isStaff: true }));
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect(asked.filter((url) => url.includes('/api/academic/section-teacher'))).toEqual([]);
});

/** Enrolls children of these names in a grade. */
const enroll = (sql: Sql, { grade, year }: { grade: number; year: number }, names: string[]) =>
  sql(`with children as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select 1, name || ${grade}, name, 'Shah', case when ordinality % 2 = 0 then 'M' else 'F' end, '2019-01-01'
      from unnest(array['${names.join("','")}']) with ordinality as names (name) returning id)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select children.id, ${year}, 1, 1, ${grade}, 'New', (select starts_on from academic_year where id = ${year}) from children`);

test('students are placed by keys and by dragging, spread, numbered and promoted; a full section takes nobody more', async ({
  page,
  school,
}) => {
  const place = await openPlace(page, school, 'section-student-mapping');
  const { mark, next } = place;
  const name = (letter: string) => `Grade ${mark}, ${letter}`;
  await expect(page.getByText('All students of this grade have a section.')).toBeVisible();
  await expectFits(page);
  await enroll(school.sql, place, ['Asha', 'Bhim', 'Charu', 'Dev', 'Esha']);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();

  await page.getByRole('checkbox', { name: 'All of them' }).press('Space');
  await page.getByRole('button', { name: `Move here (${name('A')})` }).press('Enter');
  await expect(page.getByText(`${name('A')} holds 3 and has 0: 3 free, 5 chosen.`)).toBeVisible();
  await page.getByRole('checkbox', { name: 'All of them' }).press('Space');
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await page.getByRole('button', { name: `Move here (${name('A')})` }).press('Enter');
  await expect(toast(page, `${name('A')}: 1 moved.`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();
  const seats = (letter: string) => page.getByRole('listitem').filter({ hasText: name(letter) });
  await expect(seats('A')).toContainText('1 of 3');

  await page.getByRole('row').filter({ hasText: 'Bhim Shah' }).dragTo(seats('B'));
  await expect(seats('B')).toContainText('1 of 3');
  await page.getByRole('button', { name: 'Spread over the sections…' }).press('Enter');
  const plan = page.getByRole('dialog', { name: 'Spread over the sections' });
  await expect(plan).toContainText('New: Dev Shah');
  await expectAccessible(page);
  await plan.getByRole('button', { name: 'Place them' }).press('Enter');
  await expect(page.getByText('All students of this grade have a section.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();

  // Who was ticked on another day is not ticked on this one.
  const show = page.getByRole('combobox', { name: 'Show those of' });
  await show.selectOption({ index: 1 });
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await expect(page.getByRole('heading', { name: 'Move 1 student to' })).toBeVisible();
  const day = page.getByLabel('From this day on');
  const today = await day.inputValue();
  await day.fill(`${place.start}-08-08`);
  await expect(page.getByText(`From 8 Aug ${place.start} on.`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Sections', exact: true })).toBeVisible();
  await day.fill(today);
  await expect(page.getByText(`From 1 Jun ${place.start} on.`)).toBeVisible();
  await show.selectOption({ index: 0 });

  // One of A's goes out again, and back in.
  await show.selectOption({ index: 1 });
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: `Take out of ${name('A')}` }).press('Enter');
  await expect(page.getByRole('checkbox', { name: 'Asha Shah' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();
  await show.selectOption({ index: 0 });
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await page.getByRole('button', { name: `Move here (${name('A')})` }).press('Enter');
  await expect(page.getByText('All students of this grade have a section.')).toBeVisible();
  // The focus comes back a moment later, and would take the next key with it.
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();

  await page.getByRole('link', { name: 'Roll numbers' }).press('Enter');
  // Asha came last, so she stands behind the others until they are numbered by name.
  await expect(page.getByRole('button', { name: /^Roll number of Asha Shah: [^1]/ })).toBeVisible();
  await page.getByRole('button', { name: 'Number them anew…' }).press('Enter');
  const numbering = page.getByRole('dialog', { name: `Number ${name('A')} anew` });
  await expect(numbering.getByRole('row').nth(1)).toHaveText(/^Asha Shah.*1$/);
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole('button', { name: /^Roll number of Asha Shah: [^1]/ })).toBeVisible();
  await numbering.getByRole('button', { name: 'Number them' }).press('Enter');
  await expect(page.getByRole('row').nth(1)).toHaveText(/^1Asha Shah/);
  await page.getByRole('button', { name: 'Roll number of Asha Shah: 1' }).press('Enter');
  await page.getByRole('textbox', { name: 'Roll number' }).fill('2');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toContainText(
    ' has number 2. Choose another one.',
  );
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Roll number' }).fill('7');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Roll number of Asha Shah: 7' })).toBeVisible();
  await page.getByRole('button', { name: 'Lock the numbers' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Number them anew…' })).toHaveCount(0);
  await expectFits(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('link', { name: 'Place and move' }).press('Enter');
  await page.getByRole('combobox', { name: 'Show those of' }).selectOption({ index: 1 });
  await page.getByRole('button', { name: 'History of Asha Shah' }).press('Enter');
  const past = page.getByRole('dialog', { name: 'History of Asha Shah' });
  await expect(past).toContainText(/changed the section/);
  await expect(past).toContainText(/From ?\d+ \w+ \d{4}/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'History of Asha Shah' })).toBeFocused();

  await page.getByRole('link', { name: 'Promote' }).press('Enter');
  await expect(page.getByRole('combobox', { name: /^What becomes of / })).toHaveCount(5);
  await page.getByRole('combobox', { name: 'What becomes of Dev Shah' }).selectOption('Stay in the grade');
  await page.getByRole('combobox', { name: 'What becomes of Esha Shah' }).selectOption('Decide later');
  await expectFits(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: `Take them into ${next}…` }).press('Enter');
  const ask = page.getByRole('dialog', { name: `Take them into ${next}` });
  await expect(ask).toContainText('3 are promoted. 1 stays in the grade.');
  await ask.getByRole('button', { name: 'Take them' }).press('Enter');
  await expect(page.getByText(`Already in Next ${mark} of the new year.`)).toHaveCount(3);
  await expect(page.getByText(`Already in Grade ${mark} of the new year.`)).toHaveCount(1);
  await expect(page.getByRole('combobox', { name: 'What becomes of Esha Shah' })).toBeVisible();
  // The paper of it, which the school keeps.
  const row = page.getByRole('row').filter({ hasText: '3 promoted, 1 in the same grade' });
  const take = row.getByRole('button', { name: /^Download PDF of / });
  // Made late, and asked for twice meanwhile: it is made once, and that it is being made is said.
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
  await expect(toast(page, 'The file is being made…')).toBeVisible();
  made.resolve();
  expect((await arrival).suggestedFilename()).toBe('promotion-list.pdf');
  expect(asked).toBe(1);
  await expectAccessible(page);
  await expectFits(page);
  await expectNoSidewaysScroll(page);
});

test('a student changes the grade in the middle of the year with the keyboard alone, after a question, and the days before stay', async ({
  page,
  school,
}) => {
  const place = await openPlace(page, school, 'section-student-mapping');
  const { mark, start } = place;
  await enroll(school.sql, place, ['Asha', 'Bhim']);
  await page.reload();
  await page.getByRole('checkbox', { name: 'All of them' }).press('Space');
  await page.getByRole('button', { name: `Move here (Grade ${mark}, A)` }).press('Enter');
  await expect(page.getByText('All students of this grade have a section.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();

  const show = page.getByRole('combobox', { name: 'Show those of' });
  await show.selectOption({ index: 1 });
  // Planned for December: it would be forgotten.
  const day = page.getByLabel('From this day on');
  await day.fill(`${start}-12-01`);
  await expect(page.getByText(`From 1 Dec ${start} on.`)).toBeVisible();
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await page.getByRole('button', { name: `Move here (Grade ${mark}, B)` }).press('Enter');
  await expect(toast(page, `Grade ${mark}, B: 1 moved.`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Students', exact: true })).toBeFocused();
  await day.fill(`${start}-08-12`);
  await expect(page.getByText(`From 12 Aug ${start} on.`)).toBeVisible();
  await page.getByRole('checkbox', { name: 'Asha Shah' }).press('Space');
  await page.getByRole('button', { name: 'Move to another grade…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Move to another grade' });
  await dialog.getByRole('button', { name: 'Go on' }).press('Enter');
  await expect(dialog.getByRole('alert', { name: 'There is a problem' })).toContainText('Section is required.');
  await chooseByTyping(dialog.getByRole('combobox', { name: 'Grade' }), `Next ${mark}`);
  await expect(dialog.getByRole('combobox', { name: 'Section' })).toBeEnabled();
  await chooseByTyping(dialog.getByRole('combobox', { name: 'Section' }), `Next ${mark}, A`);
  await dialog.getByRole('textbox', { name: 'Reason' }).focus();
  await page.keyboard.type('Reads well');
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: `Move to Next ${mark}, A` });
  await expect(question).toContainText(`1 student is in Next ${mark}, A from 12 Aug ${start} on.`);
  await expect(question).toContainText(`Asha Shah: enrolled in Grade ${mark} to the day before`);
  await expect(question).toContainText(`the move to Grade ${mark}, B from 1 Dec ${start} on is forgotten.`);
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue('Reads well');
  await dialog.getByRole('button', { name: 'Go on' }).press('Enter');
  await question.getByRole('button', { name: 'Move', exact: true }).press('Enter');
  await expect(toast(page, `Next ${mark}, A: 1 moved.`)).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Asha Shah' })).toHaveCount(0);
  await day.fill(`${start}-08-11`);
  await expect(page.getByRole('checkbox', { name: 'Asha Shah' })).toBeVisible();
  // Another grade is looked at on the same day, and none of its sections is the one that was.
  await page.getByRole('combobox', { name: 'Grade', exact: true }).selectOption(`Next ${mark}`);
  await expect(page).toHaveURL(new RegExp(`[?&]on=${start}-08-11`));
  await expect(page).not.toHaveURL(/[?&]section=\d/);
  await expect(day).toHaveValue(`${start}-08-11`);
});

test('roll numbers are taken from a file: a number that is taken is named and nothing is done, then all is', async ({
  page,
  school,
}) => {
  const place = await openPlace(page, school, 'section-student-mapping');
  const { mark, grade } = place;
  await enroll(school.sql, place, ['Asha', 'Bhim', 'Charu']);
  await page.reload();
  await page.getByRole('checkbox', { name: 'All of them' }).press('Space');
  await page.getByRole('button', { name: `Move here (Grade ${mark}, A)` }).press('Enter');
  await expect(page.getByText('All students of this grade have a section.')).toBeVisible();
  await page.getByRole('link', { name: 'Roll numbers' }).press('Enter');
  await page.getByRole('button', { name: 'Import numbers…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Import roll numbers of Grade ${mark}, A` });
  const choose = (...lines: string[]) =>
    dialog.getByLabel(/^Choose a/).setInputFiles({
      name: 'rolls.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Roll number,GR number', ...lines].join('\n')),
    });
  await choose(`3,Asha${grade}`);
  await expect(dialog).toContainText('Charu Shah has number 3. Choose another one.');
  await expect(dialog.getByRole('button', { name: /^Import / })).toHaveCount(0);
  await choose(`3,Asha${grade}`, `2,Bhim${grade}`, `1,Charu${grade}`);
  await expect(dialog).toContainText('1 → 3');
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole('button', { name: 'Import 2 rows' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Roll number of Charu Shah: 1' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Roll number of Asha Shah: 3' })).toBeVisible();
});
