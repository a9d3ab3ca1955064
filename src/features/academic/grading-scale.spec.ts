import type { Page } from '@playwright/test';
import { openMenu } from '#e2e/by-keyboard.ts';
import { expect, expectLooks, expectProblems, field, test, toast } from '#e2e/school.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
const askToDelete = async (page: Page, name: string) => {
  await openMenu(page.getByRole('button', { name: `Actions for ${name}`, exact: true }));
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
};
const type = async (page: Page, place: number, values: Record<string, string>) => {
  for (const [name, value] of Object.entries(values)) await field(page, `bands.${place}.${name}`).fill(value);
};
/** The text of a band's row, from its lower to its upper end. */
const upperEnds = (page: Page) =>
  page.getByRole('dialog').getByRole('table').locator('tbody tr[data-group] > td:nth-child(2)').allTextContents();

test('an Admin sets up a grading scale in which no percent is left out, with the keyboard alone', async ({
  page,
  school,
}) => {
  test.slow();
  await school.sql('delete from academic_grading_scale');
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: '/school-erp/academic/academic-master?tab=grading-scale' });
  await expect(page.getByText('Add a grading scale to convert marks into grades.')).toBeVisible();

  await press(page, 'Add grading scale');
  await press(page, 'Add');
  await expectProblems(page, {
    name: 'Name is required.',
    'bands.0.min': 'From % is required.',
    'bands.0.grade': 'Grade is required.',
    'bands.1.grade': 'Grade is required.',
  });
  await expectLooks(page);
  await field(page, 'name').fill('Two halves');
  await type(page, 0, { min: '50', grade: 'Pass', points: '9.5' });
  await type(page, 1, { grade: 'pass' });
  expect(await upperEnds(page)).toEqual(['100', '49']);
  await press(page, 'Add');
  await expectProblems(page, { 'bands.1.grade': 'Already in use. Enter a different one.' });
  await type(page, 1, { grade: 'Fail' });
  await field(page, 'bands.1.grade').press('Enter');
  await expect(toast(page, 'Two halves was added.')).toBeVisible();
  await expect(page.getByRole('row', { name: 'Two halves Pass 50–100 (9.5), Fail 0–49' })).toBeVisible();

  // A band that is typed below another takes its place by its lower end.
  await press(page, 'Two halves');
  await press(page, 'Add band');
  await expect(field(page, 'bands.1.min')).toBeFocused();
  await page.keyboard.type('75');
  await type(page, 1, { grade: 'Best' });
  expect(await upperEnds(page)).toEqual(['74', '100', '49']);
  await press(page, 'Add band');
  await expect(field(page, 'bands.0.grade')).toHaveValue('Best');
  await type(page, 2, { min: '50', grade: 'Same' });
  await press(page, 'Save');
  await expectProblems(page, { 'bands.1.min': 'Already in use. Enter a different one.' });
  await page.keyboard.press('Escape');
  await expect(page.getByText('Your changes are not saved.')).toBeVisible();
  await press(page, 'Keep editing');
  await press(page, 'Remove band Same');
  await expect(field(page, 'bands.2.grade')).toBeFocused();
  await press(page, 'Remove band Fail');
  await expect(field(page, 'bands.1.grade')).toBeFocused();
  expect(await upperEnds(page)).toEqual(['100', '74']);
  await press(page, 'Save');
  await expect(page.getByRole('row', { name: 'Two halves Best 75–100, Pass 0–74 (9.5)' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Two halves', exact: true })).toBeFocused();

  // Another user saves it in the meantime.
  await press(page, 'Two halves');
  await field(page, 'name').fill('Mine');
  await school.sql(`update academic_grading_scale set version = version + 1, name = 'Theirs'`);
  await press(page, 'Save');
  await expect(page.getByRole('row', { name: 'Name Theirs Mine' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^Bands/ })).toHaveCount(0);
  await press(page, 'Use the saved version');
  await expect(field(page, 'name')).toHaveValue('Theirs');
  await field(page, 'name').fill('Mine');
  await field(page, 'isActive').press('Space');
  await school.sql('update academic_grading_scale set version = version + 1');
  await press(page, 'Save');
  await expect(page.getByRole('row', { name: 'Active Yes No' })).toBeVisible();
  await press(page, 'Keep my version');
  await press(page, 'Save');
  await expect(page.getByRole('row', { name: 'Mine Inactive Best 75–100, Pass 0–74 (9.5)' })).toBeVisible();

  await askToDelete(page, 'Mine');
  const question = page.getByRole('dialog', { name: 'Delete Mine' });
  await school.sql('update academic_grading_scale set version = version + 1');
  await question.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(question.getByRole('alert')).toContainText('Someone else has changed this.');
  await question.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(question).toHaveCount(0);
  await askToDelete(page, 'Mine');
  await question.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByText('Add a grading scale to convert marks into grades.')).toBeVisible();
});
