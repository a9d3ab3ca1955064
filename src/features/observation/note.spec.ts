import { expect, expectLooks, listenToReads, type School, test, toast } from '#e2e/school.ts';
import { openSection, teach } from '#testing/teachers.ts';

/** A section with two girls, and a type of note. */
async function openNotes(school: School) {
  await school.sql(`insert into observation_type (name, for_whom, kind) values ('Anecdote', 'Student', 'Anecdotal')
    on conflict do nothing`);
  const section = await openSection(school);
  await school.sql(`
    with place as (select own.*, year.starts_on from academic_section own
      join academic_year year on year.id = own.academic_year_id where own.id = ${section}),
    child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select branch_id, 'NO' || id || first, first, 'Observed', 'F', '2018-02-03'
      from place, unnest(array['Aarohi', 'Bansari']) as first returning id),
    enrolled as (insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
      select child.id, academic_year_id, branch_id, program_id, grade_id, 'New', starts_on from child, place returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${section}, joined_on from enrolled`);
  return section;
}

test('a class teacher writes a note on two children by keyboard, and reads it with its readers', async ({
  page,
  school,
}) => {
  const section = await openNotes(school);
  const teacher = await school.person({ isStaff: true });
  await teach(school, teacher, { sectionId: section });
  const subjectTeacher = await school.person({ isStaff: true });
  await teach(school, subjectTeacher, { sectionId: section, role: 'Subject teacher' });
  await school.enter(page, teacher, {
    path: '/school-erp/student-observation/student-observation-list',
    role: 'Staff',
  });

  await expect(page.getByText('No observations yet.')).toBeVisible();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Add observation' });
  const students = form.getByRole('combobox', { name: 'Students' });
  for (const name of ['Aarohi', 'Bansari']) {
    await expect(students).toBeFocused();
    await page.keyboard.type(name);
    await expect(form.getByRole('option', { name })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(form.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  }
  // Other tests of this school may have added types.
  await form.getByLabel('Type').selectOption('Anecdote');
  await form.getByRole('radio', { name: 'Positive' }).press('p');
  await form.getByLabel('What happened').fill('Shared the crayons with a new classmate.');
  await form.getByRole('radio', { name: 'All teachers' }).check();
  // Other tests of this school may have added people who read the notes of its students.
  await expect(form).toContainText(/Read by you and (.+, )?1 subject teacher\./);
  await expect(form).toContainText('Draft saved at');
  await form.getByRole('button', { name: 'Publish' }).press('Enter');
  await expect(toast(page, 'Published.')).toBeVisible();
  await page.getByRole('link', { name: /Aarohi/ }).click();
  await expect(page.getByRole('region', { name: 'Readers' })).toContainText('1 subject teacher');
});

test('a counsellor writes a restricted note by keyboard, and the class teacher finds nothing of it', async ({
  page,
  school,
}) => {
  const section = await openNotes(school);
  const teacher = await school.person({ isStaff: true });
  await teach(school, teacher, { sectionId: section });
  const counsellor = await school.person({ isStaff: true, sets: ['counsellor'] });
  const path = '/school-erp/student-observation/student-observation-list';
  const isRead = listenToReads(page);
  await school.enter(page, counsellor, { path: `${path}?tab=all`, role: 'Staff' });
  await expect(page.getByRole('button', { name: 'Add observation' })).toBeVisible();
  await isRead();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Add observation' });
  await expect(form.getByRole('combobox', { name: 'Students' })).toBeFocused();
  await page.keyboard.type('Aarohi Observed');
  await form.getByRole('option', { name: 'Aarohi' }).first().waitFor();
  await page.keyboard.press('Enter');
  await form.getByLabel('Type').selectOption({ label: 'Anecdote' });
  await form.getByRole('radio', { name: 'Concern' }).press('c');
  await form.getByLabel('What happened').fill('Speaks of trouble at home.');
  await form.getByRole('radio', { name: 'Restricted' }).check();
  await expectLooks(page);
  await form.getByRole('button', { name: 'Publish' }).press('Enter');
  await expect(toast(page, 'Published.')).toBeVisible();
  await page.goto(`${path}?tab=mine`);
  await page
    .getByRole('link', { name: /Aarohi/ })
    .first()
    .press('Enter');
  await expect(page.getByRole('region', { name: 'What happened' })).toBeVisible();
  const address = page.url();

  await school.enter(page, teacher, { path: `${path}?tab=all`, role: 'Staff' });
  await expect(page.getByText('No observations')).toBeVisible();
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});
