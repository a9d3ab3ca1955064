import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setting } from '#kit/contract/setting.ts';
import { english, text, verbatim } from '#kit/contract/text.ts';
import { contextOutside, type UserContext } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { readSetting, readSettings, settingValue } from '#kit/server/settings.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { openSchool, type School } from '#testing/school.ts';
import { guardedSetting } from '../contract/hooks.ts';
import { settingApi } from '../contract/setting.ts';
import settingRoutes from './setting.ts';

let school: School;
let admin: Person;
let other: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  other = await school.person({ name: 'Bina', role: 'Admin' });
});
beforeEach(() => school.sql('delete from setting; update sign_in_session set confirmed_at = now()'));
afterAll(() => school.close());

const days = 'admission.link-days';
const read = async (key: string) => {
  const { rows } = await admin.call(settingApi.list, {});
  const row = rows.find((row) => row.key === key);
  if (!row) throw new Error(`There is no setting ${key}.`);
  return row;
};
/** Saves a value over the one of today. */
const save = async (key: string, value: unknown, by = admin) => {
  const { rowVersion } = await read(key);
  return by.send({ method: 'PUT', url: `/api/academic/setting/${key}`, body: { value, rowVersion } });
};
const audits = () =>
  school.sql(`select actor, action, details, version from audit where entity = 'setting' order by id`);

test('a setting has its default until it is changed, and then says who changed it and when', async () => {
  expect(await read(days)).toMatchObject({ value: 60, default: 60, id: null, rowVersion: 0, changedBy: null });
  expect((await save(days, '30')).status).toBe(200);
  expect(await read(days)).toMatchObject({
    value: 30,
    default: 60,
    rowVersion: 1,
    changedBy: 'Asha',
    changedAt: expect.stringMatching(/^\d{4}-/),
  });
  expect((await audits()).at(-1)).toEqual({
    actor: 'Asha',
    action: 'setting.changed',
    details: { 'Validity of a family’s link': '60 days → 30 days' },
    version: 1,
  });
});

test('a reset gives the default back, and the history has both changes in words', async () => {
  await save(days, 1);
  expect((await save(days, null, other)).status).toBe(200);
  const { id, ...row } = await read(days);
  expect(row).toMatchObject({ value: 60, rowVersion: 2, changedBy: 'Bina' });
  const { rows } = await admin.call(settingApi.history, { id: Number(id), before: '' });
  expect(rows.map(({ actor, act, details }) => [actor, english(act), details])).toEqual([
    ['Bina', 'Restored the default of the setting', { 'Validity of a family’s link': '1 day → 60 days' }],
    ['Asha', 'Changed the setting', { 'Validity of a family’s link': '60 days → 1 day' }],
  ]);
  await expect(admin.call(settingApi.history, { id: 999_999, before: '' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a value that is typed as the default follows the default, and one that is saved as it was changes nothing', async () => {
  await save(days, 30);
  await save(days, '60');
  expect(await school.sql('select key, value, version from setting')).toEqual([{ key: days, value: null, version: 2 }]);
  const before = (await audits()).length;
  expect((await save(days, 60)).json).toEqual({ rowVersion: 2, isHeld: false });
  expect(await audits()).toHaveLength(before);
});

test.each([
  [days, '400', 'Enter a whole number from 1 to 365.'],
  [days, '', 'Validity of a family’s link is required.'],
  [days, [2, 5], 'Enter a whole number from 1 to 365.'],
  ['admission.asks-consent', 'perhaps', 'Ask parents for consent before the form is required.'],
  ['admission.reminders-from', 3, 'Choose an hour from the list.'],
  ['admission.reminders-from', 20, 'Choose an hour before 20:00 (Send reminders until).'],
  ['admission.reminders-until', 9, 'Choose an hour after 9:00 (Send reminders from).'],
  ['admission.reminder-days', '5, 2', 'Enter at most 10 increasing days from 1 to 60, such as 2, 5, 10.'],
  ['admission.reminder-days', '2, two', 'Enter at most 10 increasing days from 1 to 60, such as 2, 5, 10.'],
  ['admission.reminder-days', [1, 61], 'Enter at most 10 increasing days from 1 to 60, such as 2, 5, 10.'],
  ['admission.most-reminders', 11, 'Enter a whole number from 1 to 10.'],
])('%s refuses %j beside its field', async (key, value, message) => {
  const { status, json } = await save(key, value);
  expect([status, json.error.fields]).toEqual([422, { value: message }]);
  expect(await school.sql('select 1 from setting')).toEqual([]);
});

test('days are saved as typed, and none of them is a value too', async () => {
  await save('admission.reminder-days', ' 3,7  14 ');
  expect(await read('admission.reminder-days')).toMatchObject({ value: [3, 7, 14] });
  await save('admission.reminder-days', '');
  expect(await read('admission.reminder-days')).toMatchObject({ value: [] });
});

test('code reads the same value by itself and within a statement, saved or not', async () => {
  const { db, settings } = school.services;
  for (const one of settings) {
    const hour = Math.min(Math.max(one.isBefore ? 12 : 15, one.least ?? 0), one.most ?? 23);
    const wanted = {
      number: Math.max(4, one.least ?? 0),
      yesNo: false,
      hour,
      days: [3, 9],
      choice: one.options?.at(-1),
      words: 'Word',
    }[one.kind];
    for (const expected of [one.default, wanted]) {
      const { value } = await db.selectNoFrom(settingValue(one).as('value')).executeTakeFirstOrThrow();
      expect([one.key, value, await readSetting({ db }, one)]).toEqual([one.key, expected, expected]);
      expect([one.key, (await save(one.key, wanted)).status]).toEqual([one.key, 200]);
    }
  }
});

test('a key that no setting has is not found', async () => {
  const body = { value: 1, rowVersion: 0 };
  for (const key of ['admission.link', 'constructor', '%00'])
    expect((await admin.send({ method: 'PUT', url: `/api/academic/setting/${key}`, body })).status).toBe(404);
});

test('of saves at once one succeeds, and the others get the saved value', async () => {
  const body = (value: number) => ({ value, rowVersion: 0 });
  const answers = await Promise.all(
    [10, 20, 30].map((value) => admin.send({ method: 'PUT', url: `/api/academic/setting/${days}`, body: body(value) })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const { value } = await read(days);
  expect(answers.find(({ status }) => status === 409)?.json.error).toMatchObject({
    code: 'stale',
    data: { rowVersion: 1, value, changedBy: 'Asha', savedDateTime: expect.any(String) },
  });
});

test('a reset does not let a save through that was begun before it', async () => {
  await save(days, 30);
  await save(days, null);
  const { status } = await admin.send({
    method: 'PUT',
    url: `/api/academic/setting/${days}`,
    body: { value: 40, rowVersion: 0 },
  });
  expect([status, (await read(days)).value]).toEqual([409, 60]);
});

test('of two hours saved at once no pair is kept in which reminders end before they begin', async () => {
  const from = 'admission.reminders-from';
  const until = 'admission.reminders-until';
  const send = (key: string, value: number, by: Person) =>
    by.send({ method: 'PUT', url: `/api/academic/setting/${key}`, body: { value, rowVersion: 0 } });
  for (let round = 0; round < 8; round++) {
    await school.sql('delete from setting');
    const answers = await Promise.all([send(from, 18, admin), send(until, 12, other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  }
});

test('W12 A24 every setting asks for a fresh proof', async () => {
  await school.sql(`update sign_in_session set confirmed_at = now() - interval '11 minutes'`);
  const { rows } = await admin.call(settingApi.list, {});
  for (const { key } of rows) {
    const { status, json } = await save(key, null);
    expect([key, status, json.error.code]).toEqual([key, 403, 'confirm_required']);
  }
});

test('the validity of links acts on the next link and on the next save', async () => {
  const daysLeft = async (id: number) => {
    const [row] = await school.sql(
      `select round(extract(epoch from link_expires_at - now()) / 86400) as days from admission_inquiry where id = ${id}`,
    );
    return Number(row?.days);
  };
  const family = await school.inquiry();
  expect(await daysLeft(family.id)).toBe(60);
  await save(days, 90);
  expect(await daysLeft((await school.inquiry()).id)).toBe(90);
  await family.saveHealth();
  expect(await daysLeft(family.id)).toBe(90);
  // A day that was promised to a family is not taken back.
  await save(days, 15);
  expect(await daysLeft((await school.inquiry()).id)).toBe(15);
  await family.saveHealth();
  expect(await daysLeft(family.id)).toBe(90);
});

test('the audit log names a setting by its label', async () => {
  await save(days, 30);
  const { rows } = (await admin.send({ url: '/api/audit?entity=setting' })).json;
  expect(rows[0]).toMatchObject({ name: 'Validity of a family’s link', kind: { id: 'Setting' } });
});

test('H3 leaves nothing behind whichever of its statements fails', async () => {
  const act = () =>
    admin.send({ method: 'PUT', url: `/api/academic/setting/${days}`, body: { value: 30, rowVersion: 0 } });
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  for (let n = 2; ; n++) {
    const { status } = await failingAt(n, act);
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
});

const group = text`Garden`;
const colour = setting({
  key: 'garden.colour',
  group,
  label: text`Colour`,
  help: text`Of the gate.`,
  kind: 'choice',
  options: ['Green', 'Blue'],
  default: 'Green',
});
const sign = setting({
  key: 'garden.sign',
  group,
  label: text`Sign`,
  help: text`At the gate.`,
  kind: 'words',
  most: 12,
  default: '',
  isGuarded: true,
});

/** Saves one of the two as an Admin does, in a transaction of its own; `answers` are those of other features. */
const keep = (key: string, value: unknown, answers: UserContext['answers'] = [], rowVersion = 0): Promise<unknown> =>
  school.services.db.transaction().execute((db) => {
    const user = { id: admin.id, staffId: admin.staffId, name: admin.name, role: 'Admin' } as UserContext['user'];
    const ctx = { ...contextOutside({ ...school.services, db }, 'test'), user, settings: [colour, sign], answers };
    const route = settingRoutes.find(({ endpoint }) => endpoint === settingApi.save);
    return route?.handle(ctx as never, { key, value, rowVersion } as never) as Promise<unknown>;
  });

test('a choice is one of its words, and words are at most as long as the setting allows', async () => {
  const { db } = school.services;
  const both = async () => ({ ...(await readSettings({ db }, { colour, sign })) });
  expect(await both()).toEqual({ colour: 'Green', sign: '' });
  await keep(colour.key, 'Blue');
  await keep(sign.key, '  Beware 2 ');
  expect(await both()).toEqual({ colour: 'Blue', sign: 'Beware 2' });
  const inStatement = db.selectNoFrom([settingValue(colour).as('colour'), settingValue(sign).as('sign')]);
  expect(await inStatement.executeTakeFirstOrThrow()).toEqual(await both());
  expect((await audits()).slice(-2).map(({ details }) => details)).toEqual([
    { Colour: 'Green → Blue' },
    { Sign: 'None → Beware 2' },
  ]);
  for (const [key, value] of [
    [colour.key, 'Red'],
    [colour.key, ''],
    [colour.key, 1],
    [sign.key, 'Beware of the dog'],
    [sign.key, ['a']],
  ] as const)
    await expect(keep(key, value, [], 1)).rejects.toMatchObject({
      code: 'invalid',
      fields: { value: expect.anything() },
    });
  expect(await both()).toEqual({ colour: 'Blue', sign: 'Beware 2' });
});

test('a change of a guarded setting is not saved where an answer holds it; one that does not fit is not asked about', async () => {
  const asked: unknown[] = [];
  const answering = (isHeld: boolean) => [
    answer(guardedSetting, { by: 'garden', step: 1 }, async (_, change) => {
      asked.push(change);
      return { isHeld };
    }),
  ];
  expect(await keep(sign.key, 'Beware', answering(true))).toEqual({ rowVersion: 0, isHeld: true });
  expect(asked).toEqual([
    {
      key: sign.key,
      label: sign.label,
      before: '',
      wanted: 'Beware',
      words: { before: text`None`, wanted: verbatim('Beware') },
      rowVersion: 0,
    },
  ]);
  expect(await school.sql('select 1 from setting')).toEqual([]);
  await expect(keep(sign.key, 'Beware of the dog', answering(true))).rejects.toMatchObject({ code: 'invalid' });
  await expect(keep(sign.key, 'Beware', answering(true), 3)).rejects.toMatchObject({ code: 'stale' });
  await keep(colour.key, 'Blue', answering(true));
  expect(asked).toHaveLength(1);
  expect(await keep(sign.key, 'Beware', answering(false))).toEqual({ rowVersion: 1, isHeld: false });
  expect(await school.sql(`select value from setting where key = '${sign.key}'`)).toEqual([{ value: 'Beware' }]);
});
