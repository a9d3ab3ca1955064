import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { addStudentApi } from '../../contract/add.ts';
import { guardianApi } from '../../contract/guardian.ts';
import { studentRecordApi } from '../../contract/record.ts';

let school: School;
let north: number;
let south: number;
let office: Person;
let section: number;
let gradeId: number;
beforeAll(async () => {
  school = await openSchool();
  const branches = await school.sql(
    `insert into academic_branch (name, code) values ('North', 'N'), ('South', 'S') returning id`,
  );
  [north, south] = branches.map(({ id }) => Number(id)) as [number, number];
  office = await school.person({ name: 'Meena', sets: ['office'], branchIds: [north] });
  section = await openSection(school, { branchId: north });
  const [grade] = await school.sql(`select grade_id as id from academic_section where id = ${section}`);
  gradeId = Number(grade?.id);
});
afterAll(() => school.close());
beforeEach(async () => {
  section = await openSection(school, { branchId: north });
});

const input = (over: Record<string, unknown> = {}) => ({
  firstName: 'Riya',
  middleName: 'Ramesh',
  lastName: 'Patel',
  gender: 'Girl',
  birthDate: '2019-03-04',
  admittedOn: new Date().toISOString().slice(0, 10),
  gradeId,
  sectionId: section,
  branchId: '',
  programId: '',
  guardianMobile: '',
  guardianRelationId: '',
  guardianFirstName: '',
  guardianLastName: '',
  guardianId: '',
  siblingId: '',
  grNo: '',
  isOtherChild: true,
  ...over,
});
const send = (over: Record<string, unknown> = {}, person = office) =>
  person.send({ method: 'POST', url: '/api/student', body: input(over) });
const add = async (over: Record<string, unknown> = {}, person = office) => {
  const { status, json } = await send(over, person);
  expect([status, json]).toMatchObject([200, { id: expect.any(Number) }]);
  return json as { id: number; grNo: string };
};
const refusal = async (over: Record<string, unknown>, person = office) =>
  (await send(over, person)).json.error?.fields ?? {};
const adultsOf = async (id: number) => (await office.call(guardianApi.family, { id })).guardians;

test('L1.14 the office adds a child with a section and a father, who is called first', async () => {
  const { id, grNo } = await add({ guardianMobile: '5550200001' });
  const head = await office.call(studentRecordApi.read, { id });
  expect(head).toMatchObject({
    name: 'Riya Ramesh Patel',
    grNo,
    status: 'Active',
    rollNo: 1,
    family: { primary: { name: 'Ramesh Patel', relation: 'Father', mobile: '5550200001' }, siblings: [] },
  });
  expect(head.section).not.toBe('');
  expect(await adultsOf(id)).toMatchObject([
    { isPrimary: true, saved: { role: 'Parent', mayCollect: true, receivesMessages: true } },
  ]);
  const { enrollments, admittedClass } = await office.call(studentRecordApi.enrollment, { id });
  expect(enrollments).toMatchObject([{ status: 'Active', admissionType: 'New', grade: admittedClass }]);
});

test('L1.7 a brother with the same number of the father joins the family, and the form offers the father', async () => {
  const riya = await add({ guardianMobile: '5550200002' });
  expect(await office.call(addStudentApi.known, { mobile: '5550200002' })).toMatchObject([
    { name: 'Ramesh Patel', relation: 'Father', children: [expect.stringContaining('Riya Ramesh Patel')], others: 0 },
  ]);
  const dev = await add({
    firstName: 'Dev',
    gender: 'Boy',
    guardianMobile: '5550200002',
    guardianFirstName: 'Rameshbhai',
  });
  const [father] = await adultsOf(riya.id);
  expect((await adultsOf(dev.id)).map(({ id }) => id)).toEqual([father?.id]);
  const { family } = await office.call(studentRecordApi.read, { id: dev.id });
  expect(family?.siblings.map(({ id }) => id)).toEqual([riya.id]);
});

test('a known mother who is chosen stays the mother', async () => {
  const [relation] = await school.sql(`select id from academic_lookup where kind = 'Relation' and name = 'Mother'`);
  const mother = { guardianMobile: '5550200005', guardianFirstName: 'Kokila', guardianRelationId: relation?.id };
  await add(mother);
  const [known] = await office.call(addStudentApi.known, { mobile: '5550200005' });
  const { id } = await add({ guardianMobile: '5550200005', guardianId: known?.id });
  expect(await adultsOf(id)).toMatchObject([{ name: 'Kokila Patel', relation: 'Mother' }]);
});

test('L1.7 ten offices that add ten brothers at once make one father', async () => {
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => add({ firstName: `Brother${index}`, guardianMobile: '5550200003' })),
  );
  const rows = await school.sql(`select count(*)::integer as count from guardian where mobile = '5550200003'`);
  expect(rows).toEqual([{ count: 1 }]);
});

test('an adult of another branch is offered by the number without the children, and taken only with the number', async () => {
  const far = await openSection(school, { branchId: south });
  const admin = await school.person({ role: 'Admin' });
  await add({ sectionId: far, guardianMobile: '5550200004' }, admin);
  const [father] = await office.call(addStudentApi.known, { mobile: '5550200004' });
  expect(father).toMatchObject({ name: 'Ramesh Patel', children: [], others: 1 });
  expect(await refusal({ guardianId: father?.id, guardianMobile: '5550299999' })).toEqual({
    guardianMobile: 'Choose one from the list.',
  });
  const { id } = await add({ guardianId: father?.id, guardianMobile: '5550200004' });
  expect((await adultsOf(id)).map((adult) => adult.id)).toEqual([father?.id]);
});

test('L1.10 simultaneous adds get GR numbers without a gap, a refused one takes none, and one in use is passed over', async () => {
  const first = Number((await add()).grNo);
  await add({ grNo: String(first + 2) });
  const full = await openSection(school, { branchId: north });
  await school.sql(`update academic_section set capacity = 1 where id = ${full}`);
  await add({ sectionId: full });
  expect(Object.keys(await refusal({ sectionId: full }))).toEqual(['sectionId']);
  const room = await openSection(school, { branchId: north });
  const numbers = await Promise.all(
    Array.from({ length: 8 }, async () => Number((await add({ sectionId: room })).grNo)),
  );
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 8 }, (_, index) => first + 3 + index));
  expect(await refusal({ grNo: String(first) })).toEqual({ grNo: 'Another student has this GR number.' });
});

test('L1.10 a spent GR number is not given again', async () => {
  const next = Number((await add()).grNo) + 1;
  await school.sql(`insert into student_gr_spent (branch_id, gr_no, reason, spent_by)
    values (${north}, '${next}', 'Corrected', 'Asha'), (${north}, 'OLD 1', 'Corrected', 'Asha')`);
  expect((await add()).grNo).toBe(String(next + 1));
  expect(await refusal({ grNo: 'old 1' })).toEqual({ grNo: 'This GR number was used before.' });
});

test('a child without a section waits in a branch and program', async () => {
  expect(Object.keys(await refusal({ sectionId: '' }))).toEqual(['branchId']);
  expect(await refusal({ sectionId: '', branchId: south, programId: 1 })).toEqual({
    branchId: 'Choose one of your branches.',
  });
  const { id } = await add({ sectionId: '', branchId: north, programId: 1 });
  expect(await office.call(studentRecordApi.read, { id })).toMatchObject({
    section: '',
    rollNo: null,
    branch: 'North',
  });
});

test('a section of another branch or grade is refused, and seats are those of the own branches', async () => {
  const far = await openSection(school, { branchId: south });
  expect(Object.keys(await refusal({ sectionId: far }))).toEqual(['sectionId']);
  const seats = await office.call(addStudentApi.seats, { gradeId });
  expect(seats.map(({ id }) => id)).toContain(section);
  expect(seats.map(({ id }) => id)).not.toContain(far);
  expect(seats.find(({ id }) => id === section)).toMatchObject({ strength: 0, capacity: 40 });
});

test('a child admitted in an earlier year is enrolled from the first day of this one, and not as new', async () => {
  const { id } = await add({ admittedOn: '2023-06-12', birthDate: '2017-03-04' });
  const { enrollments, admittedOn } = await office.call(studentRecordApi.enrollment, { id });
  expect([admittedOn, enrollments[0]?.admissionType]).toEqual(['2023-06-12', 'Existing']);
  expect(enrollments[0]?.joinedOn.slice(5)).toBe('06-01');
  expect(await refusal({ admittedOn: '2018-01-01' })).toEqual({ admittedOn: 'Choose a day after the birth date.' });
  expect(Object.keys(await refusal({ admittedOn: '2099-01-01' }))).toEqual(['admittedOn']);
});

test('Y11 an account asks for at most 60 numbers in a minute', async () => {
  const person = await school.person({ sets: ['office'] });
  const ask = (number: number) => person.send({ url: `/api/student/known-guardian?mobile=${5_550_300_000 + number}` });
  for (let number = 0; number < 60; number++) expect((await ask(number)).status).toBe(200);
  expect((await ask(60)).status).toBe(429);
});

test('L1.7 a brother or sister gets the same adults with the same rights, but no contact', async () => {
  const riya = await add({ guardianMobile: '5550200090' });
  const rows = await school.sql(`select id, name from academic_lookup where kind = 'Relation'`);
  const relationOf = (word: string) => Number(rows.find(({ name }) => name === word)?.id);
  await school.sql(`with adult as (insert into guardian (first_name) values ('Uncle'), ('Barred') returning id, first_name)
    insert into student_guardian (student_id, guardian_id, relation_id, role, is_barred, restriction)
    select ${riya.id}, id, ${relationOf('Mother')}, case first_name when 'Uncle' then 'Contact' else 'Parent' end,
      first_name = 'Barred', case first_name when 'Barred' then 'Court order' else '' end from adult`);
  const dev = await add({ firstName: 'Dev', gender: 'Boy', siblingId: riya.id });
  const own = await adultsOf(dev.id);
  expect(own.map(({ name, isPrimary, saved }) => [name, isPrimary, saved.isBarred])).toEqual([
    ['Ramesh Patel', true, false],
    ['Barred', false, true],
  ]);
  const head = await office.call(studentRecordApi.read, { id: dev.id });
  expect(head.family?.siblings).toMatchObject([{ id: riya.id }]);
  const away = await school.person({ sets: ['office'], branchIds: [south] });
  expect((await send({ siblingId: riya.id, sectionId: '', branchId: south, programId: 1 }, away)).status).toBe(404);
});

test('L1.18 a birth date outside the ages of the grade warns and is not refused', async () => {
  await school.sql(`update academic_grade set min_age_months = 72, max_age_months = 96 where id = ${gradeId}`);
  await school.sql(`update academic_year set age_cutoff_on = starts_on where id = academic_year_on()`);
  const [year] = await school.sql(`select starts_on::text as day from academic_year where id = academic_year_on()`);
  const born = (years: number, day = String(year?.day).slice(4)) =>
    `${Number(String(year?.day).slice(0, 4)) - years}${day}`;
  const ageOf = (birthDate: string) => office.call(addStudentApi.age, { gradeId: String(gradeId), birthDate });
  expect(await ageOf(born(6))).toMatchObject({ isOutside: false });
  expect(await ageOf(born(6, '-06-02'))).toMatchObject({ isOutside: true });
  expect(await ageOf(born(9))).toMatchObject({ isOutside: true });
  expect((await send({ birthDate: born(9) })).status).toBe(200);
});
