import { fireEvent, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { languageAnswers } from '#database/seed/answers.ts';
import {
  attach,
  controls,
  descriptionOf,
  documentRow,
  enter,
  expectPage,
  field,
  findPressable,
  link,
  nameOf,
  openForm,
  page,
  press,
  pressable,
  question,
  refused,
  rowsOf,
  saveAndNext,
  says,
  submittedInquiry,
  summary,
  visit,
  whereWeAre,
} from '#testing/form-page.tsx';
import { additionalInfoApi } from '../contract/additional-info.ts';
import { basicInfoApi } from '../contract/basic-info.ts';
import { type Correction, correctionApi } from '../contract/correction.ts';
import { documentApi } from '../contract/document.ts';
import { draftApi } from '../contract/draft.ts';
import { educationApi } from '../contract/education.ts';
import { healthApi } from '../contract/health.ts';
import { inquiryApi } from '../contract/inquiry.ts';
import { languageApi } from '../contract/language.ts';

const alreadySubmitted = 'Admission form already submitted!';
const heading = () => document.querySelector('h1')?.textContent;
const cards = () =>
  [...document.querySelectorAll('h3')]
    .map(({ textContent }) => textContent)
    .filter((title) => title.startsWith('Step '));
const notice = () => document.querySelector('section[aria-labelledby=correction]');
const listed = () =>
  [...(notice()?.querySelectorAll('li') ?? [])].map((item) => [...item.children].map(({ textContent }) => textContent));

const remark = (
  section: Correction['remarks'][number]['section'],
  name: string,
  words: string,
  isAnswered = false,
) => ({
  section,
  field: name,
  remark: words,
  isAnswered,
});
const hobbies = remark('Family', 'fatherHobbies', 'Please name one hobby.');
const resubmission = nameOf(correctionApi.resubmit);

/** Opens a page of a form that is filled in, of which the school asks to correct these pages. */
const openCorrection = (path: string, correction: Correction, wanted: Parameters<typeof openForm>[1] = {}) =>
  openForm(path, { pages: 4, ...wanted, inquiry: { correction, ...wanted.inquiry } });

/** The server reads and saves nothing of the closed pages. */
const closed = Object.fromEntries(
  [
    basicInfoApi.get,
    educationApi.list,
    healthApi.get,
    additionalInfoApi.get,
    documentApi.list,
    languageApi.get,
    languageApi.submit,
  ].map((operation) => [nameOf(operation), refused('already_submitted', alreadySubmitted)]),
);

test('A2.2 a family asked to correct the parents’ page changes page 2 only; other pages lead to the last one', async () => {
  const family = { pages: [2], remarks: [hobbies] };
  for (const path of ['/admission', '/admission2', '/admission3']) {
    await openCorrection(path, family, { answers: closed });
    await expectPage('/admission4');
  }
  expect(heading()).toBe('Submit the correction');
  expect([...document.querySelectorAll('nav[aria-label=Steps] li')].map(({ textContent }) => textContent)).toEqual([
    'ChildSubmitted',
    'FamilySaved',
    'HealthSubmitted',
    'ContactsSubmitted',
    'Documents and submit',
  ]);
  for (const name of ['Child', 'Health', 'Contacts']) expect(findPressable(name)).toBeUndefined();
  await waitFor(() => expect(cards()).toEqual(['Step 2, Family']));
  expect(controls('documentName')).toEqual([]);
  expect(controls('primaryLangatHome')).toEqual([]);
  expect(listed()).toEqual([['Father, Hobbies', 'Please name one hobby.']]);

  press('Father, Hobbies');
  await waitFor(() => expect(whereWeAre()).toBe('/admission1?return=check#fatherHobbies'));
  await waitFor(() => expect(document.activeElement).toBe(field('fatherHobbies')));
  expect(findPressable('Previous')).toBeUndefined();
  saveAndNext();
  await waitFor(() => expect(whereWeAre()).toBe('/admission4#check-fatherHobbies'));
});

test('a correction without the last page is submitted once, after asking, and without its questions', async () => {
  const server = await openCorrection('/admission4', { pages: [2], remarks: [] }, { answers: closed });
  await waitFor(() => expect(cards()).toHaveLength(1));
  server.answers[resubmission] = () => {
    server.answers[nameOf(inquiryApi.inquiry)] = submittedInquiry;
    return { isSuccess: true, ...says('Thank you filling admission form') };
  };
  press('Submit Form');
  const yes = pressable('Yes, submit');
  fireEvent.click(yes);
  fireEvent.click(yes);
  await waitFor(() => expect(heading()).toBe(alreadySubmitted));
  expect(server.sent.filter(({ method, path }) => `${method} ${path}` === resubmission)).toHaveLength(1);
});

test('a gap that the server finds on an open page is linked, and a step that is not saved stops the correction', async () => {
  const gap = {
    page: '/admission1',
    field: 'motherHobbies',
    label: { id: 'Hobbies' },
    message: { id: 'Enter hobbies.' },
  };
  await openCorrection(
    '/admission4',
    { pages: [2], remarks: [] },
    { answers: { ...closed, [resubmission]: refused('invalid', 'There is a problem', { data: { gaps: [gap] } }) } },
  );
  await waitFor(() => expect(cards()).toHaveLength(1));
  press('Submit Form');
  press('Yes, submit');
  await waitFor(() =>
    expect(summary()?.querySelector('a')?.getAttribute('href')).toBe(
      `/admission1?inquiryNo=${link}&return=check#motherHobbies`,
    ),
  );
  await openCorrection('/admission4', { pages: [3], remarks: [] }, { pages: 2 });
  press('Submit Form');
  await waitFor(() => expect(summary()?.textContent).toContain('Step 3, Health is not filled in yet'));
  expect(summary()?.querySelectorAll('a')).toHaveLength(1);
});

test('saving leads to the next open page, and Previous to the one before', async () => {
  await openCorrection('/admission', { pages: [1, 3], remarks: [] });
  expect(page()).not.toContain('Continue at step');
  saveAndNext();
  await expectPage('/admission2');
  press('Previous');
  await expectPage('/admission');
  await visit('/admission2');
  saveAndNext();
  await expectPage('/admission4');
  await waitFor(() => expect(cards()).toEqual(['Step 1, Child', 'Step 3, Health']));
});

test('the school’s words stand beside each field, first of all as a list, and are read with the field', async () => {
  const remarks = [
    hobbies,
    remark('Family', 'FamilyImageIFormFile', 'The photo is dark.'),
    remark('Family', 'fatherBirthDate', 'Check the year.'),
    remark('Family', 'motherOccupation', 'Please check.'),
    remark('Family', 'hasNoFather', 'Is that so?'),
    remark('Family', 'isParentDivorced', 'Please check this too.'),
    remark('Family', 'fatherFirstName', 'As on the Aadhaar card?'),
    remark('Family', '', 'Please read this page again.'),
    remark('Child', 'religion', 'Not of this page.'),
  ];
  await openCorrection('/admission1', { pages: [2], remarks });
  expect(document.querySelector('main h1')?.nextElementSibling).toBe(notice());
  expect(listed()).toEqual([
    ['Religion', 'Not of this page.'],
    ['Father, Hobbies', 'Please name one hobby.'],
    ['Family Photo', 'The photo is dark.'],
    ['Father, Birth Date', 'Check the year.'],
    ['Mother, Employment Status', 'Please check.'],
    [expect.stringContaining('no father to name'), 'Is that so?'],
    [expect.any(String), 'Please check this too.'],
    ['Father, First Name', 'As on the Aadhaar card?'],
    ['Family', 'Please read this page again.'],
  ]);
  // A value of the inquiry has no field, and a page no link to itself.
  expect(findPressable('Father, First Name')).toBeUndefined();
  const says = (name: string) => descriptionOf(question(name)) + descriptionOf(field(name));
  expect(says('fatherHobbies')).toContain('The school: Please name one hobby.');
  expect(says('FamilyImageIFormFile')).toContain('The school: The photo is dark.');
  expect(says('fatherBirthDate')).toContain('The school: Check the year.');
  expect(says('motherOccupation')).toContain('The school: Please check.');
  expect(says('hasNoFather')).toContain('The school: Is that so?');
  expect(says('isParentDivorced')).toContain('The school: Please check this too.');
  expect(field('isParentDivorced').closest('details')?.open).toBe(true);
  expect(says('motherHobbies')).not.toContain('The school:');
  press('Father, Hobbies', notice() ?? document);
  expect(document.activeElement).toBe(field('fatherHobbies'));
});

test('the last page lists the remarks of all pages, and those on documents stand at their list', async () => {
  const remarks = [
    remark('Documents', 'Birth Certificate', 'The scan is blurred.'),
    remark('Languages', 'otherLangChildKnow', 'None?'),
    remark('Health', 'fromGrade', 'Which school before Grade 1?'),
    remark('Contacts', '', 'Give two numbers.'),
  ];
  await openCorrection(
    '/admission4',
    { pages: [3, 4, 5], remarks },
    { documents: [documentRow('Birth Certificate'), documentRow('Aadhar Card')], language: [language] },
  );
  await waitFor(() => expect(cards()).toEqual(['Step 3, Health', 'Step 4, Contacts', 'Step 5, Languages']));
  expect(listed()).toEqual([
    ['Schools attended', 'Which school before Grade 1?'],
    ['Contacts', 'Give two numbers.'],
    ['Birth Certificate', 'Not uploaded yet', 'The scan is blurred.'],
    ['Other languages your child knows', 'None?'],
  ]);
  expect([...(notice()?.querySelectorAll('a') ?? [])].map((a) => a.getAttribute('href'))).toEqual([
    expect.stringMatching(/^\/admission2\?.*return=check#fromGrade$/),
    expect.stringMatching(/^\/admission3\?.*return=check$/),
    '#documentName',
    '#otherLangChildKnow',
  ]);
  expect(document.querySelector('[data-group=Documents] .note')?.textContent).toBe(
    'Birth Certificate. The school: The scan is blurred.',
  );
  expect(descriptionOf(question('otherLangChildKnow'))).toContain('The school: None?');
  expect(question('otherLangChildKnow').closest('details')?.open).toBe(true);
  press('Schools attended', notice() ?? document);
  await waitFor(() => expect(document.activeElement).toBe(field('fromGrade')));
  expect(descriptionOf(field('fromGrade'))).toContain('The school: Which school before Grade 1?');
});

test('the first page of a correction lists all of it, with a tick where the page was saved or the file uploaded', async () => {
  const remarks = [
    remark('Child', 'bloodGroup', 'Check the report.', true),
    remark('Documents', 'Birth Certificate', 'The scan is blurred.'),
    remark('Documents', 'Aadhar Card', 'Cover the first 8 digits.', true),
    hobbies,
  ];
  await openCorrection('/admission', { pages: [1, 2, 5], remarks });
  await waitFor(() =>
    expect(listed()).toEqual([
      ['Blood Group', 'Saved', 'Check the report.'],
      ['Father, Hobbies', 'Please name one hobby.'],
      ['Birth Certificate', 'Not uploaded yet', 'The scan is blurred.'],
      ['Aadhar Card', 'Uploaded', 'Cover the first 8 digits.'],
    ]),
  );
  expect(page()).not.toContain('The form takes about 30 minutes.');
  await visit('/admission1');
  saveAndNext();
  await expectPage('/admission4');
  await waitFor(() => expect(listed()).toContainEqual(['Father, Hobbies', 'Saved', 'Please name one hobby.']));
});

test('a rejected document is red in the list of documents and is uploaded again without removing it first', async () => {
  const rejected = { ...documentRow('Birth Certificate'), isRejected: true };
  const server = await openCorrection(
    '/admission4',
    { pages: [5], remarks: [remark('Documents', 'Birth Certificate', 'The scan is blurred.')] },
    { documents: [rejected, documentRow('Aadhar Card')], language: [language] },
  );
  const state = (name: string) =>
    [...document.querySelectorAll('[data-group=Documents] li')].find(({ textContent }) => textContent.startsWith(name));
  await waitFor(() => expect(state('Birth Certificate')?.textContent).toContain('rejected, upload another file'));
  expect(state('Aadhar Card')?.textContent).toContain('uploaded');
  server.answers[nameOf(documentApi.add)] = {
    ...rowsOf(documentApi.list, [documentRow('Birth Certificate'), documentRow('Aadhar Card')]),
  };
  enter({ documentName: 'Birth Certificate' });
  await attach('DocumentIFormFile');
  press('Upload');
  await waitFor(() => expect(state('Birth Certificate')?.textContent).toContain(': uploaded'));
});

const language = {
  ...languageAnswers,
  isChildFluentInEnglish: true,
  isChildHaveReplacedLang: false,
  repalcedLangOfChild: '',
};

test('a family that withdrew consent is asked for it first, also where page 1 is closed', async () => {
  await openCorrection(
    '/admission4',
    { pages: [2], remarks: [hobbies] },
    {
      inquiry: { isConsentRequired: true },
      answers: {
        ...closed,
        [nameOf(basicInfoApi.get)]: rowsOf(basicInfoApi.get, []),
        [nameOf(draftApi.read)]: refused('already_submitted', alreadySubmitted),
      },
    },
  );
  await waitFor(() => expect(heading()).toBe('Before you begin'));
  expect(whereWeAre()).toBe('/admission');
});
