import { act, fireEvent, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { address, basicInfoAnswers } from '#database/seed/answers.ts';
import {
  answerOf,
  attach,
  choose,
  descriptionOf,
  enter,
  expectPage,
  expectProblems,
  facts,
  field,
  file,
  fill,
  findPressable,
  heads,
  hideErrors,
  inquiry,
  link,
  nothingKnown,
  openForm,
  optionsOf,
  page,
  press,
  pressable,
  problemBeside,
  question,
  refused,
  rowsIn,
  saveAndNext,
  says,
  setChecked,
  summary,
  toasts,
  visit,
  whereWeAre,
} from '#testing/form-page.tsx';
import { addressParts, bloodGroups } from '../contract/basic-info.ts';

const photo = 'admissionStudentImageIFormFile';
const photoRequired = 'Child Photo is required. Please upload Child Photo.';
const save = 'POST /api/admission/basic-info';
const permanent = addressParts.map((part) => `permanent${part}`);
const { firstName, lastName, birthDate, ...answers } = basicInfoAnswers;
/** The answers of a parent whose child's name is known; a copy of the present address takes no answers of its own. */
const childAnswers = Object.fromEntries(Object.entries(answers).filter(([name]) => !permanent.includes(name)));
const savesOf = ({ sent }: { sent: { method: string; path: string }[] }) =>
  sent.filter(({ method, path }) => `${method} ${path}` === save);

test('S003 S004 S017 page 1 opens with its title, its instructions, its sections and what the inquiry knows', async () => {
  await openForm('/admission', { inquiry: { academicYear: '2027-28' } });
  expect(document.querySelector('h1')?.textContent).toBe('Admission Form 2027-28');
  expect(document.title).toBe('Admission Form 2027-28');
  expect(page()).toContain('Keep these ready');
  expect(page()).toContain('a photo of the child and a family photo');
  expect([...document.querySelectorAll('main h2')].map(({ textContent }) => textContent)).toEqual([
    'Basic details',
    'Child photo',
    'Food option',
    'Transport service',
    'Present address',
    'Permanent address',
  ]);
  expect(facts('First Name')).toEqual(['Meera']);
  expect(facts('Last Name')).toEqual(['Patel']);
  expect(facts('Birth Date')).toEqual(['12 Mar 2020']);
  expect(facts('Grade')).toEqual(['Grade 1']);
});

test.each([0, 1])('S018 what the inquiry knows of the child cannot be edited with %i pages saved', async (pages) => {
  await openForm('/admission', { pages });
  expect(facts('First Name')).toEqual(['Meera']);
  expect(facts('Application number')).toEqual([inquiry.inquiryNo]);
  const names = [...document.querySelectorAll('[name]')].map((control) => control.getAttribute('name'));
  expect(names).toContain('bloodGroup');
  for (const name of ['firstName', 'lastName', 'birthDate', 'grade', 'admissionGradeID', 'admissionID', 'inquiryNo'])
    expect(names).not.toContain(name);
});

test.each([
  [true, 'Male'],
  [false, 'Female'],
])('S020 gender %s is shown as %s and cannot be edited', async (gender, shown) => {
  await openForm('/admission', { inquiry: { gender } });
  expect(facts('Gender')).toEqual([shown]);
  expect(document.querySelector('[name=gender]')).toBeNull();
});

test('S021 S022 S023 S024 S025 S027 S028 S029 S030 S031 S033 S034 S035 S036 S038 S048 B10 an empty page 1 is refused, every gap named on top and beside its field', async () => {
  const server = await openForm('/admission', { inquiry: nothingKnown });
  expect(optionsOf('bloodGroup')).toEqual(['Choose', ...bloodGroups]);
  expect(bloodGroups).toEqual(['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-']);
  expect(rowsIn('foodOption')).toEqual(['Veg. Food', 'Jain. Food']);
  expect(answerOf('foodOption')).toBe('');
  expect(answerOf('isTransportServiceOpted')).toBe('');
  fill('nationality', '');
  fill('currentCountry', '');
  setChecked('sameAsPresentAddress', false);

  saveAndNext();
  const gaps = {
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
  };
  await expectProblems(gaps);
  expect(document.title).toBe('Error: Admission Form 2026-27');
  expect(whereWeAre()).toBe('/admission');
  expect(savesOf(server)).toEqual([]);

  for (const name of Object.keys(gaps)) {
    fireEvent.click(summary()?.querySelector(`a[href="#${name}"]`) ?? document.body);
    await waitFor(() => expect(document.activeElement).toBe(field(name)));
  }
});

test('S005 S049 a family of whom nothing is known enters the child’s name and birth date and goes on to page 2', async () => {
  const server = await openForm('/admission', { inquiry: nothingKnown });
  enter({ firstName, lastName, birthDate, ...childAnswers });
  await attach(photo);
  saveAndNext();
  await expectPage('/admission1');
  expect(savesOf(server)).toMatchObject([
    { fields: { firstName: 'Meera', lastName: 'Patel', birthDate: '2020-03-12' } },
  ]);
});

test('S049 with a photo stored page 1 is saved without another one', async () => {
  const server = await openForm('/admission', { pages: 1 });
  expect(document.querySelector('img[alt="Child Photo, uploaded"]')?.getAttribute('src')).toBe(
    `/api/admission/files/child-photo?inquiryNo=${link}`,
  );
  saveAndNext();
  await expectPage('/admission1');
  const [first] = server.sent.filter(({ path, method }) => `${method} ${path}` === save);
  expect(first?.fields).not.toHaveProperty(photo);
});

test('S026 S032 101 characters of Aadhar Card No and 9 or 11 digits or letters of a mobile are refused, 100 and 10 accepted', async () => {
  await openForm('/admission', { pages: 1 });
  fill('aadharCardNo', 'A'.repeat(101));
  for (const wrong of ['982501234', '98250123456', '98250abcde']) {
    fill('emergencyMobileNo', wrong);
    saveAndNext();
    await expectProblems({
      aadharCardNo: 'Use at most 100 characters.',
      emergencyMobileNo: 'Emergency (Mobile) Number is not valid.',
    });
  }
  fill('aadharCardNo', 'A'.repeat(100));
  fill('emergencyMobileNo', '9825012345');
  saveAndNext();
  await expectPage('/admission1');
});

test('S037 the help of Student UID and School DISE Code says that both come from the current school', async () => {
  await openForm('/admission');
  for (const name of ['studentUID', 'schoolDISECode']) expect(descriptionOf(field(name))).toMatch(/the current school/);
});

test('S044 S045 RA17 ticking "same as present" copies and locks the permanent address, unticking clears and unlocks it, and can be undone', async () => {
  await openForm('/admission');
  enter(Object.fromEntries(Object.entries(address).map(([part, value]) => [`current${part}`, value])));
  setChecked('sameAsPresentAddress', true);
  const expectCopy = () => {
    for (const [part, value] of Object.entries(address)) {
      expect(field(`permanent${part}`).value).toBe(value);
      expect(field(`permanent${part}`).readOnly).toBe(true);
    }
  };
  expectCopy();
  fill('currentCity', 'Vadodara');
  expect(field('permanentCity').value).toBe('Vadodara');
  fill('currentCity', address.City);

  setChecked('sameAsPresentAddress', false);
  for (const name of permanent) {
    expect(field(name).value).toBe('');
    expect(field(name).readOnly).toBe(false);
  }
  press('Undo');
  for (const [part, value] of Object.entries(address)) expect(field(`permanent${part}`).value).toBe(value);
});

test('S046 S047 the permanent address is asked for while the box is unticked; ticked, the present one is saved for it', async () => {
  const server = await openForm('/admission', { pages: 1, over: { 'basic-info': { sameAsPresentAddress: false } } });
  fill('permanentCity', '');
  saveAndNext();
  await expectProblems({ permanentCity: 'Permanent City is required.' });
  expect(toasts()).toEqual(['Permanent Residential Address is required.', 'Please select each value.']);
  expect([...document.querySelectorAll('.section .error')].map(({ textContent }) => textContent)).toContain(
    'Permanent Residential Address is required. Please select each value.',
  );

  setChecked('sameAsPresentAddress', true);
  saveAndNext();
  await expectPage('/admission1');
  const copy = Object.fromEntries(Object.entries(address).map(([part, value]) => [`permanent${part}`, value]));
  expect(savesOf(server)).toMatchObject([{ fields: { sameAsPresentAddress: 'true', ...copy } }]);
});

test('S050 S051 B18 a picture is taken as png, jpg or jpeg up to 2 MB; anything else is refused with its own words', async () => {
  await openForm('/admission', { pages: 1 });
  const twoMegabytes = 2 * 1024 * 1024;
  const name = () => question(photo).querySelector('[role=status]')?.textContent;
  for (const taken of [
    file('child.png'),
    file('child.jpg', heads.jpeg),
    file('child.jpeg', heads.jpeg),
    file('exact.png', heads.png, twoMegabytes),
  ]) {
    await attach(photo, taken);
    await waitFor(() => expect(name()).toContain(taken.name));
    expect(problemBeside(photo)).toBeUndefined();
  }

  const bytes = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
  const wrongType = 'Select a PNG, JPG or JPEG picture.';
  const heic = 'This is an iPhone HEIC picture. Take the photo here or save it as JPG first.';
  for (const [refusedFile, words] of [
    [file('child.gif', heads.gif), wrongType],
    [file('gif.png', heads.gif), wrongType],
    [file('child.pdf', heads.pdf), wrongType],
    [file('child.webp', bytes('RIFF\x24\0\0\0WEBPVP8 ')), wrongType],
    [file('child.svg', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')), wrongType],
    [file('program.png', bytes('MZ\x90\0\x03\0\0\0This program cannot be run in DOS mode.')), wrongType],
    [file('iphone.jpg', bytes('\0\0\0\x18ftypheic\0\0\0\0')), heic],
    [file('nothing.png', []), 'This file is empty or damaged. Choose another one.'],
    [file('large.png', heads.png, twoMegabytes + 1), 'File size exceeds 2MB'],
  ] as const) {
    fireEvent.change(field(photo), { target: { files: [refusedFile] } });
    await waitFor(() => expect([refusedFile.name, problemBeside(photo)]).toEqual([refusedFile.name, words]));
    expect(toasts()).toContain(words);
    expect(page()).not.toContain(refusedFile.name);
  }
});

test('B18 a picture that the server cannot open is refused beside its field', async () => {
  const words = 'This file is empty or damaged. Choose another one.';
  await openForm('/admission', {
    pages: 1,
    answers: { [save]: refused('invalid', '', { errors: { [photo]: words } }) },
  });
  await attach(photo, file('cut.jpg', heads.jpeg));
  saveAndNext();
  await expectProblems({ [photo]: words });
});

test('S016 S052 page 1 goes over the wire as one multipart request with all its fields, acting as nobody', async () => {
  const server = await openForm('/admission');
  setChecked('sameAsPresentAddress', false);
  enter(childAnswers);
  await attach(photo);
  saveAndNext();
  await expectPage('/admission1');
  expect(savesOf(server)).toMatchObject([
    {
      isMultipart: true,
      query: { inquiryNo: link },
      fields: {
        ...basicInfoAnswers,
        inquiryNoMD5: link,
        inquiryNo: inquiry.inquiryNo,
        admissionID: String(inquiry.admissionID),
        createdBy: '0',
        updatedBy: '0',
        [photo]: 'picture.png',
      },
    },
  ]);
});

test('S053 B34 RA46 a warning stays 3000 ms, longer while hovered, takes no focus, and its words stay on the page', async () => {
  const warned = ['Permanent Residential Address is required.', 'Please select each value.'];
  await openForm('/admission', {
    pages: 1,
    over: { 'basic-info': { sameAsPresentAddress: false, permanentCity: '' } },
  });
  vi.useFakeTimers();
  const later = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  const expectSaid = () => {
    expect(document.activeElement).toBe(summary());
    expect(summary()?.textContent).toContain('Permanent City is required.');
    expect([...document.querySelectorAll('.section .error')].map(({ textContent }) => textContent)).toContain(
      warned.join(' '),
    );
  };

  saveAndNext();
  await later(2900);
  expect(toasts()).toEqual(warned);
  expectSaid();
  await later(100);
  expect(toasts()).toEqual([]);
  expectSaid();

  saveAndNext();
  const warning = document.querySelector('[aria-live] > *') ?? document.body;
  fireEvent.mouseEnter(warning);
  await later(10_000);
  expect(toasts()).toEqual(warned);
  fireEvent.mouseLeave(warning);
  await later(3000);
  expect(toasts()).toEqual([]);
  expectSaid();
});

test('RA46 what the list of problems says word for word is in no toast', async () => {
  await openForm('/admission', { pages: 1, over: { 'basic-info': { admissionStudentImagePath: null } } });
  saveAndNext();
  await expectProblems({ [photo]: photoRequired });
  expect(toasts()).toEqual([]);
});

test('a problem leaves the list once its field is put right, the list once none is left, and the focus stays', async () => {
  await openForm('/admission', { pages: 1 });
  fill('religion', '');
  fill('emergencyMobileNo', '98250');
  saveAndNext();
  await expectProblems({
    religion: 'Religion is required.',
    emergencyMobileNo: 'Emergency (Mobile) Number is not valid.',
  });
  field('emergencyMobileNo').focus();
  fill('emergencyMobileNo', '982501');
  expect(summary()?.querySelectorAll('li')).toHaveLength(2);
  fill('emergencyMobileNo', '9825012345');
  expect(summary()?.querySelectorAll('li')).toHaveLength(1);
  expect(document.activeElement).toBe(field('emergencyMobileNo'));
  fill('religion', 'Jain');
  expect(summary()).toBeUndefined();
  expect(document.title).toBe('Admission Form 2026-27');
});

test('a wrong number is pointed out as soon as it is left, an empty one is not', async () => {
  await openForm('/admission', { pages: 1 });
  fill('emergencyMobileNo', '12345');
  fireEvent.blur(field('emergencyMobileNo'));
  expect(problemBeside('emergencyMobileNo')).toBe('Emergency (Mobile) Number is not valid.');
  fill('emergencyMobileNo', '');
  fireEvent.blur(field('emergencyMobileNo'));
  expect(problemBeside('emergencyMobileNo')).toBeUndefined();
});

test('a press that leaves a wrong number points it out once it is over, so that what is pressed does not move', async () => {
  await openForm('/admission', { pages: 1 });
  fill('emergencyMobileNo', '12345');
  fireEvent.mouseDown(document.body);
  fireEvent.blur(field('emergencyMobileNo'));
  expect(problemBeside('emergencyMobileNo')).toBeUndefined();
  fireEvent.mouseUp(document.body);
  await waitFor(() => expect(problemBeside('emergencyMobileNo')).toBe('Emergency (Mobile) Number is not valid.'));
});

test('31 February is refused when the date is left, and half a date only then', async () => {
  await openForm('/admission', { inquiry: nothingKnown });
  const [day, month, year] = ['day', 'month', 'year'].map((part) => document.getElementById(`birthDate-${part}`));
  if (!day || !month || !year) throw new Error('There is no date.');
  fireEvent.change(day, { target: { value: '31' } });
  fireEvent.blur(day, { relatedTarget: month });
  expect(problemBeside('birthDate')).toBeUndefined();
  fireEvent.change(month, { target: { value: '2' } });
  fireEvent.blur(month, { relatedTarget: year });
  fireEvent.change(year, { target: { value: '2020' } });
  fireEvent.blur(year);
  expect(problemBeside('birthDate')).toBe('Enter a valid date, such as 21-11-2026.');
  fireEvent.change(day, { target: { value: '3' } });
  fireEvent.blur(day);
  expect(problemBeside('birthDate')).toBeUndefined();
  expect(answerOf('birthDate')).toBe('03,02,2020');
});

test('the permanent address is the present one, in one line, until that is unticked', async () => {
  const server = await openForm('/admission');
  const isShown = () => field('permanentCity').closest('[hidden]') === null;
  const section = () => field('permanentCity').closest('section')?.textContent;
  expect(isShown()).toBe(false);
  setChecked('sameAsPresentAddress', false);
  expect([isShown(), toasts()]).toEqual([true, []]);
  setChecked('sameAsPresentAddress', true);
  enter(childAnswers);
  expect([isShown(), section()]).toEqual([false, expect.stringContaining(Object.values(address).join(', '))]);
  await attach(photo);
  saveAndNext();
  await expectPage('/admission1');
  expect(savesOf(server)).toMatchObject([{ fields: { sameAsPresentAddress: 'true' } }]);
});

test('B26 "not been to a school yet" answers Student UID and School DISE Code', async () => {
  const server = await openForm('/admission', {
    pages: 1,
    over: { 'basic-info': { studentUID: '', schoolDISECode: '' } },
  });
  saveAndNext();
  await expectProblems({
    studentUID: 'Student UID is required.',
    schoolDISECode: 'School DISE Code is required.',
  });
  fireEvent.click(within(document.body).getByLabelText('My child has not been to a school yet'));
  expect(document.querySelector('[name=studentUID]')).toBeNull();
  saveAndNext();
  await expectPage('/admission1');
  expect(savesOf(server)).toMatchObject([{ fields: { studentUID: 'NA', schoolDISECode: 'NA' } }]);
});

test.each([
  ['1234567890', true],
  ['+91 98765 43210', false],
  ['098765-43210', false],
])('B28 of the mobile number %s it is %s that a slip is pointed out, and it is saved', async (typed, isWarned) => {
  await openForm('/admission', { pages: 1 });
  fill('emergencyMobileNo', typed);
  expect(page().includes('Indian mobile numbers start with 6, 7, 8 or 9. Check this one.')).toBe(isWarned);
  saveAndNext();
  await expectPage('/admission1');
});

test('B29 a PIN code offers city and state, and never overwrites what was typed', async () => {
  await openForm('/admission');
  fill('currentPinCode', '380001');
  await waitFor(() => expect(findPressable('Use Ahmedabad, Gujarat')).toBeDefined());
  press('Use Ahmedabad, Gujarat');
  expect(field('currentCity').value).toBe('Ahmedabad');
  expect(field('currentState').value).toBe('Gujarat');
  fill('currentCity', 'Amdavad');
  fill('currentState', '');
  fill('currentPinCode', '395009');
  press('Use Gujarat');
  expect(field('currentCity').value).toBe('Amdavad');
  expect(field('currentState').value).toBe('Gujarat');
});

test('B30 a child younger than its grade asks for gets a calm note, and the page is saved', async () => {
  const note = 'Children in Grade 1 are usually 6 years or older on 1 Jun 2026.';
  await openForm('/admission', { pages: 1, inquiry: { birthDate: '2020-06-01' } });
  expect(page()).not.toContain(note);
  await openForm('/admission', { pages: 1, inquiry: { birthDate: '2020-07-01' } });
  expect(page()).toContain(note);
  expect(facts('Birth Date')).toEqual(['1 Jul 2020']);
  saveAndNext();
  await expectPage('/admission1');
});

test('RA16 an odd PIN code is pointed out in India alone, and saved', async () => {
  const server = await openForm('/admission', { pages: 1 });
  const warning = 'Indian PIN codes have 6 digits. Check this one.';
  fill('currentPinCode', '0123');
  expect(page()).toContain(warning);
  fill('currentCountry', 'Kenya');
  expect(page()).not.toContain(warning);
  fill('currentCountry', 'India');
  saveAndNext();
  await expectPage('/admission1');
  expect(savesOf(server)).toMatchObject([{ fields: { currentPinCode: '0123' } }]);
});

test('E3 a name with markup is shown as the letters it is', async () => {
  const name = '<img src=x onerror=alert(1)>';
  await openForm('/admission', { inquiry: { firstName: name } });
  expect(facts('First Name')).toEqual([name]);
  expect(document.querySelector('img[src=x]')).toBeNull();
});

test('RA8 "Something wrong here?" tells the school about a locked value, from beside it', async () => {
  const message = 'The school has your message and will reply to you.';
  const tell = 'POST /api/admission/message-to-school';
  const server = await openForm('/admission', { answers: { [tell]: { isSuccess: true, ...says(message) } } });
  press('Something wrong here? Tell the school');
  const find = () => document.querySelector('dialog[aria-label="Tell the school"]');
  await waitFor(() => expect(find()?.hasAttribute('open')).toBe(true));
  const dialog = find() ?? document.body;
  press('Send to the school', dialog);
  await waitFor(() => expect(document.activeElement).toBe(field('messageText')));
  expect(summary()).toBeUndefined();
  expect(problemBeside('messageText')).toBe('Answer this question.');
  fill('messageText', 'She was born on the 13th.');
  press('Send to the school', dialog);
  await waitFor(() => expect(page()).toContain(message));
  expect(dialog.hasAttribute('open')).toBe(false);
  expect(server.sent.filter(({ path }) => path.endsWith('message-to-school'))).toMatchObject([
    { fields: { about: 'Basic details', messageText: 'She was born on the 13th.' } },
  ]);
  await expectPage('/admission');
});

test('B24 consent is withdrawn on the first page, which then asks for it again', async () => {
  const withdraw = 'POST /api/admission/consent/withdraw';
  const server = await openForm('/admission', { pages: 1 });
  server.answers[withdraw] = () => {
    server.answers['GET /api/admission/inquiry'] = [{ ...inquiry, isConsentRequired: true }];
    return { isSuccess: true, ...says('Your consent is withdrawn.'), data: { isRequired: true, consent: null } };
  };
  fireEvent(pressable('Your consent').closest('details') ?? document.body, new Event('toggle'));
  await waitFor(() => expect(findPressable('Withdraw consent')).toBeDefined());
  press('Withdraw consent');
  press('Withdraw');
  await waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Before you begin'));
  expect(summary()).toBeUndefined();
});

test('B24 before the form stands the notice; every step leads there until a parent agrees', async () => {
  const server = await openForm('/admission3', { inquiry: { isConsentRequired: true } });
  server.answers['POST /api/admission/consent'] = () => {
    server.answers['GET /api/admission/inquiry'] = [inquiry];
    return { isSuccess: true, message: '', data: { isRequired: false, consent: null } };
  };
  await waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('Before you begin'));
  expect(whereWeAre()).toBe('/admission');
  expect(page()).toContain('Data Protection Board of India');

  press('Agree and open the form');
  await expectProblems({
    consentName: 'Your full name is required.',
    consentRelation: 'Your relation to the child is required.',
    isParentOrGuardian: 'Tick this box to continue.',
    isAgreed: 'Tick “I agree” to fill in the form here.',
  });
  fill('consentName', 'Bhavna Modi');
  choose('consentRelation', 'Mother');
  setChecked('isParentOrGuardian', true);
  setChecked('isAgreed', true);
  press('Agree and open the form');
  await expectPage('/admission');
  expect(server.sent.filter(({ path }) => path === '/api/admission/consent')).toMatchObject([
    { fields: { consentName: 'Bhavna Modi', consentRelation: 'Mother', language: 'en', noticeVersion: '2026-11-24' } },
  ]);
});

test('B24 who does not agree is shown the way to the paper form, and nothing is sent', async () => {
  const server = await openForm('/admission', { inquiry: { isConsentRequired: true } });
  await waitFor(() => expect(findPressable('I do not agree')).toBeDefined());
  press('I do not agree');
  expect(document.querySelector('h1')?.textContent).toBe('You can apply on paper');
  expect(document.querySelector('.lead a[href="tel:02612221100"]')).not.toBeNull();
  expect(document.querySelector('.lead a[href="mailto:office@test-school.example"]')).not.toBeNull();
  press('Read the notice again');
  expect(document.querySelector('h1')?.textContent).toBe('Before you begin');
  expect(server.sent.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('RA45 a school that is away is said calmly, and the page opens once it is back', async () => {
  hideErrors();
  const server = await openForm('/admission', { pages: 1 });
  const answer = server.answers['GET /api/admission/inquiry'];
  server.answers['GET /api/admission/inquiry'] = undefined;
  await visit('/admission');
  await waitFor(() => expect(page()).toContain('No connection. Your answers are still here. Try again.'), {
    timeout: 5000,
  });
  server.answers['GET /api/admission/inquiry'] = answer;
  press('Try again');
  await expectPage('/admission');
});
