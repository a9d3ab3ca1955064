import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { employ, openType, openWorkYear } from '#testing/workdays.ts';
import { dashboardApi } from './contract.ts';

/** A Monday; the last school day was a Friday. */
const [today, lastDay] = ['2040-09-03', '2040-08-31'];
let school: School;
let yearId: number;
let typeId: number;
beforeAll(async () => {
  school = await openSchool();
  yearId = await openWorkYear(school, today);
  typeId = await openType(school, yearId, { code: 'CL', halves: 24 });
});
afterAll(() => school.close());

const changesOf = async (person: Person) => {
  const { lines, ...rest } = await person.call(dashboardApi.changes, {});
  return { ...rest, lines: lines.map(({ words, names, more, to }) => [english(words), names.join(), more, to]) };
};

/** Leave of a new colleague that was granted at a moment. */
async function grant(name: string, moment: string) {
  const person = await school.person({ name });
  await employ(school, person);
  await school.sql(`insert into workday_leave (staff_id, academic_year_id, type_id, from_day, to_day, from_half, to_half, state,
      asked_by, asked_at, decided_by, decided_at)
    values (${person.staffId}, ${yearId}, ${typeId}, '2040-09-12', '2040-09-12', 1, 2, 'Granted', ${person.staffId}, '${moment}',
      ${person.staffId}, '${moment}')`);
}

test('the principal reads what was granted since the last school day, by name; older grants are left out', async () => {
  const principal = await school.person({ sets: ['principal'] });
  const office = await school.person({ sets: ['office'] });
  await grant('Older', '2040-08-30T23:59:00+05:30');
  expect(await changesOf(principal)).toEqual({ hasFailed: false, since: lastDay, lines: [] });
  for (const name of ['Asha', 'Bina', 'Charu', 'Dev']) await grant(name, `${lastDay}T00:00:00+05:30`);
  const lines = [['4 leaves of staff were granted', 'Asha,Bina,Charu', 1, 'hris/hris-master?tab=leave']];
  const other = await school.person({ sets: ['principal'] });
  expect(await changesOf(other)).toEqual({ hasFailed: false, since: lastDay, lines });
  // The office grants no leave, and may not open its list.
  expect(await changesOf(office)).toEqual({ hasFailed: false, since: lastDay, lines: [] });
});

test('students whose leaving was entered or who joined since are named; one who is back or joined earlier is not, and a teacher has no news', async () => {
  const sectionId = await openSection(school, { day: `'${today}'` });
  const [left, joined] = [await seat(school, sectionId, 'Farah'), await seat(school, sectionId, 'Gita')];
  await seat(school, sectionId, 'Hari');
  await school.sql(`update student_section set effective_from = '${lastDay}' where student_id = ${joined};
    update student_enrollment set joined_on = '${lastDay}' where student_id = ${joined};
    insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by, decided_at)
    select ${left}, id, '${today}', (select min(id) from academic_lookup where name = 'Moved to another city'), 'Meena',
      '${lastDay}T08:00:00+05:30' from student_enrollment where student_id = ${left}`);
  const back = await seat(school, sectionId, 'Ira');
  await school.sql(`insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by, decided_at, readmitted_on)
    select ${back}, id, '${lastDay}', (select min(id) from academic_lookup where name = 'Moved to another city'), 'Meena',
      '${lastDay}T08:00:00+05:30', '${today}' from student_enrollment where student_id = ${back}`);
  const office = await school.person({ sets: ['office'] });
  const { lines } = await changesOf(office);
  expect(lines).toEqual([
    ['Leaving entered for 1 student', expect.stringContaining('Farah'), 0, 'student/student-list?tab=left'],
    ['1 new student', expect.stringContaining('Gita'), 0, 'student/student-list'],
  ]);
  const teacher = await school.person();
  expect(await changesOf(teacher)).toEqual({ hasFailed: false, since: '', lines: [] });
});
