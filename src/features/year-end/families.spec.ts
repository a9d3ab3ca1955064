import { expect, expectAccessible, expectFitsEveryone, expectNoSidewaysScroll, test, toast } from '#e2e/school.ts';
import { raise } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';

test('U1.14 a guardian answers on a phone whether the child returns, and the office finds and changes it', async ({
  page,
  context,
  school,
}) => {
  const section = await openSection(school);
  // Letters alone, of which search finds a name.
  const name = `Za${[...String(Date.now()).slice(-7)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
  const [child] = await school.sql(`
    with place as (select * from academic_section where id = ${section}),
    child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select branch_id, 'FY' || id, '${name}', 'Shah', 'F', '2018-02-03' from place returning id),
    enrolled as (insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
      select child.id, place.academic_year_id, branch_id, program_id, grade_id, 'New', year.starts_on
      from child, place join academic_year year on year.id = place.academic_year_id returning *),
    seated as (insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id, effective_from)
      select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${section}, joined_on from enrolled)
    select student_id, academic_year_id, grade_id from enrolled`);
  const { student_id: studentId, academic_year_id: yearId, grade_id: gradeId } = child as Record<string, number>;
  const mobile = `97${String(Date.now()).slice(-8)}`;
  await raise(school, [Number(studentId)], { firstName: 'Meera', mobile });
  await school.sql(`
    with made as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      select extract(year from ends_on) || '-' || extract(year from ends_on) + 1, ends_on + 1, ends_on + 360, ends_on + 1
      from academic_year year where id = ${yearId}
        and not exists (select from academic_year later where later.starts_on > year.ends_on) returning id),
    later as (select id from made union all (select later.id from academic_year later
      join academic_year year on year.id = ${yearId} and later.starts_on > year.ends_on order by later.starts_on limit 1))
    insert into year_question (to_year_id, from_year_id, words, grade_ids, opens_on, closes_on)
    select id, ${yearId}, 'Will your child be with us?', array[${gradeId}], school_now()::date - 1, school_now()::date + 9 from later
    on conflict (from_year_id) do update set grade_ids = year_question.grade_ids || excluded.grade_ids,
      closes_on = greatest(year_question.closes_on, excluded.closes_on)`);

  await school.enter(page, await school.person({ isStaff: true, sets: ['office'] }), {
    path: `/school-erp/student/student-list/${studentId}`,
    role: 'Staff',
  });
  const card = page.getByRole('region', { name: 'Family page' });
  await card.getByRole('button', { name: 'Send link' }).click();
  await expect(card).toContainText('Works');
  const phone = await context.newPage();
  await phone.setViewportSize({ width: 360, height: 740 });
  await phone.goto('/dev/outbox');
  const letter = phone.getByRole('article').filter({ hasText: mobile });
  await phone.goto((await letter.getByRole('link').getAttribute('href')) ?? '');
  const block = phone.locator('section').filter({ hasText: 'Will your child be with us?' });
  await expect(block).toContainText('Please answer by');
  await block.getByRole('radio', { name: 'Leaving' }).check();
  await block.getByLabel('Next school, if you know it').fill('Far School');
  await expectFitsEveryone(phone);
  await block.getByRole('button', { name: 'Save answer' }).click();
  await expect(block.getByRole('status')).toContainText('Saved: Leaving.');
  await phone.reload();
  await expect(block.getByRole('status')).toContainText('Saved: Leaving.');

  await page.goto(`/school-erp/academic/year-end?tab=families&year=${yearId}&search=${name}`);
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Leaving');
  await expect(row).toContainText('Meera Shah');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: `Actions for ${name} Shah` }).click();
  await page.getByRole('menuitem', { name: 'Answer for this child…' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('radio', { name: 'Staying' }).check();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Saved.')).toBeVisible();
  await expect(row).toContainText('Staying');
  await phone.reload();
  await expect(block).toContainText('The school’s office has an answer.');
});
