import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { addStudentApi } from '../../contract/add.ts';
import { guardianApi } from '../../contract/guardian.ts';
import { studentRecordApi } from '../../contract/record.ts';

let school: School;
let office: Person;
let away: Person;
let section: number;
let gradeId: number;
let relations: Map<string, number>;
beforeAll(async () => {
  school = await openSchool();
  const [north, south] = (
    await school.sql(`insert into academic_branch (name, code) values ('North', 'N'), ('South', 'S') returning id`)
  ).map(({ id }) => Number(id)) as [number, number];
  office = await school.person({ name: 'Meena', sets: ['office'], branchIds: [north] });
  away = await school.person({ sets: ['office'], branchIds: [south] });
  section = await openSection(school, { branchId: north });
  const [grade] = await school.sql(`select grade_id as id from academic_section where id = ${section}`);
  gradeId = Number(grade?.id);
  const rows = await school.sql(`select id, name from academic_lookup where kind = 'Relation'`);
  relations = new Map(rows.map(({ id, name }) => [String(name), Number(id)]));
});
afterAll(() => school.close());

const input = (over: Record<string, unknown> = {}) => ({
  firstName: 'Aadhya',
  middleName: 'Ramesh',
  lastName: 'Iyer',
  gender: 'Girl',
  birthDate: '2018-08-04',
  admittedOn: toLocalDate(new Date()),
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
  ...over,
});
const send = (over: Record<string, unknown> = {}) =>
  office.send({ method: 'POST', url: '/api/student', body: input(over) });
const add = async (over: Record<string, unknown> = {}) => {
  const { status, json } = await send(over);
  expect([status, json]).toMatchObject([200, { id: expect.any(Number) }]);
  return json as { id: number; grNo: string };
};
const refusal = async (over: Record<string, unknown>) => (await send(over)).json.error?.fields ?? {};
const count = async (firstName: string) =>
  Number((await school.sql(`select count(*) as count from student where first_name = '${firstName}'`))[0]?.count);

test('Q1.1 twenty equal requests at once add one child, and nineteen answers have its GR number', async () => {
  const child = { firstName: 'Twentyfold', birthDate: '2017-05-06' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(child)));
  const added = answers.filter(({ status }) => status === 200);
  expect(added.length).toBe(1);
  const others = answers.flatMap(({ json }) => json.error?.fields?.isOtherChild ?? []);
  expect(others.length).toBe(19);
  for (const words of others) expect(words).toContain(`GR ${added[0]?.json.grNo}.`);
  expect(await count('Twentyfold')).toBe(1);
});

test('Q1.1 the child of GR 1722 who is entered once more is asked about, by name in any script and by the number as it is written', async () => {
  const { id } = await add({ grNo: '1722' });
  const elsewhere = { firstName: 'Aadhyaben', birthDate: '2015-01-02' };
  for (const over of [
    {},
    { firstName: 'આધ્યા', lastName: 'ઐયર', grNo: '0001722' },
    { firstName: 'Iyer', lastName: 'Aadhya' },
    { ...elsewhere, grNo: '1722.0' },
    { ...elsewhere, grNo: 'G.R. 1722' },
    { ...elsewhere, grNo: '૦૧૭૨૨' },
  ])
    expect([over, await refusal(over)]).toEqual([over, { isOtherChild: expect.stringContaining('GR 1722.') }]);
  expect(await count('Aadhya')).toBe(1);
  const { students } = await office.call(addStudentApi.alike, {
    firstName: 'Aadhya',
    lastName: 'Iyer',
    birthDate: '2018-08-04',
  });
  expect(students).toMatchObject([{ id, grNo: '1722', isAsked: true }]);
});

test('Q1.1 an answer counts for the children who were shown, and another match is asked about', async () => {
  const riya = { firstName: 'Riya', birthDate: '2018-01-01' };
  const first = await add(riya);
  const second = await add({ ...riya, isOtherChild: true, seenIds: [first.id] });
  expect(Object.keys(await refusal({ ...riya, isOtherChild: true, seenIds: [first.id] }))).toEqual(['isOtherChild']);
  await add({ ...riya, isOtherChild: true, seenIds: [first.id, second.id] });
});

test('Q1.1 a child of another branch is neither named nor in the way, and its log says who asked', async () => {
  const { id } = await add({ firstName: 'Faraway', birthDate: '2018-02-02' });
  const child = { firstName: 'Faraway', lastName: 'Iyer', birthDate: '2018-02-02' };
  expect(await away.call(addStudentApi.alike, child)).toEqual({ students: [], isElsewhere: true });
  expect(
    await school.sql(
      `select action from audit where entity = 'student' and entity_id = ${id} order by id desc limit 1`,
    ),
  ).toEqual([{ action: 'student.found-alike' }]);
});

test('Q1.2 twins of two names are added without a question', async () => {
  const twin = { birthDate: '2018-09-09', guardianMobile: '5550201700' };
  await add({ ...twin, firstName: 'Asha' });
  await add({ ...twin, firstName: 'Usha' });
  await add({ ...twin, firstName: 'Dhruv', gender: 'Boy' });
  await add({ ...twin, firstName: 'Dhruvi' });
});

test('Q1.4 a known number offers the family whose children all have the same adults, and a child of it gets both parents', async () => {
  const mother = {
    guardianMobile: '5550201465',
    guardianFirstName: 'Priya',
    guardianRelationId: relations.get('Mother'),
  };
  const surya = await add({ ...mother, firstName: 'Surya', birthDate: '2014-03-03' });
  await school.sql(`with adult as (insert into guardian (first_name, last_name) values ('Ramesh', 'Iyer') returning id)
    insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary, contact_order)
    select ${surya.id}, id, ${relations.get('Father')}, 'Parent', false, 2 from adult`);
  const deepika = await add({ firstName: 'Deepika', birthDate: '2012-03-03', siblingId: surya.id });
  const [known] = await office.call(addStudentApi.known, { mobile: '5550201465' });
  expect(known).toMatchObject({
    name: 'Priya Iyer',
    family: {
      siblingId: deepika.id,
      children: ['Deepika', 'Surya'],
      adults: [
        { name: 'Priya Iyer', relation: 'Mother' },
        { name: 'Ramesh Iyer', relation: 'Father' },
      ],
    },
  });
  const third = await add({ firstName: 'Aarohi', guardianMobile: '5550201465', siblingId: known?.family?.siblingId });
  const { guardians } = await office.call(guardianApi.family, { id: third.id });
  expect(guardians.map(({ name }) => name)).toEqual(['Priya Iyer', 'Ramesh Iyer']);
  const { family } = await office.call(studentRecordApi.read, { id: third.id });
  expect(family?.siblings.map(({ id }) => id).sort()).toEqual([surya.id, deepika.id].sort());
});

test('Q1.4 a known number without a choice is refused for a typed adult who does not fit, and another adult is a choice', async () => {
  await add({ firstName: 'Kavya', birthDate: '2016-06-06', guardianMobile: '5550201800', guardianFirstName: 'Priti' });
  const child = {
    firstName: 'Tara',
    birthDate: '2016-07-07',
    guardianMobile: '5550201800',
    guardianFirstName: 'Ketan',
  };
  expect(await refusal(child)).toEqual({ guardianMobile: 'A known adult has this number. Choose who it is.' });
  const { id } = await add({ ...child, isNewAdult: true });
  const { guardians } = await office.call(guardianApi.family, { id });
  expect(guardians).toMatchObject([{ name: 'Ketan Iyer', saved: { mobile: '5550201800' } }]);
  // The same adult once more needs no choice.
  await add({ ...child, firstName: 'Tanvi', birthDate: '2017-07-07' });
  expect(await count('Tanvi')).toBe(1);
});

test('Q1.20 the number of a stepfather offers the family of the one child he has, and the mother’s number names all three', async () => {
  const mother = {
    guardianMobile: '5550201565',
    guardianFirstName: 'Meena',
    guardianRelationId: relations.get('Mother'),
  };
  const tejas = await add({ ...mother, firstName: 'Tejas', birthDate: '2014-04-04' });
  const urvi = await add({ firstName: 'Urvi', birthDate: '2012-04-04', siblingId: tejas.id });
  const vivan = await add({ firstName: 'Vivan', birthDate: '2010-04-04', siblingId: tejas.id });
  const known = (mobile: string) => office.call(addStudentApi.known, { mobile });
  expect(await known('5550201565')).toMatchObject([{ family: { children: ['Vivan', 'Urvi', 'Tejas'] } }]);
  const [step] = await school.sql(`with adult as (insert into guardian (first_name, last_name, mobile)
      values ('Suresh', 'Rao', '5550201566') returning id)
    insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary, contact_order, receives_messages)
    select ${tejas.id}, id, ${relations.get('Guardian')}, 'Guardian', false, 3, true from adult returning guardian_id as id`);
  expect(await known('5550201566')).toMatchObject([
    { children: [expect.stringContaining('Tejas')], others: 0, family: { siblingId: tejas.id, children: ['Tejas'] } },
  ]);
  // Her children do not all have the same adults: she alone is chosen, and all of them are named.
  const [meena] = await known('5550201565');
  expect(meena).toMatchObject({ family: null });
  expect(meena?.children.map((child) => child.split(' ')[0]).sort()).toEqual(['Tejas', 'Urvi', 'Vivan']);
  // The child of the stepfather alone is of his household; the other children and their mother are not told of it.
  const child = await add({
    firstName: 'Yash',
    birthDate: '2019-04-04',
    guardianMobile: '5550201566',
    guardianId: Number(step?.id),
  });
  const households = await school.sql(`select guardian_id, student_id from student_household
    where student_id in (${[tejas.id, urvi.id, vivan.id, child.id].join()}) order by guardian_id, student_id`);
  expect(households).toEqual([
    ...[tejas.id, urvi.id, vivan.id].map((student_id) => ({ guardian_id: meena?.id, student_id })),
    ...[tejas.id, child.id].map((student_id) => ({ guardian_id: Number(step?.id), student_id })),
  ]);
  const reached = await school.sql(`select distinct guardian_id from student_guardian where student_id = ${child.id}`);
  expect(reached).toEqual([{ guardian_id: Number(step?.id) }]);
  const page = (guardian: number) =>
    school.sql(`select student_id from family_children(${guardian}, current_date) order by 1`);
  expect(await page(Number(meena?.id))).toEqual([tejas.id, urvi.id, vivan.id].map((student_id) => ({ student_id })));
});
