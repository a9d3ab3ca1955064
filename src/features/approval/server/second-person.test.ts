import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';

let school: School;
let asker: number;
let decider: number;
beforeAll(async () => {
  school = await openSchool();
  asker = (await school.person({ name: 'Kiran Shah', role: 'Staff' })).staffId;
  decider = (await school.person({ name: 'Mina Rao', role: 'Staff' })).staffId;
});
afterAll(() => school.close());

/** Whether the decider may decide for an asker on the staff, for a guardian who asked, or about a child. */
async function mayDecide(over: { staff?: number | null; guardian?: number; child?: number; by?: number } = {}) {
  const { staff = asker, guardian = null, child = null, by = decider } = over;
  const [row] = await school.sql(`select may_be_second(${staff}, ${guardian}, ${child}, ${by}) as may`);
  return row?.may;
}

test('another record of staff decides, and the asker never does', async () => {
  expect([await mayDecide(), await mayDecide({ by: asker })]).toEqual([true, false]);
});

test('a request that names neither a member of staff nor a guardian is decided by nobody', async () => {
  expect(await mayDecide({ staff: null })).toBe(false);
});

test.each([
  ['one name and birth date', `name = 'KIRAN  shah', birth_date = '1980-02-03'`, `birth_date = '1980-02-03'`, false],
  ['one name and two birth dates', `name = 'Kiran Shah', birth_date = '1980-02-04'`, `birth_date = '1980-02-03'`, true],
  ['one name without birth dates', `name = 'Kiran Shah'`, `birth_date = null`, true],
  [
    'one Aadhaar and PAN',
    `aadhaar_last4 = '1234', pan_last4 = '234F'`,
    `aadhaar_last4 = '1234', pan_last4 = '234F'`,
    false,
  ],
  ['one Aadhaar and no PAN', `aadhaar_last4 = '1234'`, `aadhaar_last4 = '1234'`, true],
  [
    'one Aadhaar and two PANs',
    `aadhaar_last4 = '1234', pan_last4 = '234F'`,
    `aadhaar_last4 = '1234', pan_last4 = '234G'`,
    true,
  ],
])('two records with %s', async (_, ofDecider, ofAsker, expected) => {
  const plain = `birth_date = null, aadhaar_last4 = '', pan_last4 = ''`;
  await school.sql(`update staff set name = 'Mina Rao', ${plain} where id = ${decider};
    update staff set ${plain} where id = ${asker}`);
  await school.sql(`update staff set ${ofDecider} where id = ${decider}`);
  await school.sql(`update staff set ${ofAsker} where id = ${asker}`);
  expect(await mayDecide()).toBe(expected);
  await school.sql(`update staff set name = 'Mina Rao', ${plain} where id = ${decider}`);
});

test('a parent of the child does not decide, barred or not; a contact of the child and the parent of another do', async () => {
  const section = await openSection(school);
  const [nisha, tara] = [await seat(school, section, 'Nisha'), await seat(school, section, 'Tara')];
  const mother = await raise(school, [nisha], { firstName: 'Mina' }, { relation: 'Mother' });
  await school.sql(`update guardian set staff_id = ${decider} where id = ${mother}`);
  expect([await mayDecide({ child: nisha }), await mayDecide({ child: tara }), await mayDecide()]).toEqual([
    false,
    true,
    true,
  ]);
  await school.sql(`update student_guardian set is_primary = false, is_barred = true where guardian_id = ${mother}`);
  expect(await mayDecide({ child: nisha })).toBe(false);
  await school.sql(`update student_guardian set is_barred = false, role = 'Contact' where guardian_id = ${mother}`);
  expect(await mayDecide({ child: nisha })).toBe(true);

  const asked = { staff: null, guardian: mother };
  const other = await raise(school, [tara], { firstName: 'Asha' }, { relation: 'Mother' });
  expect([await mayDecide(asked), await mayDecide({ ...asked, guardian: other })]).toEqual([false, true]);
});
