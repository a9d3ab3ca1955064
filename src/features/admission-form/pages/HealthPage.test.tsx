import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { educationAnswers, healthAnswers } from '#database/seed/answers.ts';
import { healthQuestions } from '#features/student/contract/health-questions.ts';
import { showNumber } from '#kit/contract/text.ts';
import {
  attach,
  choose,
  controls,
  enter,
  expectPage,
  expectProblems,
  facts,
  field,
  fill,
  findPressable,
  link,
  openForm,
  press,
  problemBeside,
  refused,
  rowsOf,
  saveAndNext,
  says,
  schoolRow,
  summary,
  toasts,
  whereWeAre,
} from '#testing/form-page.tsx';
import { educationApi } from '../contract/education.ts';

const card = 'VaccinationFileIFormFile';
const cardRequired = 'Vaccination image is required. Please upload the vaccination image before proceeding.';

const allQuestions = [
  'isChronicIllnessInjurySurgery',
  'isUnderMedicalCareOrRegularMedication',
  'isVaccinated',
  'isSufferingFromAllergies',
  'isPhysicalDisability',
  'isRestrictedPhysicalActivity',
  'isDevelopmentalSeverelyDelay',
  'isADHDOrSimilarCondition',
  'isRecommendedToPsychiatristOrSpecialist',
  'isSpecialNeeds',
  'isRecommendedForSpecialNeedsProgram',
  'isEverExpelledFromSchool',
];

/** The boxes that a Yes opens, each with its limit. */
const boxes: Record<string, number> = {
  chronicIllnessInjurySurgeryDescription: 1000,
  chronicIllnessTreatmentBySchool: 1000,
  medicalCareOrRegularMedicationDescription: 1000,
  allergiesDescription: 1000,
  allergiesTreatmentBySchool: 1000,
  physicalDisabilityDescription: 1000,
  restrictedPhysicalActivityDescription: 1000,
  developmentalSeverelyDelayDescription: 1000,
  adhdOrSimilarConditionDescription: 100,
  psychiatristOrSpecialistDescription: 1000,
  specialNeedsDescription: 1000,
  specialNeedsProgramDescription: 1000,
};

const save = 'POST /api/admission/health';
const add = 'POST /api/admission/education-history';
const sentAs = (
  name: string,
  { sent }: { sent: { method: string; path: string; fields: Record<string, unknown> }[] },
) => sent.filter(({ method, path }) => `${method} ${path}` === name);
const added = () => document.querySelector('table');
const cells = () => [...document.querySelectorAll('td')].map(({ textContent }) => textContent);

test('S007 Previous on page 3 goes to page 2, Save and Next to page 4', async () => {
  await openForm('/admission2', { pages: 3 });
  saveAndNext();
  await expectPage('/admission3');
  press('Previous');
  await expectPage('/admission2');
  press('Previous');
  await expectPage('/admission1');
});

test('S008 a health save that answers isSuccess false stays on page 3 and says why', async () => {
  const data = { lstStudentAdmissionChildHealthDetailsModel: [], rowVersion: null };
  await openForm('/admission2', {
    pages: 3,
    answers: { [save]: { isSuccess: false, ...says('The nurse is away.'), data } },
  });
  saveAndNext();
  await waitFor(() => expect(summary()?.textContent).toContain('The nurse is away.'));
  await waitFor(() => expect(document.activeElement).toBe(summary()));
  await expectPage('/admission2');
});

test('S084 the sibling’s name is shown whole, up to 200 characters, and cannot be edited', async () => {
  const siblings = `Asha ${'Shah '.repeat(39)}`.trim().padEnd(200, 'h');
  await openForm('/admission2', { siblings });
  expect(facts('Sibling Name')).toEqual([siblings]);
  expect(controls('siblingName')).toEqual([]);
});

test('S085 S086 S101 S102 S103 S107 an empty page 3 is refused, every question and box named, and nothing is sent', async () => {
  const server = await openForm('/admission2');
  saveAndNext();
  expect(allQuestions).toHaveLength(12);
  await expectProblems({
    childPersonalityAndHomeRoutine: 'Personality and home routine is required.',
    ...Object.fromEntries(allQuestions.map((name) => [name, 'Answer this question.'])),
    dailyElectronicDevicesUsageTime: 'Daily time with electronic devices is required.',
    programsWatchedOrGamesPlayedName: 'Programs watched or games played is required.',
  });
  for (const name of ['childPersonalityAndHomeRoutine', 'dailyElectronicDevicesUsageTime'])
    expect(field(name).getAttribute('aria-invalid')).toBe('true');
  expect(whereWeAre()).toBe('/admission2');
  expect(sentAs(save, server)).toEqual([]);
});

test('S087 S088 S089 S090 S091 S092 S093 S094 S095 S096 S101 a Yes reveals and requires its boxes, a No hides and does not require them', async () => {
  await openForm('/admission2');
  enter(healthAnswers);
  const areas = () => document.querySelectorAll('main textarea').length;
  for (const name of Object.keys(boxes)) expect(controls(name)).toEqual([]);

  for (const { name, opens } of healthQuestions) {
    if (name === 'isVaccinated') continue;
    const before = areas();
    choose(name, 'true');
    for (const box of opens) expect(controls(box.name)).toHaveLength(1);
    expect(areas()).toBe(before + opens.length);
  }
  saveAndNext();
  await expectProblems(
    Object.fromEntries(Object.keys(boxes).map((name) => [name, 'Fill this in, or answer No above.'])),
  );

  for (const name of allQuestions) choose(name, 'false');
  for (const name of Object.keys(boxes)) expect(controls(name)).toEqual([]);
  saveAndNext();
  await expectPage('/admission3');
});

test('S085 S097 S098 S102 S103 one character too many is refused in every box of page 3, the longest answers are saved', async () => {
  const server = await openForm('/admission2');
  enter(healthAnswers);
  for (const name of allQuestions.filter((question) => question !== 'isVaccinated')) choose(name, 'true');
  const limits: Record<string, number> = {
    childPersonalityAndHomeRoutine: 1000,
    ...boxes,
    dailyElectronicDevicesUsageTime: 100,
    programsWatchedOrGamesPlayedName: 500,
  };
  for (const [name, most] of Object.entries(limits)) fill(name, 'x'.repeat(most + 1));
  saveAndNext();
  await expectProblems(
    Object.fromEntries(
      Object.entries(limits).map(([name, most]) => [name, `Use at most ${showNumber(most)} characters.`]),
    ),
  );
  const longest = Object.fromEntries(Object.entries(limits).map(([name, most]) => [name, 'x'.repeat(most)]));
  enter(longest);
  saveAndNext();
  await expectPage('/admission3');
  expect(sentAs(save, server)).toMatchObject([{ fields: longest }]);
});

test('S099 S107 S108 vaccinated needs a picture of the card, sent in one multipart request', async () => {
  const server = await openForm('/admission2');
  enter({ ...healthAnswers, isVaccinated: 'true' });
  saveAndNext();
  await expectProblems({ [card]: cardRequired });
  expect(toasts()).toEqual([cardRequired]);
  expect(sentAs(save, server)).toEqual([]);

  await attach(card);
  saveAndNext();
  await expectPage('/admission3');
  expect(sentAs(save, server)).toMatchObject([
    {
      isMultipart: true,
      fields: {
        ...healthAnswers,
        isVaccinated: 'true',
        inquiryNoMD5: link,
        createdBy: '0',
        updatedBy: '0',
        [card]: 'picture.png',
      },
    },
  ]);
});

test('S100 vaccinated with a stored card needs no other picture, and not vaccinated needs none', async () => {
  const server = await openForm('/admission2', {
    pages: 3,
    over: { health: { isVaccinated: true, vaccinationCardFilePath: 'card' } },
  });
  expect(document.querySelector('img[alt="Vaccination card, uploaded"]')).not.toBeNull();
  saveAndNext();
  await expectPage('/admission3');
  press('Previous');
  await expectPage('/admission2');
  choose('isVaccinated', 'false');
  saveAndNext();
  await expectPage('/admission3');
  const [stored, none] = sentAs(save, server).map(({ fields }) => fields);
  expect(stored).toMatchObject({ isVaccinated: 'true' });
  expect(stored).not.toHaveProperty(card);
  expect(none).toMatchObject({ isVaccinated: 'false' });
});

test('S104 a school needs all five answers, none too long, each said at its box', async () => {
  const server = await openForm('/admission2');
  const expectBeside = async (expected: Record<string, string>) => {
    await waitFor(() => expect(document.activeElement).toBe(field('fromGrade')));
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, problemBeside(name)]))).toEqual(expected);
    expect(summary()).toBeUndefined();
  };
  press('Add a school');
  press('Add');
  await expectBeside({
    fromGrade: 'From Grade is required.',
    toGrade: 'To Grade is required.',
    boardName: 'Board is required.',
    schoolName: 'School is required.',
    city: 'City is required.',
  });
  const filled = (extra: number) => ({
    fromGrade: 'a'.repeat(50 + extra),
    toGrade: 'b'.repeat(50 + extra),
    boardName: 'c'.repeat(100 + extra),
    schoolName: 'd'.repeat(300 + extra),
    city: 'e'.repeat(100 + extra),
  });
  enter(filled(1));
  field('city').focus();
  press('Add');
  await expectBeside({
    fromGrade: 'Use at most 50 characters.',
    toGrade: 'Use at most 50 characters.',
    boardName: 'Use at most 100 characters.',
    schoolName: 'Use at most 300 characters.',
    city: 'Use at most 100 characters.',
  });
  expect(sentAs(add, server)).toEqual([]);

  server.answers[add] = rowsOf(educationApi.add, [{ ...schoolRow, ...filled(0) }]);
  enter(filled(0));
  press('Add');
  await waitFor(() => expect(cells()).toEqual(expect.arrayContaining(Object.values(filled(0)))));
  expect(sentAs(add, server)).toMatchObject([{ fields: filled(0) }]);
});

test('S105 S106 an added school is announced and listed, a removed one goes with the server’s own message', async () => {
  const words = "Child's - Education History save Successfully";
  const server = await openForm('/admission2', {
    answers: { [add]: rowsOf(educationApi.add, [schoolRow], words) },
  });
  press('Add a school');
  enter(educationAnswers);
  press('Add');
  await waitFor(() => expect(toasts()).toEqual([words]));
  expect(added()?.querySelector('caption')?.textContent).toBe('Schools added');
  expect([...document.querySelectorAll('th')].map(({ textContent }) => textContent)).toEqual([
    'From Grade',
    'To Grade',
    'Board',
    'School',
    'City',
    'Actions',
  ]);
  expect(cells().slice(0, 5)).toEqual(Object.values(educationAnswers));
  expect(field('schoolName').closest('[hidden]')).not.toBeNull();
  expect(document.activeElement?.textContent).toBe('Add a school');
  press('Add a school');
  await waitFor(() => expect(document.activeElement).toBe(field('fromGrade')));
  expect(field('schoolName').value).toBe('');

  const remove = `DELETE /api/admission/education-history/${schoolRow.studentAdmissionChildEducationHistoryID}`;
  const gone = "Child's - Education History deleted Successfully";
  server.answers[remove] = { ...rowsOf(educationApi.remove, [], gone), isSuccess: true };
  const name = 'Remove Nursery to UKG, Little Steps Preschool';
  const dialog = document.querySelector(`dialog[aria-label="${name}"]`) ?? document.body;
  press(name);
  expect(dialog.hasAttribute('open')).toBe(true);
  press('Cancel', dialog);
  expect(dialog.hasAttribute('open')).toBe(false);
  expect(sentAs(remove, server)).toEqual([]);
  press(name);
  press('Remove', dialog);
  await waitFor(() => expect(toasts()).toContain(gone));
  expect(added()).toBeNull();
  expect(document.activeElement?.textContent).toBe('Add a school');
  expect(findPressable(name)).toBeUndefined();
});

test('S015 a school that was added is listed when the page is opened again', async () => {
  await openForm('/admission2', { schools: [schoolRow] });
  expect(cells().slice(0, 5)).toEqual(Object.values(educationAnswers));
});

test('RA34 a school that is typed and not added stops the save until it is added or cleared', async () => {
  const server = await openForm('/admission2', {
    pages: 3,
    answers: { [add]: rowsOf(educationApi.add, [schoolRow]) },
  });
  const notAdded = 'You typed a school but did not add it.';
  press('Add a school');
  fill('schoolName', 'Little Steps Preschool');
  saveAndNext();
  await waitFor(() => expect(document.activeElement).toBe(summary()));
  expect(summary()?.textContent).toContain(notAdded);
  expect(sentAs(save, server)).toEqual([]);

  press('Add', summary());
  await waitFor(() => expect(document.activeElement).toBe(field('fromGrade')));
  expect(problemBeside('fromGrade')).toBe('From Grade is required.');
  enter(educationAnswers);
  press('Add');
  await waitFor(() => expect(cells()).toContain(educationAnswers.schoolName));

  press('Add a school');
  fill('city', 'Surat');
  saveAndNext();
  await waitFor(() => expect(summary()?.textContent).toContain(notAdded));
  press('Clear', summary());
  expect(field('city').value).toBe('');
  expect(summary()).toBeUndefined();
  saveAndNext();
  await expectPage('/admission3');
});

test('B11 a school that was half typed is there again when the page is opened', async () => {
  await openForm('/admission2', {
    answers: {
      'GET /api/admission/draft/education-history': {
        isSuccess: true,
        message: '',
        data: {
          number: 1,
          savedDateTime: '2026-06-01T10:00:00.000Z',
          visit: 'x',
          answers: { schoolName: 'Half a row' },
        },
      },
    },
  });
  expect(field('schoolName').value).toBe('Half a row');
  expect(field('schoolName').closest('[hidden]')).toBeNull();
});

test('the boxes for a school wait behind a button', async () => {
  await openForm('/admission2');
  expect(field('schoolName').closest('[hidden]')).not.toBeNull();
  press('Add a school');
  await waitFor(() => expect(document.activeElement).toBe(field('fromGrade')));
});

test('a device that was open before another saved the vaccination card says so, and does not ask for the card again', async () => {
  const data = { rowVersion: 1, savedDateTime: '2026-11-26T06:30:00.000Z', readDateTime: null };
  const server = await openForm('/admission2');
  enter({ ...healthAnswers, isVaccinated: 'true' });
  server.answers['GET /api/admission/health'] = {
    isSuccess: false,
    ...says(''),
    data: { lstStudentAdmissionChildHealthDetailsModel: [], rowVersion: 1 },
  };
  server.answers[save] = refused('stale', 'This page was changed on another device since you opened it.', { data });
  saveAndNext();
  await waitFor(() => expect(summary()?.textContent).toContain('This page was changed on another device at'));
  expect(problemBeside(card)).toBeUndefined();
  press('Keep my version');
  await waitFor(() => expect(sentAs(save, server).at(-1)?.fields).toMatchObject({ rowVersion: '1' }));
});
