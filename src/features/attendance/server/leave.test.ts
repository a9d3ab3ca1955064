import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi, approvalList } from '#features/approval/contract/approval.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { leaveApi, leaveList } from '../contract/leave.ts';
import { registerApi } from '../contract/register.ts';
import { teacherLeaveDays } from './settings.ts';

let school: School;
let office: Person;
let principal: Person;
const today = toLocalDate(new Date());
const ids: Record<string, number> = {};
/** Ten school days around today, whatever the weekday of the test, with a day off after the third. */
const dayOff = addDays(today, 3);
beforeAll(async () => {
  school = await openSchool();
  await openSection(school, { day: `'${today}'` });
  for (let by = -2; by <= 12; by++) {
    const day = addDays(today, by);
    await school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
      select id, '${day}', '${day === dayOff ? 'Holiday' : 'Working day'}', 'Test day' from academic_year
      where '${day}' between starts_on and ends_on`);
  }
  for (const { code, id } of await school.sql('select code, id from attendance_code')) ids[String(code)] = Number(id);
  office = await school.person({ name: 'Meena', sets: ['office'] });
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
});
afterAll(() => school.close());

async function openClass(name = 'Aarav') {
  const teacher = await school.person({ name: 'Ravi' });
  const section = await teach(school, teacher, { sectionId: await openSection(school, { day: `'${today}'` }) });
  return { teacher, section, student: await seat(school, section, name) };
}

interface Asked {
  from?: number;
  to?: number;
  half?: string;
  kind?: string;
}
const note = (
  who: Person,
  studentId: number,
  { from = 1, to = from, half = 'Whole day', kind = 'Family' }: Asked = {},
) =>
  who.send({
    method: 'POST',
    url: '/api/attendance/leave',
    body: {
      studentId,
      number: '',
      fromDay: addDays(today, from),
      toDay: addDays(today, to),
      half,
      kind,
      reason: 'Wedding of a cousin.',
    },
  });
const requestOf = async (studentId: number) => {
  const [row] = await school.sql(`select id from approval where student_id = ${studentId} order by id desc limit 1`);
  return Number(row?.id);
};
async function decide(who: Person, id: number, outcome = 'Approved') {
  const { version, seen } = await who.call(approvalApi.read, { id });
  const body = { version, seen, outcome, remark: outcome === 'Rejected' ? 'Exams are on these days.' : '' };
  return who.send({ method: 'POST', url: `/api/approval/${id}/decide`, body });
}
const waitingFor = async (who: Person) =>
  (await who.call(approvalList.api.list, { tab: 'forMe' })).rows.map(({ id }) => id);
const stateOf = async (studentId: number) =>
  (await school.sql(`select state from attendance_leave where student_id = ${studentId} order by id desc limit 1`))[0]
    ?.state;
const take = async (who: Person, sectionId: number, codeId: number) => {
  const { children } = await who.call(registerApi.read, { sectionId, day: '' });
  return who.call(registerApi.submit, {
    sectionId,
    day: today,
    rowVersion: 0,
    marks: children.map(({ studentId }) => ({ studentId, codeId, arrivedAt: '' })),
  });
};
const codeOf = async (studentId: number) =>
  (
    await school.sql(`select code.code from attendance_mark mark join attendance_code code on code.id = mark.code_id
      where student_id = ${studentId}`)
  )[0]?.code;

test('T4 a class teacher grants three days at once, and the register shows the leave before it is taken', async () => {
  const { teacher, section, student } = await openClass();
  const { json } = await note(teacher, student, { from: 0, to: 2, kind: 'Sick' });
  expect(json).toMatchObject({ state: 'Granted', changed: 0, locked: 0 });
  const { children } = await teacher.call(registerApi.read, { sectionId: section, day: '' });
  expect(children[0]?.leave).toEqual({ state: 'Granted', isByFamily: false, codeId: ids.ML });
});

test('a leave finds its student by section and roll number, where last year’s place has no end', async () => {
  const { section, student } = await openClass();
  const before = await openSection(school, { day: `'${addDays(today, -365)}'` });
  await school.sql(`
    with enrolled as (
      insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on, status)
      select ${student}, year.id, branch_id, program_id, grade_id, 'New', year.starts_on, 'Promoted'
      from academic_section section join academic_year year on year.id = section.academic_year_id
      where section.id = ${before} returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
      section_id, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${before}, joined_on from enrolled`);
  await school.sql(`update student_section set roll_no = 17 where student_id = ${student} and section_id = ${section}`);
  const [{ name } = {}] = await school.sql(`select academic_section_name(grade.name, section.name) as name
    from academic_section section join academic_grade grade on grade.id = section.grade_id where section.id = ${section}`);
  const body = { studentId: null, number: `${name} 17`, fromDay: addDays(today, 1), toDay: addDays(today, 1) };
  const { status } = await office.send({
    method: 'POST',
    url: '/api/attendance/leave',
    body: { ...body, half: 'Whole day', kind: 'Family', reason: '' },
  });
  expect(status).toBe(200);
});

test('a longer leave waits for the principal, and so does one that a granted leave adjoins over a day off', async () => {
  const { teacher, student } = await openClass();
  expect((await note(teacher, student, { from: 0, to: 2 })).json.state).toBe('Granted');
  // The third day is off, so the fourth follows without a school day in between.
  expect((await note(teacher, student, { from: 4 })).json.state).toBe('Asked');
  const id = await requestOf(student);
  expect([await waitingFor(teacher), await waitingFor(principal)]).toEqual([[], expect.arrayContaining([id])]);
  expect((await decide(principal, id)).status).toBe(200);
  expect(await stateOf(student)).toBe('Granted');
  const other = await openClass();
  expect((await note(other.teacher, other.student, { from: 4, to: 7 })).json.state).toBe('Asked');
});

test('Z14 leave that waits counts with granted leave beside it, in whichever order the pieces are asked for', async () => {
  const { teacher, student } = await openClass();
  // School days in a row: 0 to 2, and 4 to 11; the third is off.
  const states: string[] = [];
  for (const from of [0, 4, 6, 8, 10]) states.push((await note(teacher, student, { from, to: from + 1 })).json.state);
  expect(states).toEqual(['Granted', 'Granted', 'Asked', 'Asked', 'Asked']);
});

test('the office asks, and up to three days the class teacher of the child decides, and no other', async () => {
  const { teacher, student } = await openClass();
  const { teacher: stranger } = await openClass();
  expect((await note(office, student, { half: 'First half' })).json.state).toBe('Asked');
  const id = await requestOf(student);
  expect([await waitingFor(teacher), await waitingFor(stranger)]).toEqual([[id], []]);
  expect((await decide(teacher, id, 'Rejected')).status).toBe(200);
  expect(await stateOf(student)).toBe('Rejected');
  // A rejected leave blocks no other.
  expect((await note(teacher, student)).json.state).toBe('Granted');
});

test('leave that is granted late changes the absent of an open register, and its cancellation changes them back', async () => {
  const { teacher, section, student } = await openClass();
  await take(teacher, section, ids.A ?? 0);
  const { json } = await note(teacher, student, { from: -1, to: 1 });
  expect(json).toMatchObject({ state: 'Granted', changed: 1 });
  expect(await codeOf(student)).toBe('LV');
  const [leave] = await school.sql(`select id, version from attendance_leave where student_id = ${student}`);
  const { changed } = await teacher.call(leaveApi.cancel, { id: Number(leave?.id), version: Number(leave?.version) });
  expect([changed, await codeOf(student), await stateOf(student)]).toEqual([1, 'A', 'Cancelled']);
});

test('leave does not change a locked register, and the answer names its days', async () => {
  const { teacher, section, student } = await openClass();
  const { id } = await take(teacher, section, ids.A ?? 0);
  await school.sql(`update attendance_register set locks_at = now() - interval '1 minute' where id = ${id}`);
  expect((await note(teacher, student, { from: 0 })).json).toMatchObject({ state: 'Granted', changed: 0, locked: 1 });
  expect(await codeOf(student)).toBe('A');
});

test('leave that overlaps, lies on a day off or is half of two days is refused', async () => {
  const { teacher, student } = await openClass();
  await note(teacher, student, { from: 1, to: 2 });
  const overlapping = await note(teacher, student, { from: 2 });
  expect(overlapping.json.error.fields).toEqual({ fromDay: 'The student has leave on these days already.' });
  await expect(
    school.sql(`insert into attendance_leave (academic_year_id, student_id, from_day, to_day, kind, state, halves, counted,
        noted_by, noted_at)
      select academic_year_id, student_id, from_day, to_day, kind, 'Asked', 1, 1, noted_by, noted_at from attendance_leave
      where student_id = ${student}`),
  ).rejects.toThrow('attendance_leave_overlap');
  expect((await note(teacher, student, { from: 3 })).json.error.fields).toEqual({
    fromDay: 'There is no school on these days.',
  });
  expect((await note(teacher, student, { from: 6, to: 7, half: 'First half' })).json.error.fields).toEqual({
    half: 'Half a day is for one day only.',
  });
});

test('an asked leave is withdrawn with its request, and a teacher of another section neither sees nor notes it', async () => {
  const { teacher, student } = await openClass();
  await note(office, student);
  const id = await requestOf(student);
  const { version } = await office.call(approvalApi.read, { id });
  await office.call(approvalApi.withdraw, { id, version });
  expect(await stateOf(student)).toBe('Cancelled');

  await note(office, student);
  const [leave] = await school.sql(`select id, version from attendance_leave where student_id = ${student}
    and state = 'Asked'`);
  await teacher.call(leaveApi.cancel, { id: Number(leave?.id), version: Number(leave?.version) });
  expect(
    (await school.sql(`select status from approval where student_id = ${student} order by id`)).map(
      ({ status }) => status,
    ),
  ).toEqual(['Withdrawn', 'Withdrawn']);

  const { teacher: stranger } = await openClass();
  expect((await note(stranger, student)).status).toBe(404);
  expect((await stranger.call(leaveList.api.list, { tab: 'all' })).rows).toEqual([]);
  expect((await teacher.call(leaveList.api.list, { tab: 'all' })).rows).toHaveLength(2);
});

test('of two leaves that are noted for the same days at once, one is kept', async () => {
  const { teacher, student } = await openClass();
  const answers = await Promise.all([note(teacher, student), note(office, student)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
});

test('a school sets up to how many days class teachers grant leave', async () => {
  const { teacher, student } = await openClass();
  await school.sql(`insert into setting (key, value) values ('${teacherLeaveDays.key}', '1')`);
  expect((await note(teacher, student, { from: 1, to: 2 })).json.state).toBe('Asked');
  expect((await note(teacher, student, { from: 6 })).json.state).toBe('Granted');
  await school.sql(`delete from setting where key = '${teacherLeaveDays.key}'`);
});

test('E0.10 a paper of a leave is kept, replaced and opened by those who note the leave, and each view is in the log', async () => {
  const { teacher, student } = await openClass('Chirag');
  const { json } = await note(teacher, student, { kind: 'Sick' });
  const url = `/api/attendance/leave/${json.id}/paper`;
  const save = async (who: Person) =>
    who.send({ method: 'POST', url, body: form({}, { paper: await paper('Doctor’s certificate') }) });
  const leavesOf = async (who: Person) => (await who.call(leaveApi.ofStudent, { id: student })).leaves;
  expect(await leavesOf(office)).toMatchObject([{ kind: 'Sick', state: 'Granted', days: '1', hasPaper: false }]);
  expect([(await teacher.send({ url })).status, (await save(teacher)).status, (await save(office)).status]).toEqual([
    404, 200, 200,
  ]);
  expect((await leavesOf(principal))[0]?.hasPaper).toBe(true);
  expect((await principal.send({ url })).status).toBe(200);
  const [kept] = await school.sql(`select count(*)::int as files from file where owner = 'attendance_leave'`);
  const [seen] = await school.sql(`select count(*)::int as views from audit
    where action = 'attendance.leave-paper-opened' and entity_id = ${student}`);
  expect([kept?.files, seen?.views]).toEqual([1, 1]);
  const other = await openClass('Dev');
  expect([(await other.teacher.send({ url })).status, (await save(other.teacher)).status]).toEqual([404, 404]);
  await expect(leavesOf(other.teacher)).rejects.toMatchObject({ code: 'not_found' });
});
