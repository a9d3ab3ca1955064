import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { studentRecordApi } from '../../contract/record.ts';

let school: School;
let office: Person;
let principal: Person;
let head: Person;
let north: number;
let south: number;
let section: number;
let gradeId: number;
beforeAll(async () => {
  school = await openSchool();
  const branches = await school.sql(
    `insert into academic_branch (name, code) values ('North', 'N'), ('South', 'S') returning id`,
  );
  [north, south] = branches.map(({ id }) => Number(id)) as [number, number];
  office = await school.person({ name: 'Meena', sets: ['office'], branchIds: [north] });
  principal = await school.person({ name: 'Farida', sets: ['principal'], branchIds: [north] });
  head = await school.person({ name: 'Gita', sets: ['principal'] });
  section = await openSection(school, { branchId: north });
  await school.sql(`update academic_section set capacity = 80 where id = ${section}`);
  const [grade] = await school.sql(`select grade_id as id from academic_section where id = ${section}`);
  gradeId = Number(grade?.id);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt; update sign_in_session set confirmed_at = now()'));

const send = (grNo = '', over: Record<string, unknown> = {}) =>
  office.send({
    method: 'POST',
    url: '/api/student',
    body: {
      firstName: 'Riya',
      middleName: '',
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
      grNo,
      isOtherChild: true,
      ...over,
    },
  });
const add = async (grNo = '') => (await send(grNo)).json as { id: number; grNo: string };
const versionOf = async (id: number) => (await head.call(studentRecordApi.read, { id })).version;
async function correct(id: number, over: Record<string, unknown> = {}, by = principal) {
  const body = { version: await versionOf(id), grNo: '', branchId: '', reason: 'Entered twice', ...over };
  return by.send({ method: 'PUT', url: `/api/student/${id}/gr-number`, body });
}
const numbersOf = async (branch = north) =>
  (await school.sql(`select gr_no from student where branch_id = ${branch} order by id`)).map(({ gr_no }) => gr_no);

test('L1.10 the principal corrects a number with a reason; the earlier one is never given again', async () => {
  const { id, grNo } = await add();
  const { status, json } = await correct(id);
  expect([status, Number(json.grNo)]).toEqual([200, Number(grNo) + 1]);
  expect(await school.sql(`select gr_no, reason, spent_by from student_gr_spent where student_id = ${id}`)).toEqual([
    { gr_no: grNo, reason: 'Entered twice', spent_by: 'Farida' },
  ]);
  expect((await send(grNo)).json.error.fields).toEqual({ grNo: 'This GR number was used before.' });
  expect(Number((await add()).grNo)).toBe(Number(grNo) + 2);
  const [act] = await school.sql(
    `select details from audit where action = 'student.gr-corrected' and entity_id = ${id}`,
  );
  expect(act?.details).toEqual({ 'GR number': `${grNo} → ${json.grNo}`, Reason: 'Entered twice' });
  // The student may get the own earlier number back.
  expect((await correct(id, { grNo })).status).toBe(200);
});

test('L1.10 a number of another student, the same number and an old version are refused', async () => {
  const [one, two] = [await add(), await add()];
  const fields = async (over: Record<string, unknown>) => (await correct(one.id, over)).json.error.fields;
  expect(await fields({ grNo: two.grNo })).toEqual({ grNo: 'Another student has this GR number.' });
  expect(await fields({ grNo: one.grNo })).toEqual({ grNo: 'The student has this number. Enter another one.' });
  expect(await fields({ reason: '' })).toHaveProperty('reason');
  expect((await correct(one.id, { version: 99 })).json.error.code).toBe('stale');
});

test('L1.10 a correction beside ten students who are added leaves no gap and gives no number twice', async () => {
  const { id } = await add();
  const before = (await numbersOf()).length;
  const [corrected, ...added] = await Promise.all([correct(id), ...Array.from({ length: 10 }, () => send())]);
  expect([corrected?.status, ...added.map(({ status }) => status)]).toEqual(Array(11).fill(200));
  const [spent] = await school.sql('select array_agg(gr_no) as numbers from student_gr_spent');
  const all = [...(await numbersOf()), ...((spent?.numbers ?? []) as string[])].map(Number);
  const own = [...new Set(all)].sort((a, b) => a - b);
  expect(own).toEqual(Array.from({ length: own.length }, (_, index) => (own[0] ?? 0) + index));
  expect((await numbersOf()).length).toBe(before + 10);
  expect(new Set(await numbersOf()).size).toBe(before + 10);
});

test('L1.10 a student is entered in another branch’s register only by a principal of both', async () => {
  const { id } = await add();
  expect((await correct(id, { branchId: south })).json.error.fields).toHaveProperty('branchId');
  const { status, json } = await correct(id, { branchId: south, grNo: 'S 1' }, head);
  expect([status, json.grNo]).toEqual([200, 'S 1']);
  expect(await numbersOf(south)).toEqual(['S 1']);
});

test('L1.10 office and Admin correct no number, and a principal needs a fresh proof of identity', async () => {
  const { id } = await add();
  expect((await correct(id, {}, office)).status).toBe(403);
  expect((await correct(id, {}, await school.person({ role: 'Admin' }))).status).toBe(403);
  await school.sql(`update sign_in_session set confirmed_at = now() - interval '1 hour'`);
  expect((await correct(id)).json.error.code).toBe('sign_in_again');
});

test('two branches count their registers with the same form', async () => {
  const admin = await school.person({ role: 'Admin' });
  const series = (code: string) => ({
    method: 'POST' as const,
    url: '/api/academic/number-series',
    body: { code, branchId: south, prefix: '', pattern: '{seq}', resetOn: 'never', nextValue: '1' },
  });
  expect((await admin.send(series('student'))).status).toBe(200);
  expect((await admin.send(series('nothing'))).json.error.fields).toHaveProperty('code');
});
