import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { schoolApi } from '../contract/school.ts';
import { schoolWordsApi } from '../contract/school-words.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin' });
});
afterAll(() => school.close());

const ofHindi = async () => {
  const { rows } = await admin.call(schoolWordsApi.list, {});
  const row = rows.find(({ language }) => language === 'hi');
  if (!row) throw new Error('No Hindi');
  return row;
};
const read = async () => (await admin.call(schoolApi.appConfiguration, {})).words.hi;

test('families read what the school wrote in their language, until the English changes', async () => {
  const words = { hours: 'सोमवार से शुक्रवार', hospitalText: 'बच्चे को अस्पताल ले जाते हैं।' };
  const first = await ofHindi();
  await admin.call(schoolWordsApi.save, { language: 'hi', ...words, rowVersion: String(first.rowVersion) });
  expect(await read()).toEqual({ officeHours: words.hours, hospitalText: words.hospitalText });
  expect(await ofHindi()).toMatchObject({ ...words, isMissing: false, isOld: false });

  await school.sql(`update academic_school set hospital_text = 'The school calls a doctor.'`);
  // A parent must not agree to what the school no longer says.
  expect(await read()).toEqual({ officeHours: words.hours, hospitalText: '' });
  const old = await ofHindi();
  expect(old).toMatchObject({ isOld: true, english: { hospitalText: 'The school calls a doctor.' } });

  await admin.call(schoolWordsApi.save, { language: 'hi', ...words, rowVersion: String(old.rowVersion) });
  expect((await read())?.hospitalText).toBe(words.hospitalText);
  expect(await ofHindi()).toMatchObject({ isOld: false });
});

test('of two people who enter the texts of a language at once the second one is refused', async () => {
  const { rowVersion } = await ofHindi();
  const save = (hours: string) =>
    admin.call(schoolWordsApi.save, { language: 'hi', hours, hospitalText: '', rowVersion: String(rowVersion) });
  await save('एक');
  await expect(save('दो')).rejects.toThrow();
  const { hours, isMissing } = await ofHindi();
  expect([hours, isMissing]).toEqual(['एक', true]);
});
