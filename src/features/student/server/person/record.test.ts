import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { studentList } from '../../contract/list.ts';
import { studentRecordApi } from '../../contract/record.ts';

let school: School;
let office: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  section = await openSection(school);
});
afterAll(() => school.close());

const savePersonal = async (id: number, over: Record<string, unknown>, version?: number) => {
  const before = await office.call(studentRecordApi.personal, { id });
  const body = { ...before.saved, version: version ?? before.version, ...over };
  return office.send({ method: 'PUT', url: `/api/student/${id}/personal`, body });
};
const saveIdentity = (id: number, body: Record<string, unknown>) =>
  office.send({
    method: 'PUT',
    url: `/api/student/${id}/identity`,
    body: { version: 1, udiseUid: '', pen: '', apaar: '', aadhaar: '', ...body },
  });

test('the office changes personal data, and the log says what, but no caste and no blood group', async () => {
  const id = await seat(school, section, 'Nisha');
  const answer = await savePersonal(id, {
    birthPlace: 'Surat',
    caste: 'Secret',
    bloodGroup: 'B+',
    alert: 'Asthma',
    alertLevel: 'Warning',
  });
  expect(answer.json).toEqual({ version: 2 });
  expect(await office.call(studentRecordApi.read, { id })).toMatchObject({ alert: 'Asthma', alertLevel: 'Warning' });
  const [row] = await school.sql(`select details from audit where action = 'student.changed' and entity_id = ${id}`);
  expect(row?.details).toMatchObject({ 'Birth place': '– → Surat', Caste: '– → ••••', 'Blood group': '– → ••••' });
});

test('of two clerks the second gets what the first saved, and loses nothing', async () => {
  const id = await seat(school, section, 'Mihir');
  expect((await savePersonal(id, { birthPlace: 'Surat' })).status).toBe(200);
  const { status, json } = await savePersonal(id, { birthPlace: 'Rajkot' }, 1);
  expect([status, json.error.code, json.error.data]).toMatchObject([
    409,
    'stale',
    { version: 2, saved: { birthPlace: 'Surat' } },
  ]);
});

test('a sign that is stored in place of a name keeps nothing else from being saved, and is no new name', async () => {
  const id = await seat(school, section, 'Nisha');
  await school.sql(
    `update student set first_name = '.', last_name = 'NA', added_on = current_date - 40 where id = ${id}`,
  );
  expect((await savePersonal(id, { birthPlace: 'Surat' })).status).toBe(200);
  const other = await seat(school, section, 'Omi');
  for (const signs of [{ firstName: '.' }, { lastName: 'NA' }])
    expect((await savePersonal(other, signs)).json.error?.fields).toEqual({
      [Object.keys(signs)[0] ?? '']: expect.stringMatching(/is (?:no|not a) name/),
    });
  expect((await savePersonal(other, { lastName: '' })).json.error?.fields).toHaveProperty('lastName');
  expect((await savePersonal(other, { lastName: '', hasOneName: true })).status).toBe(200);
});

test('an alert has a level, and a choice of another list is refused', async () => {
  const id = await seat(school, section, 'Tara');
  const fieldsOf = async (over: Record<string, unknown>) => (await savePersonal(id, over)).json.error?.fields;
  expect(await fieldsOf({ alert: 'Asthma' })).toEqual({ alertLevel: 'Choose how serious the alert is.' });
  const [religion] = await school.sql(`select min(id) as id from academic_lookup where kind = 'Religion'`);
  expect(await fieldsOf({ nationalityId: religion?.id })).toEqual({
    nationalityId: 'This entry is inactive. Choose another one.',
  });
});

test('a deactivated choice stays, and is not chosen newly', async () => {
  const [one, other] = [await seat(school, section, 'Uma'), await seat(school, section, 'Veer')];
  const [religion] = await school.sql(`select id from academic_lookup where kind = 'Religion' and name = 'Jain'`);
  await savePersonal(one, { religionId: religion?.id });
  await school.sql(`update academic_lookup set is_active = false where id = ${religion?.id}`);
  expect((await savePersonal(one, { birthPlace: 'Surat' })).status).toBe(200);
  expect((await savePersonal(other, { religionId: religion?.id })).status).toBe(422);
});

test('two children have no PEN in common, and digits of Gujarati count', async () => {
  const [one, other] = [await seat(school, section, 'Asha'), await seat(school, section, 'Bela')];
  expect((await saveIdentity(one, { pen: '૧૨૩૪૫૬૭૮૯૦૧' })).status).toBe(200);
  expect((await office.call(studentRecordApi.identity, { id: one })).saved.pen).toBe('12345678901');
  const { json } = await saveIdentity(other, { pen: '12345678901' });
  expect(json.error.fields).toEqual({ pen: 'Already in use. Enter a different one.' });
});

test('the head says what a record lacks to those who may read all of it, and the list finds it', async () => {
  const id = await seat(school, section, 'Gita');
  const missingOf = async (person = office) => (await person.call(studentRecordApi.read, { id })).missing;
  const all = [
    'Guardian',
    'Mobile number',
    'Photo',
    'Aadhaar number',
    'PEN',
    'APAAR ID',
    'House',
    'Category',
    'Documents',
  ];
  expect(await missingOf()).toEqual(all);
  await saveIdentity(id, { pen: '99900000077', aadhaar: 'P 1234' });
  expect(await missingOf()).toEqual(all.filter((what) => what !== 'PEN' && what !== 'Aadhaar number'));
  const teacher = await school.person();
  await teach(school, teacher, { sectionId: section });
  expect(await missingOf(teacher)).toBeUndefined();
  const named = async (missing: string, person = office) =>
    (await person.call(studentList.api.list, { missing })).rows.map((row) => row.id);
  expect(await named('Aadhaar number')).not.toContain(id);
  expect(await named('Documents')).toContain(id);
  expect(await named('Documents', teacher)).toEqual([]);
});
