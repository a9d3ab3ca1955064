import type { Page } from '@playwright/test';
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
  refuse,
} from '#e2e/access.ts';
import { answerByKeyboard, whereFocusIs } from '#e2e/by-keyboard.ts';
import {
  expect,
  expectFitsEveryone,
  expectPage,
  nothingKnown,
  saveAndNext,
  summary,
  test,
  toast,
} from '#e2e/school.ts';

const sizes = [
  { width: 360, height: 640 },
  { width: 320, height: 256 },
];

/** Every element that Tab reaches is fully visible, on a phone and at 400 % zoom. */
async function expectTabSeen(page: Page, atLeast: number) {
  for (const size of sizes) {
    await page.setViewportSize(size);
    expect(await expectFocusSeen(page)).toBeGreaterThan(atLeast);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

// The pages share their frame and fields; e2e/pages.spec.ts opens all of them with their answers refused.
for (const [index, path] of paths.slice(0, 2).entries())
  test(`B31 B32 B33 B10 page ${index + 1} with errors is accessible, fits a phone and 400 % zoom, and shows what has the focus`, async ({
    page,
    school,
  }) => {
    await openIn(page, school, path, 'revealed');
    await expectTabSeen(page, 12);
    await refuse(page);
    await expectMarkedWhole(page);
    await expectFitsEveryone(page);
    for (const size of sizes) {
      await page.setViewportSize(size);
      await refuse(page);
      await expect(summary(page).getByRole('heading')).toBeInViewport({ ratio: 1 });
    }
  });

test('B31 B32 B33 the pages around the form are accessible, fit a phone and 400 % zoom, and show what has the focus', async ({
  page,
  school,
}) => {
  test.slow();
  for (const open of Object.values(otherPages)) {
    await open(page, school);
    await expect(page.getByText('Keep these ready')).toHaveCount(0);
    await expectFitsEveryone(page);
    await expectTabSeen(page, 1);
  }
});

test('S053 B34 a warning stands at the top end of the window', async ({ page, school }) => {
  await page.goto((await school.family()).at('/admission'));
  await page.getByLabel('Same as present address').uncheck();
  await saveAndNext(page);
  const place = await toast(page, 'Permanent Residential Address is required.').boundingBox();
  expect(place?.y).toBeLessThan(160);
  expect(place?.x).toBeGreaterThan(1280 / 2);
});

/** The answers as typed, without empty ones and those that the keyboard enters in another way. */
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

test('B32 S001 S002 S130 the whole form is filled in and submitted with the keyboard alone, without signing in', async ({
  page,
  context,
  school,
}) => {
  test.slow();
  const family = await school.family({ state: 'consent needed', inquiry: nothingKnown });
  const { keyboard } = page;
  type Press = Parameters<typeof answerByKeyboard>[3];
  const goOn = async (path: (typeof paths)[number], answers: Record<string, string>, press?: Press) => {
    await expectPage(page, family, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    const met = await answerByKeyboard(page, answers, path === '/admission4' ? 'Submit Form' : 'Save and Next', press);
    // On the last page the button that submits stands before the bar.
    const hasPrevious = path !== '/admission' && path !== '/admission4';
    expect(met.includes('Previous'), `Previous on ${path} is come to`).toBe(hasPrevious);
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
  const health = typed(healthAnswers, card);
  let isAdded = false;
  await goOn('/admission2', health, [
    'Add a school',
    async () => {
      if (isAdded) return;
      isAdded = true;
      await keyboard.press('Enter');
      await expect(page.locator('[name=fromGrade]')).toBeFocused();
      for (const value of Object.values(educationAnswers)) {
        await keyboard.type(value);
        await keyboard.press('Tab');
      }
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
  await expect(page.getByRole('dialog', { name: 'Submit the form?' })).toBeVisible();
  await keyboard.press('Tab');
  expect(await whereFocusIs(page)).toMatchObject({ words: 'Yes, submit' });
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Admission form already submitted!' })).toBeFocused();
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['language']);
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
  await page.goto((await school.family()).at('/admission2'));
  await page.getByText('From the school’s records').click();
  await page.getByRole('button', { name: 'Something wrong here? Tell the school' }).click();
  expect(await findMotion(page)).toEqual([]);
  expect(await page.evaluate('document.getAnimations().length')).toBe(0);
});

test('in colours forced by the system edges, the focus, what is chosen and what is wrong can all be seen', async ({
  page,
  school,
}) => {
  await openIn(page, school, '/admission1', 'errors');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    expect(await findWithoutBorder(page)).toEqual([]);
    await expectMarkedWhole(page);
    const chosen = await edgeOf(page, 'isParentDivorced', 'true');
    const other = await edgeOf(page, 'isParentDivorced', 'false');
    expect(chosen.width).toBeGreaterThan(other.width);
    expect(chosen.dot).toBe('auto');
  }
  await openIn(page, school, '/admission', 'filled');
  await expectFocusSeen(page);
  await page.getByText('From your inquiry').click();
  await page.getByRole('button', { name: 'Something wrong here? Tell the school' }).click();
  expect(await findWithoutBorder(page)).toEqual([]);
});
