import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { matchGuardians, type NamedAdult } from './match-guardians.ts';

let school: School;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  section = await openSection(school);
});
afterAll(() => school.close());

const someone = (over: Partial<NamedAdult>): NamedAdult => ({
  child: 0,
  firstName: 'Ramesh',
  lastName: 'Shah',
  mobile: '',
  email: '',
  relation: 'Father',
  ...over,
});
const match = (...people: Partial<NamedAdult>[]) =>
  school.services.db.transaction().execute((db) => matchGuardians({ db }, people.map(someone)));
const father = async (name: string, mobile: string, relation = 'Father', child?: number) =>
  raise(
    school,
    [child ?? (await seat(school, section, 'Child'))],
    { firstName: name, mobile },
    { relation, isPrimary: child === undefined },
  );

test('L1.13 one number and fitting names are one father, with bhai or without it, and in Gujarati', async () => {
  const ramesh = await father('Rameshbhai', '5550100001');
  for (const firstName of ['Ramesh', 'Rameshbhai', 'Shri Ramesh', 'રમેશભાઈ', 'Rameshkumar'])
    expect([firstName, await match({ firstName, mobile: '5550100001' })]).toEqual([
      firstName,
      [{ certain: ramesh, likely: [] }],
    ]);
  expect(await match({ lastName: '', mobile: '5550100001' })).toEqual([{ certain: ramesh, likely: [] }]);
});

test('L1.13 mother and father with one number are two adults', async () => {
  const ramesh = await father('Ramesh', '5550100002');
  expect(await match({ firstName: 'Kokila', mobile: '5550100002', relation: 'Mother' })).toEqual([
    { likely: [ramesh] },
  ]);
  expect(await match({ mobile: '5550100002', relation: 'Mother' })).toEqual([{ likely: [ramesh] }]);
});

test('L1.13 fathers of other names with one number are two, the known one offered', async () => {
  const ramesh = await father('Ramesh', '5550100003');
  expect(await match({ firstName: 'Suresh', mobile: '5550100003' })).toEqual([{ likely: [ramesh] }]);
  expect(await match({ lastName: 'Patel', mobile: '5550100003' })).toEqual([{ likely: [ramesh] }]);
});

test('L1.13 a father without a number is known by the mother of the same child', async () => {
  const child = await seat(school, section, 'Child');
  const kokila = await father('Kokila', '5550100004', 'Mother', undefined);
  await school.sql(`insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary)
    select ${child}, ${kokila}, relation_id, 'Parent', true from student_guardian where guardian_id = ${kokila}`);
  const mahesh = await father('Mahesh', '', 'Father', child);
  const mother = { firstName: 'Kokila', mobile: '5550100004', relation: 'Mother' };
  expect(await match({ firstName: 'Mahesh' }, mother)).toEqual([
    { certain: mahesh, likely: [] },
    { certain: kokila, likely: [] },
  ]);
  expect(await match({ firstName: 'Mahesh' }, { ...mother, child: 1 })).toMatchObject([{ likely: [mahesh] }, {}]);
  expect(await match({ firstName: 'Mahesh' })).toEqual([{ likely: [mahesh] }]);
});

test('L1.13 an email address counts as a number does', async () => {
  const ketan = await father('Ketan', '5550100005');
  await school.sql(`update guardian set email = 'Ketan@family.example' where id = ${ketan}`);
  expect(await match({ firstName: 'Ketan', email: 'ketan@FAMILY.example' })).toEqual([{ certain: ketan, likely: [] }]);
});
