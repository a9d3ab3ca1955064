import { openClass } from '#e2e/class.ts';
import { attach, expect, expectFitsEveryone, test } from '#e2e/school.ts';

test('L1.28 a class teacher takes the photos that a section lacks one after the other, and may skip one', async ({
  page,
  school,
}) => {
  const teacher = await school.person({ isStaff: true });
  const section = await openClass(school, { teacher, students: 3 });
  await school.enter(page, teacher, { path: `/school-erp/student/student-list?sectionId=${section}` });
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Photos of a section…' }).click();
  const round = page.getByRole('dialog', { name: 'Photos of a section' });
  await round.getByRole('button', { name: 'Begin' }).click();
  await expect(round.getByText('1 of 3')).toBeVisible();
  await expect(round.getByRole('heading', { name: 'Child 1 Shah' })).toBeVisible();
  await expectFitsEveryone(page);
  await attach(page, 'photo');
  await round.getByRole('button', { name: 'Save and next' }).click();
  await expect(round.getByRole('heading', { name: 'Child 2 Shah' })).toBeVisible();
  await round.getByRole('button', { name: 'Save and next' }).click();
  await expect(round.getByText('Choose a file.').first()).toBeVisible();
  await round.getByRole('button', { name: 'Skip' }).click();
  await expect(round.getByRole('heading', { name: 'Child 3 Shah' })).toBeVisible();
  await attach(page, 'photo');
  await round.getByRole('button', { name: 'Save and next' }).click();
  await expect(round.getByText('This was the last student without a photo.')).toBeVisible();
  await round.getByRole('button', { name: 'Close' }).last().click();
  await expect(round).toBeHidden();
  const lacks =
    await school.sql(`select student.name from student_section place join student on student.id = place.student_id
    where place.section_id = ${section} and student.photo_id is null`);
  expect(lacks).toEqual([{ name: 'Child 2 Shah' }]);
});
