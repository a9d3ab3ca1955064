import { address, basicInfoAnswers } from '#database/seed/answers.ts';
import { childPicture } from '#database/seed/pictures.ts';
import {
  answerOf,
  attach,
  enter,
  expect,
  expectBeside,
  expectPage,
  expectProblem,
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
  summary,
  test,
  toast,
} from '#e2e/school.ts';
import { addressParts, bloodGroups } from '#features/admission-form/contract/basic-info.ts';

const photo = 'admissionStudentImageIFormFile';
const photoRequired = 'Child Photo is required. Please upload Child Photo.';
const { firstName, lastName, birthDate, ...answers } = basicInfoAnswers;
const permanent = addressParts.map((part) => `permanent${part}`);
// A mirror of the present address takes no answers of its own.
const childAnswers = Object.fromEntries(Object.entries(answers).filter(([name]) => !permanent.includes(name)));
const megabyte = 1024 * 1024;

test('S003 S004 S017 page 1 opens with its title, its instructions, its sections and what the inquiry knows', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admission Form 2026-27');
  await expect(page).toHaveTitle('Admission Form 2026-27');
  await expect(page.getByText('Keep these at hand')).toBeVisible();
  await expect(page.getByText('a photo of the child and a family photo')).toBeVisible();
  const sections = ['Basic details', 'Child photo', 'Food', 'Transport', 'Present address', 'Permanent address'];
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(sections);
  await expect(fact(page, 'First Name')).toHaveText('Meera');
  await expect(fact(page, 'Last Name')).toHaveText('Patel');
  await expect(fact(page, 'Birth Date')).toHaveText('12 Mar 2020');
  await expect(fact(page, 'Grade')).toHaveText('Grade 1');
});

test('S018 what the inquiry knows of the child cannot be edited, before the first save and after it', async ({
  page,
  school,
}) => {
  const families = [await school.family(), await school.family({ state: 'half filled', pages: 1 })];
  for (const family of families) {
    await page.goto(family.at('/admission'));
    await expect(fact(page, 'First Name')).toHaveText('Meera');
    await expect(fact(page, 'Application')).toHaveText(family.inquiryNo);
    for (const name of ['firstName', 'lastName', 'birthDate', 'grade', 'admissionGradeID', 'admissionID', 'inquiryNo'])
      await expect(field(page, name)).toHaveCount(0);
  }
});

for (const { code, onTheWire, shown } of [
  { code: 'M', onTheWire: true, shown: 'Male' },
  { code: 'F', onTheWire: false, shown: 'Female' },
])
  test(`S020 gender ${onTheWire} is shown as ${shown} and cannot be edited`, async ({ page, school }) => {
    const family = await school.family({ inquiry: { gender: code } });
    const answered = page.waitForResponse(/\/api\/admission\/inquiry\?/);
    await page.goto(family.at('/admission'));
    expect(await (await answered).json()).toMatchObject([{ gender: onTheWire }]);
    await expect(fact(page, 'Gender')).toHaveText(shown);
    await expect(field(page, 'gender')).toHaveCount(0);
  });

test('S021 S022 S023 S024 S025 S027 S028 S029 S030 S031 S033 S034 S035 S036 S038 S048 B10 an empty page 1 is refused, every gap named on top and beside its field', async ({
  page,
  school,
}) => {
  const family = await school.family({ inquiry: nothingKnown });
  await page.goto(family.at('/admission'));
  await expect(field(page, 'bloodGroup').getByRole('option')).toHaveText(['Choose', ...bloodGroups]);
  expect(bloodGroups).toEqual(['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-']);
  await expect(question(page, 'foodOption').getByRole('radio')).toHaveCount(2);
  await expect(page.getByRole('radio', { name: 'Veg. Food' })).not.toBeChecked();
  await expect(page.getByRole('radio', { name: 'Jain. Food' })).not.toBeChecked();
  expect(await answerOf(page, 'isTransportServiceOpted')).toBe('');
  await fill(page, 'nationality', '');
  await fill(page, 'currentCountry', '');

  await saveAndNext(page);
  await expectProblems(page, {
    firstName: 'First Name is required.',
    lastName: 'Last Name is required.',
    birthDate: 'Birth Date is required.',
    bloodGroup: 'Blood Group is required.',
    aadharCardNo: 'Aadhar Card No is required.',
    nationality: 'Nationality is required.',
    religion: 'Religion is required.',
    caste: 'Caste is required.',
    subCaste: 'Sub Caste is required.',
    emergencyMobileNo: 'Emergency (Mobile) Number is required',
    studentUID: 'Student UID is required.',
    schoolDISECode: 'School DISE Code is required.',
    [photo]: photoRequired,
    foodOption: 'Food Option is required.',
    isTransportServiceOpted: 'Transport Service is required.',
    currentStreetNo: 'Street No is required.',
    currentAddress1: 'Address 1 is required.',
    currentAddress2: 'Address 2 is required.',
    currentCity: 'City is required.',
    currentState: 'State is required.',
    currentCountry: 'Country is required.',
    currentPinCode: 'Pin Code is required.',
    permanentStreetNo: 'Permanent Street No is required.',
    permanentAddress1: 'Permanent Address 1 is required.',
    permanentAddress2: 'Permanent Address 2 is required.',
    permanentCity: 'Permanent City is required.',
    permanentState: 'Permanent State is required.',
    permanentCountry: 'Permanent Country is required.',
    permanentPinCode: 'Permanent Pin Code is required.',
  });
  await expect(page).toHaveTitle('Error: Admission Form 2026-27');
  await expect(page).toHaveURL(family.at('/admission'));

  for (const link of await summary(page).getByRole('link').all()) {
    const name = (await link.getAttribute('href'))?.slice(1) ?? '';
    await link.click();
    await expect(field(page, name)).toBeFocused();
  }
});

test('S005 S049 a family of whom nothing is known enters the child’s name and birth date and goes on to page 2', async ({
  page,
  school,
}) => {
  const family = await school.family({ inquiry: nothingKnown });
  const saves = await listenToSaves(page, 'basic-info');
  await page.goto(family.at('/admission'));
  await enter(page, { firstName, lastName, birthDate, ...childAnswers });
  await attach(page, photo);
  await expect(page.getByText(picture.name)).toBeVisible();
  await fill(page, 'emergencyMobileNo', '9825012345');
  await saveAndNext(page);
  await expectPage(page, family, '/admission1');

  await page.goBack();
  await expect(field(page, 'firstName')).toHaveValue('Meera');
  await expect(page.getByRole('img', { name: 'The Child Photo you uploaded' })).toBeVisible();
  await saveAndNext(page);
  await expectPage(page, family, '/admission1');
  const [first, second] = await saves.fields();
  expect(first).toHaveProperty(photo);
  expect(second).not.toHaveProperty(photo);
});

test('S026 S032 101 characters of Aadhar Card No and 9 or 11 digits or letters of a mobile are refused, 100 and 10 accepted', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  await page.goto(family.at('/admission'));
  await fill(page, 'aadharCardNo', 'A'.repeat(101));
  for (const wrong of ['982501234', '98250123456', '98250abcde']) {
    await fill(page, 'emergencyMobileNo', wrong);
    await saveAndNext(page);
    await expectProblems(page, {
      aadharCardNo: 'Aadhar Card No can have at most 100 characters.',
      emergencyMobileNo: 'Emergency (Mobile) Number is not valid.',
    });
  }
  await fill(page, 'aadharCardNo', 'A'.repeat(100));
  await fill(page, 'emergencyMobileNo', '9825012345');
  await saveAndNext(page);
  await expectPage(page, family, '/admission1');
});

test('S037 the help of Student UID and School DISE Code says that both come from the current school', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  for (const name of ['studentUID', 'schoolDISECode'])
    await expect(field(page, name)).toHaveAccessibleDescription(/^Taken from the child’s current school/);
});

test('S044 S045 ticking "same as present" copies and locks the permanent address, unticking clears and unlocks it', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  for (const [part, value] of Object.entries(address)) await fill(page, `current${part}`, value);
  const same = page.getByRole('checkbox', { name: 'Same as present address' });
  await same.check();
  for (const [part, value] of Object.entries(address)) {
    await expect(field(page, `permanent${part}`)).toHaveValue(value);
    await expect(field(page, `permanent${part}`)).not.toBeEditable();
  }
  await same.uncheck();
  for (const name of permanent) {
    await expect(field(page, name)).toHaveValue('');
    await expect(field(page, name)).toBeEditable();
  }
});

test('S046 S047 the permanent address is asked for while the box is unticked; ticked, the present one is saved for it', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  await enter(page, { ...childAnswers, sameAsPresentAddress: false });
  await attach(page, photo);
  for (const [part, value] of Object.entries(address)) await fill(page, `permanent${part}`, value);
  await fill(page, 'permanentCity', '');
  await saveAndNext(page);
  await expectProblems(page, { permanentCity: 'Permanent City is required.' });
  await expect(toast(page, 'Permanent Residential Address is required.')).toBeVisible();
  await expect(toast(page, 'Please select each value.')).toBeVisible();
  const said = 'Permanent Residential Address is required. Please select each value.';
  await expect(page.getByRole('main').getByText(said)).toBeVisible();

  await page.getByRole('checkbox', { name: 'Same as present address' }).check();
  await saveAndNext(page);
  await expectPage(page, family, '/admission1');
  const [saved] = await school.sql(`
    select permanent_street_no, permanent_address1, permanent_address2, permanent_city, permanent_state,
      permanent_country, permanent_pin_code from admission_basic_info where inquiry_id = ${family.id}`);
  expect(Object.values(saved ?? {})).toEqual(Object.values(address));
});

test('S050 S051 B18 a picture is taken as png, jpg or jpeg up to 2 MB; anything else is refused with its own words', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  await page.goto(family.at('/admission'));
  const jpeg = await childPicture();
  for (const [name, buffer] of [
    ['child.png', picture.buffer],
    ['child.jpg', jpeg],
    ['child.jpeg', jpeg],
  ] as const) {
    await attach(page, photo, { name, buffer });
    await expect(page.getByText(name, { exact: true })).toBeVisible();
    await expectBeside(page, photo, undefined);
  }

  const wrongType = 'Select a PNG, JPG or JPEG picture.';
  const heic = 'This is an iPhone HEIC picture. Take the photo here or save it as JPG first.';
  const program = Buffer.from('MZ\x90\0\x03\0\0\0This program cannot be run in DOS mode.', 'latin1');
  for (const [name, buffer, words] of [
    ['child.gif', gif.buffer, wrongType],
    ['gif.png', gif.buffer, wrongType],
    ['child.pdf', Buffer.from('%PDF-1.7\n'), wrongType],
    ['child.webp', Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'), wrongType],
    ['child.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), wrongType],
    ['program.png', program, wrongType],
    ['iphone.jpg', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'), heic],
    ['nothing.png', Buffer.alloc(0), 'The selected file is empty.'],
    ['large.png', padded(picture.buffer, 2 * megabyte + 1), 'File size exceeds 2MB'],
  ] as const) {
    await attach(page, photo, { name, buffer });
    await expectBeside(page, photo, words);
    await expect(toast(page, words)).toBeVisible();
    await expect(page.getByText(name, { exact: true })).toHaveCount(0);
  }

  await attach(page, photo, { name: 'exact.png', buffer: padded(picture.buffer, 2 * megabyte) });
  await expectBeside(page, photo, undefined);
  await saveAndNext(page);
  await expectPage(page, family, '/admission1');
});

test('B18 a JPEG cut off in the middle is refused by the server, and the page says so beside it', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  await page.goto(family.at('/admission'));
  const jpeg = await childPicture();
  await attach(page, photo, { name: 'cut.jpg', buffer: jpeg.subarray(0, jpeg.length / 2) });
  await expect(page.getByText('cut.jpg')).toBeVisible();
  await saveAndNext(page);
  await expectProblems(page, {
    [photo]: 'This file is damaged and cannot be opened. Please choose another one.',
  });
});

test('S016 S052 page 1 goes over the wire as one multipart request with all its fields, acting as nobody', async ({
  page,
  school,
}) => {
  const family = await school.family();
  const saves = await listenToSaves(page, 'basic-info');
  await page.goto(family.at('/admission'));
  await enter(page, childAnswers);
  await attach(page, photo);
  await saveAndNext(page);
  await expectPage(page, family, '/admission1');
  expect(saves.requests).toHaveLength(1);
  expect(await saves.fields()).toMatchObject([
    {
      ...basicInfoAnswers,
      inquiryNoMD5: family.value,
      inquiryNo: family.inquiryNo,
      admissionID: String(family.id),
      createdBy: '0',
      updatedBy: '0',
      [photo]: picture.name,
    },
  ]);
});

test('S053 B34 a warning stands at the top end for 3000 ms, longer while hovered, and its words stay on the page', async ({
  page,
  school,
}) => {
  await page.clock.install({ time: new Date('2026-06-01T10:00:00') });
  const family = await school.family();
  await page.goto(family.at('/admission'));
  await expect(field(page, 'bloodGroup')).toBeVisible();
  await page.clock.pauseAt(new Date('2026-06-01T11:00:00'));

  await saveAndNext(page);
  const warning = toast(page, photoRequired);
  await expect(warning).toBeVisible();
  const place = await warning.boundingBox();
  expect(place?.y).toBeLessThan(160);
  expect(place?.x).toBeGreaterThan(1280 / 2);
  await page.clock.runFor(2900);
  await expect(warning).toBeVisible();
  await page.clock.runFor(100);
  await expect(warning).toHaveCount(0);
  await expectProblem(page, photo, photoRequired);

  await saveAndNext(page);
  await warning.hover();
  await page.clock.runFor(10_000);
  await expect(warning).toBeVisible();
  await page.mouse.move(10, 790);
  await page.clock.runFor(3000);
  await expect(warning).toHaveCount(0);
  await expectProblem(page, photo, photoRequired);
});

test('B26 "not been to a school yet" answers Student UID and School DISE Code', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  const { studentUID, schoolDISECode, ...others } = childAnswers;
  await enter(page, others);
  await attach(page, photo);
  await saveAndNext(page);
  await expectProblems(page, {
    studentUID: 'Student UID is required.',
    schoolDISECode: 'School DISE Code is required.',
  });
  await page.getByRole('checkbox', { name: 'My child has not been to a school yet' }).check();
  await expect(field(page, 'studentUID')).toHaveCount(0);
  await saveAndNext(page);
  await expectPage(page, family, '/admission1');
  const saved = await school.sql(
    `select student_uid, school_dise_code from admission_basic_info where inquiry_id = ${family.id}`,
  );
  expect(saved).toEqual([{ student_uid: 'NA', school_dise_code: 'NA' }]);
});

test('B28 an odd mobile number is only warned of, and +91 with blanks comes back as ten digits', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  await page.goto(family.at('/admission'));
  const warning = 'Mobile numbers in India begin with 6, 7, 8 or 9. Please check this one.';
  for (const [typed, stored, warned] of [
    ['1234567890', '1234567890', true],
    ['+91 98765 43210', '9876543210', false],
    ['098765-43210', '9876543210', false],
  ] as const) {
    await fill(page, 'emergencyMobileNo', typed);
    await expect(page.getByText(warning)).toHaveCount(warned ? 1 : 0);
    await saveAndNext(page);
    await expectPage(page, family, '/admission1');
    await page.goBack();
    await expect(field(page, 'emergencyMobileNo')).toHaveValue(stored);
  }
});
