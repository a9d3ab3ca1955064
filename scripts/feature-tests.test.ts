import { expect, test } from 'vitest';
import { chooseTests, featureNames } from './feature-tests.ts';

test('the tests of a feature are those of its folder and the walk of the access matrix', () => {
  const { unit } = chooseTests('tag');
  expect(unit).toContain('src/features/tag/server/tag.test.ts');
  expect(unit).toContain('src/app/matrix.test.ts');
  expect(unit.filter((file) => file.startsWith('src/features/skill/'))).toEqual([]);
});

test('a test elsewhere runs with the feature whose id it alone proves', () => {
  expect(chooseTests('school').unit).toContain('src/features/student/server/enrolment/promotion-list.test.ts');
  expect(chooseTests('tag').unit).not.toContain('src/features/student/server/enrolment/promotion-list.test.ts');
});

test('an id that is the end of another one is not taken for it', () => {
  expect(chooseTests('admission-form').unit).not.toContain('src/app/http-hardening.test.ts'); // SB10 there, B10 here.
});

test('the features are the folders in src/features', () => {
  expect(featureNames()).toEqual(expect.arrayContaining(['admission-form', 'student', 'tag']));
});
