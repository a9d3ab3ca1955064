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

test('a phone puts the page on its home screen under the school’s name, without a link in it', async () => {
  await school.sql(`update academic_school set name = 'Sunrise International School of Surat'`);
  const { status, headers, text } = await school.send({ url: '/api/family/manifest' });
  expect([status, headers['content-type']]).toEqual([200, 'application/manifest+json']);
  const own = JSON.parse(text);
  expect(own).toMatchObject({
    name: 'Sunrise International School of Surat',
    short_name: 'Sunrise',
    start_url: '/family',
    display: 'standalone',
  });
  for (const { src } of own.icons) expect((await school.send({ url: src })).status).toBe(200);
});
