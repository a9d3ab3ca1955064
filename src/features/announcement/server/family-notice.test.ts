import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { announce, people } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { raiseWithLink } from '#testing/family.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { announcementApi } from '../contract/announcement.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
});
afterAll(() => school.close());

const noticesOf = async (link: string) =>
  (await school.send({ url: `/api/family?family=${link}` })).json.parts.announcement as {
    id: number;
    title: string;
    children: number[];
    isRead: boolean;
    isAcknowledged: boolean;
  }[];
const act = (path: string, link: string, body: object) =>
  school.send({ method: 'POST', url: `/api/family/notice/${path}?family=${link}`, body });

test('the family page has the announcements about its children, and nothing of another family', async () => {
  const section = await openSection(school, { day: `'${today}'` });
  const other = await openSection(school, { day: `'${today}'` });
  const aarohi = await seat(school, section, 'Aarohi', { joinedOn: addDays(today, -9) });
  const dev = await seat(school, other, 'Dev', { joinedOn: addDays(today, -9) });
  const meera = await raiseWithLink(school, [aarohi], { firstName: 'Meera', mobile: '9825000011' });
  const pooja = await raiseWithLink(school, [dev], { firstName: 'Pooja', mobile: '9825000012' });
  const title = '<script>alert(1)</script> \u202Eday';
  const over = { title, asks: 'Acknowledgement', sendsEmail: false };
  const { id } = await announce(school, office, [people('Section', section)], over);
  expect(await noticesOf(meera.link)).toMatchObject([{ id, children: [aarohi], isRead: false, isAcknowledged: false }]);
  expect((await noticesOf(meera.link))[0]?.title).toContain('<script>alert(1)</script>');
  expect(await noticesOf(pooja.link)).toEqual([]);

  for (const path of [`${id}/seen`, `${id}/acknowledge`, '999999/seen'])
    expect((await act(path, pooja.link, { number: 1 })).status).toBe(404);
  expect((await act(`${id}/acknowledge`, meera.link, { number: 1 })).status).toBe(200);
  expect(await noticesOf(meera.link)).toMatchObject([{ isRead: true, isAcknowledged: true }]);
  expect((await office.call(announcementApi.read, { id: String(id) })).figures).toMatchObject({
    guardians: 1,
    guardiansRead: 1,
    childrenAcknowledged: 1,
  });
});

test('a guardian who reads an older text after reading began again is shown the new one', async () => {
  const section = await openSection(school, { day: `'${today}'` });
  const mira = await seat(school, section, 'Mira', { joinedOn: addDays(today, -9) });
  const { link } = await raiseWithLink(school, [mira], { firstName: 'Nilam', mobile: '9825000013' });
  const { id } = await announce(school, office, [people('Student', mira)], {
    asks: 'Acknowledgement',
    sendsEmail: false,
  });
  await school.sql(`insert into announcement_version (announcement_id, number, title, body, search_text, staff_id, written_at)
      select ${id}, 2, 'Corrected', body, search_text, staff_id, now() from announcement_version where announcement_id = ${id};
    update announcement set current_version = 2, counts_from = 2 where id = ${id}`);
  const refused = await act(`${id}/acknowledge`, link, { number: 1 });
  expect([refused.status, refused.json.error.code]).toEqual([409, 'stale']);
  expect(await noticesOf(link)).toMatchObject([{ id, title: 'Corrected', isAcknowledged: false }]);
});
