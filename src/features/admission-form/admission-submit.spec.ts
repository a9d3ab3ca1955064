import type { Page } from '@playwright/test';
import { additionalInfoAnswers, languageAnswers } from '#database/seed/answers.ts';
import {
  answerOf,
  attach,
  choose,
  enter,
  expect,
  expectBeside,
  expectPage,
  expectProblems,
  type Family,
  field,
  fill,
  gif,
  listenToSaves,
  padded,
  picture,
  question,
  saveAndNext,
  summary,
  test,
  toast,
} from '#e2e/school.ts';

const file = 'DocumentIFormFile';
const documentsRequired = 'Please upload all required document';
const languages = [
  'Gujarati',
  'Hindi',
  'Marwadi',
  'Sindhi',
  'Marathi',
  'Tamil',
  'Telugu',
  'Bengali',
  'Malayalam',
  'Punjabi',
  'Urdu',
  'English',
  'Tulu',
  'Kannada',
  'Other',
];
const schoolLanguages = ['Gujarati', 'Hindi', 'English'];

const submit = (page: Page) => page.getByRole('button', { name: 'Submit Form' });
const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true });
const table = (page: Page) => page.getByRole('table', { name: 'Uploaded documents' });
const submittedHeading = (page: Page) => page.getByRole('heading', { name: 'Admission form already submitted!' });

async function enterLanguages(page: Page) {
  const { otherLangChildKnow, repalcedLangOfChild, ...others } = languageAnswers;
  await enter(page, others);
  for (const language of otherLangChildKnow.split(',')) await choose(page, 'otherLangChildKnow', language);
}

async function addDocument(page: Page, name: string) {
  await field(page, 'documentName').selectOption(name);
  await attach(page, file);
  await upload(page).click();
  await expect(table(page).getByRole('cell', { name, exact: true })).toBeVisible();
}

const submissionsOf = (family: Family) => `select id from admission_submission where inquiry_id = ${family.id}`;

test('S115 S118 unanswered language questions are refused, each in its own words; only a Yes asks for the replaced language', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'ready to submit' });
  await page.goto(family.at('/admission4'));
  await submit(page).click();
  const gaps = {
    primaryLangatHome: 'Primary Language is required.',
    otherLangChildKnow: 'Other Language is required.',
    isChildFluentInEnglish: 'Learner Of English Language is required.',
    childStudyLangPreferance: 'Child Studies English Language is required.',
    langPreferanceWithSchool: 'School Communication Language is required.',
  };
  await expectProblems(page, {
    ...gaps,
    isChildHaveReplacedLang: 'Family (your parents or grandparents) speak Language is required.',
  });

  const replaced = field(page, 'repalcedLangOfChild');
  await expect(replaced).toHaveCount(0);
  await choose(page, 'isChildHaveReplacedLang', 'true');
  await expect(replaced).toBeVisible();
  await submit(page).click();
  await expectProblems(page, { ...gaps, repalcedLangOfChild: 'Specify the Language is Required' });
  await choose(page, 'isChildHaveReplacedLang', 'false');
  await expect(replaced).toHaveCount(0);
  await submit(page).click();
  await expectProblems(page, gaps);
});

test('S116 S117 S120 languages and document names are offered exactly as the school lists them', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission4'));
  await choose(page, 'isChildHaveReplacedLang', 'true');
  for (const name of ['primaryLangatHome', 'repalcedLangOfChild'])
    await expect(field(page, name).getByRole('option')).toHaveText(['Choose', ...languages]);
  const others = question(page, 'otherLangChildKnow').getByRole('checkbox');
  await expect(others).toHaveCount(languages.length);
  for (const [index, name] of languages.entries()) await expect(others.nth(index)).toHaveAccessibleName(name);
  for (const name of ['childStudyLangPreferance', 'langPreferanceWithSchool']) {
    const offered = question(page, name).getByRole('radio');
    await expect(offered).toHaveCount(schoolLanguages.length);
    for (const [index, language] of schoolLanguages.entries())
      await expect(offered.nth(index)).toHaveAccessibleName(language);
  }
  const names = ['Birth Certificate', 'Aadhar Card', 'No Due Certificate', 'Other'];
  await expect(field(page, 'documentName').getByRole('option')).toHaveText(['Choose', ...names]);
  await expect(field(page, 'documentName')).toHaveAccessibleDescription(
    /Passport accepted in place of the Aadhar Card for international students/,
  );
});

test('S119 the other languages are sent as one comma-joined text and come back as separate choices', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 4 });
  // Answers of a form handed in before and opened again by the school.
  await school.sql(`
    insert into admission_language (inquiry_id, home_language, other_languages, first_generation_learner,
      study_language, school_language, has_replaced_language, replaced_language)
    values (${family.id}, 'Gujarati', 'Hindi,English', true, 'English', 'Gujarati', true, 'Sindhi')`);
  await page.goto(family.at('/admission4'));
  await expect(question(page, 'otherLangChildKnow').getByRole('checkbox', { checked: true })).toHaveCount(2);
  expect(await answerOf(page, 'otherLangChildKnow')).toBe('Hindi,English');
  await expect(field(page, 'repalcedLangOfChild')).toHaveValue('Sindhi');

  await choose(page, 'otherLangChildKnow', 'Marwadi');
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/language?'));
  await submit(page).click();
  expect((await sent).postDataJSON()).toMatchObject({ otherLangChildKnow: 'Hindi,Marwadi,English' });
});

test('S121 S122 a document needs a name, and an Other a description of at most 1000 characters', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission4'));
  await attach(page, file);
  await upload(page).click();
  await expectProblems(page, { documentName: 'Document Name is Required' });
  await expect(field(page, 'otherDocumentDescription')).toHaveCount(0);
  await field(page, 'documentName').selectOption('Other');
  await upload(page).click();
  await expectProblems(page, { otherDocumentDescription: 'Description is Required' });
  await fill(page, 'otherDocumentDescription', 'x'.repeat(1001));
  await upload(page).click();
  await expectProblems(page, { otherDocumentDescription: 'Description can have at most 1000 characters.' });
  await fill(page, 'otherDocumentDescription', 'x'.repeat(1000));
  await upload(page).click();
  await expect(table(page).getByRole('cell', { name: 'x'.repeat(1000) })).toBeVisible();
});

test('S123 S126 S127 S128 a document is announced, listed and opened, taken only once under a name, and removed', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission4'));
  await expect(page.getByText('No record found')).toBeVisible();
  await field(page, 'documentName').selectOption('Birth Certificate');
  await attach(page, file);
  await Promise.all([expect(toast(page, 'File Uploded Successfully')).toBeVisible(), upload(page).click()]);
  await expect(page.getByText('No record found')).toHaveCount(0);
  await expect(table(page).getByRole('cell')).toHaveText(['Birth Certificate', '', /View.*Remove/]);
  await expect(page.getByText('Birth Certificate: uploaded')).toBeVisible();

  const opened = page.waitForEvent('popup');
  await table(page).getByRole('link', { name: 'View Birth Certificate, opens in a new tab' }).click();
  const view = await opened;
  await expect(view.getByRole('img')).toBeVisible();
  await view.close();

  await field(page, 'documentName').selectOption('Birth Certificate');
  await attach(page, file);
  await upload(page).click();
  const twice = 'Document already uploded please select another document';
  await expectProblems(page, { documentName: twice });
  await expect(toast(page, twice)).toBeVisible();
  await expect(table(page).getByRole('row')).toHaveCount(2);

  await table(page).getByRole('button', { name: 'Remove Birth Certificate' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Remove' });
  await Promise.all([expect(toast(page, 'Document Deleted Successfully')).toBeVisible(), confirm.click()]);
  await expect(page.getByText('No record found')).toBeVisible();
  expect(await school.sql(`select id from admission_document where inquiry_id = ${family.id}`)).toEqual([]);
});

test('S124 S125 a document is JPEG, PNG or PDF of at most 4 MB', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission4'));
  const megabyte = 1024 * 1024;
  const word = { name: 'letter.docx', buffer: Buffer.from('PK\x03\x04') };
  for (const wrong of [gif, word, { name: 'text.txt', buffer: Buffer.from('text') }]) {
    await attach(page, file, wrong);
    await expectBeside(page, file, 'File select valid file');
    await expect(toast(page, 'File select valid file')).toBeVisible();
  }
  await attach(page, file, { name: 'large.png', buffer: padded(picture.buffer, 4 * megabyte + 1) });
  await expectBeside(page, file, 'File select up 4 Mb file');
  await expect(toast(page, 'File select up 4 Mb file')).toBeVisible();
  await attach(page, file, { name: 'paper.pdf', buffer: Buffer.from('%PDF-1.7\n') });
  await expect(page.getByText('paper.pdf')).toBeVisible();
  await expectBeside(page, file, undefined);

  await field(page, 'documentName').selectOption('Aadhar Card');
  await attach(page, file, { name: 'exact.png', buffer: padded(picture.buffer, 4 * megabyte) });
  await upload(page).click();
  await expect(table(page).getByRole('cell', { name: 'Aadhar Card', exact: true })).toBeVisible();
});

test('S131 a document goes over the wire with name, description and whose it is; the list is data.resultList', async ({
  page,
  school,
}) => {
  const family = await school.family();
  const saves = await listenToSaves(page, 'documents');
  const studentAdmissionDocumentsID = 7;
  const documentFilePath = '00000000-0000-4000-8000-000000000000';
  const listed = { studentAdmissionDocumentsID, documentFilePath, documentFileType: 'image/png' };
  const resultList = [{ ...listed, documentName: 'No Due Certificate', otherDocumentDescription: '' }];
  await page.route('**/api/admission/documents?*', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: { isSuccess: true, message: '', data: { resultList, rowVersion: null } } })
      : route.continue(),
  );
  await page.goto(family.at('/admission4'));
  await expect(table(page).getByRole('cell', { name: 'No Due Certificate', exact: true })).toBeVisible();

  await field(page, 'documentName').selectOption('Other');
  await fill(page, 'otherDocumentDescription', 'Report card');
  await attach(page, file);
  await upload(page).click();
  await expect(table(page).getByRole('cell')).toHaveText(['Other', 'Report card', /View.*Remove/]);
  expect(saves.requests).toHaveLength(1);
  expect(await saves.fields()).toMatchObject([
    {
      documentName: 'Other',
      otherDocumentDescription: 'Report card',
      admissionID: String(family.id),
      inquiryNo: family.inquiryNo,
      [file]: picture.name,
    },
  ]);
});

test('S010 S129 S130 the form is handed in once Birth Certificate and Aadhar Card are there, and is closed from then on', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 4 });
  await page.goto(family.at('/admission4'));
  await page.getByRole('link', { name: 'Previous' }).click();
  await expectPage(page, family, '/admission3');
  await page.goto(family.at('/admission4'));

  const isRefused = async () => {
    await submit(page).click();
    await expect(summary(page)).toBeFocused();
    await expect(toast(page, documentsRequired)).toBeVisible();
    await summary(page).getByRole('link', { name: documentsRequired }).click();
    await expect(field(page, 'documentName')).toBeFocused();
    expect(await school.sql(submissionsOf(family))).toEqual([]);
  };
  await enterLanguages(page);
  await isRefused();
  await addDocument(page, 'Birth Certificate');
  await isRefused();
  await page.getByRole('button', { name: 'Remove Birth Certificate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('No record found')).toBeVisible();
  await addDocument(page, 'Aadhar Card');
  await isRefused();
  await addDocument(page, 'Birth Certificate');

  const asked = page.waitForRequest((request) => request.url().includes('/api/admission/inquiry?'));
  await Promise.all([expect(toast(page, 'Thank you filling admission form')).toBeVisible(), submit(page).click()]);
  await asked;
  await expect(submittedHeading(page)).toBeVisible();
  await expect(page).toHaveURL(family.at('/admission4'));
  await expect(submit(page)).toHaveCount(0);
  await page.reload();
  await expect(submittedHeading(page)).toBeVisible();
  await expect(page.getByText(family.inquiryNo)).toBeVisible();
  expect(await school.sql(submissionsOf(family))).toHaveLength(1);
});

test('B15 pressing Submit Form twice sends one request and makes one submission', async ({ page, school }) => {
  const family = await school.family({ state: 'ready to submit' });
  const saves = await listenToSaves(page, 'language');
  await page.goto(family.at('/admission4'));
  await enterLanguages(page);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/admission/language?*', async (route) => {
    await held;
    await route.continue();
  });
  await submit(page).dblclick();
  await submit(page).press('Enter');
  await expect(submit(page)).toHaveAttribute('aria-disabled', 'true');
  release();
  await expect(submittedHeading(page)).toBeVisible();
  expect(saves.requests).toHaveLength(1);
  expect(await school.sql(submissionsOf(family))).toHaveLength(1);
});

test('B21 handing in an unfilled form lists every gap with a link to its page and field', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission4'));
  await enterLanguages(page);
  await submit(page).click();
  await expect(summary(page)).toBeFocused();
  await expect(summary(page).getByRole('link', { name: documentsRequired })).toHaveCount(1);
  const gapsOf = (path: string) => summary(page).locator(`a[href^="${family.at(path)}&return=check#"]`);
  await expect(gapsOf('/admission').filter({ hasText: 'Child Photo is required.' })).toHaveCount(1);
  await expect(gapsOf('/admission1').filter({ hasText: 'Family Photo is required.' })).toHaveCount(1);
  await expect(gapsOf('/admission1').filter({ hasText: 'Birth Date is required.' })).toHaveCount(2);
  // Personality, the twelve questions, devices, programs; the two contacts, time with both parents, beliefs, reasons.
  await expect(gapsOf('/admission2')).toHaveCount(15);
  await expect(gapsOf('/admission3')).toHaveCount(12);

  const gaps = [
    ['/admission1', 'fatherBirthDate'],
    ['/admission2', 'isSpecialNeeds'],
    ['/admission3', 'reasonsForAdmission'],
  ] as const;
  for (const [path, name] of gaps)
    await expect(summary(page).locator(`a[href="${family.at(path)}&return=check#${name}"]`)).toBeVisible();
  await gapsOf('/admission').filter({ hasText: 'Blood Group is required.' }).click();
  await expect(page).toHaveURL(`${family.at('/admission')}&return=check#bloodGroup`);
  await expect(field(page, 'bloodGroup')).toBeFocused();
  for (const [path, name] of gaps) {
    await page.goto(`${family.at(path)}#${name}`);
    await expect(field(page, name)).toBeFocused();
  }
});

test('B21 every gap listed for another page is a question the parent finds there', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission4'));
  await enterLanguages(page);
  await submit(page).click();
  await expect(summary(page)).toBeFocused();
  const listed = await summary(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(listed.length).toBeGreaterThan(20);
  for (const path of ['/admission', '/admission1', '/admission2', '/admission3']) {
    await page.goto(family.at(path));
    await expectPage(page, family, path);
    for (const href of listed.filter((href) => href.startsWith(`${family.at(path)}&return=check#`)))
      await expect.soft(field(page, href.replace(/^.*#/, '')).first()).toBeAttached();
  }
});

test('B21 a gap of another page is mended there, and saving it comes straight back to hand the form in', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'ready to submit' });
  await school.sql(`delete from admission_additional_info where inquiry_id = ${family.id}`);
  await page.goto(family.at('/admission4'));
  await enterLanguages(page);
  await submit(page).click();
  await summary(page).getByRole('link', { name: 'Reasons For Admission is required.' }).click();
  await expect(field(page, 'reasonsForAdmission')).toBeFocused();
  await enter(page, additionalInfoAnswers);
  await saveAndNext(page);
  await expect(page).toHaveURL(/\/admission4\?inquiryNo=\w+#check-reasonsForAdmission$/);
  await submit(page).click();
  await expect(page.getByRole('heading', { name: 'Admission form already submitted!' })).toBeFocused();
});

test('B10 on page 5 a refused upload and then a refused submission leave one "There is a problem"', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission4'));
  await upload(page).click();
  await expect(summary(page)).toBeFocused();
  await submit(page).click();
  await expect(summary(page).getByRole('link', { name: 'Primary Language is required.' })).toBeVisible();
  await expect(summary(page)).toHaveCount(1);
  await expect(summary(page)).toBeFocused();
});
