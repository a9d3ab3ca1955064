import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { people, write } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { announcementApi } from '../contract/announcement.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  office = await school.person({ sets: ['office'] });
});
afterAll(() => school.close());

/** A section whose children each have a guardian with this mobile number and no email. */
async function classOf(mobiles: readonly string[]) {
  const section = await openSection(school, { day: `'${today}'` });
  for (const [place, mobile] of mobiles.entries()) {
    const child = await seat(school, section, `Child${'abcdef'[place]}`, { joinedOn: addDays(today, -9) });
    const adult = await raise(school, [child], { firstName: `Adult${'abcdef'[place]}`, mobile });
    await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${adult}`);
  }
  return [people('Section', section)];
}

test('FM07 an announcement that reaches no guardian is refused with what messages would be, or goes only on the page', async () => {
  await school.sql(`insert into setting (key, value) values ('message.sms-paise', '20')`);
  const draft = await write(school, office, await classOf(['9825010001', '9825010002', '']), {
    sendsEmail: true,
    isPageOnly: false,
  });
  const refused = await office.call(announcementApi.publish, draft);
  expect(refused).toMatchObject({
    confirmToken: null,
    guardians: 3,
    emails: 0,
    texts: 0,
    instead: { emails: 0, texts: 2, parts: 2, paise: 40 },
  });
  const forced = await office.call(announcementApi.publish, { ...draft, confirmToken: 'made up' }).catch((e) => e.code);
  expect(forced).toBe('stale');
  expect(await office.call(announcementApi.read, { id: String(draft.id) })).toMatchObject({ state: 'Draft' });

  const byText = await office.call(announcementApi.publish, { ...draft, ways: 'Messages' });
  expect(byText).toMatchObject({
    texts: 2,
    parts: 2,
    paise: 40,
    unreached: 1,
    unreachedNames: ['Adultc Shah'],
    instead: null,
  });
  // The preview changed nothing: on the page only is another choice, and its token is not that of the messages.
  const onPage = await office.call(announcementApi.publish, { ...draft, ways: 'Only on the page' });
  const mixed = { ...draft, ways: 'Only on the page', confirmToken: byText.confirmToken ?? '' } as const;
  expect(await office.call(announcementApi.publish, mixed).catch((e) => e.code)).toBe('stale');
  const chosen = { ...draft, ways: 'Only on the page', confirmToken: onPage.confirmToken ?? '' } as const;
  expect(await office.call(announcementApi.publish, chosen)).toMatchObject({ state: 'Published', runId: null });
  expect(await office.call(announcementApi.read, { id: String(draft.id) })).toMatchObject({
    isPageOnly: true,
    sendsEmail: false,
    sendsSms: false,
  });
});

test('FM07 each text message is counted in the words and the language of its reader', async () => {
  const audience = await classOf(['9825010011', '9825010012']);
  await school.sql(`
    insert into guardian_preference (guardian_id, language, set_by)
    select id, 'gu', 'School' from guardian where mobile = '9825010012'`);
  const draft = await write(school, office, audience, { sendsEmail: true, sendsSms: true });
  const { texts, parts } = await office.call(announcementApi.publish, draft);
  expect([texts, parts]).toEqual([2, 3]);
});

test('a preview has the messages as a family gets them in each language, for its writers', async () => {
  const draft = await write(school, office, await classOf(['9825010031']), { sendsEmail: true, sendsSms: true });
  const shown = await office.call(announcementApi.preview, { id: String(draft.id) });
  expect(shown.map(({ language, parts, isSmsEnglish }) => [language, parts, isSmsEnglish])).toEqual([
    ['en', 1, false],
    ['gu', 2, false],
    ['hi', 2, false],
  ]);
  const [english, gujarati] = shown;
  expect(english?.sms).toMatch(/^Dear parent, .*: notice for Childa: School is closed on Monday Read: /);
  expect(english?.email).toContain('Classes begin again on Tuesday.');
  expect(gujarati?.sms).toContain('Childa');
  const staff = await school.person();
  expect((await staff.send({ url: `/api/announcement/${draft.id}/preview` })).status).toBe(403);
});

test('what expires before the quiet hours end is refused, since no message could leave before', async () => {
  const audience = await classOf(['9825010041']);
  school.clock.now = new Date(`${today}T21:30:00+05:30`);
  const over = { sendsSms: true, expiresOn: addDays(today, 1), expiresTime: '07:00' };
  const draft = await write(school, office, audience, over);
  const refused = await office.call(announcementApi.publish, draft).catch((error) => error);
  expect([refused.code, refused.message]).toEqual(['conflict', expect.stringContaining('may be sent at 7:00')]);
  const onPage = await office.call(announcementApi.publish, { ...draft, ways: 'Only on the page' });
  expect(onPage.confirmToken).not.toBeNull();
  const later = await write(school, office, audience, { ...over, expiresTime: '07:01' });
  expect((await office.call(announcementApi.publish, later)).confirmToken).not.toBeNull();
  const urgent = await write(school, office, audience, { ...over, priority: 'Emergency' });
  expect((await office.call(announcementApi.publish, urgent)).confirmToken).not.toBeNull();
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
});

test('a section is found as it is typed in one word', async () => {
  const section = await openSection(school, { day: `'${today}'` });
  const [row] = await school.sql(`select academic_section_name(grade.name, section.name) as name
    from academic_section section join academic_grade grade on grade.id = section.grade_id where section.id = ${section}`);
  const name = String(row?.name);
  const search = name.replaceAll(/[ -]/g, '').toLowerCase();
  const found = await office.call(announcementApi.options, { search, limit: '20' } as never);
  expect(found.map((one) => one.name)).toContain(`Section: ${name}`);
});

test('what is for the page only has no messages, and the database keeps the two apart', async () => {
  const draft = await write(school, office, await classOf(['9825010021']), { sendsEmail: true, isPageOnly: true });
  expect(await office.call(announcementApi.publish, draft)).toMatchObject({ texts: 0, instead: null });
  const both = school.sql(`update announcement set sends_sms = true where id = ${draft.id}`);
  await expect(both).rejects.toThrow('announcement_page_only');
});
