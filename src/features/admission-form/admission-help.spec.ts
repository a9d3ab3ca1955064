import { expect, expectFitsEveryone, expectPage, fact, field, fill, saveAndNext, test } from '#e2e/school.ts';

test('RA8 "Something wrong here?" tells the school about a locked value, from beside it', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  await page.getByRole('button', { name: 'Something wrong here? Tell the school' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tell the school' });
  await dialog.getByRole('button', { name: 'Send to the school' }).click();
  await expect(dialog.getByRole('alert')).toBeFocused();
  await dialog.getByLabel('What is wrong, and what should it be?').fill('She was born on the 13th.');
  await dialog.getByRole('button', { name: 'Send to the school' }).click();
  await expect(page.getByText('The school has your message and will answer you.')).toBeVisible();
  await expectPage(page, family, '/admission');
  const sent = await school.sql(`select about from admission_message where inquiry_id = ${family.id}`);
  expect(sent).toEqual([{ about: 'Basic details' }]);
});

test('B11 "Save and come back later" keeps the page and says where the link goes', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission3'));
  await fill(page, 'reasonsForAdmission', 'Half a reason');
  await page.getByRole('button', { name: 'Save and come back later' }).click();
  await expect(page.getByText('Everything is kept. The same link is on its way to you. 98XXXXXX11')).toBeVisible();
  await page.reload();
  await expect(field(page, 'reasonsForAdmission')).toHaveValue('Half a reason');
});

test('B29 a PIN code offers city and state, and never overwrites what was typed', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  await fill(page, 'currentPinCode', '380001');
  await page.getByRole('button', { name: 'Use Ahmedabad, Gujarat' }).click();
  await expect(field(page, 'currentCity')).toHaveValue('Ahmedabad');
  await expect(field(page, 'currentState')).toHaveValue('Gujarat');
  await fill(page, 'currentCity', 'Amdavad');
  await fill(page, 'currentState', '');
  await fill(page, 'currentPinCode', '395009');
  await page.getByRole('button', { name: 'Use Gujarat' }).click();
  await expect(field(page, 'currentCity')).toHaveValue('Amdavad');
});

test('B30 a child younger than its grade asks for gets a calm note, and the page is saved', async ({
  page,
  school,
}) => {
  const young = await school.family({ state: 'half filled', pages: 1, inquiry: { birthDate: '2020-07-01' } });
  await page.goto(young.at('/admission'));
  const note = page.getByText('For Grade 1 a child has usually completed 6 years on 1 Jun 2026.');
  await expect(note).toBeVisible();
  await expect(fact(page, 'Birth Date')).toHaveText('1 Jul 2020');
  await expectFitsEveryone(page);
  await saveAndNext(page);
  await expectPage(page, young, '/admission1');

  const old = await school.family({ inquiry: { birthDate: '2020-06-01' } });
  await page.goto(old.at('/admission'));
  await expectPage(page, old, '/admission');
  await expect(note).toBeHidden();
});

test('a long answer counts what is left from three quarters on, and may be too long until it is saved', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 4 });
  await page.goto(family.at('/admission3'));
  await fill(page, 'reasonsForAdmission', 'x'.repeat(749));
  await expect(page.getByText(/characters? left/)).toBeHidden();
  await fill(page, 'reasonsForAdmission', 'ક'.repeat(750));
  await expect(page.getByText('250 characters left')).toBeVisible();
  await fill(page, 'reasonsForAdmission', 'x'.repeat(1001));
  await expect(page.getByText('1 character too many')).toBeVisible();
  await saveAndNext(page);
  await expect(page.getByRole('alert')).toContainText('Reasons For Admission can have at most 1000 characters.');
});
