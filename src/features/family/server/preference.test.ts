import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Language } from '#kit/contract/languages.ts';
import { sendMessage } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { openFamilyPage, raiseWithLink } from '#testing/family.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { guardianMergeApi } from '../../student/contract/guardian-merge.ts';
import { keepFormLanguage } from '../api.ts';
import { linkApi } from '../contract/link.ts';
import { messages } from './messages.ts';

let school: School;
let office: Person;
beforeAll(async () => {
  school = await openOwnSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
});
afterAll(() => school.close());

const choose = (link: string, language: unknown) =>
  school.send({ method: 'PUT', url: `/api/family/preference?family=${link}`, body: { language } });
const stored = async (id: number) =>
  (await school.sql(`select language, set_by as by from guardian_preference where guardian_id = ${id}`))[0];
const audited = (id: number) =>
  school.sql(`select actor, details from audit where action = 'family.language.chosen' and entity_id = '${id}'
    order by id`);
const languageOnPage = async (link: string) => (await school.send({ url: `/api/family?family=${link}` })).json.language;
const cardOf = async (child: number, id: number) =>
  (await office.call(linkApi.ofStudent, { id: child })).guardians.find((one) => one.id === id);

test('a guardian’s tap is kept for the page and for messages, once, with its line in the audit log', async () => {
  const { guardianId, link } = await openFamilyPage(school);
  expect([await stored(guardianId), await languageOnPage(link)]).toEqual([undefined, '']);
  for (const language of ['gu', 'gu', 'hi']) expect((await choose(link, language)).status).toBe(200);
  expect([await stored(guardianId), await languageOnPage(link)]).toEqual([{ language: 'hi', by: 'Guardian' }, 'hi']);
  expect((await audited(guardianId)).map(({ details }) => details)).toEqual([
    { Language: '– → gu' },
    { Language: 'gu → hi' },
  ]);
});

test('a language that does not exist or is not offered is refused with its field, and nothing changes', async () => {
  const { guardianId, link } = await openFamilyPage(school);
  for (const language of ['GU', 'gu-IN', 'xx', '', '__proto__', 'x'.repeat(3000), null])
    expect((await choose(link, language)).json.error).toMatchObject({ code: 'invalid', texts: { language: {} } });
  await school.sql(`insert into setting (key, value) values ('language.offer-hi', 'false')`);
  expect((await choose(link, 'hi')).json.error.texts.language).toMatchObject({
    values: { language: 'हिन्दी' },
    words: { gu: expect.stringContaining('બીજી ભાષા') },
  });
  await school.sql(`delete from setting where key = 'language.offer-hi'`);
  expect(await stored(guardianId)).toBeUndefined();
});

test('the office sets the language of messages, and the second of two at once reads that it has changed', async () => {
  const { child, guardianId, link } = await openFamilyPage(school);
  const [first, second] = [await cardOf(child, guardianId), await cardOf(child, guardianId)];
  const set = (language: Language, seen: typeof first) =>
    office.call(linkApi.setLanguage, { id: guardianId, language, version: seen?.languageVersion ?? -1 });
  await set('gu', first);
  await expect(set('hi', second)).rejects.toMatchObject({ code: 'stale' });
  expect(await stored(guardianId)).toEqual({ language: 'gu', by: 'School' });
  const seen = await cardOf(child, guardianId);
  expect(seen).toMatchObject({ language: 'gu' });
  // Her own tap counts whatever was there, and the office sees it before it changes anything.
  expect((await choose(link, 'hi')).status).toBe(200);
  await expect(set('en', seen)).rejects.toMatchObject({ code: 'stale' });
  expect(await stored(guardianId)).toEqual({ language: 'hi', by: 'Guardian' });
});

test('the form’s language is kept for parents who have none, and a sister’s family keeps its own', async () => {
  const section = await openSection(school);
  const [child, sister] = [await seat(school, section, 'Aarohi'), await seat(school, section, 'Diya')];
  const known = await raiseWithLink(school, [child, sister], { firstName: 'Known', mobile: '9825000301' });
  const fresh = await raiseWithLink(
    school,
    [child],
    { firstName: 'Fresh', mobile: '9825000302' },
    { isPrimary: false },
  );
  const { languageVersion: version = -1 } = (await cardOf(sister, known.guardianId)) ?? {};
  await office.call(linkApi.setLanguage, { id: known.guardianId, language: 'hi', version });
  await keepFormLanguage(school.context(), child, 'gu');
  expect([await stored(known.guardianId), await stored(fresh.guardianId)]).toEqual([
    { language: 'hi', by: 'School' },
    { language: 'gu', by: 'Form' },
  ]);
});

test('a message is written in the language of the moment in which it is sent, and says so afterwards', async () => {
  const { guardianId, link } = await openFamilyPage(school);
  await office.call(linkApi.send, { id: guardianId, channel: 'SMS' });
  await choose(link, 'gu');
  const [row] = await school.sql(`select id from outbox where template = 'family.link' and subject_id = ${guardianId}`);
  const sent: string[] = [];
  const sms = async ({ text }: { text: string }) => void sent.push(text);
  // Whatever the hour of the test.
  await school.sql(`update outbox set keeps_quiet = false where id = ${row?.id}`);
  await sendMessage(school.services, messages, { sms }, Number(row?.id), { isLastTry: false });
  expect(sent[0]).toMatch(/^વાલીશ્રી, .*વિશે આપનું પાનું: https?:\S+ \d\d-\d\d-\d{4} સુધી ચાલશે\./);
  expect(await school.sql(`select language, status from outbox where id = ${row?.id}`)).toEqual([
    { language: 'gu', status: 'sent' },
  ]);
  const shortLink = /https?:\S+/.exec(sent[0] ?? '')?.[0] ?? '';
  const led = await school.send({ url: new URL(shortLink).pathname });
  expect(led.headers.location).toMatch(/^\/family\?family=[0-9a-f]{32}&usual=gu$/);
});

test('of two adults who are one, what she chose herself counts, and else the kept record’s language', async () => {
  const section = await openSection(school);
  const chosen = async (name: string, ownTap: boolean, language: Language) => {
    const child = await seat(school, section, name);
    const one = await raiseWithLink(school, [child], { firstName: 'Sejal', mobile: '9825000311' });
    const { languageVersion: version = -1 } = (await cardOf(child, one.guardianId)) ?? {};
    if (ownTap) await choose(one.link, language);
    else await office.call(linkApi.setLanguage, { id: one.guardianId, language, version });
    return one.guardianId;
  };
  const merge = async (id: number, retiredId: number) => {
    const given = { id, retiredId, taken: [], reason: 'Entered twice' };
    const { confirmToken } = await office.call(guardianMergeApi.merge, given);
    await office.call(guardianMergeApi.merge, { ...given, confirmToken: confirmToken ?? '' });
    return stored(id);
  };
  const kept = await chosen('Isha', false, 'hi');
  expect(await merge(kept, await chosen('Tara', false, 'gu'))).toEqual({ language: 'hi', by: 'School' });
  expect(await merge(kept, await chosen('Uma', true, 'gu'))).toEqual({ language: 'gu', by: 'Guardian' });
  expect(await merge(kept, await chosen('Vani', true, 'en'))).toEqual({ language: 'gu', by: 'Guardian' });
});
