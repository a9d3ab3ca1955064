import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { findKnownChildren, readmitStudent } from '../../api.ts';
import { addStudentApi } from '../../contract/add.ts';
import { leavingApi } from '../../contract/leaving.ts';
import { saveAadhaars } from '../person/aadhaar.ts';

let school: School;
let office: Person;
let elsewhere: Person;
let section: number;
let gradeId: number;
let riya: number;
const lastDay = addDays(toLocalDate(new Date()), -10);
beforeAll(async () => {
  school = await openSchool();
  const [north, south] = (
    await school.sql(`insert into academic_branch (name, code) values ('North', 'N'), ('South', 'S') returning id`)
  ).map(({ id }) => Number(id)) as [number, number];
  office = await school.person({ sets: ['office'], branchIds: [north] });
  elsewhere = await school.person({ sets: ['office'], branchIds: [south] });
  section = await openSection(school, { branchId: north });
  const [grade] = await school.sql(`select grade_id as id from academic_section where id = ${section}`);
  gradeId = Number(grade?.id);
  riya = await seat(school, section, 'Riya', { birthDate: '2019-03-04' });
  const [reason] = await school.sql(`select id from academic_lookup where name = 'Distance'`);
  const input = {
    id: riya,
    lastDay,
    reasonId: Number(reason?.id),
    conduct: 'Good',
    progress: 'Good',
    nextSchool: '',
    remark: '',
  };
  const { confirmToken } = await office.call(leavingApi.leave, input);
  await office.call(leavingApi.leave, { ...input, confirmToken: confirmToken ?? undefined });
});
afterAll(() => school.close());

const findReturning = async (...[ctx, named]: [School['context'] extends () => infer Own ? Own : never, Child]) =>
  (await findKnownChildren(ctx, [named]))[0]?.leaver ?? undefined;
type Child = Parameters<typeof findKnownChildren>[1][number];

const child = { firstName: ' RIYA', lastName: 'Shah', birthDate: '2019-03-04' };
const send = (over: Record<string, unknown> = {}) =>
  office.send({
    method: 'POST',
    url: '/api/student',
    body: {
      ...child,
      middleName: '',
      gender: 'Girl',
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
      grNo: '',
      ...over,
    },
  });

test('L1.9 a leaver of the same name and birth date is offered while a student is entered', async () => {
  expect(await office.call(addStudentApi.alike, child)).toMatchObject({
    students: [{ id: riya, name: 'Riya Shah', leftOn: lastDay, isAsked: true }],
  });
  expect(await office.call(addStudentApi.alike, { ...child, birthDate: '2019-04-05' })).toMatchObject({ students: [] });
});

test('L1.9 a leaver whom the office may not see is not offered', async () => {
  expect(await elsewhere.call(addStudentApi.alike, child)).toEqual({ students: [], isElsewhere: true });
});

test('L1.9 adding the same child again is refused, unless it is another child', async () => {
  const refused = await send();
  expect([refused.status, refused.json.error.fields]).toEqual([
    422,
    { isOtherChild: expect.stringContaining('Riya Shah left on') },
  ]);
  expect((await send({ isOtherChild: true })).status).toBe(200);
});

test('L1.9 a leaver is found by the Aadhaar number under any name, and another number is another child', async () => {
  const ctx = school.context();
  const aadhaar = '234567890124';
  await school.sql(`update student set aadhaar = null, aadhaar_hash = null where id = ${riya}`);
  await ctx.db.transaction().execute((db) => saveAadhaars({ ...ctx, db }, [{ id: riya, aadhaar }]));
  const other = { firstName: 'Ria', lastName: 'Mehta', birthDate: '2018-01-01' };
  expect(await findReturning(ctx, { ...other, aadhaar: '2345 6789 0124' })).toMatchObject({
    id: riya,
    is_same_number: true,
  });
  expect(await findReturning(ctx, { ...other, aadhaar: 'applied for' })).toBeUndefined();
  expect(await findReturning(ctx, { ...child, aadhaar: '345678901238' })).toBeUndefined();
  expect(await findReturning(ctx, child)).toMatchObject({ id: riya, is_same_number: false });
  // Someone who left no longer takes the number.
  expect(await findKnownChildren(ctx, [{ ...other, aadhaar }, other])).toMatchObject([
    { leaver: { id: riya }, isTaken: false },
    { leaver: null, isTaken: false },
  ]);
  await school.sql(`update student_leaving set last_day = current_date where student_id = ${riya}`);
  expect(await findKnownChildren(ctx, [{ ...other, aadhaar }])).toMatchObject([{ leaver: null, isTaken: true }]);
  await school.sql(`update student_leaving set last_day = '${lastDay}' where student_id = ${riya}`);
  await school.sql(`update student set aadhaar = null, aadhaar_hash = null where id = ${riya}`);
});

test('L1.9 another feature finds a leaver and re-admits the child in its own transaction', async () => {
  const ctx = school.context();
  const found = await findReturning(ctx, child);
  expect(found).toMatchObject({ id: riya, left_on: lastDay });
  const [place] = await school.sql(
    `select branch_id, program_id, grade_id from academic_section where id = ${section}`,
  );
  const back = { joinedOn: toLocalDate(new Date()), sectionId: section, admissionType: '' as const };
  await ctx.db.transaction().execute((db) => readmitStudent({ ...ctx, db }, riya, { ...back, place: place as never }));
  expect((await office.call(leavingApi.leavings, { id: riya })).leavings).toMatchObject([
    { readmittedOn: back.joinedOn, isUndone: false },
  ]);
  expect(await office.call(addStudentApi.alike, child)).toMatchObject({
    students: expect.arrayContaining([expect.objectContaining({ id: riya, leftOn: '' })]),
  });
});
