import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { unexplainedList } from '../contract/unexplained.ts';

let school: School;
let office: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
  section = await openSection(school, { day: `date '2019-07-01'` });
  await openSection(school, { day: `date '2020-07-01'` });
});
afterAll(() => school.close());

const tab = async (name: 'undecided' | 'notSeen', by = office) =>
  (await by.call(unexplainedList.api.list, { tab: name })).rows.map((row) => row.name.split(' ')[0]);
/** The school days of the year so far, the first one first. */
const days = async () =>
  (
    await school.sql(`select own.day::text as day from academic_section section
      join academic_year year on year.id = section.academic_year_id
      cross join lateral academic_school_days(year.id, year.starts_on, year.ends_on) own
      where section.id = ${section} and own.grade_id = section.grade_id and own.work > 0 order by own.day limit 12`)
  ).map(({ day }) => String(day));

test('students whom nobody has seen in ten school days are listed, who was in class or has just joined is not', async () => {
  const [here = 0, away = 0] = [await seat(school, section, 'Asha'), await seat(school, section, 'Bela')];
  const all = await days();
  await seat(school, section, 'Chand', { joinedOn: all[5] ?? '' });
  await school.sql(`
    insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, taken_at, locks_at)
      select academic_year_id, branch_id, program_id, grade_id, id, '${all[1]}', now(), now() - interval '1 minute'
      from academic_section where id = ${section};
    insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
      select register.id, student, academic_year_id, day, half, (select id from attendance_code
        where code = case when student = ${here} then 'P' else 'A' end)
      from attendance_register register, unnest('{${here},${away}}'::integer[]) as student`);
  school.clock.now = new Date(`${all[8]}T06:00:00Z`);
  expect(await tab('notSeen')).toEqual([]);
  school.clock.now = new Date(`${all[9]}T06:00:00Z`);
  expect(await tab('notSeen')).toEqual(['Bela']);
  expect(await tab('undecided')).toEqual([]);
});

test('on the first day of the next year those of last year without a place are listed, and teachers read nothing of it', async () => {
  school.clock.now = new Date('2020-06-01T06:00:00Z');
  expect(await tab('undecided')).toEqual(['Asha', 'Bela', 'Chand']);
  const { undecided, notSeen } = await office.call(unexplainedList.api.counts, {});
  expect([undecided?.total, notSeen?.total]).toEqual([3, 0]);
  const other = await school.person({ sets: ['accountant'] });
  expect((await other.send({ url: '/api/student/unexplained' })).status).toBe(403);
});
