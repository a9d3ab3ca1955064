import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GrantedSet } from '#access/contract/grants.ts';
import { showDate } from '#kit/contract/day.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { AppError, errorStatus } from '#kit/contract/errors.ts';
import { english } from '#kit/contract/text.ts';
import type { HookAnswer } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { leavingCheck } from '../../contract/hooks.ts';
import { leavingApi } from '../../contract/leaving.ts';
import { studentRecordApi } from '../../contract/record.ts';
import type { sectionStudentApi } from '../../contract/section-student.ts';

let school: School;
let admin: Person;
let office: Person;
let north: number;
let south: number;
let reasonId: number;
let year: { id: number; name: string; starts_on: string; ends_on: string };
let later: { id: number; name: string; starts_on: string; ends_on: string };
/** Sections of one grade in this year, and one of the next grade in the later one. */
let a: number;
let b: number;
let next: number;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
  const branches = await school.sql(
    `insert into academic_branch (name, code) values ('North', 'N'), ('South', 'S') returning id`,
  );
  [north, south] = branches.map(({ id }) => Number(id)) as [number, number];
  office = await school.person({ name: 'Meena', sets: ['office'], branchIds: [north] });
  a = await openSection(school, { branchId: north });
  await openSection(school, { branchId: north, day: `(current_date + interval '1 year')::date` });
  const years = await school.sql(`select id, name, starts_on, ends_on from academic_year
    where ends_on >= current_date order by starts_on limit 2`);
  [year, later] = years as unknown as [typeof year, typeof year];
  const [reason] = await school.sql(`select id from academic_lookup where name = 'Moved to another city'`);
  reasonId = Number(reason?.id);
});
afterAll(() => school.close());
beforeEach(async () => {
  await school.sql(`delete from attempt;
    update academic_year set status = 'Open' where id = ${year.id}`);
  a = await openSection(school, { branchId: north });
  b = await openSection(school, { branchId: north });
  next = await openSection(school, { branchId: north, day: `'${later.starts_on}'` });
});

const day = (count: number) => addDays(year.starts_on, count);
/** A child in section `a` from the first day, as number 7. */
async function child(name = 'Riya', section = a) {
  const id = await seat(school, section, name);
  await school.sql(`update student_section set roll_no = 7 where student_id = ${id}`);
  return id;
}
/** Plans a section from a day on. */
const plan = (id: number, section: number, from: string) =>
  school.sql(`update student_section set effective_to = '${addDays(from, -1)}' where student_id = ${id};
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
      roll_no, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${section}, 9, '${from}'
    from student_enrollment where student_id = ${id} and academic_year_id = ${year.id}`);
/** As a promotion does: the later year has a standing enrolment in section `next`. */
const promote = (id: number) =>
  school.sql(`update student_enrollment set status = 'Promoted' where student_id = ${id};
    with enrolled as (
      insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
      select ${id}, academic_year_id, branch_id, program_id, grade_id, 'Existing', '${later.starts_on}'
      from academic_section where id = ${next} returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
      roll_no, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${next}, 3, joined_on from enrolled`);
/** Gives the student the elective French in the grade and year of a section. */
const choose = (id: number, section: number) =>
  school.sql(`insert into configuration_subject (name, code, short_name, kind)
      values ('French', 'FR', 'FR', 'Scholastic') on conflict do nothing;
    insert into configuration_grade_subject (academic_year_id, program_id, grade_id, subject_id, is_compulsory)
      select academic_year_id, program_id, grade_id, subject.id, false from academic_section, configuration_subject subject
      where academic_section.id = ${section} and subject.name = 'French' on conflict do nothing;
    insert into student_subject (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, subject_id)
    select enrollment.id, student_id, enrollment.academic_year_id, enrollment.branch_id, enrollment.program_id,
      enrollment.grade_id, subject.id
    from student_enrollment enrollment join academic_section section on section.academic_year_id = enrollment.academic_year_id,
      configuration_subject subject
    where student_id = ${id} and section.id = ${section} and subject.name = 'French'`);
const electives = (id: number) =>
  school.sql(`select academic_year_id as year from student_subject where student_id = ${id} order by 1`);
const close = () => school.sql(`update academic_year set status = 'Closed' where id = ${year.id}`);

type Leave = Partial<InputOf<typeof leavingApi.leave>>;
const leaveInput = (id: number, over: Leave = {}) => ({
  id,
  lastDay: day(164),
  reasonId,
  conduct: 'Good',
  progress: 'Satisfactory',
  nextSchool: '',
  remark: '',
  ...over,
});
const previewLeave = (id: number, over?: Leave, by = office) => by.call(leavingApi.leave, leaveInput(id, over));
async function leave(id: number, over?: Leave, by = office) {
  const { confirmToken } = await previewLeave(id, over, by);
  return by.call(leavingApi.leave, { ...leaveInput(id, over), confirmToken: confirmToken ?? undefined });
}
const sendLeave = (id: number, over: Leave = {}, by = office) =>
  by.send({ method: 'POST', url: `/api/student/${id}/leave`, body: { ...leaveInput(id, over), id: undefined } });
const refusedLeave = async (id: number, over: Leave) => (await sendLeave(id, over)).json.error?.fields;
const previewUndo = (id: number, by = office) => by.call(leavingApi.undo, { id, reason: 'Wrong child' });
async function undo(id: number, by = office) {
  const { confirmToken } = await previewUndo(id, by);
  return by.call(leavingApi.undo, { id, reason: 'Wrong child', confirmToken: confirmToken ?? undefined });
}
type Return = Record<string, unknown>;
async function readmit(id: number, over: Return = {}) {
  const [section] = await school.sql(`select grade_id as id from academic_section where id = ${a}`);
  return office.send({
    method: 'POST',
    url: `/api/student/${id}/readmit`,
    body: {
      joinedOn: day(217),
      gradeId: section?.id,
      sectionId: a,
      branchId: '',
      programId: '',
      admissionType: '',
      ...over,
    },
  });
}
const words = (texts: readonly { id: string }[]) => texts.map((text) => english(text as never));
const enrollments = (id: number) =>
  school.sql(`select academic_year_id as year, status, joined_on as joined, left_on as left from student_enrollment
    where student_id = ${id} order by joined_on, id`);
const places = (id: number) =>
  school.sql(`select section_id as section, roll_no as roll, effective_from as "from", effective_to as "to"
    from student_section where student_id = ${id} order by effective_from`);
const roster = async (section: number, on: string) =>
  (await school.sql(`select student_id as id from student_on('${on}') where section_id = ${section} order by 1`)).map(
    ({ id }) => id,
  );
const nameOf = async (section: number) =>
  String(
    (
      await school.sql(`select academic_section_name(grade.name, section.name) as name from academic_section section
        join academic_grade grade on grade.id = grade_id where section.id = ${section}`)
    )[0]?.name,
  );
const actsOf = async (id: number) =>
  (await school.sql(`select action from audit where entity = 'student' and entity_id = ${id} order by id`)).map(
    ({ action }) => action,
  );
const dump = async (id: number) => [await enrollments(id), await places(id)];

test('L1.5 a preview names the enrolment, sections and electives that end, and changes nothing', async () => {
  const id = await child();
  await plan(id, b, day(183));
  await choose(id, a);
  const before = await dump(id);
  const { ends, owes, blocks, isApplied } = await previewLeave(id);
  const until = showDate(day(164));
  const [grade] = await school.sql(`select grade.name from academic_section section
    join academic_grade grade on grade.id = grade_id where section.id = ${a}`);
  expect([words(ends), owes, blocks, isApplied]).toEqual([
    [
      `${grade?.name}, ${year.name}: until ${until}`,
      `${await nameOf(a)}: until ${until}`,
      `${await nameOf(b)} from ${showDate(day(183))}: cancelled`,
      'Electives: French',
    ],
    [],
    [],
    false,
  ]);
  expect(await dump(id)).toEqual(before);
  expect(await actsOf(id)).toEqual([]);
  await leave(id);
  expect(await actsOf(id)).toEqual(['student.left']);
  expect(await electives(id)).toEqual([{ year: year.id }]);
});

test('L1.5 a leaver is in the section on the last day, not on the next, and earlier months stay', async () => {
  const id = await child();
  await plan(id, b, day(183));
  const rosters = async () => [await roster(a, day(140)), await roster(a, day(164)), await roster(a, day(165))];
  expect(await rosters()).toEqual([[id], [id], [id]]);
  await leave(id);
  expect(await rosters()).toEqual([[id], [id], []]);
  expect(await roster(b, day(183))).toEqual([]);
  expect(await enrollments(id)).toMatchObject([{ status: 'Left', left: day(164) }]);
  const head = await office.call(studentRecordApi.read, { id });
  expect([head.status, head.leftOn]).toEqual(['Left', day(164)]);
});

test('a last day ahead keeps the student until then', async () => {
  const id = await child();
  await leave(id, { lastDay: year.ends_on });
  expect(await places(id)).toMatchObject([{ to: null }]);
  const head = await office.call(studentRecordApi.read, { id });
  expect([head.status, head.leftOn]).toEqual(['Active', year.ends_on]);
});

test('L1.8 undoing restores status, sections and roll numbers as they were', async () => {
  const id = await child();
  await plan(id, b, day(183));
  const before = await dump(id);
  await leave(id);
  const { returns } = await previewUndo(id);
  expect(words(returns).slice(1)).toEqual([
    `${await nameOf(a)} from ${showDate(day(165))}`,
    `${await nameOf(b)} from ${showDate(day(183))}`,
  ]);
  await undo(id);
  expect(await dump(id)).toEqual(before);
  expect((await office.call(studentRecordApi.read, { id })).leftOn).toBe('');
  await leave(id);
  await undo(id);
  expect(await dump(id)).toEqual(before);
  expect(await actsOf(id)).toEqual([
    'student.left',
    'student.leaving-undone',
    'student.left',
    'student.leaving-undone',
  ]);
});

test('L1.8 a roll number that was given away becomes the next one, from the day after the last day', async () => {
  const id = await child();
  await leave(id);
  const other = await seat(school, a, 'Dev', { joinedOn: day(170) });
  await school.sql(`update student_section set roll_no = 7 where student_id = ${other}`);
  expect(words((await previewUndo(id)).returns)).toContain(`${await nameOf(a)}: roll number 7 → 8`);
  await undo(id);
  expect(await places(id)).toEqual([
    { section: a, roll: 7, from: day(0), to: day(164) },
    { section: a, roll: 8, from: day(165), to: null },
  ]);
});

test('L1.8 a section that has filled up leaves the student without a section', async () => {
  const id = await child();
  await leave(id);
  await seat(school, a, 'Dev', { joinedOn: day(170) });
  await school.sql(`update academic_section set capacity = 1 where id = ${a}`);
  expect(words((await previewUndo(id)).returns)).toContain(`${await nameOf(a)} is full: left unassigned`);
  await undo(id);
  expect(await places(id)).toEqual([{ section: a, roll: 7, from: day(0), to: day(164) }]);
  expect(await enrollments(id)).toMatchObject([{ status: 'Active', left: null }]);
});

test('a promoted student who leaves at the year’s end has the later enrolment cancelled, and undoing restores it', async () => {
  const id = await child();
  await promote(id);
  await choose(id, next);
  const before = [...(await dump(id)), await electives(id)];
  const { ends } = await previewLeave(id, { lastDay: year.ends_on });
  expect(words(ends)).toEqual([
    expect.stringContaining(`, ${year.name}: until ${showDate(year.ends_on)}`),
    expect.stringContaining(`, ${later.name}: cancelled`),
    `${await nameOf(next)} from ${showDate(later.starts_on)}: cancelled`,
    'Electives: French',
  ]);
  await leave(id, { lastDay: year.ends_on });
  expect(await enrollments(id)).toMatchObject([
    { status: 'Left', left: year.ends_on },
    { status: 'Cancelled', left: null },
  ]);
  expect([(await places(id)).length, await electives(id)]).toEqual([1, []]);
  await undo(id);
  expect([...(await dump(id)), await electives(id)]).toEqual(before);
});

test('a student who did not return after a closed year leaves on its last day; the closed year stays as it is', async () => {
  const id = await child();
  await promote(id);
  await close();
  expect(await refusedLeave(id, { lastDay: day(200) })).toEqual({
    lastDay: `${year.name} is closed. Choose ${showDate(year.ends_on)} or a day of ${later.name}.`,
  });
  const [first] = await enrollments(id);
  await leave(id, { lastDay: year.ends_on });
  expect(await enrollments(id)).toMatchObject([{ ...first, status: 'Promoted' }, { status: 'Cancelled' }]);
  await undo(id);
  expect(await enrollments(id)).toMatchObject([{ status: 'Promoted' }, { status: 'Active' }]);
});

test('U1.11 an undecided student leaves on the last day of the closed year, and the undo says before that nothing is decided', async () => {
  const id = await child();
  await close();
  school.clock.now = new Date(`${later.starts_on}T06:00:00Z`);
  const status = async () =>
    (await school.sql(`select student_status(${id}, '${later.starts_on}') as status`))[0]?.status;
  expect(await status()).toBe('Undecided');
  await leave(id, { lastDay: year.ends_on });
  expect([await status(), await enrollments(id)]).toMatchObject(['Left', [{ status: 'Active', left: null }]]);
  const url = `/api/student/${id}/leave/undo`;
  const { json } = await office.send({ method: 'POST', url, body: { reason: 'Comes back' } });
  expect([json.isApplied, json.returns.map(english)]).toEqual([
    false,
    ['No place in this year yet: the student is Undecided'],
  ]);
  await undo(id);
  expect(await status()).toBe('Undecided');
  school.clock.now = undefined;
});

test('a leaving of a year that is closed is not undone', async () => {
  const id = await child();
  await leave(id);
  await close();
  const { status, json } = await office.send({
    method: 'POST',
    url: `/api/student/${id}/leave/undo`,
    body: { reason: 'Late' },
  });
  expect([status, json.error?.message]).toEqual([409, `${year.name} is closed. Re-admit the student instead.`]);
  expect((await office.call(leavingApi.leavings, { id })).may).toEqual({
    leave: true,
    undo: false,
    readmit: true,
    neverJoined: false,
    undoNeverJoined: false,
  });
});

test('a last day before the first day, or outside the enrolment, is refused', async () => {
  const id = await child();
  expect(await refusedLeave(id, { lastDay: day(-10) })).toEqual({
    lastDay: `Choose ${showDate(day(0))}, the first day, or a later day.`,
  });
  expect(await refusedLeave(id, { lastDay: later.starts_on })).toEqual({
    lastDay: 'The student is not enrolled on this day. Choose another one.',
  });
  expect(await refusedLeave(id, { reasonId: 1 })).toMatchObject({ reasonId: expect.any(String) });
});

test('another last day replaces the first one in one act', async () => {
  const id = await child();
  await leave(id);
  await leave(id, { lastDay: day(180) });
  expect(await enrollments(id)).toMatchObject([{ status: 'Left', left: day(180) }]);
  expect(await places(id)).toEqual([{ section: a, roll: 7, from: day(0), to: day(180) }]);
  const { leavings } = await office.call(leavingApi.leavings, { id });
  expect(leavings.map(({ saved, isUndone }) => [saved.lastDay, isUndone])).toEqual([
    [day(180), false],
    [day(164), true],
  ]);
});

test('of two clerks who confirm the same preview, the second is asked again', async () => {
  const id = await child();
  const { confirmToken } = await previewLeave(id);
  const confirm = () => sendLeave(id, { confirmToken: confirmToken ?? undefined });
  const [one, two] = await Promise.all([confirm(), confirm()]);
  expect([one.status, two.status].sort()).toEqual([200, 409]);
  expect([one, two].find(({ status }) => status === 409)?.json.error?.code).toBe('stale');
  expect((await office.call(leavingApi.leavings, { id })).leavings).toHaveLength(1);
});

test('L1.9 a student who comes back within the year keeps person and GR number and has a new enrolment', async () => {
  const id = await child();
  const before = await office.call(studentRecordApi.read, { id });
  await leave(id);
  expect((await readmit(id, { sectionId: b })).status).toBe(200);
  expect(await enrollments(id)).toEqual([
    { year: year.id, status: 'Transferred', joined: day(0), left: day(164) },
    { year: year.id, status: 'Active', joined: day(217), left: null },
  ]);
  const [row] = await school.sql(`select admission_type as type from student_enrollment where student_id = ${id}
    order by id desc`);
  expect(row?.type).toBe('Existing');
  expect([
    await roster(a, day(164)),
    await roster(a, day(165)),
    await roster(b, day(216)),
    await roster(b, day(217)),
  ]).toEqual([[id], [], [], [id]]);
  const after = await office.call(studentRecordApi.read, { id });
  expect([after.grNo, after.leftOn]).toEqual([before.grNo, '']);
  // A second leaving is another row.
  await leave(id, { lastDay: day(254) });
  expect((await office.call(leavingApi.leavings, { id })).leavings).toMatchObject([
    { saved: { lastDay: day(254) }, readmittedOn: '' },
    { saved: { lastDay: day(164) }, readmittedOn: day(217) },
  ]);
});

test('L1.9 a student who comes back in a later year is new there, and the earlier enrolment stays left', async () => {
  const id = await child();
  await leave(id);
  const [section] = await school.sql(`select grade_id as id from academic_section where id = ${next}`);
  const { status } = await readmit(id, { joinedOn: later.starts_on, gradeId: section?.id, sectionId: next });
  expect(status).toBe(200);
  expect(await enrollments(id)).toMatchObject([
    { status: 'Left' },
    { year: later.id, status: 'Active', joined: later.starts_on },
  ]);
  const [row] = await school.sql(`select admission_type as type from student_enrollment where student_id = ${id}
    order by id desc`);
  expect(row?.type).toBe('New');
});

test('L1.9 coming back is refused before the last day, and on the day after it the leaving is undone instead', async () => {
  const id = await child();
  await leave(id);
  const fields = async (over: Return) => (await readmit(id, over)).json.error?.fields;
  expect(await fields({ joinedOn: day(164) })).toEqual({
    joinedOn: `Choose a day after ${showDate(day(164))}, the last day.`,
  });
  expect(await fields({ joinedOn: day(165) })).toEqual({
    joinedOn: 'The student misses no day. Undo the leaving instead.',
  });
  expect(await fields({ sectionId: next })).toHaveProperty('sectionId');
  await school.sql(`update academic_section set capacity = 1 where id = ${b}`);
  await child('Dev', b);
  expect(await fields({ sectionId: b })).toHaveProperty('sectionId');
});

test('L1.9 a student whose certificate was handed out comes back on the day after the last one', async () => {
  const id = await child();
  await leave(id);
  const asked = { kind: 'Leaving', purpose: '', conduct: '', overrideReason: '' };
  const send = (body: object) => office.send({ method: 'POST', url: `/api/student/${id}/certificate`, body });
  const { confirmToken } = (await send(asked)).json;
  const { json: made } = await send({ ...asked, confirmToken });
  await school.sql(
    `update student_certificate set handed_out_on = issued_on, handed_to = 'Ramesh' where id = ${made.id}`,
  );
  const { status, json } = await readmit(id, { joinedOn: day(165), sectionId: b });
  expect([status, json.error]).toEqual([200, undefined]);
  expect(await enrollments(id)).toMatchObject([{ left: day(164) }, { joined: day(165), left: null }]);
});

test('L1.9 without a section the student is enrolled where the last enrolment was', async () => {
  const id = await child();
  await leave(id);
  expect((await readmit(id, { sectionId: '' })).status).toBe(200);
  const [row] = await school.sql(`select branch_id as branch from student_enrollment where student_id = ${id}
    order by id desc`);
  expect([row?.branch, (await places(id)).length]).toEqual([north, 1]);
});

test('twenty acts at once leave one open leaving or none, and no overlapping days', async () => {
  const id = await child();
  // Refusals are expected here; failures of the server end the test.
  const refused = (error: unknown) => {
    if (!(error instanceof AppError) || errorStatus[error.code] >= 500) throw error;
  };
  const acts = Array.from({ length: 20 }, (_, index) => {
    const body = { reason: 'Wrong' };
    if (index % 3 === 0) return leave(id, { lastDay: day(160 + index) }).catch(refused);
    if (index % 3 === 1)
      return previewUndo(id)
        .then(({ confirmToken }) =>
          office.send({ method: 'POST', url: `/api/student/${id}/leave/undo`, body: { ...body, confirmToken } }),
        )
        .catch(refused);
    return readmit(id, { joinedOn: day(200 + index), sectionId: '' });
  });
  const answers = await Promise.all(acts);
  expect(answers.some((answer) => answer && 'status' in answer && answer.status === 500)).toBe(false);
  expect((await office.call(leavingApi.leavings, { id })).leavings.length).toBeGreaterThan(0);
  const [counts] = await school.sql(`select
    (select count(*)::integer from student_leaving where student_id = ${id} and undone_at is null and readmitted_on is null) as open,
    (select count(*)::integer from student_enrollment where student_id = ${id} and is_standing) as standing`);
  expect([counts?.open === 0 || counts?.open === 1, counts?.standing]).toEqual([true, 1]);
});

test('what is owed is shown before the student leaves, and does not keep the student', async () => {
  const id = await child();
  const answers = school.services.answers as HookAnswer[];
  const owing = answer(
    leavingCheck,
    { by: 'fee', step: 9 },
    async (_, { studentIds }) =>
      new Map(studentIds.map((student) => [student, [{ id: 'Fees: ₹1,500', values: {} } as never]])),
  );
  answers.push(owing);
  const { owes, confirmToken } = await previewLeave(id);
  answers.splice(answers.indexOf(owing), 1);
  expect([owes.length, typeof confirmToken]).toEqual([1, 'string']);
});

test('a year-end decision to leave is a leaving that can be undone', async () => {
  const id = await child();
  const [enrollment] = await school.sql(`select id, grade_id from student_enrollment where student_id = ${id}`);
  const body: Partial<InputOf<typeof sectionStudentApi.promote>> = {
    academicYearId: year.id,
    gradeId: Number(enrollment?.grade_id),
    toYearId: later.id,
    keepsSection: false,
    students: [{ enrollmentId: Number(enrollment?.id), decision: 'Leave' }],
  };
  await school.sql('update sign_in_session set confirmed_at = now()');
  const post = (more = {}) =>
    admin.send({ method: 'POST', url: '/api/academic/section-student/promotion', body: { ...body, ...more } });
  const { confirmToken } = (await post()).json;
  expect((await post({ confirmToken })).status).toBe(200);
  expect((await office.call(leavingApi.leavings, { id })).leavings).toMatchObject([
    { saved: { lastDay: year.ends_on }, reason: 'Completed the last class' },
  ]);
  await undo(id);
  expect(await enrollments(id)).toMatchObject([{ status: 'Active', left: null }]);
});

const inNorth = (set: GrantedSet) => school.person({ sets: [set], branchIds: [north] });
test('L1.12 leavings are read by office and principal of the branch and entered by the office alone', async () => {
  const id = await child();
  const url = `/api/student/${id}/leaving`;
  const statuses = async (person: Person) => [
    (await person.send({ url })).status,
    (await sendLeave(id, {}, person)).status,
  ];
  expect(await statuses(admin)).toEqual([200, 200]);
  expect(await statuses(office)).toEqual([200, 200]);
  expect(await statuses(await inNorth('principal'))).toEqual([200, 403]);
  expect(await statuses(await inNorth('nurse'))).toEqual([403, 403]);
  expect(await statuses(await inNorth('accountant'))).toEqual([403, 403]);
  const elsewhere = await school.person({ sets: ['office'], branchIds: [south] });
  expect(await statuses(elsewhere)).toEqual([404, 404]);
  const teacher = await school.person();
  await teach(school, teacher, { sectionId: a });
  expect(await statuses(teacher)).toEqual([403, 403]);
  const { cards } = await teacher.call(studentRecordApi.read, { id });
  expect(cards.map(({ key }) => key)).not.toContain('leaving');
  await leave(id, { lastDay: addDays(new Date().toISOString().slice(0, 10), -1) });
  expect((await teacher.send({ url: `/api/student/${id}` })).status).toBe(404);
});
