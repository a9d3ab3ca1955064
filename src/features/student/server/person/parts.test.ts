import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { form, openSchool, photo, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { addressApi } from '../../contract/address.ts';
import { studentRecordApi } from '../../contract/record.ts';
import { schoolingApi } from '../../contract/schooling.ts';
import { studentTagApi } from '../../contract/tags.ts';

let school: School;
let office: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  section = await openSection(school);
});
afterAll(() => school.close());

type Method = 'POST' | 'PUT' | 'DELETE';
const send = (method: Method, path: string, body: object, person = office) =>
  person.send({ method, url: `/api/student/${path}`, body });

test('an address is changed for the version that was read; the second clerk gets what the first saved', async () => {
  const id = await seat(school, section, 'Asha');
  const { version, saved } = await office.call(addressApi.address, { id });
  expect(version).toBe(0);
  const first = { ...saved, version, currentAddress1: '12 Rivera', currentPinCode: '૩૯૫૦૦૯' };
  expect((await send('PUT', `${id}/address`, first)).status).toBe(200);
  expect((await office.call(addressApi.address, { id })).saved).toMatchObject({ currentPinCode: '395009' });
  const late = await send('PUT', `${id}/address`, { ...saved, version, currentAddress1: '7 Tower' });
  expect([late.status, late.json.error.data]).toMatchObject([
    409,
    { version: 1, saved: { currentAddress1: '12 Rivera' } },
  ]);
  const other = { ...first, version: 1, isSame: false };
  expect((await send('PUT', `${id}/address`, other)).json.error.fields).toHaveProperty('permanentAddress1');
  expect((await send('PUT', `${id}/address`, { ...other, permanentAddress1: 'Village' })).status).toBe(200);
  expect((await send('PUT', `${id}/address`, { ...other, version: 2, isSame: true })).status).toBe(200);
  expect((await office.call(addressApi.address, { id })).saved.permanentAddress1).toBe('');
});

test('previous schools are added, changed and removed, each for the version that was read', async () => {
  const [id, other] = [await seat(school, section, 'Bela'), await seat(school, section, 'Chirag')];
  const values = {
    school: 'Little Steps',
    city: 'Surat',
    board: '',
    fromClass: 'Nursery',
    toClass: 'UKG',
    certificateNo: 'LC 7',
    certificateOn: '2024-04-30',
  };
  expect((await send('POST', `${id}/schooling`, values)).status).toBe(200);
  const [row] = (await office.call(schoolingApi.schoolings, { id })).schoolings;
  expect(row?.saved).toEqual(values);
  const at = `schooling/${row?.id}`;
  expect((await send('PUT', `${other}/${at}`, { ...values, version: 1 })).status).toBe(404);
  expect((await send('PUT', `${id}/${at}`, { ...values, version: 1, city: 'Rajkot' })).status).toBe(200);
  const late = await send('PUT', `${id}/${at}`, { ...values, version: 1, city: 'Vadodara' });
  expect([late.status, late.json.error.data.saved.city]).toEqual([409, 'Rajkot']);
  expect((await send('DELETE', `${id}/${at}`, { version: 1 })).status).toBe(409);
  expect((await send('DELETE', `${id}/${at}`, { version: 2 })).status).toBe(200);
  const rows = await school.sql(
    `select action from audit where entity_id = ${id} and action like 'student.schooling%' order by id`,
  );
  expect(rows.map(({ action }) => String(action).slice(18))).toEqual(['added', 'changed', 'removed']);
});

test('tags are replaced for those that were read; a second clerk is told', async () => {
  const id = await seat(school, section, 'Dev');
  const [group] = await school.sql(`insert into configuration_tag_group (name) values ('Interests') returning id`);
  const made = await school.sql(`insert into configuration_tag (name, tag_group_id, colour, scopes)
    select name, ${group?.id}, 'Teal', '{Student}' from unnest(array['Chess', 'Choir']) as name returning id`);
  const [chess, choir] = made.map((row) => Number(row.id));
  expect((await office.call(studentTagApi.tags, { id })).offered.map(({ name }) => name)).toEqual(['Chess', 'Choir']);
  expect((await send('PUT', `${id}/tag`, { before: [], tags: [chess] })).status).toBe(200);
  expect((await send('PUT', `${id}/tag`, { before: [], tags: [choir] })).json.error.code).toBe('stale');
  expect((await send('PUT', `${id}/tag`, { before: [chess], tags: [chess, choir] })).status).toBe(200);
  const teacher = await school.person();
  await teach(school, teacher, { role: 'Subject teacher', sectionId: section });
  const seen = await teacher.call(studentTagApi.tags, { id });
  expect([seen.tags.map(({ name }) => name), seen.offered]).toEqual([['Chess', 'Choir'], []]);
});

test('the class teacher sets a photo of the own section, and those who read the student see it', async () => {
  const [id, other] = [await seat(school, section, 'Esha'), await seat(school, await openSection(school), 'Falguni')];
  const teacher = await school.person();
  await teach(school, teacher, { sectionId: section });
  const send = async (student: number) =>
    teacher.send({ method: 'POST', url: `/api/student/${student}/photo`, body: form({}, { photo: await photo() }) });
  const { status, json } = await send(id);
  expect(status).toBe(200);
  expect((await send(other)).status).toBe(404);
  expect((await office.call(studentRecordApi.read, { id })).photo).toBe(json.photo);
  expect((await teacher.send({ method: 'GET', url: json.photo })).headers['content-type']).toBe('image/jpeg');
  const stranger = await school.person();
  await teach(school, stranger, { sectionId: await openSection(school) });
  expect((await stranger.send({ method: 'GET', url: json.photo })).status).toBe(404);
  expect((await send(id)).status).toBe(200);
  expect(await school.sql(`select id from file where owner = 'student' and owner_id = ${id}`)).toHaveLength(1);
});

test('the timeline has every act on a student, for the office', async () => {
  const id = await seat(school, section, 'Gita');
  await send('POST', `${id}/schooling`, {
    school: 'Sunrise',
    city: '',
    board: '',
    fromClass: '',
    toClass: '',
    certificateNo: '',
    certificateOn: '',
  });
  const { rows } = await office.call(studentRecordApi.history, { id, before: '' });
  expect(rows).toMatchObject([
    { actor: 'Meena', act: { id: 'Added a previous school' }, details: { School: 'Sunrise' } },
  ]);
});
