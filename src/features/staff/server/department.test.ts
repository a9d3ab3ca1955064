import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffNames } from '#access/contract/staff-names.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { departmentsOf, headOf } from '../api.ts';

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
  await school.sql(`insert into academic_designation (name, level) values ('Teacher', 1);
    insert into staff_post (staff_id, effective_from, effective_to, designation_id, department_id, branch_id)
    select ${ravi.staffId}, span.first::date, span.last::date, designation.id, span.department,
      (select min(id) from academic_branch)
    from (values ('2020-06-01', '2021-05-31', ${science}), ('2021-06-01', null, ${office})) as span(first, last, department),
      academic_designation designation where designation.name = 'Teacher'`);
});
afterAll(() => school.close());

test('a person is in the department of the post that holds on the day, and before the first one in none', async () => {
  const ids = [ravi.staffId, asha.staffId];
  const on = async (day: string) => [...(await departmentsOf(school.context(), ids, day))];
  expect(await on('2021-05-31')).toEqual([[ravi.staffId, science]]);
  expect(await on('2021-06-01')).toEqual([[ravi.staffId, office]]);
  expect(await on('2020-05-31')).toEqual([]);
});

test('the head of a department is found, and one without a head is left out', async () => {
  expect([...(await headOf(school.context(), [science, office]))]).toEqual([[science, asha.staffId]]);
  expect([...(await headOf(school.context(), []))]).toEqual([]);
});

test('every member of staff chooses colleagues by name', async () => {
  const found = await asha.call(staffNames.options, { search: 'Ravi' });
  expect(found).toEqual([expect.objectContaining({ id: ravi.staffId, name: 'Ravi' })]);
});
