import type { Page } from '@playwright/test';
import {
  answerOf,
  enter,
  expect,
  expectFitsEveryone,
  expectPage,
  field,
  fill,
  saveAndNext,
  summary,
  test,
} from '#e2e/school.ts';

async function enterLanguages(page: Page) {
  await enter(page, {
    primaryLangatHome: 'Gujarati',
    isChildFluentInEnglish: 'true',
    childStudyLangPreferance: 'English',
  });
  await enter(page, { langPreferanceWithSchool: 'Gujarati', isChildHaveReplacedLang: 'false' });
  await page.locator('[name=otherLangChildKnow][value=Hindi]').check();
}

/** The printed answer to a question, on "Check your answers". */
const answer = (page: Page, change: string) =>
  page.locator('.answers dl > div').filter({ has: page.getByRole('link', { name: change, exact: true }) });

const change = (page: Page, what: string) => page.getByRole('link', { name: `Change ${what}`, exact: true });

test('B20 every step is listed with its answers, without what was not asked, and the Aadhaar number masked', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'ready to submit' });
  await page.goto(family.at('/admission4'));
  for (const step of ['Step 1, Child', 'Step 2, Family', 'Step 3, Health', 'Step 4, Contacts', 'Step 5, Languages'])
    await expect(page.getByRole('heading', { level: 3, name: step })).toBeVisible();
  await expect(answer(page, 'Change Aadhar Card No')).toContainText('XXXX XXXX 1234');
  await expect(answer(page, 'Change Blood Group')).toContainText('B+');
  await expect(answer(page, 'Change Father, Employment Status')).toContainText('Business');
  const [sector] = await school.sql(
    `select name from academic_career join admission_parent_info on id = father_sector_id where inquiry_id = ${family.id}`,
  );
  await expect(answer(page, 'Change Father, Which sector do you work with?')).toContainText(String(sector?.name));
  await expect(answer(page, 'Change Child Photo').getByRole('img')).toBeVisible();
  await expect(answer(page, 'Change Permanent address, Same as present address')).toContainText('Yes');
  await expect(change(page, 'Permanent address, Permanent City')).toBeHidden();
  await expect(change(page, 'Local guardian, First Name')).toBeHidden();
  // What the school gave cannot be changed here.
  await expect(page.locator('.answers').first()).toContainText('Meera');
  await expect(change(page, 'First Name')).toBeHidden();
  await expect(page.locator('.answers')).toHaveCount(5);
  await expectFitsEveryone(page);
});

test('B20 Change leads to the question, and one Save and Next straight back to the changed answer', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'ready to submit' });
  await page.goto(family.at('/admission4'));
  for (const [what, path, name, value] of [
    ['Religion', '/admission', 'religion', 'Jain'],
    ['Mother, Hobbies', '/admission1', 'motherHobbies', 'Kites and stars'],
    ['Programs watched or games played', '/admission2', 'programsWatchedOrGamesPlayedName', 'Carrom'],
    ['Emergency contact 2, First Name', '/admission3', 'emergencyContact2FirstName', 'Hansa'],
  ] as const) {
    await change(page, what).click();
    await expect(page).toHaveURL(`${family.at(path)}&return=check#${name}`);
    await expect(field(page, name)).toBeFocused();
    await fill(page, name, value);
    await saveAndNext(page);
    await expect(page).toHaveURL(`${family.at('/admission4')}#check-${name}`);
    await expect(answer(page, `Change ${what}`)).toContainText(value);
    await expect(change(page, what)).toBeFocused();
  }
  // The way back is for that one page alone.
  await page.goto(`${family.at('/admission1')}&return=check#motherHobbies`);
  await page.getByRole('link', { name: 'Previous' }).click();
  await expectPage(page, family, '/admission');
});

test('B20 the languages above are shown as they stand, and Change leads up to them', async ({ page, school }) => {
  const family = await school.family({ state: 'ready to submit' });
  await page.goto(family.at('/admission4'));
  const primary = answer(page, 'Change Primary language spoken at home');
  await expect(primary).toContainText('Not provided');
  await field(page, 'primaryLangatHome').selectOption('Gujarati');
  await expect(primary).toContainText('Gujarati');
  await change(page, 'Primary language spoken at home').click();
  await expect(field(page, 'primaryLangatHome')).toBeFocused();
  expect(await answerOf(page, 'primaryLangatHome')).toBe('Gujarati');
});

test('B20 a step that was never saved, or not since it was changed, says so and leads there', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 2 });
  await page.goto(family.at('/admission1'));
  await fill(page, 'motherHobbies', 'Not saved yet');
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Documents' }).click();
  await expectPage(page, family, '/admission4');
  const family2 = page.locator('.answers').nth(1);
  await expect(family2).toContainText('What you entered here last is not saved yet.');
  await expect(page.locator('.answers').nth(2)).toContainText('Not filled in yet.');
  await page.getByRole('link', { name: 'Fill in Step 3, Health' }).click();
  await expect(page).toHaveURL(`${family.at('/admission2')}&return=check`);
  await page.goBack();
  await page.getByRole('link', { name: 'Open the step and press Save and Next' }).click();
  await expect(page).toHaveURL(`${family.at('/admission1')}&return=check`);
  await expect(field(page, 'motherHobbies')).toHaveValue('Not saved yet');
});

test('B20 B21 what waits unsaved keeps the form from being handed in, and can be given up for what is saved', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'ready to submit' });
  await page.goto(family.at('/admission3'));
  const before = await field(page, 'reasonsForAdmission').inputValue();
  await fill(page, 'reasonsForAdmission', 'Half a th');
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Documents' }).click();
  await enterLanguages(page);
  await page.getByRole('button', { name: 'Submit Form' }).click();
  await expect(summary(page)).toContainText('You changed this and did not save it.');
  const kept = page.waitForResponse((answer) => answer.url().includes('/draft/additional-info'));
  await page.getByRole('button', { name: 'Keep what is saved' }).click();
  await expect(page.getByText('is not saved yet')).toBeHidden();
  expect((await kept).status()).toBe(200);
  await page.getByRole('button', { name: 'Submit Form' }).click();
  await expect(page.getByRole('heading', { name: 'Admission form already submitted!' })).toBeVisible();
  const [row] = await school.sql(
    `select reasons_for_admission as reasons from admission_additional_info where inquiry_id = ${family.id}`,
  );
  expect(row?.reasons).toBe(before);
});

test('B20 answers that do not load can be asked for again', async ({ page, school }) => {
  const family = await school.family({ state: 'ready to submit' });
  const health = (url: URL) => url.pathname === '/api/admission/health';
  await page.route(health, (route) => route.abort());
  await page.goto(family.at('/admission4'));
  await expect(page.getByText('Your answers could not be loaded.')).toBeVisible();
  await page.unroute(health);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.answers')).toHaveCount(5);
  await expect(page.getByText('Your answers could not be loaded.')).toBeHidden();
});
