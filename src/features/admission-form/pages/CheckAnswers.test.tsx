import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { languageAnswers } from '#database/seed/answers.ts';
import {
  choose,
  documentRow,
  enter,
  expectPage,
  field,
  fill,
  findPressable,
  openForm,
  page,
  press,
  pressable,
  rowsOf,
  saveAndNext,
  sectors,
  submittedInquiry,
  summary,
  whereWeAre,
} from '#testing/form-page.tsx';
import { additionalInfoApi } from '../contract/additional-info.ts';
import { basicInfoApi } from '../contract/basic-info.ts';
import { languageApi } from '../contract/language.ts';

const documents = [documentRow('Birth Certificate'), documentRow('Aadhar Card')];
const cards = () =>
  [...document.querySelectorAll('h3')].flatMap(({ textContent, parentElement }) =>
    textContent.startsWith('Step ') && parentElement ? [parentElement] : [],
  );

/** The last page with all answers printed. */
async function openCheck(wanted: Parameters<typeof openForm>[1] = { pages: 4, documents }) {
  const server = await openForm('/admission4', wanted);
  await waitFor(() => expect(cards()).toHaveLength(5));
  return server;
}

/** The printed answer to a question. */
const answer = (what: string) => pressable(`Change ${what}`).closest('dl > div');

test('B20 every step is listed with its answers, without what was not asked, and the Aadhaar number masked', async () => {
  await openCheck();
  expect(cards().map((card) => card.querySelector('h3')?.textContent)).toEqual([
    'Step 1, Child',
    'Step 2, Family',
    'Step 3, Health',
    'Step 4, Contacts',
    'Step 5, Languages',
  ]);
  expect(answer('Aadhar Card No')?.textContent).toContain('XXXX XXXX 1234');
  expect(answer('Blood Group')?.textContent).toContain('B+');
  expect(answer('Father, Employment Status')?.textContent).toContain('Business');
  expect(answer('Father, Which sector do you work with?')?.textContent).toContain(sectors[1]);
  expect(answer('Child Photo')?.querySelector('img')).not.toBeNull();
  expect(answer('Permanent address, Same as present address')?.textContent).toContain('Yes');
  expect(findPressable('Change Permanent address, Permanent City')).toBeUndefined();
  expect(findPressable('Change Local guardian, First Name')).toBeUndefined();
  // What the school gave cannot be changed here.
  expect(cards()[0]?.textContent).toContain('Meera');
  expect(findPressable('Change First Name')).toBeUndefined();
});

test('an email address in the answers breaks only before its @ or after a dot', async () => {
  await openCheck();
  const [email] = [...document.querySelectorAll('dd')].filter(({ textContent }) => textContent.includes('@'));
  expect([...(email?.querySelectorAll('span') ?? [])].map((part) => part.textContent)).toEqual([
    'nikhil.',
    'patel',
    '@family.',
    'example',
  ]);
});

test.each([
  ['Religion', '/admission', 'religion'],
  ['Mother, Hobbies', '/admission1', 'motherHobbies'],
  ['Programs watched or games played', '/admission2', 'programsWatchedOrGamesPlayedName'],
  ['Emergency contact 2, First Name', '/admission3', 'emergencyContact2FirstName'],
])(
  'B20 Change of %s leads to the question, and one Save and Next straight back to the answer',
  async (what, path, name) => {
    await openCheck();
    press(`Change ${what}`);
    await waitFor(() => expect(whereWeAre()).toBe(`${path}?return=check#${name}`));
    await waitFor(() => expect(document.activeElement).toBe(field(name)));
    saveAndNext();
    await waitFor(() => expect(whereWeAre()).toBe(`/admission4#check-${name}`));
    await waitFor(() => expect(document.activeElement).toBe(pressable(`Change ${what}`)));
  },
);

test('B20 a changed answer is shown as it was saved', async () => {
  const server = await openCheck();
  press('Change Religion');
  await waitFor(() => expect(document.activeElement?.id).toBe('religion'));
  const get = 'GET /api/admission/basic-info';
  const before = server.answers[get] as { data: { lstStudentAdmissionBasicInfoModel: object[] } };
  const [row] = before.data.lstStudentAdmissionBasicInfoModel;
  server.answers['POST /api/admission/basic-info'] = ({ fields: { religion } }) => {
    server.answers[get] = rowsOf(basicInfoApi.get, [{ ...row, religion }]);
    return server.answers[get];
  };
  fill('religion', 'Jain');
  saveAndNext();
  await waitFor(() => expect(whereWeAre()).toBe('/admission4#check-religion'));
  await waitFor(() => expect(cards()).toHaveLength(5));
  expect(answer('Religion')?.textContent).toContain('Jain');
});

test('B20 the way back to the last page is for one page alone', async () => {
  await openForm('/admission1?return=check#motherHobbies', { pages: 4 });
  press('Previous');
  await expectPage('/admission');
});

test('B20 the languages above are shown as they stand, and Change leads up to them', async () => {
  await openCheck();
  const what = 'Primary language spoken at home';
  expect(cards()[4]?.textContent).toContain('Not filled in yet.');
  fill('primaryLangatHome', 'Gujarati');
  expect(answer(what)?.textContent).toContain('Gujarati');
  press(`Change ${what}`);
  await waitFor(() => expect(document.activeElement).toBe(field('primaryLangatHome')));
  expect(field('primaryLangatHome').value).toBe('Gujarati');
});

test('B20 a step that was never saved, or not since it was changed, says so and leads there', async () => {
  await openForm('/admission1', { pages: 2 });
  fill('motherHobbies', 'Not saved yet');
  press('Documents and submit');
  await expectPage('/admission4');
  await waitFor(() => expect(cards()).toHaveLength(5));
  expect(cards()[1]?.textContent).toContain('Your changes are not saved.');
  expect(cards()[2]?.textContent).toContain('Not filled in yet.');
  expect(pressable('Fill in Step 3, Health').getAttribute('href')).toMatch(/^\/admission2\?.*return=check/);
  press('Open the step and press Save and Next');
  await waitFor(() => expect(whereWeAre()).toBe('/admission1?return=check'));
  await waitFor(() => expect(field('motherHobbies').value).toBe('Not saved yet'));
});

test('B20 B21 unsaved changes stop the submission, are linked to, and can be discarded', async () => {
  const words = 'Your changes are not saved.';
  const submitForm = 'POST /api/admission/language';
  const keep = 'PUT /api/admission/draft/additional-info';
  const server = await openForm('/admission3', { pages: 4, documents });
  const before = field('reasonsForAdmission').value;
  fill('reasonsForAdmission', 'Half a th');
  press('Documents and submit');
  await expectPage('/admission4');
  await waitFor(() => expect(cards()).toHaveLength(5));
  const { otherLangChildKnow, repalcedLangOfChild, ...others } = languageAnswers;
  enter(others);
  choose('otherLangChildKnow', 'Hindi');
  press('Submit Form');
  await waitFor(() => expect(summary()?.textContent).toContain(`Step 4, Contacts: ${words}`));
  expect(pressable(words, summary()).getAttribute('href')).toMatch(/^\/admission3\?.*return=check/);
  press('Discard changes');
  expect(page()).not.toContain(words);
  expect(summary()).toBeUndefined();
  await waitFor(() => {
    const kept = server.sent.filter(({ method, path }) => `${method} ${path}` === keep).at(-1);
    expect(kept?.fields).toMatchObject({ answers: { reasonsForAdmission: before } });
  });
  server.answers[submitForm] = () => {
    server.answers['GET /api/admission/inquiry'] = submittedInquiry;
    return { ...rowsOf(languageApi.submit, []), isSuccess: true };
  };
  press('Submit Form');
  press('Yes, submit');
  await waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Admission form already submitted!'));
});

test('B20 of a father who cannot be named the reason is listed, and no time with him', async () => {
  await openCheck({
    pages: 4,
    documents,
    over: { 'parent-info': { hasNoFather: true, noFatherReason: 'Not alive', fatherFirstName: '' } },
  });
  expect(answer('Father, There is no father to name')?.textContent).toContain('Yes');
  expect(answer('Father, Why is there no father to name?')?.textContent).toContain('Not alive');
  expect(findPressable('Change Father, Hobbies')).toBeUndefined();
  expect(findPressable('Change Time with your child, Father')).toBeUndefined();
  expect(findPressable('Change Time with your child, Mother')).toBeDefined();
  expect(findPressable('Change Mother, There is no mother to name')).toBeUndefined();
});

test('B20 answers that do not load can be asked for again', async () => {
  const server = await openForm('/admission4', {
    pages: 4,
    documents,
    answers: { 'GET /api/admission/additional-info': undefined },
  });
  await waitFor(() => expect(page()).toContain('This could not be loaded.'));
  server.answers['GET /api/admission/additional-info'] = rowsOf(additionalInfoApi.get, []);
  press('Try again');
  await waitFor(() => expect(cards()).toHaveLength(5));
  expect(page()).not.toContain('This could not be loaded.');
});
