import { afterAll, beforeAll, expect, test } from 'vitest';
import { messages } from '#features/admission-form/server/messages.ts';
import { settingApi } from '#features/school/contract/setting.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { linkValueOf, prove } from '#testing/family.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin' });
});
afterAll(() => school.close());

const offered = async () => (await school.send({ url: '/api/app-configuration' })).json.languages;
const link = async (family: number) => {
  const template = messages['admission.link'];
  return template && (await render(school.services, template, family, 'sms'));
};

test('a planted language has its setting, is offered, chosen on a page, and written in a text message', async () => {
  const settings = JSON.stringify(await admin.call(settingApi.list, {}));
  expect(settings).toContain('"language.offer-xx"');
  expect(await offered()).toEqual(['en', 'gu', 'hi', 'xx']);
  const family = await school.inquiry();
  expect((await family.chooseLanguage('xx')).status).toBe(200);
  expect(await link(family.id)).toMatchObject({ language: 'xx', text: expect.stringMatching(/^«/) });
  await school.sql(`insert into setting (key, value) values ('language.offer-xx', 'false')`);
  expect([await offered(), (await link(family.id))?.language]).toEqual([['en', 'gu', 'hi'], 'en']);
  await school.sql(`update setting set value = 'true' where key = 'language.offer-xx';
    insert into setting (key, value) values ('language.default', '"Planted"')`);
  expect((await link((await school.inquiry()).id))?.language).toBe('xx');
});

test('a consent is given in a planted language', async () => {
  const family = await school.inquiry({ consent: undefined });
  const agreed = { consentName: 'Hetal Patel', consentRelation: 'Mother', isParentOrGuardian: true, isAgreed: true };
  const given = await family.post('consent', { ...agreed, language: 'xx', noticeVersion: '2026-12-31' });
  expect([given.status, given.text]).toEqual([200, expect.any(String)]);
});

test('a paper for a guardian who reads a planted language is in it', async () => {
  const prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-05-12T06:00:00Z`);
  const child = await plannedChild(school, prices, 'Meera');
  const guardianId = await joinFamily(school, 'Nikhil', '9876560000', [child]);
  const value = await linkValueOf(school, guardianId);
  const phone = await prove(school, { guardianId, link: value });
  const chosen = await phone.send({
    method: 'PUT',
    url: `/api/family/preference?family=${value}`,
    body: { language: 'xx' },
  });
  expect([chosen.status, chosen.text]).toEqual([200, expect.any(String)]);
  const year = prices.place.academicYearId;
  await phone.send({ url: `/api/family/statement/${child}/file?family=${value}&yearId=${year}` });
  expect(school.papers.last().data).toMatchObject({ language: 'xx', title: expect.stringMatching(/^«/) });
});
