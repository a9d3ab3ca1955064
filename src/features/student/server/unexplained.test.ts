import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { type UnexplainedReason, unexplainedApi, unexplainedList } from '../contract/unexplained.ts';

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

const listed = async (why: UnexplainedReason, by = office) =>
  (await by.call(unexplainedList.api.list, { why })).rows.map((row) => row.name.split(' ')[0]);
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
  expect(await listed('Not seen')).toEqual([]);
  school.clock.now = new Date(`${all[9]}T06:00:00Z`);
  expect(await listed('Not seen')).toEqual(['Bela']);
  expect(await listed('Undecided')).toEqual([]);
});

test('on the first day of the next year those of last year without a place are listed, and teachers read nothing of it', async () => {
  school.clock.now = new Date('2020-06-01T06:00:00Z');
  expect(await listed('Undecided')).toEqual(['Asha', 'Bela', 'Chand']);
  const year = async () => {
    const [row] = await school.sql(`select academic_year_id as id from academic_section where id = ${section}`);
    return office.call(unexplainedApi.sum, { yearId: Number(row?.id) });
  };
  expect(await year()).toMatchObject({
    day: '2020-05-31',
    roll: 3,
    inNext: 0,
    completed: 0,
    left: 0,
    undecided: 3,
    lists: [
      { why: 'Undecided', students: 3 },
      { why: 'Not seen', students: 0 },
      { why: 'Re-test open', students: 0 },
    ],
  });
  // A child who completes, leaves or is enrolled is explained; a re-test is open until its result is corrected.
  const idOf = async (name: string) =>
    Number((await school.sql(`select id from student where first_name = '${name}'`))[0]?.id);
  const [asha, bela, chand] = [await idOf('Asha'), await idOf('Bela'), await idOf('Chand')];
  await school.sql(`update student_enrollment set status = 'Left', left_on = '2020-05-31' where student_id in (${asha}, ${bela});
    insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
      select own.student_id, own.id, own.left_on, reason.id, 'Meena' from student_enrollment own
      join academic_lookup reason on reason.kind = 'Leaving reason' and reason.name = case when own.student_id = ${asha}
        then 'Completed the last class' else 'Moved to another city' end
      where own.student_id in (${asha}, ${bela});
    insert into student_result (enrollment_id, academic_year_id, decision, reason, source, decided_by)
      select id, academic_year_id, 'Re-test', 'Maths', 'Hand', 'Meena' from student_enrollment where student_id = ${chand};
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
      select own.student_id, next.id, own.branch_id, own.program_id, own.grade_id, 'Existing', next.starts_on
      from student_enrollment own, academic_year next where own.student_id = ${chand} and next.starts_on = '2020-06-01'`);
  expect(await year()).toMatchObject({ roll: 3, inNext: 1, completed: 1, left: 1, undecided: 0 });
  expect(await listed('Re-test open')).toEqual(['Chand']);
  await school.sql(`insert into student_result_change (enrollment_id, from_status, to_status, reason, effective_from, made_by,
      applied_at)
    select enrollment_id, 'Promoted', 'Detained', 'Failed', '2020-06-01', 'Farida', now() from student_result`);
  expect(await listed('Re-test open')).toEqual([]);
  const other = await school.person({ sets: ['accountant'] });
  expect((await other.send({ url: '/api/student/unexplained' })).status).toBe(403);
});
