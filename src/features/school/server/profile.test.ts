import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { fileOf, form, openSchool, photo, type School } from '#testing/school.ts';
import { profileApi } from '../contract/profile.ts';
import { iconAddress, schoolApi } from '../contract/school.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
beforeEach(() => school.sql('update sign_in_session set confirmed_at = now()'));
afterAll(() => school.close());

type Saved = OutputOf<typeof profileApi.profile>;
const save = (values: Saved, over: object) =>
  admin.send({ method: 'PUT', url: '/api/academic/school', body: { ...values, ...over } });

test('the profile is saved, shown on every page, and written down with what it was', async () => {
  const before = await admin.call(profileApi.profile, {});
  const { status, json } = await save(before, { name: 'Sunrise School', udiseCode: '24220100123' });
  expect([status, json]).toEqual([200, { rowVersion: Number(before.rowVersion) + 1 }]);
  expect(await admin.call(schoolApi.appConfiguration, {})).toMatchObject({ schoolName: 'Sunrise School' });
  const [row] = await school.sql(`select actor, details from audit where action = 'school.profile-changed'`);
  expect(row).toEqual({
    actor: 'Asha',
    details: { name: `${before.name} → Sunrise School`, udiseCode: ' → 24220100123' },
  });
});

test('the colour that the school chose is a fact of every page', async () => {
  expect(await admin.call(schoolApi.appConfiguration, {})).toMatchObject({ schoolColour: 'Teal' });
  expect((await save(await admin.call(profileApi.profile, {}), { colour: 'Purple' })).status).toBe(200);
  expect(await admin.call(schoolApi.appConfiguration, {})).toMatchObject({ schoolColour: 'Purple' });
});

test.each([
  ['a UDISE code of ten digits', { udiseCode: '2422010012' }, { udiseCode: 'Enter 11 digits.' }],
  ['no name', { name: ' ' }, { name: 'Name is required.' }],
  ['a colour of its own', { colour: '#ff0000' }, { colour: 'Colour of the school is not valid.' }],
  ['a thirteenth month', { financialYearMonth: '13' }, { financialYearMonth: 'Enter a whole number from 1 to 12.' }],
  ['no email address', { email: 'office' }, { email: 'Email address is not valid.' }],
])('%s is refused beside its field', async (_what, over, fields) => {
  const { status, json } = await save(await admin.call(profileApi.profile, {}), over);
  expect([status, json.error.fields]).toEqual([422, fields]);
});

test('of saves at once one succeeds and the others are refused', async () => {
  const before = await admin.call(profileApi.profile, {});
  const answers = await Promise.all(['A', 'B', 'C'].map((principal) => save(before, { principal })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.json.error).toMatchObject({
    code: 'stale',
    data: { rowVersion: Number(before.rowVersion) + 1, savedDateTime: expect.any(String) },
  });
});

test('a logo is taken, shown, and the one before it removed; a text is none', async () => {
  const give = async (file: File) =>
    admin.send({ method: 'POST', url: '/api/academic/school/logo', body: form({}, { logo: file }) });
  expect((await give(fileOf('a.png', 'text'))).status).toBe(422);
  expect((await give(await photo())).status).toBe(200);
  expect((await give(await photo())).status).toBe(200);
  const shown = await school.send({ url: '/api/app-configuration/logo' });
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect(await school.sql(`select 1 from file where owner = 'academic_school'`)).toHaveLength(1);
});

test('a signature is taken, seen by an Admin alone, replaced and removed, and each is written down', async () => {
  const url = '/api/academic/school/signature';
  const give = async (file?: File) =>
    admin.send({ method: 'POST', url, body: form(file ? {} : { other: '1' }, file ? { signature: file } : {}) });
  const kept = async () => (await admin.call(profileApi.paper, {})).hasSignature;
  expect([await kept(), (await admin.send({ url })).status]).toEqual([false, 404]);
  const none = await give();
  expect([none.status, none.json.error.fields]).toEqual([422, { signature: 'Choose a file.' }]);
  expect((await give(fileOf('a.png', 'text'))).status).toBe(422);
  expect([(await give(await photo())).status, (await give(await photo())).status]).toEqual([200, 200]);
  const teacher = await school.person();
  expect([await kept(), (await admin.send({ url })).status, (await teacher.send({ url })).status]).toEqual([
    true,
    200,
    403,
  ]);
  const files = `select 1 from file where id = (select signature_id from academic_school)`;
  expect(await school.sql(files)).toHaveLength(1);
  expect((await admin.send({ method: 'DELETE', url })).status).toBe(200);
  expect([await kept(), await school.sql(files)]).toEqual([false, []]);
  const acts = await school.sql(`select action from audit where action like 'school.signature-%' order by id`);
  expect(acts.map(({ action }) => action)).toEqual([
    'school.signature-changed',
    'school.signature-changed',
    'school.signature-removed',
  ]);
});

test('H3 leaves nothing behind whichever of its statements fails', async () => {
  const act = async () => save(await admin.call(profileApi.profile, {}), { trustName: 'Trust' });
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  // The first three statements belong to the read that comes first.
  for (let n = 4; ; n++) {
    const { status } = await failingAt(n, act);
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
});

test('the icon of the home screen is the school’s logo on white, and the product’s while there is none', async () => {
  const icon = async () => {
    const { status, headers, bytes } = await school.send({ url: iconAddress });
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    const { data, info } = await sharp(bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
    return [info.width, info.height, ...data.subarray(0, 3)];
  };
  await school.sql(`update academic_school set logo_id = null`);
  expect(await icon()).toEqual([512, 512, 11, 110, 110]);
  await admin.send({ method: 'POST', url: '/api/academic/school/logo', body: form({}, { logo: await photo() }) });
  expect(await icon()).toEqual([512, 512, 255, 255, 255]);
});
