import { act, cleanup, fireEvent, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import {
  additionalInfoAnswers,
  address,
  basicInfoAnswers,
  educationAnswers,
  healthAnswers,
  parentInfoAnswers,
} from '#database/seed/answers.ts';
import { configure } from '#features/school/ui/configuration.ts';
import { addWords, speak } from '#kit/browser/language.tsx';
import { activate } from '#kit/browser/text.ts';
import type { Language } from '#kit/contract/languages.ts';
import {
  attach,
  documentRow,
  enter,
  field,
  fill,
  nothingKnown,
  openForm,
  question,
  rowsOf,
  schoolRow,
} from '#testing/form-page.tsx';
import { additionalInfoApi } from '../contract/additional-info.ts';
import { basicInfoApi } from '../contract/basic-info.ts';
import { documentApi } from '../contract/document.ts';
import { educationApi } from '../contract/education.ts';
import { healthApi } from '../contract/health.ts';
import { languageApi } from '../contract/language.ts';
import { parentInfoApi } from '../contract/parent-info.ts';
import './consent-texts.ts';
import './end-texts.ts';

beforeAll(() =>
  addWords({
    en: {},
    gu: () => import('../../../words/form-gu.ts'),
    hi: () => import('../../../words/form-hi.ts'),
  }),
);
afterEach(() => {
  cleanup();
  activate('en');
});

/** The answers that a family chooses, as each page says them. */
const words: Record<Language, Record<string, string>> = {
  en: {},
  gu: {
    ...{ Yes: 'હા', No: 'ના', 'May Be': 'કદાચ', 'Veg. Food': 'શાકાહારી ભોજન', Other: 'અન્ય' },
    ...{ Business: 'ધંધો', Homemaker: 'ઘર સંભાળે છે', 'Single parent': 'એકલાં ઉછેરતાં માતા કે પિતા' },
    ...{ Gujarati: 'ગુજરાતી', Hindi: 'હિન્દી', English: 'અંગ્રેજી' },
  },
  hi: {
    ...{ Yes: 'हाँ', No: 'नहीं', 'May Be': 'शायद', 'Veg. Food': 'शाकाहारी भोजन', Other: 'अन्य' },
    ...{ Business: 'व्यापार', Homemaker: 'घर सँभालते हैं', 'Single parent': 'अकेले पालने वाले माता या पिता' },
    ...{ Gujarati: 'गुजराती', Hindi: 'हिन्दी', English: 'अंग्रेज़ी' },
  },
};

/** Finds each choice by the word that the page shows for it, and types the rest. */
function answer(language: Language, answers: Record<string, string>) {
  for (const [name, value] of Object.entries(answers)) {
    const control = field(name);
    const isChoice = control.tagName === 'SELECT' || ['radio', 'checkbox'].includes(control.type);
    if (!isChoice) fill(name, value);
    else for (const one of value.split(',')) choose(control, words[language][one] ?? one);
  }
}

function choose(control: HTMLElement & { name: string }, word: string) {
  const rows =
    control.tagName === 'SELECT'
      ? control.querySelectorAll('option')
      : question(control.name).querySelectorAll('label');
  const row = [...rows].find(({ textContent }) => textContent?.trim() === word);
  if (row instanceof HTMLOptionElement) return fill(control.name, row.value);
  const box = row?.querySelector('input');
  if (!box) throw new Error(`${control.name} has no ${word}.`);
  return fireEvent.click(box);
}

/** The value of each row and option of the page's choices, with its field. */
const choices = () =>
  [...document.querySelectorAll('main :is(option, input[type=radio], input[type=checkbox])')].map((one) => [
    one.closest('select')?.name ?? one.getAttribute('name'),
    (one as HTMLInputElement).value,
  ]);

/** Presses what sends the form of a field. */
const send = (name: string) =>
  fireEvent.click(field(name).closest('form')?.querySelector('button[type=submit]') as Element);

const submit = `POST /api${languageApi.submit.path}`;

const isYes = { true: 'Yes', false: 'No' } as const;
/** Answers in words: of a question with Yes and No, its word. */
const inWords = (answers: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(answers).map(([name, value]) => [name, isYes[String(value) as keyof typeof isYes] ?? String(value)]),
  );
const without = (answers: Record<string, string>, names: RegExp) =>
  Object.fromEntries(Object.entries(answers).filter(([name]) => !names.test(name)));
const prefixed = (prefix: string, values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));

const guardian = {
  ...prefixed('guardian', {
    FirstName: 'Ramesh',
    LastName: 'Patel',
    MobileNo: '9825033333',
    EmailID: 'r@family.example',
  }),
  ...prefixed('guardian', address),
  guardianRelationwithChild: 'Grandfather',
  guardianChildLivingReason: 'The parents work abroad.',
  guardianOccupation: 'Homemaker',
  guardianCanOfferInternship: 'May Be',
};
const languageProfile = {
  primaryLangatHome: 'Gujarati',
  otherLangChildKnow: 'Hindi,English',
  isChildFluentInEnglish: 'Yes',
  childStudyLangPreferance: 'English',
  langPreferanceWithSchool: 'Gujarati',
  isChildHaveReplacedLang: 'Yes',
  repalcedLangOfChild: 'Other',
};

/** Fills in all five pages in one language; returns what was sent and the choices that each page offered. */
async function fillForm(language: Language) {
  configure({ schoolName: 'Test School', languages: ['en', 'gu', 'hi'] });
  await act(() => speak(language));
  const added = rowsOf(educationApi.add, [schoolRow]);
  const server = await openForm('/admission', {
    inquiry: nothingKnown,
    answers: { [`POST /api${educationApi.add.path}`]: added },
  });
  const offered: unknown[] = [];
  const goOn = async (name: string, next: string) => {
    offered.push(choices());
    send(name);
    await waitFor(() => field(next));
  };

  answer(language, inWords(without(basicInfoAnswers, /^permanent|^same|^student|^schoolDISE/)));
  // One tick fills in both numbers of the school before.
  fireEvent.click(document.getElementById('not-been-to-a-school') as Element);
  await attach('admissionStudentImageIFormFile');
  await goOn('religion', 'fatherHobbies');

  const parents = without(parentInfoAnswers(1, 11), /^mother|Caree|WorkplaceInfo|^staff|^is|^other|^parentWorking/);
  answer(language, inWords(parents));
  await waitFor(() => expect(field('fatherCareerClusterID')).toBeTruthy());
  fill('fatherCareerClusterID', '1');
  await waitFor(() => expect(field('fatherCareePathwayID').textContent).toContain('Textiles'));
  fill('fatherCareePathwayID', '11');
  fireEvent.click(field('hasNoMother'));
  answer(language, { noMotherReason: 'Single parent', isParentLocalGuardian: 'No', isChildAdopted: 'Yes' });
  answer(language, guardian);
  for (const file of ['FamilyImageIFormFile', 'AdoptionDocumentIFormFile']) await attach(file);
  await goOn('fatherHobbies', 'childPersonalityAndHomeRoutine');

  enter(educationAnswers);
  send('fromGrade');
  await waitFor(() => expect(document.querySelector('main td')?.textContent).toBe(educationAnswers.fromGrade));
  answer(language, inWords({ ...healthAnswers, isSufferingFromAllergies: true }));
  enter({ allergiesDescription: 'Peanuts', allergiesTreatmentBySchool: 'Call us' });
  await goOn('childPersonalityAndHomeRoutine', 'reasonsForAdmission');

  const { isMedicalEmergencyAuthorized: _, ...contacts } = additionalInfoAnswers;
  enter(contacts);
  fireEvent.click(field('isMedicalEmergencyAuthorized'));
  await goOn('reasonsForAdmission', 'primaryLangatHome');

  // The last page reads what the others have saved.
  cleanup();
  const documents = ['Birth Certificate', 'Aadhar Card'].map((name) => documentRow(name));
  const last = await openForm('/admission4', {
    pages: 4,
    documents,
    answers: {
      [`POST /api${documentApi.add.path}`]: rowsOf(documentApi.add, [...documents, documentRow('Other', 'TC')]),
    },
  });
  answer(language, { documentName: 'Other' });
  fill('otherDocumentDescription', 'TC');
  await attach('DocumentIFormFile');
  send('documentName');
  await waitFor(() => expect(document.querySelectorAll('main tbody tr')).toHaveLength(3));
  answer(language, languageProfile);
  offered.push(choices());
  send('primaryLangatHome');
  fireEvent.click([...document.querySelectorAll('dialog[open] button')].at(-1) as Element);
  await waitFor(() => expect(last.sent.some(({ method, path }) => `${method} ${path}` === submit)).toBe(true));

  const sent = [...server.sent, ...last.sent].filter(({ method }) => method === 'POST');
  return { offered, sent: sent.map(({ key: _, ...request }) => request) };
}

let english: Awaited<ReturnType<typeof fillForm>> | undefined;

test.each(['gu', 'hi'] as const)(
  'LG13 the form filled in by the words of its pages in %s sends what it sends in English, letter for letter',
  async (language) => {
    english ??= await fillForm('en');
    expect(english.sent.map(({ path }) => path)).toEqual(
      [
        basicInfoApi.save,
        parentInfoApi.save,
        educationApi.add,
        healthApi.save,
        additionalInfoApi.save,
        documentApi.add,
        languageApi.submit,
      ].map(({ path }) => `/api${path}`),
    );
    expect(JSON.stringify(english.sent)).toContain('"otherLangChildKnow":"Hindi,English"');
    expect(await fillForm(language)).toEqual(english);
  },
);
