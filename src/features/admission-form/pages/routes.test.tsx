import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { additionalInfoAnswers, basicInfoAnswers, healthAnswers, parentInfoAnswers } from '#database/seed/answers.ts';
import {
  answerOf,
  controls,
  documentRow,
  expectPage,
  fill,
  findPressable,
  hideErrors,
  link,
  nameOf,
  openForm,
  page,
  press,
  refused,
  saveAndNext,
  says,
  schoolRow,
  submittedInquiry,
  visit,
  whereWeAre,
} from '#testing/form-page.tsx';
import { inquiryApi } from '../contract/inquiry.ts';
import { newLinkApi } from '../contract/new-link.ts';
import { formPaths } from '../contract/pages.ts';

const steps = ['Child', 'Family', 'Health', 'Contacts', 'Documents and submit'];
const inquiryRead = nameOf(inquiryApi.inquiry);
const heading = () => document.querySelector('h1')?.textContent;
const alreadySubmitted = 'Admission form already submitted!';

test.each(formPaths.map((path, index) => [path, index + 1, steps[index] ?? ''] as const))(
  'S001 RA3 RA4 %s is step %i of one form; the first has the form’s title, the others their step’s name',
  async (path, step, name) => {
    await openForm(path);
    await expectPage(path);
    const form = 'Admission Form 2026-27';
    const isFirst = step === 1;
    expect(document.querySelector('nav[aria-label=Steps] p')?.textContent).toBe(
      isFirst ? `Step 1 of 5 · ${name}` : `${form} · Step ${step} of 5`,
    );
    expect(document.querySelector('[aria-current=step]')?.textContent).toBe(name);
    expect(heading()).toBe(isFirst ? form : name);
    expect(document.title).toBe(isFirst ? form : `${name} · ${form}`);
    expect(findPressable(step < 5 ? 'Save and Next' : 'Submit Form')).toBeDefined();
  },
);

const stepsSaved = () =>
  [...document.querySelectorAll('nav[aria-label=Steps] li')].flatMap((step, index) =>
    step.textContent?.endsWith('Saved') ? [index + 1] : [],
  );

test('a family that comes back is led on to the first step that is not saved, and sees which are', async () => {
  await openForm('/admission', { pages: 3 });
  expect(stepsSaved()).toEqual([1, 2, 3]);
  press('Continue at step 4, Contacts');
  await expectPage('/admission3');
  expect(findPressable('Continue at step 4, Contacts')).toBeUndefined();
  await openForm('/admission', { pages: 4 });
  expect(findPressable('Continue at step 5, Documents and submit')).toBeDefined();
});

test('a family that begins, or came for one change, is not led on', async () => {
  await openForm('/admission');
  expect(page()).not.toContain('Continue at step');
  expect(stepsSaved()).toEqual([]);
  await openForm('/admission?return=check#religion', { pages: 4 });
  expect(page()).not.toContain('Continue at step');
});

test('a step has its tick as soon as it is saved', async () => {
  await openForm('/admission3', { pages: 4, inquiry: { savedSteps: [1] } });
  saveAndNext();
  await expectPage('/admission4');
  expect(stepsSaved()).toEqual([1, 4]);
});

test('S002 the link is carried through all five pages forward and back, by the step bar, and in every request', async () => {
  const server = await openForm('/admission', { pages: 4 });
  for (const path of formPaths.slice(1)) {
    saveAndNext();
    await expectPage(path);
  }
  for (const path of formPaths.slice(0, -1).toReversed()) {
    press('Previous');
    await expectPage(path);
  }
  for (const [index, name] of [...steps.entries()].slice(1)) {
    press(name);
    await expectPage(formPaths[index] ?? '');
  }
  expect(server.sent.length).toBeGreaterThan(30);
  expect(new Set(server.sent.map(({ query }) => query.inquiryNo))).toEqual(new Set([link]));
});

test.each(formPaths.slice(0, -1))(
  'S011 S012 %s of a submitted form leads to the last page, which has no form',
  async (path) => {
    await openForm(path, { answers: { [inquiryRead]: submittedInquiry } });
    expect(heading()).toBe(alreadySubmitted);
    expect(whereWeAre()).toBe('/admission4');
    expect(document.querySelector('main :is(form, button, input, select, textarea)')).toBeNull();
  },
);

test('S013 nothing on page 3 of a submitted form can be filled in, not even before it leads to the last page', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const seen: string[] = [];
  const look = () => {
    for (const control of document.querySelectorAll('main :is(input, select, textarea, button)'))
      seen.push(control.outerHTML);
  };
  const watch = new MutationObserver(look);
  watch.observe(document, { childList: true, subtree: true, attributes: true });
  const opened = openForm('/admission2', {
    pages: 3,
    answers: { [inquiryRead]: () => held.then(() => submittedInquiry) },
  });
  await waitFor(() => expect(document.querySelector('main [role=status]')?.textContent).toBe('Loading'));
  release();
  await opened;
  await waitFor(() => expect(heading()).toBe(alreadySubmitted));
  watch.disconnect();
  expect(seen).toEqual([]);
});

test('S013 page 3 left open while the form is submitted elsewhere takes no more answers', async () => {
  const server = await openForm('/admission2', { pages: 3 });
  fill('childPersonalityAndHomeRoutine', 'Changed too late');
  server.answers[inquiryRead] = submittedInquiry;
  server.answers['POST /api/admission/health'] = refused('already_submitted', alreadySubmitted);
  saveAndNext();
  await waitFor(() => expect(heading()).toBe(alreadySubmitted));
  expect(whereWeAre()).toBe('/admission4');
});

test('B02 RA48 a missing link and one that opens nothing give one neutral page with a way to the school', async () => {
  hideErrors();
  const server = await openForm('/admission', { answers: { [inquiryRead]: refused('not_found', 'Not found.') } });
  const texts = [];
  for (const [path, value] of [
    ['/admission', ''],
    ['/admission?inquiryNo=', ''],
    ['/admission', 'f'.repeat(32)],
    ['/admission4', 'f'.repeat(32)],
  ] as const) {
    await visit(path, value);
    await waitFor(() => expect(heading()).toBe('This link no longer works'));
    expect(findPressable('Get a new link')).toBeDefined();
    expect(document.querySelector('main a[href="mailto:office@test-school.example"]')).not.toBeNull();
    expect(document.querySelectorAll('main a[href="tel:02612221100"]')).toHaveLength(2);
    texts.push(`${document.title} ${document.querySelector('main')?.textContent}`);
  }
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).not.toMatch(/expired|revoked|Meera|Patel/i);
  server.answers[inquiryRead] = refused('too_many_tries', 'Too many tries.');
  await visit('/admission');
  expect(`${document.title} ${document.querySelector('main')?.textContent}`).toBe(texts[0]);
});

test('B02 who asks for a new link is told the server’s answer in place of the question', async () => {
  hideErrors();
  const message = 'If the school has this mobile number or email address, we sent a new link to it.';
  const server = await openForm('/admission', {
    answers: {
      [inquiryRead]: refused('not_found', 'Not found.'),
      [nameOf(newLinkApi.newLink)]: { isSuccess: true, ...says(message) },
    },
  });
  fill('contact', 'parent@family.example');
  press('Get a new link');
  await waitFor(() => expect(page()).toContain(message));
  expect(controls('contact')).toEqual([]);
  expect(page()).toContain('Not there after 10 minutes?');
  expect(page()).not.toContain('get a new link here');
  expect(server.sent.filter(({ path }) => path.endsWith('/new-link'))).toMatchObject([
    { fields: { contact: 'parent@family.example' } },
  ]);
});

test('S015 the saved answers of every page come back whenever the link is opened again', async () => {
  const language = {
    primaryLangatHome: 'Marathi',
    otherLangChildKnow: 'Hindi,English',
    isChildFluentInEnglish: false,
    childStudyLangPreferance: 'Hindi',
    langPreferanceWithSchool: 'English',
    isChildHaveReplacedLang: true,
    repalcedLangOfChild: 'Sindhi',
  };
  const documents = [documentRow('Birth Certificate'), documentRow('Aadhar Card')];
  await openForm('/admission', { pages: 4, schools: [schoolRow], documents, language: [language] });
  const locked = /^(father|mother)?(FirstName|LastName|MobileNo|EmailID)$|^(firstName|lastName|birthDate)$/;
  const hidden = /WorkplaceInfo$|^staffHRISEmployeeID$/;
  const { fatherBirthDate, motherBirthDate, ...parents } = parentInfoAnswers(1, 11);
  const pages: [path: string, answers: Record<string, string | boolean>, shown: string[]][] = [
    ['/admission', { ...basicInfoAnswers, aadharCardNo: 'XXXX XXXX 1234', sameAsPresentAddress: 'on' }, []],
    ['/admission1', { ...parents, fatherBirthDate: '04,07,1988', motherBirthDate: '20,11,1991' }, ['Textiles']],
    ['/admission2', healthAnswers, [schoolRow.schoolName, schoolRow.city]],
    ['/admission3', { ...additionalInfoAnswers, isMedicalEmergencyAuthorized: 'on' }, []],
    ['/admission4', language, documents.map(({ documentName }) => documentName)],
  ];
  for (const [path, answers, shown] of pages) {
    await visit(path);
    await expectPage(path);
    for (const text of shown) await waitFor(() => expect(page()).toContain(text));
    for (const [name, value] of Object.entries(answers))
      if (!locked.test(name) && !hidden.test(name))
        expect(`${path} ${name}: ${answerOf(name)}`).toBe(`${path} ${name}: ${value}`);
  }
  for (const name of ['Child Photo', 'Family Photo']) {
    await visit(name === 'Child Photo' ? '/admission' : '/admission1');
    expect(document.querySelector(`img[alt="${name}, uploaded"]`)).not.toBeNull();
  }
});
