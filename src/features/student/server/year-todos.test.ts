import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { resultApi, resultList } from '../contract/result.ts';

let school: School;
let office: Person;
let teacher: Person;
let former: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
  teacher = await school.person();
  former = await school.person();
  section = await openSection(school, { day: `date '2019-07-01'` });
  const next = await openSection(school, { day: `date '2020-07-01'` });
  await teach(school, former, { sectionId: section, until: `date '2020-01-31'` });
  await teach(school, teacher, { sectionId: section, from: `date '2020-02-01'` });
  // Who leads no section in the new year has no page of results any more.
  await teach(school, teacher, { sectionId: next });
  await teach(school, former, { sectionId: next, role: 'Co-class teacher' });
  for (const name of ['Asha', 'Bela']) await seat(school, section, name);
});
afterAll(() => school.close());

const on = (day: string) => {
  school.clock.now = new Date(`${day}T06:00:00Z`);
};
const todo = async (who: Person, kind: string) => {
  const { rows, hasFailed } = await who.call(dashboardApi.todo, {});
  expect(hasFailed).toBe(false);
  return rows.filter((row) => row.kind === kind).map(({ when, detail, to }) => [when, english(detail), to]);
};

test('a class teacher of the last day decides on the results of the section, from the day of the setting until all are decided', async () => {
  const [own] = await school.sql(`select academic_year_id as id from academic_section where id = ${section}`);
  const to = `student/result-list?yearId=${own?.id}&sectionId=${section}&state=No%20decision%20yet`;
  on('2020-03-31');
  expect(await todo(teacher, 'result')).toEqual([]);
  on('2020-04-01');
  expect(await todo(teacher, 'result')).toEqual([['soon', '2 students without a result', to]]);
  for (const other of [former, office]) expect(await todo(other, 'result')).toEqual([]);
  const listed = async () =>
    (await teacher.call(resultList.api.list, { sectionId: String(section), state: 'No decision yet' })).rows;
  const rows = await listed();
  expect(rows).toHaveLength(2);
  const decide = ({ id, version }: (typeof rows)[number]) =>
    teacher.call(resultApi.decide, { id, version, decision: 'Promote', reason: '', conduct: '', progress: '' });
  await decide(rows[0] as (typeof rows)[number]);
  on('2020-06-01');
  expect(await todo(teacher, 'result')).toEqual([['late', '1 student without a result', to]]);
  await decide(rows[1] as (typeof rows)[number]);
  expect(await listed()).toEqual([]);
  expect(await todo(teacher, 'result')).toEqual([]);
});

test('an older year that was never closed does not hide the results of this one', async () => {
  await openSection(school, { day: `date '2017-07-01'` });
  on('2020-04-20');
  await school.sql(`delete from student_result`);
  expect((await todo(teacher, 'result')).map(([, detail]) => detail)).toEqual(['2 students without a result']);
});

test('the office finds out about students without a place in the new year, and nobody else is asked', async () => {
  const found = async () => (await todo(office, 'unexplained')).map(([, detail]) => detail);
  on('2020-05-31');
  // No register was ever taken: the list at the year's end has them, the dashboard is not flooded.
  expect(await found()).toEqual([]);
  on('2020-06-01');
  expect(await found()).toEqual(Array(2).fill('Was here last year, and has no class in this one'));
  expect(await todo(teacher, 'unexplained')).toEqual([]);
  await school.sql(`update student_enrollment set status = 'Left', left_on = '2020-05-31';
    insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
      select own.student_id, own.id, own.left_on, (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Meena'
      from student_enrollment own`);
  expect(await found()).toEqual([]);
});
