import {
  additionalInfoAnswers,
  basicInfoAnswers,
  educationAnswers,
  healthAnswers,
  languageAnswers,
  parentInfoAnswers,
} from '#database/seed/answers.ts';
import {
  edgeOf,
  expectFocusSeen,
  expectMarkedWhole,
  findMotion,
  findWithoutBorder,
  openIn,
  otherPages,
  paths,
  states,
} from '#e2e/access.ts';
import { answerByKeyboard, whereFocusIs } from '#e2e/by-keyboard.ts';
import {
  expect,
  expectEasyToHit,
  expectFitsEveryone,
  expectPage,
  fill,
  nothingKnown,
  summary,
  test,
} from '#e2e/school.ts';

const isFit = 'is accessible, fits a phone and 400 % zoom, and is easy to hit';
const sizes = [
  { width: 360, height: 640 },
  { width: 320, height: 256 },
];

for (const [index, path] of paths.entries())
  for (const state of states)
    test(`B31 B32 B33 page ${index + 1}, ${state}, ${isFit}`, async ({ page, school }) => {
      await openIn(page, school, path, state);
      if (state === 'errors') await expectMarkedWhole(page);
      await expectFitsEveryone(page);
    });

for (const [name, open] of Object.entries(otherPages))
  test(`B31 B32 B33 ${name}, ${isFit}`, async ({ page, school }) => {
    await open(page, school);
    await expectFitsEveryone(page);
  });

for (const [index, path] of paths.entries())
  test(`B33 on page ${index + 1} whatever Tab comes to is seen whole, on a phone and at 400 % zoom`, async ({
    page,
    school,
  }) => {
    await openIn(page, school, path, 'revealed');
    for (const size of sizes) {
      await page.setViewportSize(size);
      expect(await expectFocusSeen(page)).toBeGreaterThan(12);
    }
  });

test('B33 on the pages around the form whatever Tab comes to is seen whole, on a phone and at 400 % zoom', async ({
  page,
  school,
}) => {
  for (const open of Object.values(otherPages)) {
    await open(page, school);
    for (const size of sizes) {
      await page.setViewportSize(size);
      expect(await expectFocusSeen(page)).toBeGreaterThan(1);
    }
  }
});

test('B33 the bar that asks which of two devices counts covers nothing that has the focus', async ({
  page,
  school,
  browser,
}) => {
  const family = await school.family();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(family.at('/admission3'));
  await expectPage(page, family, '/admission3');
  const other = await (await browser.newContext()).newPage();
  await other.goto(new URL(family.at('/admission3'), page.url()).href);
  await fill(other, 'reasonsForAdmission', 'Typed there');
  await expect(other.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
  await other.context().close();
  await fill(page, 'reasonsForAdmission', 'Typed here');
  await expect(page.getByRole('button', { name: 'Keep mine' })).toBeVisible();
  await expectFocusSeen(page);
  await expectEasyToHit(page);
});

test('B33 a refused page shows its list of problems from the beginning, on a phone and at 400 % zoom', async ({
  page,
  school,
}) => {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await openIn(page, school, '/admission1', 'errors');
    await expect(summary(page).getByRole('heading')).toBeInViewport({ ratio: 1 });
  }
});

/** The answers as they are typed: what stays empty is passed over, and so is what the keyboard gives in another way. */
const typed = (
  answers: Record<string, string | boolean>,
  options: Record<string, string> = {},
): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(answers)
      .filter(
        ([name, value]) =>
          value !== '' && !/^permanent|BirthDate$|^birthDate$|Career?e?(Cluster|Pathway)ID$/.test(name),
      )
      .map(([name, value]) => [name, String(value)]),
  ),
  ...options,
});
const date = (name: string, day: string, month: string, year: string) => ({
  [`${name}-day`]: day,
  [`${name}-month`]: month,
  [`${name}-year`]: year,
});

test('B32 the whole form is filled in and handed in with the keyboard alone', async ({ page, school }) => {
  test.slow();
  const family = await school.family({ state: 'consent needed', inquiry: nothingKnown });
  const { keyboard } = page;
  type Press = Parameters<typeof answerByKeyboard>[3];
  const goOn = async (path: (typeof paths)[number], answers: Record<string, string>, press?: Press) => {
    await expectPage(page, family, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    const met = await answerByKeyboard(page, answers, path === '/admission4' ? 'Submit Form' : 'Save and Next', press);
    expect(met.includes('Previous'), `Previous on ${path} is come to`).toBe(path !== '/admission');
    await keyboard.press('Enter');
  };
  await page.goto(family.at('/admission'));
  await expect(page.getByRole('heading', { name: 'Before you begin' })).toBeVisible();
  await keyboard.press('Tab');
  expect(await whereFocusIs(page)).toMatchObject({ words: 'Skip to content' });
  await keyboard.press('Enter');
  const agreed = { isParentOrGuardian: 'true', isAgreed: 'true' };
  const consent = { consentName: 'Bhavna Modi', consentRelation: 'Mother', ...agreed };
  await answerByKeyboard(page, consent, 'Agree and open the form');
  await keyboard.press('Enter');

  const child = { admissionStudentImageIFormFile: 'child.png' };
  await goOn('/admission', typed(basicInfoAnswers, { ...child, ...date('birthDate', '12', 'mar', '2020') }));
  await goOn(
    '/admission1',
    typed(parentInfoAnswers(0, 0), {
      ...date('fatherBirthDate', '4', '7', '1988'),
      ...date('motherBirthDate', '20', '11', '1991'),
      fatherCareerClusterID: 'Health',
      fatherCareePathwayID: 'Nursing',
      FamilyImageIFormFile: 'family.png',
    }),
  );
  const card = { isVaccinated: 'true', VaccinationFileIFormFile: 'card.png' };
  const health = typed({ ...educationAnswers, ...healthAnswers }, card);
  await goOn('/admission2', health, [
    'Add',
    async () => {
      if (!('city' in health)) return;
      for (const name of Object.keys(educationAnswers)) delete health[name];
      await keyboard.press('Enter');
      await expect(page.getByRole('cell', { name: educationAnswers.schoolName, exact: true })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Add a school' })).toBeFocused();
    },
  ]);
  await goOn('/admission3', typed(additionalInfoAnswers));

  const papers = ['Birth Certificate', 'Aadhar Card'];
  const answers = typed(languageAnswers, { documentName: papers[0] ?? '', DocumentIFormFile: 'paper.png' });
  await goOn('/admission4', answers, [
    'Upload',
    async () => {
      const paper = papers.shift();
      if (!paper) return;
      await keyboard.press('Enter');
      await expect(page.getByRole('cell', { name: paper, exact: true })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Upload a document' })).toBeFocused();
      const [next] = papers;
      answers.documentName = next ?? '';
      if (next) answers.DocumentIFormFile = 'paper.png';
    },
  ]);
  await expect(page.getByRole('heading', { name: 'Admission form already submitted!' })).toBeFocused();
  for (const table of ['basic_info', 'parent_info', 'health', 'education', 'additional_info', 'language', 'submission'])
    expect(
      await school.sql(`select inquiry_id from admission_${table} where inquiry_id = ${family.id}`),
      table,
    ).toHaveLength(1);
});

test('nothing moves for those who ask for less motion', async ({ page, school }) => {
  await openIn(page, school, '/admission1', 'errors');
  expect(await findMotion(page)).not.toEqual([]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await findMotion(page)).toEqual([]);
  await openIn(page, school, '/admission2', 'empty');
  await page.getByRole('button', { name: 'Something wrong here? Tell the school' }).click();
  expect(await findMotion(page)).toEqual([]);
  expect(await page.evaluate('document.getAnimations().length')).toBe(0);
});

test('in colours forced by the system edges, the focus, what is chosen and what is wrong can all be seen', async ({
  page,
  school,
}) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await openIn(page, school, '/admission1', 'errors');
    expect(await findWithoutBorder(page)).toEqual([]);
    await expectMarkedWhole(page);
    const chosen = await edgeOf(page, 'isParentDivorced', 'true');
    const other = await edgeOf(page, 'isParentDivorced', 'false');
    expect(chosen.width).toBeGreaterThan(other.width);
    expect(chosen.dot).toBe('auto');
  }
  await openIn(page, school, '/admission', 'empty');
  await expectFocusSeen(page);
  await page.getByRole('button', { name: 'Something wrong here? Tell the school' }).click();
  expect(await findWithoutBorder(page)).toEqual([]);
});
