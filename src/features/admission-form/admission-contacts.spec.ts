import { additionalInfoAnswers } from '#database/seed/answers.ts';
import {
  enter,
  expect,
  expectPage,
  expectProblems,
  field,
  listenToSaves,
  saveAndNext,
  summary,
  test,
} from '#e2e/school.ts';

const authorization = 'isMedicalEmergencyAuthorized';

/** The same for both emergency contacts. */
const both = (values: Record<string, string>) =>
  Object.fromEntries(
    [1, 2].flatMap((number) =>
      Object.entries(values).map(([name, value]) => [`emergencyContact${number}${name}`, value]),
    ),
  );

test('S009 Previous on page 4 goes to page 3, Save and Next to page 5 once the save succeeds', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 4 });
  await page.goto(family.at('/admission3'));
  const data = { lstStudentAdmissionAdditionalInfoModel: [], rowVersion: null };
  const path = '**/api/admission/additional-info?*';
  await page.route(path, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ json: { isSuccess: false, message: 'Not today.', data } })
      : route.continue(),
  );
  await saveAndNext(page);
  await expect(summary(page)).toContainText('Not today.');
  await expectPage(page, family, '/admission3');

  await page.unroute(path);
  await saveAndNext(page);
  await expectPage(page, family, '/admission4');
  await page.getByRole('link', { name: 'Previous' }).click();
  await expectPage(page, family, '/admission3');
  await page.getByRole('link', { name: 'Previous' }).click();
  await expectPage(page, family, '/admission2');
});

test('S109 S112 S113 an empty page 4 is refused, every gap of both contacts named, and nothing is sent', async ({
  page,
  school,
}) => {
  const family = await school.family();
  const saves = await listenToSaves(page, 'additional-info');
  await page.goto(family.at('/admission3'));
  await saveAndNext(page);
  await expectProblems(page, {
    ...both({
      FirstName: 'First Name is required.',
      LastName: 'Last Name is required.',
      MobileNo: 'Mobile No is required',
      Relationship: 'Relationship with the child is required.',
    }),
    timeSpentWithChildFather: 'Father is required.',
    timeSpentWithChildMother: 'Mother is required.',
    parentingBeliefAndPhilosophy: 'Parenting Belief And Philosophy is required.',
    reasonsForAdmission: 'Reasons For Admission is required.',
  });
  for (const contact of ['Emergency contact 1:', 'Emergency contact 2:'])
    await expect(summary(page).getByText(contact)).toHaveCount(4);
  expect(saves.requests).toHaveLength(0);
});

test('S110 S111 S112 S113 one character too many or a wrong number is refused on page 4, the longest answers come back', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission3'));
  const filled = (extra: number) => ({
    ...both({
      FirstName: 'x'.repeat(50 + extra),
      LastName: 'y'.repeat(50 + extra),
      Relationship: 'z'.repeat(50 + extra),
    }),
    timeSpentWithChildFather: 'x'.repeat(1000 + extra),
    timeSpentWithChildMother: 'y'.repeat(1000 + extra),
    parentingBeliefAndPhilosophy: 'x'.repeat(1000 + extra),
    reasonsForAdmission: 'y'.repeat(1000 + extra),
  });
  await enter(page, filled(1));
  for (const mobile of ['982503333', '98250333333', '98250abcde']) {
    await enter(page, both({ MobileNo: mobile }));
    await saveAndNext(page);
    await expectProblems(page, {
      ...both({
        FirstName: 'First Name can have at most 50 characters.',
        LastName: 'Last Name can have at most 50 characters.',
        MobileNo: 'Mobile No is not valid.',
        Relationship: 'Relationship with the child can have at most 50 characters.',
      }),
      timeSpentWithChildFather: 'Father can have at most 1000 characters.',
      timeSpentWithChildMother: 'Mother can have at most 1000 characters.',
      parentingBeliefAndPhilosophy: 'Parenting Belief And Philosophy can have at most 1000 characters.',
      reasonsForAdmission: 'Reasons For Admission can have at most 1000 characters.',
    });
  }
  await enter(page, { ...filled(0), ...both({ MobileNo: '9825033333' }) });
  await saveAndNext(page);
  await expectPage(page, family, '/admission4');
  await page.goto(family.at('/admission3'));
  for (const [name, value] of Object.entries(filled(0))) await expect(field(page, name)).toHaveValue(value);
});

test('S114 the authorization stands beside what happens in an emergency; the tick is stored and comes back', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission3'));
  await enter(page, { ...additionalInfoAnswers, [authorization]: false });
  const box = page.getByRole('checkbox', { name: /^I authorize the school/ });
  await expect(page.getByText(/^In a medical emergency the school takes the child/)).toBeVisible();
  await expect(box).toHaveAccessibleDescription(/nearest hospital/);
  for (const ticked of [true, false]) {
    await box.setChecked(ticked);
    await saveAndNext(page);
    await expectPage(page, family, '/admission4');
    expect(
      await school.sql(`select authorizes_emergency from admission_additional_info where inquiry_id = ${family.id}`),
    ).toEqual([{ authorizes_emergency: ticked }]);
    await page.goto(family.at('/admission3'));
    await expect(box).toBeChecked({ checked: ticked });
  }
});
