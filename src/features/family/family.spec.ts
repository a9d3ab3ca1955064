import { expect, expectAccessible, expectFitsEveryone, test } from '#e2e/school.ts';
import { raise } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';

test('the office sends a guardian the link, who reads of the own child on a phone until it is revoked', async ({
  page,
  context,
  school,
}) => {
  const section = await openSection(school);
  const [child] = await school.sql(`
    with place as (select * from academic_section where id = ${section}),
    child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select branch_id, 'FP' || id, 'Aarohi', 'Shah', 'F', '2018-02-03' from place returning id),
    enrolled as (insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
      select child.id, place.academic_year_id, branch_id, program_id, grade_id, 'New', year.starts_on
      from child, place join academic_year year on year.id = place.academic_year_id returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${section}, joined_on from enrolled returning student_id`);
  const mobile = `98${String(Date.now()).slice(-8)}`;
  await raise(school, [Number(child?.student_id)], { firstName: 'Meera', mobile });

  await school.enter(page, await school.person({ isStaff: true, sets: ['office'] }), {
    path: `/school-erp/student/student-list/${child?.student_id}`,
    role: 'Staff',
  });
  const card = page.getByRole('region', { name: 'Family page' });
  await expect(card).toContainText('Not sent');
  await card.getByRole('button', { name: 'Send link' }).click();
  await expect(card).toContainText('Works');

  const phone = await context.newPage();
  await phone.setViewportSize({ width: 360, height: 740 });
  await phone.goto('/dev/outbox');
  const address = await phone.getByRole('article').filter({ hasText: mobile }).getByRole('link').getAttribute('href');
  expect(address).toMatch(/\/a\/\w{10}$/);
  await phone.goto(address ?? '');
  await expect(phone).toHaveURL(/\/family\?family=[0-9a-f]{32}$/);
  await expect(phone).toHaveTitle('School page');
  await expect(phone.getByText('For Meera Shah')).toBeVisible();
  await expect(phone.getByText(/^Aarohi/).first()).toBeVisible();
  await expectFitsEveryone(phone);
  const opened = () =>
    school.sql(`select 1 from family_opening opening join guardian on guardian.id = opening.guardian_id
    where guardian.mobile = '${mobile}'`);
  await expect.poll(opened).toHaveLength(1);

  await card.getByRole('button', { name: 'More for the link of Meera Shah' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Reason').fill('The phone is lost');
  await form.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(card).toContainText('The phone is lost');
  await phone.reload();
  await expect(phone.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expectFitsEveryone(phone);
  await phone.getByRole('button', { name: 'Send a new link' }).click();
  await expect(phone.getByRole('status').filter({ hasText: 'If this link was yours' })).toBeVisible();
  await expectAccessible(phone);
});

test('without a connection the family page says so, and offers to load again', async ({ page }) => {
  await page.route('**/api/family**', (route) => route.abort());
  await page.goto(`/family?family=${'0'.repeat(32)}`);
  await expect(page.getByRole('alert')).toBeVisible();
  await expectFitsEveryone(page);
  await page.unroute('**/api/family**');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
});
