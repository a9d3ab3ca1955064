import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { studentSectionApi } from '../../contract/student-section.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('the office gives one student another roll number from the record, and a taken one or a locked section is refused', async () => {
  const section = await openSection(school);
  const [one, other] = [await seat(school, section, 'Asha'), await seat(school, section, 'Usha')];
  const office = await school.person({ sets: ['office'] });
  const roll = (id: number, rollNo: string) => office.call(studentSectionApi.roll, { id, rollNo });
  await roll(one, '7');
  await expect(roll(other, '7')).rejects.toMatchObject({ fields: { rollNo: expect.anything() } });
  await roll(other, '8');
  expect(
    await school.sql(`select roll_no as roll from student_section where section_id = ${section} order by roll_no`),
  ).toEqual([{ roll: 7 }, { roll: 8 }]);
  await school.sql(`update academic_section set is_roll_locked = true where id = ${section}`);
  await expect(roll(one, '9')).rejects.toMatchObject({ code: 'conflict' });
  await school.sql(`update academic_section set is_roll_locked = false where id = ${section}`);
  await school.sql(`delete from student_section where student_id = ${other}`);
  await expect(roll(other, '9')).rejects.toMatchObject({ code: 'conflict' });
});
