import { describe, expect, test } from 'vitest';
import { parentInfoAnswers } from '#database/seed/answers.ts';
import { english } from '#kit/contract/text.ts';
import { refusal, type UploadRule } from '#kit/contract/uploads.ts';
import { messagesOf } from '#testing/messages.ts';
import {
  absenceReasons,
  adoptionDocument,
  divorceDocument,
  familyPhoto,
  internshipAnswers,
  occupations,
  parentInfoDraft,
} from './parent-info.ts';

const answers = parentInfoAnswers(1, 2);
const messages = (over: object) => messagesOf(parentInfoDraft, { ...answers, ...over });
const parents = ['father', 'mother'] as const;

test('the usual answers are in order', () => expect(messages({})).toEqual({}));

describe.each(parents)('the %s', (who) => {
  test.each([
    ['S055', 'FirstName', 'First Name is required.'],
    ['S055', 'LastName', 'Last Name is required.'],
    ['S056', 'MobileNo', 'Mobile No is required'],
    ['S057', 'EmailID', 'Email ID is required.'],
    ['S058', 'BirthDate', 'Birth Date is required.'],
    ['S059', 'Qualification', 'Qualification is required.'],
    ['S060', 'OccupationOrganization', 'Organization is required.'],
    ['S061', 'OccupationDtl', 'Occupational Profile is required.'],
    ['S062', 'Hobbies', 'Hobbies is required.'],
    ['S063', 'Occupation', 'Employment Status is required.'],
    ['S064', 'CanOfferInternship', 'Internship answer is required.'],
    ['S065', 'CanVisitWorkplace', 'Field trip answer is required.'],
  ])('%s must give %s', (_id, part, message) => {
    expect(messages({ [`${who}${part}`]: '' })).toEqual({ [`${who}${part}`]: message });
  });

  test.each([
    ['S055', 'FirstName', 50],
    ['S055', 'LastName', 50],
    ['S059', 'Qualification', 100],
    ['S060', 'OccupationOrganization', 100],
    ['S061', 'OccupationDtl', 500],
    ['S062', 'Hobbies', 100],
    ['RA29', 'WorkplaceInfo', 1000],
  ])('%s %s takes %i characters and not one more', (_id, part, max) => {
    expect(messages({ [`${who}${part}`]: 'x'.repeat(max) })).toEqual({});
    expect(Object.keys(messages({ [`${who}${part}`]: 'x'.repeat(max + 1) }))).toEqual([`${who}${part}`]);
  });

  test('S056 a mobile number has ten digits', () => {
    expect(messages({ [`${who}MobileNo`]: '98250' })).toEqual({ [`${who}MobileNo`]: 'Mobile No is not valid.' });
  });

  test.each(['nobody', 'a@b', '@family.example', 'a b@family.example', 'a@family.'])(
    'S057 %s is not a valid email address',
    (value) => {
      expect(messages({ [`${who}EmailID`]: value })).toEqual({ [`${who}EmailID`]: 'Email ID is not valid.' });
    },
  );

  test('S066 S067 S068 sector and specialty are required unless the parent is a homemaker', () => {
    const noCareer = { [`${who}CareerClusterID`]: '', [`${who}CareePathwayID`]: '' };
    expect(messages({ ...noCareer, [`${who}Occupation`]: 'Service/Job' })).toEqual({
      [`${who}CareerClusterID`]: 'Which sector do you work with is  Required',
      [`${who}CareePathwayID`]: 'Choose the specialty closest to your work is  Required',
    });
    expect(messages({ ...noCareer, [`${who}Occupation`]: 'Homemaker' })).toEqual({});
  });

  test('RA9 a waived parent needs no details', () => {
    const nothing = Object.fromEntries(
      Object.keys(answers)
        .filter((name) => name.startsWith(who))
        .map((name) => [name, '']),
    );
    expect(Object.keys(messages(nothing)).length).toBeGreaterThan(10);
    expect(messages({ ...nothing, detailsNotApplicable: [who] })).toEqual({});
  });
});

describe.each([
  ['father', 'hasNoFather', 'noFatherReason'],
  ['mother', 'hasNoMother', 'noMotherReason'],
])('a %s who cannot be named', (who, tick, reason) => {
  const nothing = Object.fromEntries(
    Object.keys(answers)
      .filter((name) => name.startsWith(who))
      .map((name) => [name, '']),
  );

  test('needs a reason of the list and nothing else', () => {
    expect(messages({ ...nothing, [tick]: true })).toEqual({ [reason]: 'Choose one from the list.' });
    expect(Object.keys(messages({ ...nothing, [tick]: true, [reason]: 'Abroad' }))).toEqual([reason]);
    for (const given of absenceReasons) expect(messages({ ...nothing, [tick]: true, [reason]: given })).toEqual({});
  });

  test('is required again without the tick, whatever the reason says', () => {
    expect(Object.keys(messages({ ...nothing, [reason]: 'Not alive' })).length).toBeGreaterThan(10);
  });
});

test('with neither parent named a guardian is needed', () => {
  const nobody = { hasNoFather: true, noFatherReason: 'Not alive', hasNoMother: true, noMotherReason: 'Not alive' };
  expect(messages(nobody)).toEqual({
    isParentLocalGuardian: 'Answer No and name a guardian: no parent is named above.',
  });
});

test('S058 F6 a birth date is a real day of the past, and says which part is missing', () => {
  const said = (fatherBirthDate: string) => messages({ fatherBirthDate }).fatherBirthDate;
  expect(said('1988--04')).toBe('Enter the day, month and year.');
  expect(said('-07-04')).toBe('Enter the day, month and year.');
  expect(said('1988-07-')).toBe('Enter the day, month and year.');
  for (const unreal of ['1989-02-29', '1988-13-01', '1988-00-10', '88-07-04', 'long ago', '1899-12-31']) {
    expect(said(unreal)).toBe('Enter a valid date, such as 21-11-2026.');
  }
  expect(said('1988-02-29')).toBeUndefined();
  expect(said('2999-01-01')).toBe('Enter a date in the past.');
});

test('S063 S064 the choices are those of the specification', () => {
  expect(occupations).toEqual(['Service/Job', 'Business', 'Homemaker']);
  expect(internshipAnswers).toEqual(['Yes', 'No', 'May Be']);
});

describe('the guardian', () => {
  const away = { isParentLocalGuardian: 'false' };
  const guardian = {
    guardianFirstName: 'Ramesh',
    guardianLastName: 'Patel',
    guardianMobileNo: '9825055555',
    guardianEmailID: 'r@family.example',
    guardianChildLivingReason: 'Parents work abroad',
    guardianOccupation: 'Homemaker',
    guardianStreetNo: '1',
    guardianAddress1: 'Adajan',
    guardianCity: 'Surat',
    guardianState: 'Gujarat',
    guardianCountry: 'India',
    guardianPinCode: '395009',
  };

  test('S070 is not asked for when the parents are the local guardians', () => {
    expect(messages({ isParentLocalGuardian: 'true' })).toEqual({});
  });
  test('S071 RA28 is asked for when they are not', () => {
    expect(messages(away)).toEqual({
      guardianFirstName: 'First Name is required.',
      guardianLastName: 'Last Name is required.',
      guardianMobileNo: 'Mobile No is required',
      guardianEmailID: 'Email ID is required.',
      guardianChildLivingReason: 'Reason for living with the guardian is required.',
      guardianStreetNo: 'Street No is required.',
      guardianAddress1: 'Address 1 is required.',
      guardianCity: 'City is required.',
      guardianState: 'State is required.',
      guardianCountry: 'Country is required.',
      guardianPinCode: 'Pin Code is required.',
      guardianOccupation: 'Employment Status is required.',
    });
  });
  test('S072 RA28 may leave relationship and address 2 empty', () => {
    expect(messages({ ...away, ...guardian, guardianRelationwithChild: '', guardianAddress2: '' })).toEqual({});
  });
  test.each([
    ['RelationwithChild', 50],
    ['ChildLivingReason', 250],
    ['Address1', 200],
    ['Address2', 200],
    ['StreetNo', 20],
    ['PinCode', 10],
  ])('S073 %s takes %i characters and not one more', (part, max) => {
    const name = `guardian${part}`;
    expect(messages({ ...away, ...guardian, [name]: 'x'.repeat(max) })).toEqual({});
    expect(Object.keys(messages({ ...away, ...guardian, [name]: 'x'.repeat(max + 1) }))).toEqual([name]);
  });
  test('S073 has an email of at most 100 characters and a mobile of exactly ten digits', () => {
    const mail = (length: number) => `${'a'.repeat(50)}@${'b'.repeat(length - 51 - 8)}.example`;
    expect(messages({ ...away, ...guardian, guardianEmailID: mail(100) })).toEqual({});
    expect(Object.keys(messages({ ...away, ...guardian, guardianEmailID: mail(101) }))).toEqual(['guardianEmailID']);
    expect(messages({ ...away, ...guardian, guardianMobileNo: '982505555' })).toEqual({
      guardianMobileNo: 'Mobile No is not valid.',
    });
  });
  test('S074 names sector and specialty unless a homemaker', () => {
    expect(Object.keys(messages({ ...away, ...guardian, guardianOccupation: 'Business' }))).toEqual([
      'guardianCareerClusterID',
      'guardianCareePathwayID',
    ]);
  });
});

test('S079 S080 S081 RA23 the family photo may be a gif, the certificates may not, and none may pass 2 MB', () => {
  const refusalFor = (rule: UploadRule, candidate: Parameters<typeof refusal>[1]) => {
    const refused = refusal(rule, candidate);
    return refused && english(refused);
  };
  const gif = { size: 1000, head: new Uint8Array([0x47, 0x49, 0x46, 0x38]) };
  expect(refusalFor(familyPhoto, gif)).toBeUndefined();
  for (const rule of [divorceDocument, adoptionDocument]) {
    expect(refusalFor(rule, gif)).toBe('Select a PNG, JPG or JPEG picture.');
    expect(refusalFor(rule, { size: 1000, head: new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d]) })).toBe(
      'Select a PNG, JPG or JPEG picture.',
    );
  }
  for (const rule of [familyPhoto, divorceDocument, adoptionDocument]) {
    const png = { head: new Uint8Array([0x89, 0x50, 0x4e, 0x47]) };
    expect(refusalFor(rule, { ...png, size: 2 * 1024 * 1024 })).toBeUndefined();
    expect(refusalFor(rule, { ...png, size: 2 * 1024 * 1024 + 1 })).toBe('File size exceeds 2MB');
  }
});
