import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { languageApi, textsOnPage } from '../contract/language.ts';
import { settingApi } from '../contract/setting.ts';
import { readAppConfiguration } from './school.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openOwnSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

const rowOf = async (language: string, area: string) => {
  const { rows } = await admin.call(languageApi.list, {});
  const row = rows.find((one) => one.language === language && one.area === area);
  if (!row) throw new Error('no such row');
  return row;
};
const unread = async () => (await readAppConfiguration(school.services)).unread;

test('pages say that they were translated by computer until the school has read that language and page', async () => {
  expect(await unread()).toEqual({ form: ['gu', 'hi'], family: ['gu', 'hi'] });
  const { seen, texts } = await rowOf('gu', 'form');
  expect(texts).toBeGreaterThan(200);
  await admin.call(languageApi.mark, { language: 'gu', area: 'form', seen, isRead: true });
  expect(await unread()).toEqual({ form: ['hi'], family: ['gu', 'hi'] });
  expect(await rowOf('gu', 'form')).toMatchObject({ readBy: 'Asha', changed: 0 });
  await admin.call(languageApi.mark, { language: 'gu', area: 'form', seen, isRead: false });
  expect(await unread()).toEqual({ form: ['gu', 'hi'], family: ['gu', 'hi'] });
  const [log] = await school.sql(
    `select count(*)::integer as count from audit where action in ('language.read', 'language.unread')`,
  );
  expect(log?.count).toBe(2);
});

test('a text that changes after it was read is counted and comes first; the line does not come back', async () => {
  const { seen } = await rowOf('hi', 'family');
  await admin.call(languageApi.mark, { language: 'hi', area: 'family', seen, isRead: true });
  await school.sql(`update language_read set words = words[3:]`);
  expect((await rowOf('hi', 'family')).changed).toBe(2);
  expect((await unread()).family).toEqual(['gu']);
  const { rows, total } = await admin.call(languageApi.texts, { language: 'hi', area: 'family', page: 1 });
  expect(rows.map(({ isNew }) => isNew).slice(0, 3)).toEqual([true, true, false]);
  expect(rows).toHaveLength(Math.min(textsOnPage, total));
});

test('texts that a new version brought while they were read are not marked', async () => {
  const act = admin.call(languageApi.mark, { language: 'gu', area: 'message', seen: 'of before', isRead: true });
  await expect(act).rejects.toMatchObject({ code: 'stale' });
  const again = await rowOf('gu', 'message');
  const off = admin.call(languageApi.mark, { language: 'gu', area: 'message', seen: again.seen, isRead: false });
  await expect(off).rejects.toMatchObject({ code: 'stale' });
});

test('the language for families who have not chosen is one that is offered', async () => {
  const save = async (key: string, value: string | boolean) => {
    const { rows } = await admin.call(settingApi.list, {});
    const rowVersion = rows.find((row) => row.key === key)?.rowVersion ?? 0;
    await admin.call(settingApi.save, { key, value, rowVersion });
  };
  const usual = async () => (await readAppConfiguration(school.services)).usualLanguage;
  expect(await usual()).toBe('en');
  await save('language.default', 'Gujarati');
  expect(await usual()).toBe('gu');
  await save('language.offer-gu', false);
  expect(await usual()).toBe('en');
});
