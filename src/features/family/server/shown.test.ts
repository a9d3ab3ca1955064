import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkValueOf, openFamilyPage } from '#testing/family.ts';
import { openSchool, type School } from '#testing/school.ts';
import { saveSetting } from '#testing/settings.ts';
import { linkDays } from './settings.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('the setting says for how long a link works', async () => {
  const { guardianId } = await openFamilyPage(school);
  await saveSetting(school, linkDays, 30);
  await linkValueOf(school, guardianId);
  expect(
    await school.sql(`select expires_at between now() + interval '29 days' and now() + interval '31 days' as "isMonth"
      from family_link where guardian_id = ${guardianId}`),
  ).toEqual([{ isMonth: true }]);
});
