import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { healthApi, healthFields } from '../../contract/health.ts';
import { studentRecordApi } from '../../contract/record.ts';

let school: School;
let office: Person;
let nurse: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  nurse = await school.person({ name: 'Bina', sets: ['nurse'] });
  section = await openSection(school);
});
afterAll(() => school.close());

const identityOf = (id: number) => office.call(studentRecordApi.identity, { id });
const saveIdentity = async (id: number, over: Record<string, unknown>) => {
  const { version, saved } = await identityOf(id);
  const body = { ...saved, version, ...over };
  return office.send({ method: 'PUT', url: `/api/student/${id}/identity`, body });
};
const reveal = (person: Person, id: number, what: 'aadhaar' | 'health', reason = 'Asked by the family') =>
  person.send({ method: 'POST', url: `/api/student/${id}/${what}/reveal`, body: { reason } });
const actsOn = async (id: number) =>
  school.sql(`select action, details from audit where entity = 'student' and entity_id = ${id} order by id`);

test('L1.15 an Aadhaar number is stored sealed, shown masked, and kept when the mask is saved', async () => {
  const id = await seat(school, section, 'Asha');
  expect((await saveIdentity(id, { aadhaar: '૨૩૪૧ ૨૩૪૧ ૨૩૪૬' })).status).toBe(200);
  expect((await identityOf(id)).saved.aadhaar).toBe('XXXX XXXX 2346');
  const [row] = await school.sql(`select encode(aadhaar, 'escape') as sealed from student where id = ${id}`);
  expect(row?.sealed).not.toContain('2341');
  expect((await saveIdentity(id, { udiseUid: 'U1' })).status).toBe(200);
  expect((await reveal(office, id, 'aadhaar')).json).toEqual({ aadhaar: '2341 2341 2346' });
  expect(JSON.stringify(await actsOn(id))).not.toContain('2341');
  expect(school.log()).not.toContain('2341 2341');
});

test('L1.1 the same Aadhaar number of two students is refused in any script, and names nobody', async () => {
  const [one, other] = [await seat(school, section, 'Bela'), await seat(school, section, 'Chirag')];
  expect((await saveIdentity(one, { aadhaar: '499118665246' })).status).toBe(200);
  for (const aadhaar of ['4991 1866 5246', '४९९१ १८६६ ५२४६']) {
    const { status, text, json } = await saveIdentity(other, { aadhaar });
    expect([status, json.error.fields]).toEqual([422, { aadhaar: 'Another student has this Aadhaar number.' }]);
    expect(text).not.toMatch(/Bela|5246/);
  }
  // The number is free once the first student has none.
  expect((await saveIdentity(one, { aadhaar: '' })).status).toBe(200);
  expect((await saveIdentity(other, { aadhaar: '499118665246' })).status).toBe(200);
});

test('of two offices that enter one Aadhaar number for two students one is refused', async () => {
  const ids = [await seat(school, section, 'Dev'), await seat(school, section, 'Esha')];
  const answers = await Promise.all(ids.map((id) => saveIdentity(id, { aadhaar: '3675 9834 6016' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
});

test('twelve digits with a wrong check digit and a mask are no number; a passport is', async () => {
  const id = await seat(school, section, 'Falguni');
  const fieldsOf = async (aadhaar: string) => (await saveIdentity(id, { aadhaar })).json.error?.fields;
  expect(await fieldsOf('2341 2341 2345')).toEqual({ aadhaar: 'This is not an Aadhaar number. Check its digits.' });
  expect(await fieldsOf('XXXX XXXX 1234')).toEqual({ aadhaar: 'Enter the whole number.' });
  expect(await fieldsOf('Z1234567')).toBeUndefined();
  expect((await identityOf(id)).saved.aadhaar).toBe('XXXX4567');
});

test('who reads an Aadhaar number says why and is in the log; a class teacher has the mask alone', async () => {
  const id = await seat(school, section, 'Gita');
  await saveIdentity(id, { aadhaar: 'P 7654321' });
  expect((await reveal(office, id, 'aadhaar', '')).status).toBe(422);
  expect((await reveal(office, id, 'aadhaar', 'For the board')).status).toBe(200);
  expect((await actsOn(id)).at(-1)).toEqual({
    action: 'student.aadhaar-revealed',
    details: { Reason: 'For the board' },
  });
  const teacher = await school.person();
  await teach(school, teacher, { sectionId: section });
  expect(await teacher.call(studentRecordApi.identity, { id })).toMatchObject({ may: { reveal: false } });
  expect((await reveal(teacher, id, 'aadhaar')).status).toBe(403);
});

const answers = (over: Record<string, unknown> = {}) => ({
  ...Object.fromEntries(Object.entries(healthFields).map(([name, { kind }]) => [name, kind === 'yesNo' ? false : ''])),
  ...over,
});
const saveHealth = (person: Person, id: number, version: number, over: Record<string, unknown>) =>
  person.send({ method: 'PUT', url: `/api/student/${id}/health`, body: { version, ...answers(over) } });

test('L1.16 health answers are stored sealed, and read with a reason by nurse, counsellor, principal and Admin', async () => {
  const id = await seat(school, section, 'Hetal');
  const peanuts = {
    isSufferingFromAllergies: true,
    allergiesDescription: 'Peanuts',
    allergiesTreatmentBySchool: 'EpiPen',
  };
  expect((await saveHealth(office, id, 0, peanuts)).status).toBe(200);
  const [row] = await school.sql(
    `select encode(answers, 'escape') as sealed from student_health where student_id = ${id}`,
  );
  expect(row?.sealed).not.toContain('Peanuts');
  expect(await office.call(healthApi.health, { id })).toEqual({ version: 1, may: { reveal: false, save: false } });
  expect((await reveal(office, id, 'health')).status).toBe(403);
  const { json } = await reveal(nurse, id, 'health', 'She feels sick');
  expect(json).toMatchObject({ version: 1, answers: { allergiesDescription: 'Peanuts', isVaccinated: false } });
  const acts = await actsOn(id);
  expect(acts).toEqual([
    { action: 'student.health-saved', details: {} },
    { action: 'student.health-revealed', details: { Reason: 'She feels sick' } },
  ]);
  const teacher = await school.person();
  await teach(school, teacher, { role: 'Co-class teacher', sectionId: section });
  expect((await teacher.send({ method: 'GET', url: `/api/student/${id}/health` })).status).toBe(403);
});

test('who may not read health answers does not replace them, and a second nurse is told', async () => {
  const id = await seat(school, section, 'Isha');
  expect((await saveHealth(office, id, 0, { isVaccinated: true })).status).toBe(200);
  expect((await saveHealth(office, id, 1, {})).status).toBe(404);
  expect((await saveHealth(nurse, id, 1, { isSpecialNeeds: true })).json.error.fields).toEqual({
    specialNeedsDescription: 'Fill this in, or answer No above.',
  });
  expect((await saveHealth(nurse, id, 1, { specialNeedsDescription: 'Dropped' })).status).toBe(200);
  expect((await reveal(nurse, id, 'health')).json.answers.specialNeedsDescription).toBe('');
  const late = await saveHealth(nurse, id, 1, {});
  expect([late.status, late.json.error.code, late.json.error.data]).toEqual([409, 'stale', undefined]);
});
