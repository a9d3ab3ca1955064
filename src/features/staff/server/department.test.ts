import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffNames } from '#access/contract/staff-names.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { headOf } from '../api.ts';

let school: School;
let asha: Person;
let ravi: Person;
let [science, office] = [0, 0];
beforeAll(async () => {
  school = await openSchool();
  [asha, ravi] = [await school.person({ name: 'Asha' }), await school.person({ name: 'Ravi' })];
  const departments = await school.sql(`insert into academic_department (name, staff_id)
    values ('Science', ${asha.staffId}), ('Office', null) returning id`);
  [science, office] = departments.map(({ id }) => Number(id)) as [number, number];
});
afterAll(() => school.close());

test('the head of a department is found, and one without a head is left out', async () => {
  expect([...(await headOf(school.context(), [science, office]))]).toEqual([[science, asha.staffId]]);
  expect([...(await headOf(school.context(), []))]).toEqual([]);
});

test('every member of staff chooses colleagues by name', async () => {
  const found = await asha.call(staffNames.options, { search: 'Ravi' });
  expect(found).toEqual([expect.objectContaining({ id: ravi.staffId, name: 'Ravi' })]);
});
