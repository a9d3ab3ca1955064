import { describe, expect, test } from 'vitest';
import { additionalInfoAnswers, languageAnswers } from '#database/seed/answers.ts';
import { english } from '#kit/contract/text.ts';
import { refusal } from '#kit/contract/uploads.ts';
import { messagesOf } from '#testing/messages.ts';
import { additionalInfoDraft } from './additional-info.ts';
import { documentDraft, documentFile, documentNames } from './document.ts';
import { languageDraft, languages, schoolLanguages } from './language.ts';

const contacts = (over: object) => messagesOf(additionalInfoDraft, { ...additionalInfoAnswers, ...over });
const language = (over: object) => messagesOf(languageDraft, { ...languageAnswers, ...over });
const document = (over: object) => messagesOf(documentDraft, { documentName: 'Birth Certificate', ...over });

describe.each([1, 2])('emergency contact %i', (number) => {
  test.each([
    ['FirstName', 'First Name is required.'],
    ['LastName', 'Last Name is required.'],
    ['MobileNo', 'Mobile No is required'],
    ['Relationship', 'Relationship with the child is required.'],
  ])('S109 needs %s', (part, message) => {
    const name = `emergencyContact${number}${part}`;
    expect(contacts({ [name]: '' })).toEqual({ [name]: message });
  });
  test.each(['FirstName', 'LastName', 'Relationship'])('S110 %s takes 50 characters and not one more', (part) => {
    const name = `emergencyContact${number}${part}`;
    expect(contacts({ [name]: 'x'.repeat(50) })).toEqual({});
    expect(Object.keys(contacts({ [name]: 'x'.repeat(51) }))).toEqual([name]);
  });
  test('S111 has a mobile number of ten digits', () => {
    const name = `emergencyContact${number}MobileNo`;
    for (const mobile of ['982503333', '98250333331', 'number'])
      expect(contacts({ [name]: mobile })).toEqual({ [name]: 'Mobile No is not valid.' });
  });
});

test.each([
  ['S112', 'timeSpentWithChildFather', 'Father is required.'],
  ['S112', 'timeSpentWithChildMother', 'Mother is required.'],
  ['S113', 'parentingBeliefAndPhilosophy', 'Answer this question.'],
  ['S113', 'reasonsForAdmission', 'Answer this question.'],
])('%s %s is required and takes 1000 characters', (_id, name, message) => {
  expect(contacts({ [name]: '' })).toEqual({ [name]: message });
  expect(contacts({ [name]: 'x'.repeat(1000) })).toEqual({});
  expect(Object.keys(contacts({ [name]: 'x'.repeat(1001) }))).toEqual([name]);
});

test('RA9 the time of a parent whom the school has waived is not asked for', () => {
  expect(contacts({ timeSpentWithChildFather: '', detailsNotApplicable: ['father'] })).toEqual({});
});

test('RA35 the medical authorization may stay unticked', () =>
  expect(contacts({ isMedicalEmergencyAuthorized: false })).toEqual({}));

test.each([
  ['primaryLangatHome', 'Primary Language is required.'],
  ['otherLangChildKnow', 'Other Language is required.'],
  ['isChildFluentInEnglish', 'Learner Of English Language is required.'],
  ['childStudyLangPreferance', 'Child Studies English Language is required.'],
  ['langPreferanceWithSchool', 'School Communication Language is required.'],
  ['isChildHaveReplacedLang', 'Family (your parents or grandparents) speak Language is required.'],
])('S115 %s must be answered', (name, message) => expect(language({ [name]: '' })).toEqual({ [name]: message }));

test('S116 S117 the languages are those of the specification, in its order', () => {
  expect(languages.join()).toBe(
    'Gujarati,Hindi,Marwadi,Sindhi,Marathi,Tamil,Telugu,Bengali,Malayalam,Punjabi,Urdu,English,Tulu,Kannada,Other',
  );
  expect(schoolLanguages).toEqual(['Gujarati', 'Hindi', 'English']);
  expect(language({ primaryLangatHome: 'Klingon' })).toEqual({ primaryLangatHome: 'Primary Language is not valid.' });
  expect(language({ childStudyLangPreferance: 'Tamil' })).toEqual({
    childStudyLangPreferance: 'Child Studies English Language is not valid.',
  });
});

test('S118 a replaced language is named, and only then', () => {
  expect(language({ isChildHaveReplacedLang: true })).toEqual({
    repalcedLangOfChild: 'Specify the Language is Required',
  });
  expect(language({ isChildHaveReplacedLang: true, repalcedLangOfChild: 'Sindhi' })).toEqual({});
  expect(language({ isChildHaveReplacedLang: false })).toEqual({});
});

test('S119 several languages are one comma-joined text of known ones', () => {
  expect(
    languageDraft.safeParse({ ...languageAnswers, otherLangChildKnow: ' Hindi , English,' }).data?.otherLangChildKnow,
  ).toBe('Hindi,English');
  expect(language({ otherLangChildKnow: 'Hindi,Elvish' })).toEqual({
    otherLangChildKnow: 'Other Language is not valid.',
  });
  expect(language({ otherLangChildKnow: 'Hindi,Hindi' })).toEqual({
    otherLangChildKnow: 'Other Language is not valid.',
  });
});

test('S120 S121 a document has one of four names', () => {
  expect(documentNames).toEqual(['Birth Certificate', 'Aadhar Card', 'No Due Certificate', 'Other']);
  expect(document({ documentName: '' })).toEqual({ documentName: 'Document Name is Required' });
});

test('S122 another document is described, in at most 1000 characters', () => {
  const other = { documentName: 'Other' };
  expect(document(other)).toEqual({ otherDocumentDescription: 'Description is Required' });
  expect(document({ ...other, otherDocumentDescription: 'x'.repeat(1000) })).toEqual({});
  expect(Object.keys(document({ ...other, otherDocumentDescription: 'x'.repeat(1001) }))).toEqual([
    'otherDocumentDescription',
  ]);
});

test('S124 S125 RA19 a document is jpeg, jpg, png or pdf of at most 4 MB', () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
  const refusalFor = (head: Uint8Array, size = 1000) => {
    const refused = refusal(documentFile, { size, head });
    return refused && english(refused);
  };
  expect(refusalFor(new TextEncoder().encode('%PDF-'))).toBeUndefined();
  for (const head of ['GIF8', 'PK']) expect(refusalFor(new TextEncoder().encode(head))).toBe('File select valid file');
  expect(refusalFor(png, 4 * 1024 * 1024)).toBeUndefined();
  expect(refusalFor(png, 4 * 1024 * 1024 + 1)).toBe('File select up 4 Mb file');
});
