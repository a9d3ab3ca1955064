import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { mergeApi } from '../../contract/merge.ts';

let school: School;
let office: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  section = await openSection(school);
});
afterAll(() => school.close());

const doubted = async () => {
  const doubt = encodeURIComponent('May be entered twice');
  const { json } = await office.send({ url: `/api/student?tab=all&doubt=${doubt}` });
  return json.rows.map(({ id }: { id: number }) => id).sort((one: number, other: number) => one - other);
};
const todos = async () => {
  const { rows } = await office.call(dashboardApi.todo, {});
  return rows.filter(({ kind }) => kind === 'double-entry').length;
};

test('Q1.2 students who may be entered twice are listed and to do, and nobody is asked again about two who are two children', async () => {
  expect(await doubted()).toEqual([]);
  const one = await seat(school, section, 'Riya', { birthDate: '2018-05-05' });
  const two = await seat(school, section, 'Riya', { birthDate: '2018-05-05' });
  // A sister with another name, one of another day, and a near name on another day.
  await seat(school, section, 'Usha', { birthDate: '2018-05-05' });
  await seat(school, section, 'Riya', { birthDate: '2016-09-20' });
  expect(await doubted()).toEqual([one, two]);
  expect(await todos()).toBe(2);
  expect((await office.call(mergeApi.doubts, { id: one })).students).toMatchObject([{ id: two }]);
  await office.call(mergeApi.notSame, { id: one, otherId: two });
  expect(await doubted()).toEqual([]);
  expect(await todos()).toBe(0);
  expect((await office.call(mergeApi.doubts, { id: two })).students).toEqual([]);
});

test('Q1.2 a day with one part entered otherwise is a doubt where the children share an adult, and no doubt for namesakes', async () => {
  const one = await seat(school, section, 'Kavya', { birthDate: '2017-03-04' });
  const two = await seat(school, section, 'Kavya', { birthDate: '2017-04-03' });
  expect(await doubted()).toEqual([]);
  await raise(school, [one, two], { firstName: 'Priya', mobile: '5550201465' });
  expect(await doubted()).toEqual([one, two]);
});
