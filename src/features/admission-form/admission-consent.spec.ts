import {
  choose,
  expect,
  expectFitsEveryone,
  expectPage,
  expectProblems,
  field,
  fill,
  summary,
  test,
} from '#e2e/school.ts';

test('B24 before the form stands the notice; every step leads there until a parent agrees', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'consent needed' });
  await page.goto(family.at('/admission3'));
  await expect(page).toHaveURL(family.at('/admission'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Before you begin');
  await expect(page.getByText('Data Protection Board of India')).toBeVisible();
  await expectFitsEveryone(page);

  await page.getByRole('button', { name: 'Agree and open the form' }).click();
  await expectProblems(page, {
    consentName: 'Your full name is required.',
    consentRelation: 'Relation to the child is required.',
    isParentOrGuardian: 'Please confirm that you are the child’s parent or lawful guardian and over 18.',
    isAgreed: 'Please tick “I agree” to fill in the form here.',
  });
  await expectFitsEveryone(page);
  await fill(page, 'consentName', 'Bhavna Modi');
  await choose(page, 'consentRelation', 'Mother');
  await field(page, 'isParentOrGuardian').check();
  await field(page, 'isAgreed').check();
  await page.getByRole('button', { name: 'Agree and open the form' }).click();
  await expectPage(page, family, '/admission');
  const rows = await school.sql(
    `select name, relation, language, notice_version from admission_consent where inquiry_id = ${family.id}`,
  );
  expect(rows).toEqual([{ name: 'Bhavna Modi', relation: 'Mother', language: 'en', notice_version: '2026-11-21' }]);
});

test('B24 who does not agree is shown the way to the paper form, and nothing is stored', async ({ page, school }) => {
  const family = await school.family({ state: 'consent needed' });
  await page.goto(family.at('/admission'));
  await page.getByRole('button', { name: 'I do not agree' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You can apply on paper');
  await expectFitsEveryone(page);
  expect(await school.sql(`select id from admission_consent where inquiry_id = ${family.id}`)).toEqual([]);
  await page.getByRole('button', { name: 'Read the notice again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Before you begin');
});

test('B24 consent is withdrawn on the first page, which then asks for it again', async ({ page, school }) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  await page.goto(family.at('/admission'));
  await page.getByText('Your consent', { exact: true }).click();
  await page.getByRole('button', { name: 'Withdraw consent' }).click();
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Before you begin');
  await expect(summary(page)).toBeHidden();
});
