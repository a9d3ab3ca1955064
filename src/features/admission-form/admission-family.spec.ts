import { address, parentInfoAnswers } from '#database/seed/answers.ts';
import {
  attach,
  choose,
  enter,
  expect,
  expectBeside,
  expectPage,
  expectProblems,
  fact,
  field,
  fill,
  gif,
  listenToSaves,
  nothingKnown,
  padded,
  picture,
  question,
  saveAndNext,
  test,
  toast,
} from '#e2e/school.ts';

const familyPhoto = 'FamilyImageIFormFile';
const divorce = 'DivorceDocumentIFormFile';
const adoption = 'AdoptionDocumentIFormFile';
const familyPhotoRequired = 'Family Photo is required. Please upload Family Photo.';
const divorceRequired = 'Divorce document is required. Please upload the divorce document before proceeding.';
const adoptionRequired = 'Adoption document is required. Please upload the adoption document before proceeding.';
const sectorRequired = 'Which sector do you work with is  Required';
const specialtyRequired = 'Choose the specialty closest to your work is  Required';

const prefixed = (prefix: string, values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));
/** The same for father and mother. */
const both = (values: Record<string, string>) => ({ ...prefixed('father', values), ...prefixed('mother', values) });

const guardianAnswers = {
  ...prefixed('guardian', address),
  guardianFirstName: 'Ramesh',
  guardianLastName: 'Patel',
  guardianMobileNo: '9825033333',
  guardianEmailID: 'ramesh.patel@family.example',
  guardianChildLivingReason: 'The parents work abroad.',
  guardianOccupation: 'Homemaker',
};

test('S054 what the inquiry knows of the parents is shown and cannot be edited', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission1'));
  await expect(fact(page, 'First Name')).toHaveText(['Nikhil', 'Hetal']);
  await expect(fact(page, 'Last Name')).toHaveText(['Patel', 'Patel']);
  await expect(fact(page, 'Mobile No')).toHaveText(['9825011111', '9825022222']);
  await expect(fact(page, 'Email ID')).toHaveText(['nikhil.patel@family.example', 'hetal.patel@family.example']);
  for (const part of ['FirstName', 'LastName', 'MobileNo', 'EmailID'])
    for (const who of ['father', 'mother']) await expect(field(page, `${who}${part}`)).toHaveCount(0);
});

test('S055 S056 S057 S058 S059 S060 S061 S062 S063 S064 S065 S078 an empty page 2 is refused, every gap named, and nothing of a guardian is asked', async ({
  page,
  school,
}) => {
  const family = await school.family({ inquiry: nothingKnown });
  await page.goto(family.at('/admission1'));
  for (const who of ['father', 'mother']) {
    const options = (name: string) => question(page, `${who}${name}`).getByRole('radio');
    for (const name of ['Service/Job', 'Business', 'Homemaker'])
      await expect(question(page, `${who}Occupation`).getByRole('radio', { name, exact: true })).not.toBeChecked();
    for (const name of ['Yes', 'No', 'May Be'])
      await expect(
        question(page, `${who}CanOfferInternship`).getByRole('radio', { name, exact: true }),
      ).not.toBeChecked();
    await expect(options('Occupation')).toHaveCount(3);
    await expect(options('CanOfferInternship')).toHaveCount(3);
    await expect(question(page, `${who}CanOfferInternship`)).toHaveAccessibleDescription(/from Grade 8 onwards/);
  }

  await saveAndNext(page);
  await expectProblems(page, {
    [familyPhoto]: familyPhotoRequired,
    ...both({
      FirstName: 'First Name is required.',
      LastName: 'Last Name is required.',
      MobileNo: 'Mobile No is required',
      EmailID: 'Email ID is required.',
      BirthDate: 'Birth Date is required.',
      Qualification: 'Qualification is required.',
      Occupation: 'Employment Status is required.',
      OccupationOrganization: 'Organization is required.',
      OccupationDtl: 'Occupational Profile is required.',
      CanOfferInternship: 'Internship answer is required.',
      CanVisitWorkplace: 'Field trip answer is required.',
      Hobbies: 'Hobbies is required.',
    }),
    isParentLocalGuardian: 'Parents are local guardians is required.',
  });
  await expect(toast(page, familyPhotoRequired)).toBeVisible();
  await expect(page).toHaveURL(family.at('/admission1'));
});

test('S055 S056 S057 S059 S060 S061 S062 one character too many or a wrong number is refused, the longest answers are saved', async ({
  page,
  school,
}) => {
  const family = await school.family({ inquiry: nothingKnown });
  await page.goto(family.at('/admission1'));
  const unseen = /CareerClusterID|CareePathwayID|WorkplaceInfo|staffHRISEmployeeID/;
  const shown = Object.fromEntries(Object.entries(parentInfoAnswers(0, 0)).filter(([name]) => !unseen.test(name)));
  await enter(page, { ...shown, ...both({ Occupation: 'Homemaker' }) });
  await attach(page, familyPhoto);
  const limits = {
    FirstName: 50,
    LastName: 50,
    Qualification: 100,
    OccupationOrganization: 100,
    OccupationDtl: 500,
    Hobbies: 100,
  };
  const filled = (extra: number) =>
    Object.fromEntries(Object.entries(limits).map(([name, most]) => [name, 'x'.repeat(most + extra)]));

  await enter(page, both({ ...filled(1), MobileNo: '982501111', EmailID: 'nikhil.patel' }));
  await saveAndNext(page);
  await expectProblems(
    page,
    both({
      FirstName: 'First Name can have at most 50 characters.',
      LastName: 'Last Name can have at most 50 characters.',
      MobileNo: 'Mobile No is not valid.',
      EmailID: 'Email ID is not valid.',
      Qualification: 'Qualification can have at most 100 characters.',
      OccupationOrganization: 'Organization can have at most 100 characters.',
      OccupationDtl: 'Occupational Profile can have at most 500 characters.',
      Hobbies: 'Hobbies can have at most 100 characters.',
    }),
  );

  await enter(page, both({ ...filled(0), MobileNo: '9825011111', EmailID: 'patel@family.example' }));
  await saveAndNext(page);
  await expectPage(page, family, '/admission2');
});

test('S065 a Yes to field trips opens a box for details, a No puts it away', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission1'));
  for (const who of ['father', 'mother']) {
    await expect(field(page, `${who}WorkplaceInfo`)).toHaveCount(0);
    await choose(page, `${who}CanVisitWorkplace`, 'true');
    await expect(field(page, `${who}WorkplaceInfo`)).toBeVisible();
    await choose(page, `${who}CanVisitWorkplace`, 'false');
    await expect(field(page, `${who}WorkplaceInfo`)).toHaveCount(0);
  }
});

test('S066 S067 S068 S069 sector and specialty are asked of everyone but a homemaker, and a sector brings its own specialties', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 2 });
  await page.goto(family.at('/admission1'));
  await choose(page, 'motherOccupation', 'Service/Job');
  await field(page, 'fatherCareerClusterID').selectOption('');
  await saveAndNext(page);
  await expectProblems(page, {
    ...both({ CareerClusterID: sectorRequired, CareePathwayID: specialtyRequired }),
  });

  const specialty = field(page, 'motherCareePathwayID');
  await field(page, 'motherCareerClusterID').selectOption({ label: 'Health' });
  await expect(specialty.getByRole('option')).toHaveText(['Choose', 'Dentistry', 'Medicine', 'Nursing', 'Pharmacy']);
  await specialty.selectOption({ label: 'Nursing' });
  await field(page, 'motherCareerClusterID').selectOption({ label: 'Law and security' });
  await expect(specialty.getByRole('option')).toHaveText(['Choose', 'Advocacy', 'Security services']);
  await expect(specialty).toHaveValue('');
  await choose(page, 'fatherOccupation', 'Homemaker');
  await saveAndNext(page);
  await expectProblems(page, { motherCareePathwayID: specialtyRequired });
  for (const name of ['fatherCareerClusterID', 'fatherCareePathwayID']) {
    await expect(field(page, name)).toBeDisabled();
    await expect(field(page, name)).toHaveValue('');
  }

  await choose(page, 'fatherOccupation', 'Business');
  await expect(field(page, 'fatherCareerClusterID')).toBeEnabled();
  await field(page, 'fatherCareerClusterID').selectOption({ label: 'Health' });
  await expect(field(page, 'fatherCareePathwayID')).toBeEnabled();
  await choose(page, 'fatherOccupation', 'Homemaker');
  await choose(page, 'motherOccupation', 'Homemaker');
  await saveAndNext(page);
  await expectPage(page, family, '/admission2');
});

test('S006 S070 with the parents as local guardians no guardian is asked for; Previous and Save and Next lead to the pages beside', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 2 });
  await page.goto(family.at('/admission1'));
  await choose(page, 'isParentLocalGuardian', 'false');
  await expect(field(page, 'guardianFirstName')).toBeVisible();
  await choose(page, 'isParentLocalGuardian', 'true');
  await expect(page.locator('[name^="guardian"]')).toHaveCount(0);
  await saveAndNext(page);
  await expectPage(page, family, '/admission2');
  await page.getByRole('link', { name: 'Previous' }).click();
  await expectPage(page, family, '/admission1');
  await page.getByRole('link', { name: 'Previous' }).click();
  await expectPage(page, family, '/admission');
});

test('S071 S072 S074 a local guardian’s details are required, all but relationship, address 2 and what is about the work', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 2 });
  await page.goto(family.at('/admission1'));
  await choose(page, 'isParentLocalGuardian', 'false');
  await saveAndNext(page);
  await expectProblems(page, {
    guardianFirstName: 'First Name is required.',
    guardianLastName: 'Last Name is required.',
    guardianMobileNo: 'Mobile No is required',
    guardianEmailID: 'Email ID is required.',
    guardianChildLivingReason: 'Reason for living with the guardian is required.',
    guardianOccupation: 'Employment Status is required.',
    guardianStreetNo: 'Street No is required.',
    guardianAddress1: 'Address 1 is required.',
    guardianCity: 'City is required.',
    guardianState: 'State is required.',
    guardianCountry: 'Country is required.',
    guardianPinCode: 'Pin Code is required.',
  });

  await enter(page, { ...guardianAnswers, guardianAddress2: '', guardianOccupation: 'Business' });
  await saveAndNext(page);
  await expectProblems(page, {
    guardianCareerClusterID: sectorRequired,
    guardianCareePathwayID: specialtyRequired,
  });
  await field(page, 'guardianCareerClusterID').selectOption({ label: 'Health' });
  await field(page, 'guardianCareePathwayID').selectOption({ label: 'Nursing' });
  await expect(field(page, 'guardianRelationwithChild')).toHaveValue('');
  await saveAndNext(page);
  await expectPage(page, family, '/admission2');
});

test('S073 a guardian’s answers are refused when too long and saved at their longest', async ({ page, school }) => {
  const family = await school.family({ state: 'half filled', pages: 2 });
  await page.goto(family.at('/admission1'));
  await choose(page, 'isParentLocalGuardian', 'false');
  await enter(page, guardianAnswers);
  const limits: [name: string, label: string, most: number][] = [
    ['guardianRelationwithChild', 'Relationship with the child', 50],
    ['guardianChildLivingReason', 'Reason for living with the guardian', 250],
    ['guardianAddress1', 'Address 1', 200],
    ['guardianAddress2', 'Address 2', 200],
    ['guardianStreetNo', 'Street No', 20],
    ['guardianPinCode', 'Pin Code', 10],
  ];
  const mail = (most: number) => `patel@${'x'.repeat(most - 'patel@.example'.length)}.example`;
  for (const [name, , most] of limits) await fill(page, name, '1'.repeat(most + 1));
  await fill(page, 'guardianEmailID', mail(101));
  for (const mobile of ['982503333', '98250333333']) {
    await fill(page, 'guardianMobileNo', mobile);
    await saveAndNext(page);
    await expectProblems(page, {
      ...Object.fromEntries(
        limits.map(([name, label, most]) => [name, `${label} can have at most ${most} characters.`]),
      ),
      guardianEmailID: 'Email ID can have at most 100 characters.',
      guardianMobileNo: 'Mobile No is not valid.',
    });
  }
  for (const [name, , most] of limits) await fill(page, name, '1'.repeat(most));
  await fill(page, 'guardianEmailID', mail(100));
  await fill(page, 'guardianMobileNo', '9825033333');
  await saveAndNext(page);
  await expectPage(page, family, '/admission2');
});

test('S075 S076 S077 S083 a Yes to divorce or adoption needs its document, shown when stored; a No removes it and a later Yes asks again', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 2 });
  await page.goto(family.at('/admission1'));
  const stored = async () =>
    (
      await school.sql(
        `select divorce_document_id, adoption_document_id from admission_parent_info where inquiry_id = ${family.id}`,
      )
    )[0];
  const answer = async (value: 'true' | 'false') => {
    await choose(page, 'isParentDivorced', value);
    await choose(page, 'isChildAdopted', value);
  };

  await answer('true');
  await saveAndNext(page);
  await expectProblems(page, { [divorce]: divorceRequired, [adoption]: adoptionRequired });
  await expect(toast(page, divorceRequired)).toBeVisible();
  await expect(toast(page, adoptionRequired)).toBeVisible();

  await attach(page, divorce);
  await attach(page, adoption);
  await saveAndNext(page);
  await expectPage(page, family, '/admission2');
  expect(Object.values((await stored()) ?? {})).not.toContain(null);

  await page.goto(family.at('/admission1'));
  for (const name of ['Family Photo', 'Divorce document', 'Adoption document']) {
    const shown = page.getByRole('img', { name: `The ${name} you uploaded` });
    await expect.poll(() => shown.evaluate(({ naturalWidth }) => naturalWidth)).toBeGreaterThan(0);
  }

  await answer('false');
  await answer('true');
  await saveAndNext(page);
  await expectProblems(page, { [divorce]: divorceRequired, [adoption]: adoptionRequired });

  await answer('false');
  await saveAndNext(page);
  await expectPage(page, family, '/admission2');
  expect(await stored()).toEqual({ divorce_document_id: null, adoption_document_id: null });
  await page.goto(family.at('/admission1'));
  await answer('true');
  await saveAndNext(page);
  await expectProblems(page, { [divorce]: divorceRequired, [adoption]: adoptionRequired });
});

test('S078 S079 S080 S081 the family photo may be a GIF, the documents not, and none may exceed 2 MB', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 2 });
  await page.goto(family.at('/admission1'));
  await choose(page, 'isParentDivorced', 'true');
  await choose(page, 'isChildAdopted', 'true');
  const megabyte = 1024 * 1024;
  const large = { name: 'large.png', buffer: padded(picture.buffer, 2 * megabyte + 1) };
  const wrong = { name: 'family.pdf', buffer: Buffer.from('%PDF-1.7\n') };
  for (const name of [divorce, adoption]) {
    await attach(page, name, gif);
    await expectBeside(page, name, 'Select a PNG, JPG or JPEG picture.');
  }
  await attach(page, familyPhoto, wrong);
  await expectBeside(page, familyPhoto, 'Select a PNG, JPG, JPEG or GIF picture.');
  for (const name of [familyPhoto, divorce, adoption]) {
    await attach(page, name, large);
    await expectBeside(page, name, 'File size exceeds 2MB');
    await expect(toast(page, 'File size exceeds 2MB')).toBeVisible();
  }

  await choose(page, 'isParentDivorced', 'false');
  await choose(page, 'isChildAdopted', 'false');
  // Stored already, so the refused file is not missed.
  await saveAndNext(page);
  await expectPage(page, family, '/admission2');
  await page.goto(family.at('/admission1'));
  await attach(page, familyPhoto, gif);
  await expect(page.getByText(gif.name)).toBeVisible();
  await saveAndNext(page);
  await expectPage(page, family, '/admission2');
});

test('S082 page 2 goes over the wire as one multipart request under the specification’s names', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  const saves = await listenToSaves(page, 'parent-info');
  await page.goto(family.at('/admission1'));
  const [career] = await school.sql(`select id, sector_id from academic_career where name = 'Textiles'`);
  const answers = parentInfoAnswers(Number(career?.sector_id), Number(career?.id));
  const locked = /^(father|mother)(FirstName|LastName|MobileNo|EmailID)$/;
  const hidden = ['staffHRISEmployeeID', 'fatherWorkplaceInfo', 'motherWorkplaceInfo'];
  const asked = Object.entries(answers).filter(
    ([name]) => !locked.test(name) && !hidden.includes(name) && !/^motherCaree/.test(name),
  );
  await enter(page, { ...Object.fromEntries(asked), isParentDivorced: 'true', isChildAdopted: 'true' });
  for (const name of [familyPhoto, divorce, adoption]) await attach(page, name);
  await saveAndNext(page);
  await expectPage(page, family, '/admission2');
  expect(saves.requests).toHaveLength(1);
  expect(await saves.fields()).toMatchObject([
    {
      ...answers,
      isParentDivorced: 'true',
      isChildAdopted: 'true',
      inquiryNoMD5: family.value,
      createdBy: '0',
      updatedBy: '0',
      guardianCareerClusterID: '',
      guardianCareePathwayID: '',
      guardianRelationwithChild: '',
      [familyPhoto]: picture.name,
      [divorce]: picture.name,
      [adoption]: picture.name,
    },
  ]);
});
