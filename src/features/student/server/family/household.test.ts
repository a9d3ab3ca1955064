import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

const householdOf = async (guardian: number) =>
  (
    await school.sql(`select student_id from student_household where guardian_id = ${guardian} order by student_id`)
  ).map(({ student_id }) => student_id);

test('a household is the children whom a living adult may meet, leavers too; neither a contact nor a barred adult has it', async () => {
  const section = await openSection(school);
  const nisha = await seat(school, section, 'Nisha');
  const mihir = await seat(school, section, 'Mihir');
  const tara = await seat(school, section, 'Tara');
  const mother = await raise(school, [nisha, mihir], { firstName: 'Asha' }, { relation: 'Mother' });
  const father = await raise(school, [tara], { firstName: 'Kiran' });
  await school.sql(`insert into student_guardian (student_id, guardian_id, relation_id, role, contact_order)
    select ${nisha}, guardian_id, relation_id, role, 2 from student_guardian where guardian_id = ${father}`);
  const uncle = await raise(school, [nisha], { firstName: 'Om' }, { role: 'Contact', isPrimary: false });
  const households = async () => [await householdOf(mother), await householdOf(father), await householdOf(uncle)];
  expect(await households()).toEqual([[nisha, mihir], [nisha, tara], []]);

  await school.sql(
    `update student_guardian set is_barred = true where (guardian_id, student_id) = (${father}, ${nisha})`,
  );
  await school.sql(`delete from student_section where student_id = ${mihir};
    update student_enrollment set status = 'Transferred', left_on = joined_on where student_id = ${mihir}`);
  expect(await households()).toEqual([[nisha, mihir], [tara], []]);

  await school.sql(`update student_guardian set is_primary = false where guardian_id = ${father};
    update guardian set is_deceased = true where id = ${father}`);
  expect(await households()).toEqual([[nisha, mihir], [], []]);
});
