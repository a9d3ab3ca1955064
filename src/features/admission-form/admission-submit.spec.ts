import type { Page } from '@playwright/test';
import { languageAnswers } from '#database/seed/answers.ts';
import { attach, choose, enter, expect, field, fill, saveAndNext, stored, summary, test } from '#e2e/school.ts';

const documentsRequired = 'Please upload all required document';
const submit = (page: Page) => page.getByRole('button', { name: 'Submit Form' });
const table = (page: Page) => page.getByRole('table', { name: 'Uploaded documents' });
const submittedHeading = (page: Page) => page.getByRole('heading', { name: 'Admission form already submitted!' });

async function enterLanguages(page: Page) {
  const { otherLangChildKnow, repalcedLangOfChild, ...others } = languageAnswers;
  await enter(page, others);
  for (const language of otherLangChildKnow.split(',')) await choose(page, 'otherLangChildKnow', language);
}

async function addDocument(page: Page, name: string) {
  await field(page, 'documentName').selectOption(name);
  await attach(page, 'DocumentIFormFile');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(table(page).getByRole('cell', { name, exact: true })).toBeVisible();
}

test('S129 S130 B15 B20 B51 the form is submitted once both documents are there, is then closed, and leaves nothing in the browser', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 4 });
  const submissions = `select id from admission_submission where inquiry_id = ${family.id}`;
  await page.goto(family.at('/admission4'));
  await enterLanguages(page);
  await addDocument(page, 'Birth Certificate');
  await submit(page).click();
  await summary(page).getByRole('link', { name: documentsRequired }).click();
  await expect(field(page, 'documentName')).toBeFocused();
  expect(await school.sql(submissions)).toEqual([]);

  await addDocument(page, 'Aadhar Card');
  const opened = page.waitForEvent('popup');
  await table(page).getByRole('link', { name: 'View Birth Certificate, opens in a new tab' }).click();
  const view = await opened;
  await expect(view.getByRole('img')).toBeVisible();
  await view.close();
  await table(page).getByRole('button', { name: 'Remove Birth Certificate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await submit(page).click();
  await expect(summary(page)).toContainText(documentsRequired);
  await addDocument(page, 'Birth Certificate');

  const change = page.getByRole('link', { name: 'Change Emergency contact 2, First Name', exact: true });
  await change.click();
  await expect(page).toHaveURL(`${family.at('/admission3')}&return=check#emergencyContact2FirstName`);
  await expect(field(page, 'emergencyContact2FirstName')).toBeFocused();
  await fill(page, 'emergencyContact2FirstName', 'markerstore');
  await saveAndNext(page);
  await expect(page).toHaveURL(`${family.at('/admission4')}#check-emergencyContact2FirstName`);
  await expect(change).toBeFocused();
  await expect(page.locator('dl > div').filter({ has: change })).toContainText('markerstore');

  await submit(page).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, submit' }).click();
  await expect(submittedHeading(page)).toBeVisible();
  expect(await school.sql(submissions)).toHaveLength(1);
  expect(await stored(page)).not.toMatch(/row |Gujarati|markerstore/);
  expect(await school.sql(`select page from admission_draft where inquiry_id = ${family.id}`)).toEqual([]);
  await page.goto(family.at('/admission2'));
  await expect(submittedHeading(page)).toBeVisible();
  await expect(page).toHaveURL(family.at('/admission4'));
  await expect(page.getByText(family.inquiryNo)).toBeVisible();
});

test('B21 submitting an empty form names the documents and each step once, and every step is a link', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission4'));
  await enterLanguages(page);
  await submit(page).click();
  await expect(summary(page)).toBeFocused();
  await expect(summary(page).getByRole('link')).toHaveText([
    documentsRequired,
    'Step 1, Child is not filled in yet',
    'Step 2, Family is not filled in yet',
    'Step 3, Health is not filled in yet',
    'Step 4, Contacts is not filled in yet',
  ]);
  await summary(page).getByRole('link', { name: 'Step 2' }).click();
  await expect(page).toHaveURL(`${family.at('/admission1')}&return=check`);
  await expect(field(page, 'FamilyImageIFormFile')).toBeAttached();
});
