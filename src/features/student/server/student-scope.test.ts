import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GrantedSet } from '#access/contract/grants.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { searchApi } from '#features/search/contract.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { studentList } from '../contract/list.ts';
import { studentRecordApi } from '../contract/record.ts';

let school: School;
let admin: Person;
let north: number;
let south: number;
let section: number;
let nisha: number;
let mihir: number;
let tara: number;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  const branches = await school.sql(
    `insert into academic_branch (name, code) values ('North', 'N'), ('South', 'S') returning id`,
  );
  [north, south] = branches.map(({ id }) => Number(id)) as [number, number];
  section = await openSection(school, { branchId: north });
  nisha = await seat(school, section, 'Nisha', { grNo: 'N 1' });
  mihir = await seat(school, await openSection(school, { branchId: north }), 'Mihir', { grNo: 'N 2' });
  tara = await seat(school, await openSection(school, { branchId: south }), 'Tara', { grNo: 'S 1' });
  await raise(school, [nisha, tara], { firstName: 'Rameshbhai', mobile: '5550012345' });
  await raise(school, [mihir], { firstName: 'Sureshbhai', mobile: '5550067890' });
});
afterAll(() => school.close());

const listed = async (person: Person, query = {}) => (await person.call(studentList.api.list, query)).rows;
const names = async (person: Person, query = {}) => (await listed(person, query)).map(({ name }) => name.split(' ')[0]);
const statusOf = async (person: Person, id: number, part = '') =>
  (await person.send({ method: 'GET', url: `/api/student/${id}${part}` })).status;
const parts = ['', '/personal', '/identity', '/enrollment', '/family'];
const partsOf = async (person: Person, id: number) => {
  const open: string[] = [];
  for (const part of parts) if ((await statusOf(person, id, part)) === 200) open.push(part);
  return open;
};
const inNorth = (set: GrantedSet) => school.person({ sets: [set], branchIds: [north] });
const found = async (person: Person, search: string) => {
  const groups = await person.call(searchApi.find, { search });
  return groups.flatMap(({ kind, hits }) => (kind === 'student' ? hits : []));
};

test('L1.12 an Admin lists the students of every branch and opens all of a record', async () => {
  expect(await names(admin)).toEqual(['Mihir', 'Nisha', 'Tara']);
  expect(await partsOf(admin, tara)).toEqual(parts);
});

test('L1.12 the office of one branch sees its students; one of another branch is not found', async () => {
  const office = await inNorth('office');
  expect(await names(office)).toEqual(['Mihir', 'Nisha']);
  expect((await office.call(studentList.api.counts, {})).all?.total).toBe(2);
  expect(await partsOf(office, nisha)).toEqual(parts);
  for (const part of parts) expect([part, await statusOf(office, tara, part)]).toEqual([part, 404]);
  expect(await statusOf(office, 999_999)).toBe(404);
});

test('the card of students says what the list has under each of its addresses, in the branches of its reader', async () => {
  await school.sql(`update student set gender = 'M' where id = ${mihir}`);
  const office = await inNorth('office');
  for (const [person, figures] of [
    [admin, { Students: 3, Girls: 2, Boys: 1, 'Without a section': 0 }],
    [office, { Students: 2, Girls: 1, Boys: 1 }],
  ] as const) {
    const { cards } = await person.call(dashboardApi.read, {});
    const own = cards.find(({ title }) => english(title) === 'Students')?.figures ?? [];
    const listedOf = async (to = '') =>
      (await person.call(studentList.api.list, Object.fromEntries(new URL(to, 'http://school').searchParams))).total;
    expect(Object.fromEntries(own.map(({ label, value }) => [english(label), value]))).toEqual(figures);
    for (const { value, to } of own) expect([to, await listedOf(to)]).toEqual([to, value]);
  }
  await school.sql(`update student set gender = 'F' where id = ${mihir}`);
});

test('L1.12 a class teacher sees the own section with the family, and no other section', async () => {
  const teacher = await school.person();
  await teach(school, teacher, { sectionId: section });
  expect(await names(teacher)).toEqual(['Nisha']);
  expect(await partsOf(teacher, nisha)).toEqual(parts);
  for (const part of parts) expect([part, await statusOf(teacher, mihir, part)]).toEqual([part, 404]);
});

test('L1.12 a class teacher whose mapping ended yesterday sees nobody', async () => {
  const teacher = await school.person();
  await teach(school, teacher, { role: 'Co-class teacher', sectionId: section, until: 'current_date - 1' });
  expect((await teacher.send({ method: 'GET', url: '/api/student' })).status).toBe(403);
});

test('L1.12 a subject teacher sees the head without the family, in the list and in the record', async () => {
  const teacher = await school.person();
  await teach(school, teacher, { role: 'Subject teacher', sectionId: section });
  expect(await partsOf(teacher, nisha)).toEqual(['', '/enrollment']);
  await school.sql(`update student set category_id = (select id from academic_lookup
    where kind = 'Student category' and name = 'RTE') where id = ${nisha}`);
  const head = await teacher.call(studentRecordApi.read, { id: nisha });
  expect(['family' in head, head.category]).toEqual([false, '']);
  expect(head.may).toEqual({ change: false, changePhoto: false, correctGr: false });
  expect(await listed(teacher)).toMatchObject([
    { name: 'Nisha Shah', guardian: '', mobile: '', birthDate: '', category: '' },
  ]);
  expect(await listed(teacher, { missing: 'Guardian' })).toEqual([]);
  const [rte] = await school.sql(`select category_id::text as id from student where id = ${nisha}`);
  expect(await listed(teacher, { categoryId: String(rte?.id) })).toEqual([]);
});

test.each([
  ['nurse', ['', '/personal', '/enrollment', '/family'], '2019-01-01'],
  ['accountant', ['', '/enrollment', '/family'], ''],
  ['transportIncharge', ['', '/enrollment', '/family'], ''],
  ['principal', parts, '2019-01-01'],
] as const)('L1.12 the %s reads %j of a record in the own branch', async (set, open, birthDate) => {
  const person = await inNorth(set);
  expect(await partsOf(person, nisha)).toEqual(open);
  expect(await partsOf(person, tara)).toEqual([]);
  const [, row] = await listed(person);
  expect(row).toMatchObject({ name: 'Nisha Shah', guardian: 'Rameshbhai Shah', mobile: '5550012345', birthDate });
});

test('HR reads no student', async () => {
  const person = await inNorth('hr');
  expect((await person.send({ method: 'GET', url: '/api/student' })).status).toBe(403);
});

test('L1.7 brothers and sisters in another branch are named and not linked', async () => {
  const office = await inNorth('office');
  const { family } = await office.call(studentRecordApi.read, { id: nisha });
  expect(family).toMatchObject({
    primary: { name: 'Rameshbhai Shah', relation: 'Father', mobile: '5550012345' },
    siblings: [{ id: null, name: 'Tara Shah' }],
  });
  const all = await admin.call(studentRecordApi.read, { id: nisha });
  expect(all.family?.siblings).toMatchObject([{ id: tara }]);
});

test('P3.7 L1.12 the search finds students in scope, and by any part of an adult’s mobile number where the family is read', async () => {
  const office = await inNorth('office');
  const titles = async (person: Person, search: string) => (await found(person, search)).map(({ title }) => title);
  expect(await titles(office, 'shah')).toEqual(['Mihir Shah', 'Nisha Shah']);
  expect(await found(office, '12345')).toMatchObject([
    { title: 'Nisha Shah', detail: expect.stringContaining('••••••2345'), to: `student/student-list/${nisha}` },
  ]);
  expect(await titles(office, '5001')).toEqual(['Nisha Shah']);
  const teacher = await school.person();
  await teach(school, teacher, { role: 'Subject teacher', sectionId: section });
  expect(await titles(teacher, 'nishaa')).toEqual(['Nisha Shah']);
  expect(await titles(teacher, '12345')).toEqual([]);
  expect(await titles(teacher, 'mihir')).toEqual([]);
});

test('the list finds a misspelt name, and similar names only where no student in scope has the word', async () => {
  const office = await inNorth('office');
  expect(await names(office, { search: 'Mihr Shah' })).toEqual(['Mihir']);
  expect(await names(office, { search: 'Mihr Patel' })).toEqual([]);
  expect(await names(office, { search: 'Tarra' })).toEqual([]);
  const mihr = await seat(school, await openSection(school, { branchId: south }), 'Mihr');
  expect(await names(admin, { search: 'mihr' })).toEqual(['Mihr']);
  expect(await names(office, { search: 'mihr' })).toEqual(['Mihir']);
  expect((await office.call(studentList.api.counts, { search: 'mihr' })).all?.total).toBe(1);
  await school.sql(`update student set first_name = 'Zoya' where id = ${mihr}`);
  expect(await names(admin, { search: 'mihr' })).toEqual(['Mihir']);
  await school.sql(`delete from student_section where student_id = ${mihr};
    delete from student_enrollment where student_id = ${mihr}; delete from student where id = ${mihr}`);
});

test('the tabs and filters of the list', async () => {
  const later = await seat(school, section, 'Later', { joinedOn: '2027-01-04' });
  expect(await names(admin, { tab: 'joining' })).toEqual(['Later']);
  expect(await names(admin, { sectionId: String(section) })).toEqual(['Nisha']);
  expect(await names(admin, { branchId: String(south) })).toEqual(['Tara']);
  expect(await names(admin, { missing: 'Guardian', tab: 'all' })).toEqual(['Later']);
  expect(await names(admin, { gender: 'Boy' })).toEqual([]);
  expect(await names(admin, { search: 'n 1' })).toEqual(['Nisha']);
  await school.sql(`update student_section set effective_to = current_date - 1 where student_id = ${mihir}`);
  expect(await names(admin, { tab: 'unplaced' })).toEqual(['Mihir']);
  expect(await names(admin, { sort: '-grNo', tab: 'all' })).toHaveLength(4);
  expect((await admin.call(studentRecordApi.read, { id: later })).status).toBe('Joining');
});
