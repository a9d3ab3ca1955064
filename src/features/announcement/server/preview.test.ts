import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { people, write } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { announcementApi } from '../contract/announcement.ts';
import { testTemplates } from './preview.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  office = await school.person({ sets: ['office'] });
});
afterAll(() => school.close());

test('an author reads a message as a chosen guardian gets it, her language first, and sends it to the own address', async () => {
  const section = await openSection(school, { day: `'${today}'` });
  const parents: number[] = [];
  for (const name of ['Aarohi', 'Bina']) {
    const child = await seat(school, section, name, { joinedOn: addDays(today, -9) });
    parents.push(await raise(school, [child], { firstName: `Parent${name}` }));
  }
  await school.sql(
    `insert into guardian_preference (guardian_id, language, set_by) values (${parents[1]}, 'gu', 'School')`,
  );
  const { id } = await write(school, office, [people('Section', section)]);
  const asked = { id: String(id) };
  const offered = await office.call(announcementApi.guardians, { announcementId: String(id), search: 'ParentBina' });
  expect(offered).toMatchObject([{ id: parents[1], detail: 'Bina' }]);

  expect((await office.call(announcementApi.preview, asked))[0]?.email).toContain('Aarohi');
  const [hers] = await office.call(announcementApi.preview, { ...asked, guardianId: String(parents[1]) });
  expect(hers).toMatchObject({ language: 'gu', email: expect.stringContaining('Bina') });

  const { to } = await office.call(announcementApi.test, { id, guardianId: parents[1] ?? null, language: 'gu' });
  expect(to).toBe(office.email);
  const [queued] = await school.sql(`select recipient, subject_id from outbox where template = 'announcement.test'`);
  expect(queued?.recipient).toBe(office.email);
  const [template] = Object.values(testTemplates);
  const sent = template && (await render(school.services, template, Number(queued?.subject_id)));
  expect(sent?.subject).toMatch(/^TEST: /);
  expect(sent?.text).toContain('Bina');
  // The link in a test opens no page.
  const [, value] = /family=([0-9a-f]{32})/.exec(sent?.text ?? '') ?? [];
  expect((await school.send({ url: `/api/family?family=${value}` })).status).toBe(404);

  // A stranger to the people of it is no reader of the preview.
  const other = await raise(
    school,
    [await seat(school, await openSection(school, { day: `'${today}'` }), 'Dev', { joinedOn: addDays(today, -9) })],
    { firstName: 'Other' },
  );
  expect(await office.call(announcementApi.preview, { ...asked, guardianId: String(other) })).toEqual([]);
});
