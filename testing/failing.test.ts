import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentsOf } from './failing.ts';
import { openSchool, type School } from './school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test.each([
  ['added', `insert into staff (name, employee_number) values ('Asha', 'A1'), ('Bela', 'B1')`],
  ['changed', `update staff set name = 'Chhaya' where name = 'Asha'`],
  ['removed', `delete from staff where name = 'Bela'`],
  [
    'replaced',
    `delete from staff where name = 'Chhaya'; insert into staff (name, employee_number) values ('Chhaya', 'C1')`,
  ],
])('the contents of a table differ once a row was %s, and those of no other table', async (_what, statement) => {
  const { staff, ...others } = await contentsOf(school);
  await school.sql(statement);
  const after = await contentsOf(school);
  expect(after.staff).not.toBe(staff);
  expect(after).toMatchObject(others);
});

test('the contents of a table are the same after what was taken back or only locked', async () => {
  const before = await contentsOf(school);
  await school.sql(`begin; update staff set name = 'Diya'; delete from staff; rollback; select from staff for update`);
  expect(await contentsOf(school)).toEqual(before);
});
