import { educationAnswers, healthAnswers } from '#database/seed/answers.ts';
import {
  attach,
  choose,
  enter,
  expect,
  expectPage,
  expectProblems,
  fact,
  field,
  fill,
  listenToSaves,
  picture,
  saveAndNext,
  summary,
  test,
  toast,
} from '#e2e/school.ts';
import { healthQuestions } from '#features/admission-form/contract/health.ts';

const card = 'VaccinationFileIFormFile';
const cardRequired = 'Vaccination image is required. Please upload the vaccination image before proceeding.';
const saved = "Child's - Education History save Successfully";

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

/** The boxes a Yes opens, each with the most it takes. */
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

/** What a question or box is called on the page. */
const labels = Object.fromEntries(
  healthQuestions.flatMap(({ name, label, opens }) => [
    [name, label] as const,
    ...opens.map((box) => [box.name, box.label] as const),
  ]),
);

test('S007 Previous on page 3 goes to page 2, Save and Next to page 4', async ({ page, school }) => {
  const family = await school.family({ state: 'half filled', pages: 3 });
  await page.goto(family.at('/admission2'));
  await saveAndNext(page);
  await expectPage(page, family, '/admission3');
  await page.getByRole('link', { name: 'Previous' }).click();
  await expectPage(page, family, '/admission2');
  await page.getByRole('link', { name: 'Previous' }).click();
  await expectPage(page, family, '/admission1');
});

test('S008 a health save that answers isSuccess false stays on page 3 and says why', async ({ page, school }) => {
  const family = await school.family({ state: 'half filled', pages: 3 });
  await page.goto(family.at('/admission2'));
  const data = { lstStudentAdmissionChildHealthDetailsModel: [], rowVersion: null };
  await page.route('**/api/admission/health?*', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ json: { isSuccess: false, message: 'The nurse is away.', data } })
      : route.continue(),
  );
  await saveAndNext(page);
  await expect(summary(page)).toContainText('The nurse is away.');
  await expect(summary(page)).toBeFocused();
  await expectPage(page, family, '/admission2');
});

test('S084 the sibling’s name is shown whole, up to 200 characters, and cannot be edited', async ({ page, school }) => {
  const siblingNames = `Asha ${'Shah '.repeat(39)}`.trim().padEnd(200, 'h');
  const family = await school.family({ inquiry: { siblingNames } });
  await page.goto(family.at('/admission2'));
  await expect(fact(page, 'Sibling Name')).toHaveText(siblingNames);
  await expect(field(page, 'siblingName')).toHaveCount(0);
  await expect(school.family({ inquiry: { siblingNames: `${siblingNames}h` } })).rejects.toThrow(/sibling_names/);
});

test('S085 S086 S101 S102 S103 S107 an empty page 3 is refused, every question and box named, and nothing is sent', async ({
  page,
  school,
}) => {
  const family = await school.family();
  const saves = await listenToSaves(page, 'health');
  await page.goto(family.at('/admission2'));
  await saveAndNext(page);
  expect(allQuestions).toHaveLength(12);
  await expectProblems(page, {
    childPersonalityAndHomeRoutine: 'Personality and home routine is required.',
    ...Object.fromEntries(allQuestions.map((name) => [name, `Please answer: ${labels[name]}`])),
    dailyElectronicDevicesUsageTime: 'Daily time with electronic devices is required.',
    programsWatchedOrGamesPlayedName: 'Programs watched or games played is required.',
  });
  for (const name of ['childPersonalityAndHomeRoutine', 'dailyElectronicDevicesUsageTime'])
    await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true');
  await expect(page).toHaveURL(family.at('/admission2'));
  expect(saves.requests).toHaveLength(0);
});

test('S087 S088 S089 S090 S091 S092 S093 S094 S095 S096 S101 a Yes reveals and requires its boxes, a No hides and does not require them', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission2'));
  await enter(page, healthAnswers);
  for (const name of Object.keys(boxes)) await expect(field(page, name)).toHaveCount(0);

  for (const { name, opens } of healthQuestions) {
    if (name === 'isVaccinated') continue;
    const before = await page.locator('textarea').count();
    await choose(page, name, 'true');
    for (const box of opens) await expect(field(page, box.name)).toBeVisible();
    await expect(page.locator('textarea')).toHaveCount(before + opens.length);
  }
  await saveAndNext(page);
  await expectProblems(
    page,
    Object.fromEntries(Object.keys(boxes).map((name) => [name, `${labels[name]} is required.`])),
  );

  for (const name of allQuestions) await choose(page, name, 'false');
  for (const name of Object.keys(boxes)) await expect(field(page, name)).toHaveCount(0);
  await saveAndNext(page);
  await expectPage(page, family, '/admission3');
});

test('S085 S097 S098 S102 S103 one character too many is refused in every box of page 3, the longest answers come back', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission2'));
  await enter(page, healthAnswers);
  for (const name of allQuestions.filter((allQuestion) => allQuestion !== 'isVaccinated'))
    await choose(page, name, 'true');
  const limits: Record<string, [label: string, most: number]> = {
    childPersonalityAndHomeRoutine: ['Personality and home routine', 1000],
    ...Object.fromEntries(
      Object.entries(boxes).map(([name, most]) => [name, [labels[name] ?? '', most] as [string, number]]),
    ),
    dailyElectronicDevicesUsageTime: ['Daily time with electronic devices', 100],
    programsWatchedOrGamesPlayedName: ['Programs watched or games played', 500],
  };
  for (const [name, [, most]] of Object.entries(limits)) await fill(page, name, 'x'.repeat(most + 1));
  await saveAndNext(page);
  await expectProblems(
    page,
    Object.fromEntries(
      Object.entries(limits).map(([name, [label, most]]) => [name, `${label} can have at most ${most} characters.`]),
    ),
  );
  for (const [name, [, most]] of Object.entries(limits)) await fill(page, name, 'x'.repeat(most));
  await saveAndNext(page);
  await expectPage(page, family, '/admission3');
  await page.goto(family.at('/admission2'));
  for (const [name, [, most]] of Object.entries(limits)) await expect(field(page, name)).toHaveValue('x'.repeat(most));
});

test('S099 S100 S107 S108 vaccinated needs a picture of the card, chosen or stored; not vaccinated needs none', async ({
  page,
  school,
}) => {
  const family = await school.family();
  const saves = await listenToSaves(page, 'health');
  await page.goto(family.at('/admission2'));
  await enter(page, { ...healthAnswers, isVaccinated: 'true' });
  await saveAndNext(page);
  await expectProblems(page, { [card]: cardRequired });
  await expect(toast(page, cardRequired)).toBeVisible();
  expect(saves.requests).toHaveLength(0);

  await attach(page, card);
  await saveAndNext(page);
  await expectPage(page, family, '/admission3');
  await page.getByRole('link', { name: 'Previous' }).click();
  await expect(page.getByRole('img', { name: 'The Vaccination card you uploaded' })).toBeVisible();
  await saveAndNext(page);
  await expectPage(page, family, '/admission3');
  await page.getByRole('link', { name: 'Previous' }).click();
  await choose(page, 'isVaccinated', 'false');
  await saveAndNext(page);
  await expectPage(page, family, '/admission3');

  const [chosen, stored, none] = await saves.fields();
  expect(chosen).toMatchObject({
    ...healthAnswers,
    isVaccinated: 'true',
    inquiryNoMD5: family.value,
    createdBy: '0',
    updatedBy: '0',
    [card]: picture.name,
  });
  expect(stored).toMatchObject({ isVaccinated: 'true' });
  expect(stored).not.toHaveProperty(card);
  expect(none).toMatchObject({ isVaccinated: 'false' });
});

test('S104 a school needs all five answers, none too long', async ({ page, school }) => {
  const family = await school.family();
  const saves = await listenToSaves(page, 'education-history');
  await page.goto(family.at('/admission2'));
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await add.click();
  await expectProblems(page, {
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
  await enter(page, filled(1));
  await add.click();
  await expectProblems(page, {
    fromGrade: 'From Grade can have at most 50 characters.',
    toGrade: 'To Grade can have at most 50 characters.',
    boardName: 'Board can have at most 100 characters.',
    schoolName: 'School can have at most 300 characters.',
    city: 'City can have at most 100 characters.',
  });
  expect(saves.requests).toHaveLength(0);
  await enter(page, filled(0));
  await add.click();
  for (const value of Object.values(filled(0)))
    await expect(page.getByRole('cell', { name: value, exact: true })).toBeVisible();
});

test('S105 S106 an added school is announced and listed, a removed one goes with the server’s own message', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission2'));
  await enter(page, educationAnswers);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(toast(page, saved)).toBeVisible();
  const table = page.getByRole('table', { name: 'Schools added' });
  await expect(table.getByRole('columnheader')).toHaveText([
    'From Grade',
    'To Grade',
    'Board',
    'School',
    'City',
    'Actions',
  ]);
  await expect(table.getByRole('cell')).toHaveText([...Object.values(educationAnswers), /Remove/]);
  await expect(field(page, 'schoolName')).toHaveValue('');

  await page.reload();
  await expect(table.getByRole('row')).toHaveCount(2);
  await table.getByRole('button', { name: 'Remove Nursery to UKG, Little Steps Preschool' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(table.getByRole('row')).toHaveCount(2);
  await table.getByRole('button', { name: 'Remove Nursery to UKG, Little Steps Preschool' }).click();
  const answered = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  const { message } = (await (await answered).json()) as { message: string };
  expect(message).not.toBe('');
  await expect(toast(page, message)).toBeVisible();
  await expect(table).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Add a school' })).toBeFocused();
  expect(await school.sql(`select id from admission_education where inquiry_id = ${family.id}`)).toEqual([]);
});
