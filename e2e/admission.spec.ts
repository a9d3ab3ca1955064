import { attach, expect, expectAccessible, fill, saveAndNext, summary, test } from './school.ts';

test('S003 S017 page 1 opens with the title of its year and what the inquiry knows', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admission Form 2026-27');
  await expect(page).toHaveTitle('Admission Form 2026-27');
  for (const fact of ['Meera', 'Patel', '12 Mar 2020', 'Grade 1'])
    await expect(page.getByText(fact, { exact: true })).toBeVisible();
  await expectAccessible(page);
  await saveAndNext(page);
  await expect(summary(page)).toBeFocused();
  await expectAccessible(page);
  await attach(page, 'admissionStudentImageIFormFile');
  await fill(page, 'religion', 'Jain');
});
