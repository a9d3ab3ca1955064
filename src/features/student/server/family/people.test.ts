import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { contactsOf, rosterOf, sectionsWithSeats, siblingsOf } from '../../api.ts';

let school: School;
let year: { id: number; start: string; grade: number };
let north: number;
let first: number;
let second: number;
let nisha: number;
let mihir: number;
let tara: number;
beforeAll(async () => {
  school = await openSchool();
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('North', 'N') returning id`);
  north = Number(branch?.id);
  first = await openSection(school, { branchId: north });
  second = await openSection(school, { branchId: north });
  const [row] = await school.sql(`select year.id, starts_on::text as start, grade_id as grade
    from academic_section section join academic_year year on year.id = academic_year_id where section.id = ${first}`);
  year = row as unknown as typeof year;
  nisha = await seat(school, first, 'Nisha', { grNo: 'N 1', birthDate: '2018-05-01' });
  mihir = await seat(school, first, 'Mihir', { grNo: 'N 2', gender: 'M' });
  tara = await seat(school, second, 'Tara', { grNo: 'N 3' });
  await school.sql(`update student_section set roll_no = case student_id when ${mihir} then 1 when ${nisha} then 2 end
    where student_id in (${mihir}, ${nisha})`);
});
afterAll(() => school.close());

const day = (offset: number) =>
  new Date(Date.parse(`${year.start}T00:00:00Z`) + offset * 86_400_000).toISOString().slice(0, 10);
const roster = async (section: number, on: string) =>
  (await rosterOf(school.context(), section, on)).map(({ name, rollNo }) => [name.split(' ')[0], rollNo]);

test('a roster lists who sits in the section that day, and a child moved on 11 June sits there until 10 June', async () => {
  expect(await rosterOf(school.context(), first, day(0))).toMatchObject([
    { studentId: mihir, rollNo: 1, name: 'Mihir Shah', grNo: 'N 2', gender: 'Boy', alert: '', alertLevel: '' },
    { studentId: nisha, rollNo: 2, name: 'Nisha Shah', grNo: 'N 1', gender: 'Girl' },
  ]);
  expect(await roster(first, day(-1))).toEqual([]);
  await school.sql(`update student_section set effective_to = '${day(9)}' where student_id = ${nisha}`);
  await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
      section_id, effective_from, reason)
    select enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, ${second}, '${day(10)}', 'Moved'
    from student_section where student_id = ${nisha}`);
  expect(await roster(first, day(9))).toEqual([
    ['Mihir', 1],
    ['Nisha', 2],
  ]);
  expect(await roster(second, day(9))).toEqual([['Tara', null]]);
  expect(await roster(first, day(10))).toEqual([['Mihir', 1]]);
  expect(await roster(second, day(10))).toEqual([
    ['Nisha', null],
    ['Tara', null],
  ]);
});

test('a child who left is on the roster to the last day, and a child who joins later from the first', async () => {
  const section = await openSection(school, { branchId: north });
  await seat(school, section, 'Early');
  const late = await seat(school, section, 'Later', { joinedOn: day(20) });
  await school.sql(`update student_section set effective_to = '${day(30)}' where student_id = ${late}`);
  await school.sql(`update student_enrollment set status = 'Left', left_on = '${day(30)}' where student_id = ${late}`);
  const there = async (on: number) => (await roster(section, day(on))).map(([name]) => name);
  expect(await there(19)).toEqual(['Early']);
  expect(await there(20)).toEqual(['Early', 'Later']);
  expect(await there(30)).toEqual(['Early', 'Later']);
  expect(await there(31)).toEqual(['Early']);
});

test('an adult of two children is one contact; one who is barred or deceased is not a contact', async () => {
  const father = await raise(school, [nisha, mihir], { firstName: 'Ramesh', mobile: '5550012345' });
  const mother = await raise(
    school,
    [nisha],
    { firstName: 'Kokila', mobile: '5550012346' },
    { relation: 'Mother', isPrimary: false },
  );
  await school.sql(`update student_guardian set receives_messages = true, may_collect = true`);
  const ids = async (purpose: 'primary' | 'receiving' | 'collecting') =>
    (await contactsOf(school.context(), [nisha, mihir, tara], purpose)).map(({ guardianId }) => guardianId);
  const [contact] = await contactsOf(school.context(), [nisha, mihir], 'primary');
  expect(contact).toMatchObject({ guardianId: father, name: 'Ramesh Shah', mobile: '5550012345' });
  expect(contact?.children).toEqual([
    { studentId: nisha, name: 'Nisha Shah', relation: 'Father', isPrimary: true, contactOrder: 1 },
    { studentId: mihir, name: 'Mihir Shah', relation: 'Father', isPrimary: true, contactOrder: 1 },
  ]);
  expect(await ids('receiving')).toEqual([father, mother]);
  await school.sql(`update guardian set is_deceased = true where id = ${mother}`);
  expect(await ids('receiving')).toEqual([father]);
  await school.sql(`update guardian set is_deceased = false where id = ${mother}`);
  await school.sql(`update student_guardian set is_barred = true, receives_messages = false, may_collect = false
    where guardian_id = ${mother}`);
  expect(await ids('receiving')).toEqual([father]);
  expect(await ids('collecting')).toEqual([father]);
  expect(await ids('primary')).toEqual([father]);
});

test('brothers and sisters of a child, and of one who is not added yet by the adult, eldest first', async () => {
  const { id: adult } = (await school.sql(`select id from guardian where mobile = '5550012345'`))[0] as { id: number };
  const names = async (asked: Parameters<typeof siblingsOf>[1]) =>
    (await siblingsOf(school.context(), asked)).map(({ of, name }) => [of, name.split(' ')[0]]);
  expect(await names({ studentIds: [nisha, mihir, tara] })).toEqual([
    [nisha, 'Mihir'],
    [mihir, 'Nisha'],
  ]);
  expect(await names({ guardianIds: [adult] })).toEqual([
    [adult, 'Nisha'],
    [adult, 'Mihir'],
  ]);
  const [sister] = await siblingsOf(school.context(), { studentIds: [mihir] });
  expect(sister).toMatchObject({ studentId: nisha, birthDate: '2018-05-01', firstDay: year.start, lastDay: null });
  await school.sql(`update student_guardian set role = 'Contact', is_primary = false, receives_messages = false
    where guardian_id = ${adult}`);
  expect(await names({ guardianIds: [adult] })).toEqual([]);
});

test('sections are offered by free seats, counting those who will come', async () => {
  const seats = (place = {}) =>
    sectionsWithSeats(
      school.context(),
      { academicYearId: year.id, gradeId: year.grade, branchId: north, ...place },
      day(0),
    );
  const own = await seats();
  expect(own.find(({ id }) => id === second)).toMatchObject({ branch: 'North', capacity: 40, strength: 2 });
  expect(own.map(({ capacity, strength }) => capacity - strength)).toEqual(
    own.map(({ capacity, strength }) => capacity - strength).sort((a, b) => b - a),
  );
  await school.sql(`update academic_section set is_active = false where id = ${first}`);
  expect((await seats()).map(({ id }) => id)).not.toContain(first);
  expect(await seats({ branchId: 1 })).toEqual([]);
});
