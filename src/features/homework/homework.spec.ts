import { openClass } from '#e2e/class.ts';
import { expect, expectLooks, test } from '#e2e/school.ts';
import { teachSubject } from '#testing/homework.ts';

test('a teacher gives homework to two sections with six keys besides the words', async ({ page, school }) => {
  const teacher = await school.person({ isStaff: true });
  const sections = [
    await openClass(school, { teacher, students: 2 }),
    await openClass(school, { teacher, students: 3 }),
  ];
  await teachSubject(
    school as never,
    teacher,
    sections.map((id) => ({ id })),
    { name: `Hindi ${teacher.staffId}` },
  );
  await school.enter(page, teacher, { path: '/school-erp/homework/homework-list' });
  await expect(page.getByRole('button', { name: 'Give homework' }).first()).toBeVisible();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Give homework' });
  for (const id of sections) {
    const [row] = await school.sql(`select name from academic_grade
      where id = (select grade_id from academic_section where id = ${id})`);
    await expect(form.getByRole('combobox', { name: 'Sections' })).toBeFocused();
    await page.keyboard.type(String(row?.name).replace('Class ', ''));
    await expect(form.getByRole('option', { name: String(row?.name) })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(form.getByRole('button', { name: `Remove ${row?.name}` })).toBeVisible();
  }
  await page.keyboard.press('Tab');
  await page.keyboard.type('Worksheet 7, sums 1 to 10');
  await page.keyboard.press('Tab');
  await page.keyboard.type('20');
  await expect(form.getByRole('meter').or(form.getByText('min')).first()).toBeVisible();
  await expectLooks(page);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('status').getByText(/^Homework given, due /)).toBeVisible();
  const given = await school.sql(`select section_id, state from homework_section
    where section_id in (${sections.join(', ')}) order by section_id`);
  expect(given).toEqual(
    sections.toSorted((one, other) => one - other).map((id) => ({ section_id: id, state: 'Published' })),
  );
});
