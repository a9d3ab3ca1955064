import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { sectionOptions, studentList } from '../contract/list.ts';
import { studentRecordApi } from '../contract/record.ts';

let school: School;
let office: Person;
let principal: Person;
let accountant: Person;
/** Of 2041-42 and of 2042-43; children of the first are elsewhere in the second, or undecided. */
let before: number;
let now: number;
let other: number;
let yearId: number;
let promoted: number;
let left: number;
let undecided: number;
let joining: number;

const lastDay = '2042-05-31';
const firstDay = '2042-06-01';
const at = (day: string) => new Date(`${day}T06:00:00Z`);

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
  principal = await school.person({ sets: ['principal'] });
  accountant = await school.person({ sets: ['accountant'] });
  before = await openSection(school, { day: `date '2041-07-01'` });
  now = await openSection(school, { day: `date '2042-07-01'` });
  other = await openSection(school, { day: `date '2042-07-01'` });
  const [year] = await school.sql(`select academic_year_id as id from academic_section where id = ${before}`);
  yearId = Number(year?.id);
  promoted = await seat(school, before, 'Asha', { grNo: 'C1' });
  left = await seat(school, before, 'Bela', { grNo: 'C2' });
  undecided = await seat(school, before, 'Chand', { grNo: 'C3' });
  joining = await seat(school, now, 'Dev', { grNo: 'C4' });
  await school.sql(`update student_section set roll_no = student_id % 900 + 1 where section_id = ${before}`);
  await place(promoted, now);
  await school.sql(`update student_section set effective_to = '2042-02-10' where student_id = ${left};
    update student_enrollment set status = 'Left', left_on = '2042-02-10' where student_id = ${left};
    insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
      select ${left}, id, '2042-02-10', (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Asha'
      from student_enrollment where student_id = ${left}`);
});
afterAll(() => school.close());

/** Enrols a child in the year of a section and seats it there. */
const place = (student: number, section: number) =>
  school.sql(`
    with own as (insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id,
        admission_type, joined_on)
      select ${student}, academic_year_id, branch_id, program_id, grade_id, 'Existing', year.starts_on
      from academic_section section join academic_year year on year.id = section.academic_year_id
      where section.id = ${section} returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
        effective_from)
      select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${section}, joined_on from own`);

const rowsOf = async (person: Person, query: object) =>
  (await person.call(studentList.api.list, { tab: 'all', ...query })).rows;
const shown = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map(({ name, section, status }) => [name.split(' ')[0], section, status]);
const nameOf = async (section: number) => {
  const [row] =
    await school.sql(`select academic_section_name(grade.name, section.name) as name from academic_section section
    join academic_grade grade on grade.id = section.grade_id where section.id = ${section}`);
  return String(row?.name);
};

test('U1.1 on the last day all say the old class, on the first day the new one, and nobody is lost', async () => {
  const [old, fresh] = [await nameOf(before), await nameOf(now)];
  school.clock.now = at(lastDay);
  expect(shown(await rowsOf(office, {}))).toEqual([
    ['Asha', old, 'Active'],
    ['Bela', old, 'Left'],
    ['Chand', old, 'Active'],
    ['Dev', fresh, 'Joining'],
  ]);
  school.clock.now = at(firstDay);
  expect(shown(await rowsOf(office, {}))).toEqual([
    ['Asha', fresh, 'Active'],
    ['Bela', old, 'Left'],
    ['Chand', old, 'Undecided'],
    ['Dev', fresh, 'Active'],
  ]);
  const counts = await office.call(studentList.api.counts, {});
  expect([counts.active?.total, counts.left?.total, counts.joining?.total, counts.unplaced?.total]).toEqual([
    3, 1, 0, 0,
  ]);
  const head = await office.call(studentRecordApi.read, { id: undecided });
  expect([head.section, head.status]).toEqual([old, 'Undecided']);
});

test('U1.18 a class teacher of last year reads nobody of that class who is not in the own section', async () => {
  const teacher = await school.person();
  await teach(school, teacher, { sectionId: before });
  await teach(school, teacher, { sectionId: other });
  school.clock.now = at(lastDay);
  expect((await rowsOf(teacher, {})).map(({ id }) => id).toSorted()).toEqual([promoted, undecided].toSorted());
  school.clock.now = at(firstDay);
  expect(await rowsOf(teacher, {})).toEqual([]);
  expect(await rowsOf(teacher, { yearId })).toEqual([]);
  for (const id of [promoted, undecided, left])
    expect((await teacher.send({ url: `/api/student/${id}` })).status).toBe(404);
});

test('U1.3 a chosen year shows its places, tabs and sections, and its files say so', async () => {
  school.clock.now = at('2042-09-01');
  const old = await nameOf(before);
  for (const person of [office, principal, accountant]) {
    expect(shown(await rowsOf(person, { yearId }))).toEqual([
      ['Asha', old, 'Active'],
      ['Bela', old, 'Left'],
      ['Chand', old, 'Active'],
    ]);
    expect((await rowsOf(person, { yearId, tab: 'active', sectionId: before })).map(({ id }) => id)).toEqual([
      promoted,
      undecided,
    ]);
    const list = await person.send({ url: `/api/student/class-list?sectionId=${before}&yearId=${yearId}` });
    expect([list.status, list.headers['content-disposition']]).toEqual([
      200,
      expect.stringContaining(`class-list-2041-42-as-on-${lastDay}.pdf`),
    ]);
  }
  const counts = await office.call(studentList.api.counts, { yearId: String(yearId) });
  expect([counts.active?.total, counts.left?.total, counts.all?.total]).toEqual([2, 1, 3]);
  const options = async (asked: object) => (await office.call(sectionOptions, asked)).map(({ id }) => id).toSorted();
  expect(await options({ yearId })).toEqual([before]);
  expect(await options({})).toEqual([now, other].toSorted());
  expect((await rowsOf(office, { yearId, sectionId: now })).length).toBe(0);
});

test('U1.3 a move of today changes no byte of the file of last year', async () => {
  school.clock.now = at('2042-09-01');
  const read = () => office.send({ url: `/api/student/export?as=csv&tab=all&yearId=${yearId}` });
  const first = await read();
  expect(first.headers['content-disposition']).toContain(`students-2041-42-as-on-${lastDay}.csv`);
  await school.sql(`update student_section set effective_to = '2042-08-31' where student_id = ${promoted}
      and section_id = ${now};
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
        effective_from)
      select enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, ${other}, '2042-09-01'
      from student_section where student_id = ${promoted} and section_id = ${now}`);
  expect(await nameOf(other)).toBe((await rowsOf(office, {})).find(({ id }) => id === promoted)?.section);
  expect((await read()).bytes.equals(first.bytes)).toBe(true);
  expect(joining).toBeGreaterThan(0);
});

test('a child who never came is in no tab but all', async () => {
  school.clock.now = at(firstDay);
  const gone = await seat(school, now, 'Esha', { grNo: 'C5' });
  await school.sql(`delete from student_section where student_id = ${gone};
    update student_enrollment set status = 'Cancelled', cancelled_as = 'No-show' where student_id = ${gone}`);
  const counts = await office.call(studentList.api.counts, {});
  expect([counts.active?.total, counts.unplaced?.total, counts.all?.total]).toEqual([3, 0, 5]);
  expect((await rowsOf(office, { search: 'Esha' })).map(({ status }) => status)).toEqual(['Never joined']);
});
