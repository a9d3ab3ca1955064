import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { digestsOf } from '#testing/digests.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { addStudentApi } from '../../contract/add.ts';
import { guardianApi } from '../../contract/guardian.ts';

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
  qualification: '',
  occupation: '',
  organization: '',
  jobProfile: '',
  sectorId: '',
  specialtyId: '',
  staffId: '',
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

test('a specialty brings its sector, and one of another sector is refused', async () => {
  const id = await seat(school, section, 'Kavya');
  const careers =
    await school.sql(`with sector as (insert into academic_career (name) values ('Crafts'), ('Health care')
      returning id, name), specialty as (insert into academic_career (name, sector_id)
      select 'Weaving', id from sector where name = 'Crafts' returning id, name)
    select id, name from sector union all select id, name from specialty`);
  const idOf = (word: string) => String(careers.find(({ name }) => name === word)?.id);
  const work = { specialtyId: idOf('Weaving'), organization: 'Patel Textiles', occupation: 'Business' };
  const refused = await send('POST', `${id}/guardian`, adult({ ...work, sectorId: idOf('Health care') }));
  expect(refused.json.error.fields).toEqual({ specialtyId: 'Choose a specialty of this sector.' });
  expect((await send('POST', `${id}/guardian`, adult(work))).status).toBe(200);
  const [kokila] = await familyOf(id);
  expect([kokila?.work, String(kokila?.saved.sectorId)]).toEqual([
    'Business · Patel Textiles · Weaving',
    idOf('Crafts'),
  ]);
  const offered = await office.call(guardianApi.specialties, { search: 'weav' });
  expect(offered.map(({ name }) => name)).toEqual(['Crafts, Weaving']);
});

test('another person instead of a shared adult is of this child alone', async () => {
  const [one, other] = [await seat(school, section, 'Lata'), await seat(school, section, 'Manav')];
  const shared = await raise(school, [one, other], { firstName: 'Naresh' });
  const [before] = await familyOf(one);
  const values = { ...adult({ firstName: 'Paresh', relationId: father }), version: before?.version };
  const { status, json } = await send('POST', `${one}/guardian/${shared}/instead`, values);
  expect(status).toBe(200);
  expect(await firstOf(one)).toEqual(['Paresh Shah']);
  expect(await firstOf(other)).toEqual(['Naresh Shah']);
  const families = await school.sql(`select id from student where id in (${one}, ${other}) and family_id = id`);
  expect(families).toHaveLength(2);
  expect((await send('POST', `${one}/guardian/${json.id}/instead`, values)).json.error.code).toBe('stale');
  const [row] = await school.sql(`select details from audit where action = 'student.guardian-replaced'`);
  expect(row?.details).toMatchObject({ Name: 'Naresh Shah → Paresh Shah' });
});

test('L1.13 an adult of like name is offered within the branch, and of another branch by number alone', async () => {
  const [south] = await school.sql(`insert into academic_branch (name, code) values ('South', 'S') returning id`);
  const away = await seat(school, await openSection(school, { branchId: Number(south?.id) }), 'Om');
  const own = await seat(school, section, 'Pia');
  await raise(school, [own], { firstName: 'Rakesh' });
  const farId = await raise(school, [away], { firstName: 'Rakesh', mobile: '5550300020' });
  await school.sql(`update guardian set last_name = 'Zaveri' where first_name = 'Rakesh'`);
  const [north] = await school.sql(`select branch_id as id from academic_section where id = ${section}`);
  const clerk = await school.person({ sets: ['office'], branchIds: [Number(north?.id)] });
  const asked = { firstName: 'Rakeshbhai', lastName: 'Zaveri', mobile: '', email: '' };
  const byName = await clerk.call(guardianApi.alike, asked);
  expect(byName).toMatchObject([{ name: 'Rakesh Zaveri', children: [expect.stringContaining('Pia')], others: 0 }]);
  const byNumber = await clerk.call(guardianApi.alike, { ...asked, firstName: 'Sameer', mobile: '5550300020' });
  expect(byNumber).toMatchObject([{ id: farId, children: [], others: 1 }]);
  // Chosen by name it is linked; one that was not offered is refused.
  const child = await seat(school, section, 'Qais');
  const add = (knownId: number | undefined) =>
    clerk.send({
      method: 'POST',
      url: `/api/student/${child}/guardian`,
      body: { ...adult({ firstName: 'Rakeshbhai', lastName: 'Zaveri', relationId: father }), knownId },
    });
  expect((await add(farId)).status).toBe(422);
  expect((await add(byName[0]?.id)).json).toMatchObject({ id: byName[0]?.id, known: 'Rakesh Zaveri' });
});

test('Q1.4 Add guardian on a record chooses the adult of this name and number, and asks whose the number of another name is', async () => {
  const [one, other] = [await seat(school, section, 'Rupal'), await seat(school, section, 'Sonal')];
  const ketan = await raise(school, [one], { firstName: 'Ketan', mobile: '5550300031' });
  const typed = { firstName: 'Ketanbhai', lastName: 'Shah', mobile: '5550300031', email: '' };
  expect(await office.call(guardianApi.alike, typed)).toMatchObject([{ id: ketan, hasContact: true, isSame: true }]);
  const wife = { ...typed, firstName: 'Bhavna' };
  expect(await office.call(guardianApi.alike, wife)).toMatchObject([{ id: ketan, hasContact: true, isSame: false }]);
  const add = (over: Record<string, unknown>) => send('POST', `${other}/guardian`, adult({ ...wife, ...over }));
  expect((await add({})).json.error.fields).toEqual({ mobile: 'A known adult has this number. Choose who it is.' });
  expect((await add({ isNewAdult: true })).json).toMatchObject({ known: '' });
  expect((await familyOf(other)).map(({ name }) => name)).toEqual(['Bhavna Shah']);
});

test('Q1.5 a guardian entered by mistake is deleted with the link, and one on whom a row hangs is named and kept', async () => {
  const id = await seat(school, section, 'Undone');
  const before = await digestsOf(school);
  const typed = { ...adult({ firstName: 'Slip', mobile: '5550201977' }), id, knownId: '', isNewAdult: false };
  const remove = async () => {
    const { id: guardian } = await office.call(guardianApi.add, typed as never);
    return { id, guardian, version: 1, nextId: null, isMistake: true };
  };
  expect(await office.call(guardianApi.remove, await remove())).toEqual({ blocks: [] });
  expect(await digestsOf(school)).toEqual(before);

  const again = await remove();
  const sister = await seat(school, section, 'Sister');
  await office.call(guardianApi.add, { ...typed, id: sister, knownId: again.guardian } as never);
  const { blocks } = await office.call(guardianApi.remove, again);
  expect(blocks.map(english)).toEqual(['Children of this adult: 2']);
  expect((await familyOf(id)).map(({ id: adultId }) => adultId)).toEqual([again.guardian]);
});
