import { answerOf, choose, expect, field, fill, saveAndNext, summary, test, toast } from '#e2e/school.ts';

test('RA3 RA4 the five routes are five steps of one form, titled with its year', async ({ page, school }) => {
  const family = await school.family();
  const steps = ['Child', 'Family', 'Health', 'Contacts', 'Documents and submit'];
  for (const [index, name] of steps.entries()) {
    await page.goto(family.at(`/admission${index || ''}`));
    await expect(page.getByRole('navigation', { name: 'Steps' })).toContainText(`Step ${index + 1} of 5 · ${name}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admission Form 2026-27');
    await expect(page).toHaveTitle('Admission Form 2026-27');
    await expect(page.getByRole('navigation', { name: 'Steps' }).locator('[aria-current=step]')).toHaveText(name);
  }
});

test('B10 on a phone a list of problems longer than the window is shown from its heading', async ({ page, school }) => {
  const family = await school.family();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(family.at('/admission'));
  await saveAndNext(page);
  await expect(summary(page)).toBeFocused();
  await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeInViewport({ ratio: 1 });
});

test('RA16 an odd PIN code is pointed out and accepted', async ({ page, school }) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  await page.goto(family.at('/admission'));
  await fill(page, 'currentPinCode', '0123');
  await expect(page.getByText('A PIN code in India has 6 digits. Please check it.').first()).toBeVisible();
  await saveAndNext(page);
  await expect(page).toHaveURL(family.at('/admission1'));
  await page.goto(family.at('/admission'));
  await expect(field(page, 'currentPinCode')).toHaveValue('0123');
  await fill(page, 'currentCountry', 'Kenya');
  await expect(page.getByText('A PIN code in India has 6 digits.')).toBeHidden();
});

test('RA17 the permanent address follows the present one while ticked, and an accidental untick can be undone', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  await page.goto(family.at('/admission'));
  await fill(page, 'currentCity', 'Vadodara');
  await expect(field(page, 'permanentCity')).toHaveValue('Vadodara');
  await expect(field(page, 'permanentCity')).toHaveJSProperty('readOnly', true);
  await page.getByLabel('Same as present address').uncheck();
  await expect(field(page, 'permanentCity')).toHaveValue('');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(field(page, 'permanentCity')).toHaveValue('Vadodara');
});

test('RA26 RA30 divorce and adoption start at No, and a homemaker is spared inventing an organization', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission1'));
  for (const name of ['isParentDivorced', 'isChildAdopted'])
    await expect.poll(() => answerOf(page, name)).toBe('false');
  await choose(page, 'motherOccupation', 'Homemaker');
  await expect(field(page, 'motherOccupationOrganization')).toHaveValue('Not applicable');
  await expect(field(page, 'motherOccupationDtl')).toHaveValue('Homemaker');
  await fill(page, 'fatherOccupationOrganization', 'Own words');
  await choose(page, 'fatherOccupation', 'Homemaker');
  await expect(field(page, 'fatherOccupationOrganization')).toHaveValue('Own words');
});

test('RA45 a save that does not reach the school says so, keeps every answer, and works at the next try', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 4 });
  await page.goto(family.at('/admission3'));
  await page.route('**/api/admission/additional-info?*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await fill(page, 'reasonsForAdmission', 'A reason that must not be lost');
  await saveAndNext(page);
  await expect(summary(page)).toContainText('No connection. Your answers are still here. Please try again.');
  await expect(summary(page)).toBeFocused();
  await expect(field(page, 'reasonsForAdmission')).toHaveValue('A reason that must not be lost');
  await page.unroute('**/api/admission/additional-info?*');
  await saveAndNext(page);
  await expect(page).toHaveURL(family.at('/admission4'));
  await page.goto(family.at('/admission3'));
  await expect(field(page, 'reasonsForAdmission')).toHaveValue('A reason that must not be lost');
});

test('RA45 a school that is away is said calmly, and the page opens once it is back', async ({ page, school }) => {
  const family = await school.family();
  await page.route('**/api/admission/**', (route) => route.abort());
  await page.goto(family.at('/admission'));
  await expect(page.getByText('There is no connection. What you have saved is safe. Please try again.')).toBeVisible();
  await page.unroute('**/api/admission/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Basic details' })).toBeVisible();
});

test('RA46 a toast takes no focus, and its words stay on the page after it is gone', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  await saveAndNext(page);
  const words = 'Child Photo is required. Please upload Child Photo.';
  await expect(toast(page, words)).toBeVisible();
  await expect(summary(page)).toBeFocused();
  await expect(toast(page, words)).toBeHidden();
  await expect(summary(page).getByText(words)).toBeVisible();
});

test('K2 a page changed on another device is not overwritten in silence: the parent chooses', async ({
  page,
  context,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 4 });
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto(family.at('/admission3'));
  await fill(page, 'reasonsForAdmission', 'From the first device');
  await saveAndNext(page);
  await expect(page).toHaveURL(family.at('/admission4'));
  await fill(other, 'reasonsForAdmission', 'From the second device');
  await saveAndNext(other);
  await expect(summary(other)).toContainText(/This page was changed on another device at \d\d:\d\d\./);
  await expect(field(other, 'reasonsForAdmission')).toHaveValue('From the second device');
  await other.getByRole('button', { name: 'Keep mine' }).click();
  await expect(other).toHaveURL(family.at('/admission4'));
  await page.goto(family.at('/admission3'));
  await expect(field(page, 'reasonsForAdmission')).toHaveValue('From the second device');
});

test('E3 a name with markup is shown as the letters it is', async ({ page, school }) => {
  const name = '<img src=x onerror=alert(1)>';
  const family = await school.family({ inquiry: { firstName: name } });
  page.on('dialog', () => {
    throw new Error('A name ran as a program.');
  });
  await page.goto(family.at('/admission'));
  await expect(page.getByText(name, { exact: true })).toBeVisible();
  expect(await page.locator('img[src="x"]').count()).toBe(0);
});
