import { openMenu } from '#e2e/by-keyboard.ts';
import { expect, expectLooks, ownYears, test, toast } from '#e2e/school.ts';

test('students’ electives are selected by keyboard and saved together, and too many are refused by name', async ({
  page,
  school,
}) => {
  const mark = String(Math.floor(Math.random() * 1e6));
  const start = ownYears();
  const [place] = await school.sql(`
    with years as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      values ('${start}-${start + 1}', '${start}-06-01', '${start + 1}-05-31', '${start}-06-01') returning id),
    grade as (insert into academic_grade (name, code, stage, position)
      select 'Grade ${mark}', 'G' || right('${mark}', 5), 'Middle', ${2 * start} returning id),
    choice as (insert into configuration_elective_group (name, min_choices, max_choices)
      values ('Third language ${mark}', 1, 1) returning id),
    subjects as (insert into configuration_subject (name, code, short_name, kind)
      select name || ' ${mark}', left(name, 2) || '${mark}', name, 'Language'
      from unnest(array['French', 'German']) name returning id),
    taken as (insert into configuration_grade_subject
        (academic_year_id, program_id, grade_id, subject_id, is_compulsory, elective_group_id)
      select years.id, 1, grade.id, subjects.id, false, choice.id from years, grade, choice, subjects),
    children as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select 1, name || '${mark}', name, 'Shah', 'F', '2015-01-01' from unnest(array['Asha', 'Bela']) name returning id),
    enrolled as (insert into student_enrollment
        (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
      select children.id, years.id, 1, 1, grade.id, 'New', '${start}-06-01' from children, years, grade)
    select (select id from grade) as grade`);
  const path = `/school-erp/configuration/subject?tab=elective&grade=${place?.grade}`;
  await school.enter(page, await school.person({ isAdmin: true }), { path });
  await page.getByRole('combobox', { name: 'Working year' }).selectOption(`${start}-${start + 1}`);
  await page.goto(path);
  await expect(page.getByText('2 of 2 students have too few electives.')).toBeVisible();
  const cell = (name: string, subject: string) =>
    page.getByRole('checkbox', { name: `${name} Shah: ${subject} ${mark}`, exact: true });

  await cell('Asha', 'French').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await expect(cell('Asha', 'German')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByText('2 changes are not saved yet')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Asha Shah' })).toContainText('Too many');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(
    page.getByRole('alert').filter({ hasText: `Choose at most 1 in Third language ${mark} for Asha Shah.` }),
  ).toBeVisible();
  await expectLooks(page);

  await cell('Asha', 'German').press('Space');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(toast(page, 'Saved.')).toBeVisible();
  // The pressed button is gone; the table keeps the focus.
  await expect(page.getByRole('region', { name: 'Electives of each student' })).toBeFocused();
  await expect(page.getByText('1 of 2 students has too few electives.')).toBeVisible();
  await page.getByRole('button', { name: 'Show only these students' }).press('Enter');
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await expect(page.getByRole('rowheader')).toContainText('Bela Shah');

  await cell('Bela', 'German').press('Space');
  await page.getByRole('button', { name: 'Show only these students' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).press('Enter');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(page.getByText('All students have enough electives.')).toBeVisible();

  // A chosen elective cannot be removed from the grade.
  await page.goto('/school-erp/configuration/subject?tab=grade&program=1');
  await page.getByRole('combobox', { name: `French ${mark} in Grade ${mark}` }).selectOption('–');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: `Grade ${mark}: French ${mark} (Asha Shah)` })).toBeVisible();
});

test('a tag is merged by keyboard after a count of its records', async ({ page, school }) => {
  const mark = String(Math.floor(Math.random() * 1e6));
  await school.sql(`
    with own as (insert into configuration_tag_group (name) values ('Talent ${mark}') returning id),
    tags as (insert into configuration_tag (tag_group_id, name, colour, scopes)
      select own.id, name || ' ${mark}', 'Teal', array['Student'] from own, unnest(array['Footy', 'Football', 'Cricket']) name
      returning id, name),
    children as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select 1, 'T' || n || '${mark}', 'Asha', 'Shah', 'F', '2015-01-01' from generate_series(1, 2) n returning id, gr_no)
    insert into tag_link (tag_id, entity_type, entity_id)
    select tags.id, 'Student', children.id from tags, children
    where tags.name like 'Footy%' or children.gr_no like 'T1%'`);
  await school.enter(page, await school.person({ isAdmin: true }), {
    path: `/school-erp/configuration/tag-master?search=${mark}`,
  });
  await openMenu(page.getByRole('button', { name: `Actions for Footy ${mark}` }));
  await page.getByRole('menuitem', { name: 'Merge…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Merge Footy ${mark}` });
  await dialog.getByRole('button', { name: 'Merge' }).press('Enter');
  await expect(dialog.getByText('Tag to keep is required.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Tag to keep' }).selectOption(`Talent ${mark}: Football ${mark}`);
  await expect(dialog).toContainText(
    `2 records will be tagged Football ${mark}. 1 of these records already has that tag.`,
  );
  await expectLooks(page);
  await dialog.getByRole('button', { name: 'Merge' }).press('Enter');
  await expect(toast(page, `Footy ${mark} merged.`)).toBeVisible();
  await page.goto(`/school-erp/configuration/tag-master?search=footy+${mark}`);
  await expect(page.getByRole('button', { name: `Football ${mark}`, exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: `Footy ${mark}`, exact: true })).toHaveCount(0);
  await openMenu(page.getByRole('button', { name: `Actions for Football ${mark}` }));
  await page.getByRole('menuitem', { name: 'History' }).press('Enter');
  await expect(page.getByRole('dialog', { name: `History of Football ${mark}` })).toContainText(
    'Merged with another tag',
  );
});

type Named = Record<'grades' | 'subjects', { name: string }[]>;

test('the subjects of grades are chosen cell by cell, saved together and copied to the next year', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  const name = `Subject ${Date.now() % 1e6}`;
  await school.sql(`insert into configuration_subject (name, code, short_name, kind)
    values ('${name}', '${Date.now() % 1e6}', 'S', 'Scholastic')`);
  // Other tests add grades and subjects; a school has some fifteen.
  await page.route(/\/api\/configuration\/grade-subject\?/, async (route) => {
    const answer = await route.fetch();
    const { grades, subjects, ...rest }: Named = await answer.json();
    const own = subjects.filter((subject) => subject.name === name);
    const others = subjects.filter((subject) => subject.name !== name).slice(0, 14);
    const json = { ...rest, grades: grades.slice(0, 15), subjects: [...own, ...others] };
    await route.fulfill({ response: answer, json });
  });
  await school.enter(page, admin, { path: '/school-erp/configuration/subject?tab=grade' });
  const cell = (grade: string) => page.getByRole('combobox', { name: `${name} in ${grade}`, exact: true });
  await cell('Grade 1').focus();
  await page.keyboard.press('c');
  await page.keyboard.press('Tab');
  await expect(cell('Grade 2')).toBeFocused();
  await page.keyboard.press('e');
  await expect(page.getByText('2 changes are not saved yet')).toBeVisible();
  await expectLooks(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Saved.')).toBeVisible();
  await page.reload();
  await expect(cell('Grade 1')).toHaveValue('C');
  await expect(cell('Grade 2')).toHaveValue('E');

  await page.getByRole('combobox', { name: 'Working year' }).selectOption('2027-28');
  await expect(cell('Grade 1')).toHaveValue('');
  await page.getByRole('button', { name: 'Copy from 2026-27…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
  await expect(cell('Grade 1')).toHaveValue('C');
});
