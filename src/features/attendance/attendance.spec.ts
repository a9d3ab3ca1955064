import { openClass } from '#e2e/class.ts';
import { expect, expectAccessible, expectNothingTooWide, type School, test } from '#e2e/school.ts';

const marksOf = async (school: School, section: number) => {
  const [count] = await school.sql(`
    select count(*)::integer as marks, count(distinct register.id)::integer as registers, max(register.version)::integer as version,
      string_agg(place.roll_no::text, ' ' order by place.roll_no) filter (where code.kind = 'Absent') as absent
    from attendance_register register join attendance_mark mark on mark.register_id = register.id
    join attendance_code code on code.id = mark.code_id
    join student_section place on place.student_id = mark.student_id and place.section_id = register.section_id
    where register.section_id = ${section}`);
  return count;
};

test('E1.6 a class teacher takes a register of forty with ten keys, on one screen', async ({ page, school }) => {
  const teacher = await school.person({ isStaff: true });
  const section = await openClass(school, { teacher, students: 40 });
  await page.setViewportSize({ width: 1280, height: 768 });
  await school.enter(page, teacher, { path: '/school-erp/attendance/student-attendance' });
  const first = page.getByRole('listitem', { name: '1 Child 1 Shah, Present', exact: true });
  await expect(first).toBeFocused();
  // All forty fit without scrolling.
  await expect(page.getByRole('listitem', { name: '40 Child 40 Shah, Present' })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  for (const key of ['7', 'a', '1', '8', 'a', '3', '3', 'a']) await page.keyboard.press(key);
  await expect(page.getByText('37 of 40 in class')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Submit the register' })).toContainText('18');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Taken \d/)).toBeVisible();
  expect(await marksOf(school, section)).toEqual({ marks: 40, registers: 1, version: 1, absent: '7 18 33' });
});

test('E1.11 a register taken on a phone while the line is away waits on the phone and is sent once', async ({
  page,
  school,
  context,
}) => {
  const teacher = await school.person({ isStaff: true });
  const section = await openClass(school, { teacher, students: 40 });
  await page.setViewportSize({ width: 360, height: 740 });
  await school.enter(page, teacher, { path: '/school-erp/attendance/student-attendance' });
  const child = (number: number) => page.getByRole('listitem', { name: new RegExp(`^${number} Child`) });
  await child(3)
    .getByRole('button', { name: /Change to absent or present/ })
    .click();
  await expectNothingTooWide(page);
  await context.setOffline(true);
  await child(20)
    .getByRole('button', { name: /Change to absent or present/ })
    .click();
  await page.getByRole('button', { name: /^Submit register/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit register' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Not connected. The register is kept' })).toBeVisible();
  expect(await marksOf(school, section)).toMatchObject({ marks: 0 });

  await context.setOffline(false);
  await expect(page.getByText(/^Taken \d/)).toBeVisible();
  expect(await marksOf(school, section)).toEqual({ marks: 40, registers: 1, version: 1, absent: '3 20' });
});
