import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { addStudentApi } from '../contract/add.ts';
import { guardianApi } from '../contract/guardian.ts';

let school: School;
let office: Person;
let section: number;
let father: number;
let mother: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  section = await openSection(school);
  const relations = await school.sql(`select id, name from academic_lookup where kind = 'Relation'`);
  const idOf = (word: string) => Number(relations.find(({ name }) => name === word)?.id);
  [father, mother] = [idOf('Father'), idOf('Mother')];
});
afterAll(() => school.close());

const familyOf = async (id: number) => (await office.call(guardianApi.family, { id })).guardians;
const adult = (over: Record<string, unknown> = {}) => ({
  firstName: 'Kokila',
  middleName: '',
  lastName: 'Shah',
  mobile: '',
  email: '',
  occupation: '',
  organization: '',
  isDeceased: false,
  relationId: mother,
  role: 'Parent',
  contactOrder: '1',
  mayCollect: true,
  receivesMessages: true,
  isBarred: false,
  restriction: '',
  ...over,
});
const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object) =>
  office.send({ method, url: `/api/student/${path}`, body });
const change = async (id: number, name: string, over: Record<string, unknown>) => {
  const found = (await familyOf(id)).find((one) => one.name.startsWith(name));
  const { version, adultVersion, saved } = found ?? { saved: {} };
  const values = { ...saved, contactOrder: '1', version, adultVersion, ...over };
  return send('PUT', `${id}/guardian/${found?.id}`, values);
};
const firstOf = async (id: number) => (await familyOf(id)).filter(({ isPrimary }) => isPrimary).map(({ name }) => name);

test('L1.2 the first adult is called first, then another one, and exactly one stays so when one is removed', async () => {
  const id = await seat(school, section, 'Asha');
  await send('POST', `${id}/guardian`, adult());
  const { json } = await send('POST', `${id}/guardian`, adult({ firstName: 'Ramesh', relationId: father }));
  expect(await firstOf(id)).toEqual(['Kokila Shah']);
  await send('PUT', `${id}/guardian/${json.id}/primary`, {});
  expect(await firstOf(id)).toEqual(['Ramesh Shah']);
  const [ramesh, kokila] = await familyOf(id);
  const removed = (body: object) => send('DELETE', `${id}/guardian/${ramesh?.id}`, body);
  const refused = await removed({ version: ramesh?.version, nextId: '' });
  expect(refused.json.error.fields).toEqual({ role: 'Choose another adult to call first before this change.' });
  expect((await removed({ version: ramesh?.version, nextId: kokila?.id })).status).toBe(200);
  expect(await firstOf(id)).toEqual(['Kokila Shah']);
});

test('a barred adult is not called first, collects nobody and gets no message', async () => {
  const id = await seat(school, section, 'Bela');
  await raise(school, [id], { firstName: 'Ramesh' });
  await send('POST', `${id}/guardian`, adult());
  expect(Object.keys((await change(id, 'Ramesh', { isBarred: true })).json.error.fields)).toHaveLength(1);
  expect((await change(id, 'Kokila', { isBarred: true })).json.error.fields).toHaveProperty('isBarred');
  const barred = { isBarred: true, mayCollect: false, receivesMessages: false, restriction: 'Court order' };
  expect((await change(id, 'Kokila', barred)).status).toBe(200);
  const kokila = (await familyOf(id)).find(({ name }) => name.startsWith('Kokila'));
  expect((await send('PUT', `${id}/guardian/${kokila?.id}/primary`, {})).status).toBe(422);
  expect(await firstOf(id)).toEqual(['Ramesh Shah']);
});

test('an adult of two children is one, and changes for both; the second clerk gets what the first saved', async () => {
  const [one, other] = [await seat(school, section, 'Chirag'), await seat(school, section, 'Dev')];
  await raise(school, [one], { firstName: 'Suresh', mobile: '5550300001' });
  await send('POST', `${other}/guardian`, adult({ firstName: 'Sureshbhai', mobile: '5550300001', relationId: father }));
  const [shared] = await familyOf(other);
  expect(shared).toMatchObject({ name: 'Suresh Shah', alsoOf: ['Chirag Shah'] });
  expect((await change(one, 'Suresh', { occupation: 'Farmer' })).status).toBe(200);
  expect((await familyOf(other))[0]?.saved.occupation).toBe('Farmer');
  const late = await change(other, 'Suresh', { adultVersion: 1, occupation: 'Teacher' });
  expect([late.status, late.json.error.code, late.json.error.data.saved.occupation]).toEqual([409, 'stale', 'Farmer']);
});

test('the adult of another child is not found', async () => {
  const [one, other] = [await seat(school, section, 'Esha'), await seat(school, section, 'Falguni')];
  const adultId = await raise(school, [one], { firstName: 'Mahesh' });
  expect((await send('DELETE', `${other}/guardian/${adultId}`, { version: 1, nextId: '' })).status).toBe(404);
  expect((await send('PUT', `${other}/guardian/${adultId}/primary`, {})).status).toBe(404);
});

test('every act on the family is in the log of the child', async () => {
  const id = await seat(school, section, 'Gita');
  await send('POST', `${id}/guardian`, adult());
  await change(id, 'Kokila', { occupation: 'Doctor' });
  const rows = await school.sql(`select action from audit where entity = 'student' and entity_id = ${id} order by id`);
  expect(rows.map(({ action }) => action)).toEqual(['student.guardian-added', 'student.guardian-changed']);
});

test('L1.13 a known adult gets what was empty, keeps the rest, and the log says what changed', async () => {
  const [one, other] = [await seat(school, section, 'Hetal'), await seat(school, section, 'Isha')];
  await raise(school, [one], { firstName: 'Dinesh', mobile: '5550300009' });
  await change(one, 'Dinesh', { occupation: 'Farmer' });
  const typed = { firstName: 'Dineshbhai', mobile: '5550300009', relationId: father };
  const { json } = await send('POST', `${other}/guardian`, {
    ...adult(typed),
    occupation: 'Teacher',
    email: 'dinesh@example.in',
  });
  expect(json).toMatchObject({ known: 'Dinesh Shah', kept: [{ id: 'Occupation' }] });
  expect((await familyOf(one))[0]?.saved).toMatchObject({ occupation: 'Farmer', email: 'dinesh@example.in' });
  const [row] = await school.sql(
    `select details from audit where action = 'student.guardian-added' and entity_id = ${other}`,
  );
  expect(row?.details).toMatchObject({ Name: 'Dinesh Shah', 'Email address': '– → dinesh@example.in' });
  expect(row?.details).not.toHaveProperty('Occupation');
});

test('who asks whom a number belongs to is in the log of that adult', async () => {
  const id = await seat(school, section, 'Jaya');
  const adultId = await raise(school, [id], { firstName: 'Kiran', mobile: '5550300010' });
  await office.call(addStudentApi.known, { mobile: '5550300010' });
  await office.call(addStudentApi.known, { mobile: '5550300011' });
  const rows = await school.sql(`select entity_id, details from audit where action = 'guardian.found-by-number'`);
  expect(rows).toEqual([{ entity_id: adultId, details: { 'Mobile number': '••••••0010' } }]);
});
