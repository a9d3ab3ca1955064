import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { guardianApi } from '../../contract/guardian.ts';

let school: School;
let office: Person;
let section: number;
let relationId: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
  section = await openSection(school);
  const [row] = await school.sql(`select id from academic_lookup where kind = 'Relation' and name = 'Uncle'
    union all select min(id) from academic_lookup where kind = 'Relation' limit 1`);
  relationId = Number(row?.id);
});
afterAll(() => school.close());

const empty = {
  ...{ middleName: '', lastName: '', mobile: '', email: '', qualification: '', occupation: '', organization: '' },
  ...{ firstNameLocal: '', middleNameLocal: '', lastNameLocal: '' },
  ...{ jobProfile: '', sectorId: null, specialtyId: null, staffId: null, isDeceased: false },
  ...{ role: 'Guardian' as const, mayCollect: true, receivesMessages: true, isBarred: false, restriction: '' },
};
const add = (id: number, firstName: string, contactOrder: number) =>
  office.call(guardianApi.add, {
    ...{ ...empty, id, firstName, contactOrder, relationId, knownId: null, isNewAdult: false },
  });
const familyOf = async (id: number) => (await office.call(guardianApi.family, { id })).guardians;
/** The names in the order of calling; each place is that of the list. */
async function orderOf(id: number) {
  const guardians = await familyOf(id);
  expect(guardians.map(({ saved }) => saved.contactOrder)).toEqual(guardians.map((_, index) => index + 1));
  return guardians.map(({ name }) => name).join(' ');
}
async function move(id: number, name: string, contactOrder: number) {
  const one = (await familyOf(id)).find((guardian) => guardian.name === name);
  if (!one) throw new Error(name);
  const { version, adultVersion, saved } = one;
  return office.call(guardianApi.save, {
    ...{ ...saved, id, guardian: one.id, version, adultVersion, contactOrder },
  } as never);
}
const five = async (first: string) => {
  const id = await seat(school, section, first);
  for (const [index, name] of ['Asha', 'Bina', 'Charu', 'Diya', 'Esha'].entries())
    await add(id, `${first}${name}`, index + 1);
  return id;
};

test('Q1.23 a new adult gets the place that is typed and the others move on; the one who is called first keeps the first place', async () => {
  const id = await seat(school, section, 'Kin');
  await add(id, 'Meena', 1);
  await add(id, 'Rakesh', 1);
  await add(id, 'Savita', 1);
  await add(id, 'Tara', 9);
  expect(await orderOf(id)).toBe('Meena Savita Rakesh Tara');
  await add(id, 'Usha', 3);
  expect(await orderOf(id)).toBe('Meena Savita Usha Rakesh Tara');
});

test('Q1.23 an adult moves forward and back to the place that is typed, and unlinking leaves no gap', async () => {
  const id = await five('N');
  expect(await orderOf(id)).toBe('NAsha NBina NCharu NDiya NEsha');
  await move(id, 'NDiya', 2);
  expect(await orderOf(id)).toBe('NAsha NDiya NBina NCharu NEsha');
  await move(id, 'NDiya', 4);
  expect(await orderOf(id)).toBe('NAsha NBina NCharu NDiya NEsha');
  const charu = (await familyOf(id))[2];
  await office.call(guardianApi.remove, {
    ...{ id, guardian: charu?.id ?? 0, version: charu?.version ?? 0, nextId: null, isMistake: false },
  });
  expect(await orderOf(id)).toBe('NAsha NBina NDiya NEsha');
});

test('Q1.23 who is called first from now on takes the first place, and the one before follows', async () => {
  const id = await five('F');
  const diya = (await familyOf(id))[3];
  await office.call(guardianApi.callFirst, { id, guardian: diya?.id ?? 0 });
  expect(await orderOf(id)).toBe('FDiya FAsha FBina FCharu FEsha');
});

test('Q1.23 an edit that began before another adult took the place is stale, and an added adult is undone at once', async () => {
  const id = await five('S');
  const bina = (await familyOf(id))[1];
  const added = await add(id, 'SFresh', 2);
  const late = await office.send({
    method: 'PUT',
    url: `/api/student/${id}/guardian/${bina?.id}`,
    body: { ...bina?.saved, version: bina?.version, adultVersion: bina?.adultVersion, occupation: 'Baker' },
  });
  expect([late.status, late.json.error?.code]).toEqual([409, 'stale']);
  await office.call(guardianApi.remove, {
    ...{ id, guardian: added.id, version: 1, nextId: null, isMistake: true },
  });
  expect(await orderOf(id)).toBe('SAsha SBina SCharu SDiya SEsha');
});

test('Q1.23 of ten adults who are added to one place at once each has a place of its own, also past the forms', async () => {
  const id = await five('T');
  await Promise.all(Array.from({ length: 10 }, (_, index) => add(id, `Ten${String.fromCharCode(97 + index)}`, 2)));
  expect((await orderOf(id)).split(' ')).toHaveLength(15);
  await school.sql(`update student_guardian set contact_order = 3 where student_id = ${id}`);
  expect((await orderOf(id)).split(' ')[0]).toBe('TAsha');
  await expect(
    school.sql(`alter table student_guardian disable trigger user;
      update student_guardian set contact_order = 3 where student_id = ${id}`),
  ).rejects.toThrow('student_guardian_order');
});
