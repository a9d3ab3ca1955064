import { describe, expect, test } from 'vitest';
import { basicInfoAnswers } from '#database/seed/answers.ts';
import { english } from '#kit/contract/text.ts';
import { refusal } from '#kit/contract/uploads.ts';
import { messagesOf } from '#testing/messages.ts';
import { addressParts, basicInfoDraft, bloodGroups, childPhoto, foodOptions } from './basic-info.ts';

const messages = (over: object) => messagesOf(basicInfoDraft, { ...basicInfoAnswers, ...over });
const long = (length: number) => 'क'.repeat(length);

test('the usual answers are in order', () => expect(messages({})).toEqual({}));

test.each([
  ['S021', 'firstName', 'First Name is required.'],
  ['S022', 'lastName', 'Last Name is required.'],
  ['S023', 'birthDate', 'Birth Date is required.'],
  ['S024', 'bloodGroup', 'Blood Group is required.'],
  ['S025', 'aadharCardNo', 'Aadhar Card No is required.'],
  ['S027', 'nationality', 'Nationality is required.'],
  ['S028', 'caste', 'Caste is required.'],
  ['S029', 'subCaste', 'Sub Caste is required.'],
  ['S030', 'religion', 'Religion is required.'],
  ['S031', 'emergencyMobileNo', 'Emergency (Mobile) Number is required'],
  ['S033', 'foodOption', 'Food Option is required.'],
  ['S034', 'isTransportServiceOpted', 'Transport Service is required.'],
  ['S035', 'studentUID', 'Student UID is required.'],
  ['S036', 'schoolDISECode', 'School DISE Code is required.'],
  ['S038', 'currentStreetNo', 'Street No is required.'],
  ['S038', 'currentAddress1', 'Address 1 is required.'],
  ['S038', 'currentAddress2', 'Address 2 is required.'],
  ['S038', 'currentCity', 'City is required.'],
  ['S038', 'currentState', 'State is required.'],
  ['S038', 'currentCountry', 'Country is required.'],
  ['S038', 'currentPinCode', 'Pin Code is required.'],
])('%s %s must not be empty, missing, blank or null', (_id, name, message) => {
  for (const nothing of ['', undefined, '   ', null])
    expect(messages({ [name]: nothing })).toEqual({ [name]: message });
});

test.each([
  ['S026', 'aadharCardNo', 100],
  ['S039 RA18', 'currentStreetNo', 12],
  ['S041', 'currentAddress1', 200],
  ['S041', 'currentAddress2', 200],
  ['S042', 'currentCity', 100],
  ['S042', 'currentState', 100],
  ['S042', 'currentCountry', 100],
  ['S043', 'currentPinCode', 10],
  ['F1', 'firstName', 50],
  ['F1', 'nationality', 50],
  ['F1', 'studentUID', 20],
  ['F1', 'schoolDISECode', 20],
])('%s %s takes this many characters and not one more: %i', (_id, name, max) => {
  expect(messages({ [name]: long(max) })).toEqual({});
  expect(Object.keys(messages({ [name]: long(max + 1) }))).toEqual([name]);
});

test.each([
  ['S040 RA18', 'permanentStreetNo', 20],
  ['S041', 'permanentAddress1', 200],
  ['S042', 'permanentCity', 100],
  ['S043', 'permanentPinCode', 10],
])('%s %s of the permanent address takes %i characters', (_id, name, max) => {
  const unticked = { sameAsPresentAddress: 'false' };
  expect(messages({ ...unticked, [name]: long(max) })).toEqual({});
  expect(Object.keys(messages({ ...unticked, [name]: long(max + 1) }))).toEqual([name]);
});

test('S024 RA13 the blood groups are exactly eight', () => {
  expect(bloodGroups).toEqual(['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-']);
  expect(messages({ bloodGroup: 'C+' })).toEqual({ bloodGroup: 'Blood Group is not valid.' });
});

test('S033 the food options read as the specification has them', () => {
  expect(foodOptions).toEqual(['Veg. Food', 'Jain. Food']);
});

describe('S032 the emergency number', () => {
  test.each(['982501234', '98250123456', '98250abcde', '98250 1234', '+1 98250 12345'])(
    'S032 %s is not valid',
    (value) =>
      expect(messages({ emergencyMobileNo: value })).toEqual({
        emergencyMobileNo: 'Emergency (Mobile) Number is not valid.',
      }),
  );
  test.each([
    '9825012345',
    ' +91 98765-43210 ',
    '098765-43210',
    '91 98765 43210',
    '(98765) 43210',
    '०९८२५०१२३४५',
    '1234567890',
  ])('S032 B28 RA15 %s is taken as ten digits', (value) => expect(messages({ emergencyMobileNo: value })).toEqual({}));
});

test('S046 S047 unticked, each part of the permanent address is required; ticked, none is', () => {
  const nothing = Object.fromEntries(addressParts.map((part) => [`permanent${part}`, '']));
  expect(messages({ ...nothing, sameAsPresentAddress: 'true' })).toEqual({});
  expect(messages({ ...nothing, sameAsPresentAddress: 'false' })).toEqual({
    permanentStreetNo: 'Permanent Street No is required.',
    permanentAddress1: 'Permanent Address 1 is required.',
    permanentAddress2: 'Permanent Address 2 is required.',
    permanentCity: 'Permanent City is required.',
    permanentState: 'Permanent State is required.',
    permanentCountry: 'Permanent Country is required.',
    permanentPinCode: 'Permanent Pin Code is required.',
  });
});

test('one missing answer does not hide what the others lack', () => {
  expect(Object.keys(messages({ firstName: '', sameAsPresentAddress: 'false', permanentCity: '' }))).toEqual([
    'firstName',
    'permanentCity',
  ]);
});

test.each(['Applied for', '1234/12345/12345', 'K1234567', '123456789012'])(
  'RA10 %s is accepted as an identity number',
  (value) => expect(messages({ aadharCardNo: value })).toEqual({}),
);

test('RA14 caste and religion accept "Prefer not to say"', () => {
  const refused = 'Prefer not to say';
  expect(messages({ caste: refused, subCaste: refused, religion: refused })).toEqual({});
});

test('B26 RA12 "NA" is accepted for both numbers of a child who has not been to a school', () => {
  expect(messages({ studentUID: 'NA', schoolDISECode: 'NA' })).toEqual({});
});

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
const limit = 2 * 1024 * 1024;

test('S050 S051 RA19 RA21 the photo may be png, jpg or jpeg of at most 2 MB, and says so otherwise', () => {
  const refusalFor = (head: Uint8Array, size = 1000) => {
    const refused = refusal(childPhoto, { size, head });
    return refused && english(refused);
  };
  expect(refusalFor(png)).toBeUndefined();
  expect(refusalFor(new Uint8Array([0xff, 0xd8, 0xff]))).toBeUndefined();
  for (const head of ['GIF8', '%PDF-', 'RIFF', '', 'png'])
    expect(refusalFor(new TextEncoder().encode(head))).toBe('Select a PNG, JPG or JPEG picture.');
  expect(refusalFor(png, limit)).toBeUndefined();
  expect(refusalFor(png, limit + 1)).toBe('File size exceeds 2MB');
});
