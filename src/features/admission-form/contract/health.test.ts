import { expect, test } from 'vitest';
import { educationAnswers, healthAnswers } from '#database/seed/answers.ts';
import { healthQuestions } from '#features/student/contract/health-questions.ts';
import { messagesOf } from '#testing/messages.ts';
import { educationDraft } from './education.ts';
import { healthDraft } from './health.ts';

const messages = (over: object) => messagesOf(healthDraft, { ...healthAnswers, ...over });

test('all answers No are in order', () => expect(messages({})).toEqual({}));

test('S086 there are twelve questions', () => expect(healthQuestions).toHaveLength(12));

test.each(healthQuestions.map(({ name }) => name))('S086 %s must be answered', (name) => {
  for (const nothing of ['', null, undefined])
    expect(messages({ [name]: nothing })).toEqual({ [name]: 'Answer this question.' });
});

const opening = [
  [
    'S087',
    'isChronicIllnessInjurySurgery',
    ['chronicIllnessInjurySurgeryDescription', 'chronicIllnessTreatmentBySchool'],
  ],
  ['S088', 'isSufferingFromAllergies', ['allergiesDescription', 'allergiesTreatmentBySchool']],
  ['S089', 'isUnderMedicalCareOrRegularMedication', ['medicalCareOrRegularMedicationDescription']],
  ['S090', 'isPhysicalDisability', ['physicalDisabilityDescription']],
  ['S091', 'isRestrictedPhysicalActivity', ['restrictedPhysicalActivityDescription']],
  ['S092', 'isDevelopmentalSeverelyDelay', ['developmentalSeverelyDelayDescription']],
  ['S093', 'isADHDOrSimilarCondition', ['adhdOrSimilarConditionDescription']],
  ['S094', 'isRecommendedToPsychiatristOrSpecialist', ['psychiatristOrSpecialistDescription']],
  ['S095', 'isSpecialNeeds', ['specialNeedsDescription']],
  ['S096', 'isRecommendedForSpecialNeedsProgram', ['specialNeedsProgramDescription']],
  ['S101', 'isEverExpelledFromSchool', []],
] as const;

test.each(opening)('%s RA33 a Yes to %s requires what it opens, a No does not', (_id, name, boxes) => {
  expect(messages({ [name]: 'true' })).toEqual(
    Object.fromEntries(boxes.map((box) => [box, 'Fill this in, or answer No above.'])),
  );
  expect(messages({ [name]: 'true', ...Object.fromEntries(boxes.map((box) => [box, 'Peanuts'])) })).toEqual({});
  expect(messages({ [name]: 'false' })).toEqual({});
});

test.each(healthQuestions.flatMap(({ name, opens }) => opens.map((box) => [name, box.name, box.max] as const)))(
  'S097 S098 %s: %s takes %i characters and not one more',
  (question, box, max) => {
    expect(max).toBe(box === 'adhdOrSimilarConditionDescription' ? 100 : 1000);
    const others = Object.fromEntries(healthQuestions.flatMap(({ opens }) => opens.map(({ name }) => [name, 'x'])));
    expect(messages({ ...others, [question]: 'true', [box]: 'x'.repeat(max) })).toEqual({});
    expect(Object.keys(messages({ ...others, [question]: 'true', [box]: 'x'.repeat(max + 1) }))).toEqual([box]);
  },
);

test.each([
  ['S085', 'childPersonalityAndHomeRoutine', 1000],
  ['S102', 'dailyElectronicDevicesUsageTime', 100],
  ['S103', 'programsWatchedOrGamesPlayedName', 500],
])('%s %s is required and takes %i characters', (_id, name, max) => {
  expect(Object.keys(messages({ [name]: ' ' }))).toEqual([name]);
  expect(messages({ [name]: 'x'.repeat(max) })).toEqual({});
  expect(Object.keys(messages({ [name]: 'x'.repeat(max + 1) }))).toEqual([name]);
});

test('S085 characters are counted as a reader counts them, and a line break is one', () => {
  expect(messages({ childPersonalityAndHomeRoutine: '👧'.repeat(1000) })).toEqual({});
  expect(messages({ childPersonalityAndHomeRoutine: `a${'\r\n'.repeat(998)}b` })).toEqual({});
});

test.each([
  ['fromGrade', 'From Grade is required.', 50],
  ['toGrade', 'To Grade is required.', 50],
  ['boardName', 'Board is required.', 100],
  ['schoolName', 'School is required.', 300],
  ['city', 'City is required.', 100],
])('S104 %s of a previous school: %s, at most %i characters', (name, message, max) => {
  const said = (value: string) => messagesOf(educationDraft, { ...educationAnswers, [name]: value });
  expect(said('')).toEqual({ [name]: message });
  expect(said('x'.repeat(max))).toEqual({});
  expect(Object.keys(said('x'.repeat(max + 1)))).toEqual([name]);
});
