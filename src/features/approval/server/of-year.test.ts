import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { approvalApi, approvalList } from '../contract/approval.ts';

let school: School;
let office: Person;
let principal: Person;
let yearId: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
  const section = await openSection(school, { day: `date '2019-07-01'` });
  await openSection(school, { day: `date '2020-07-01'` });
  const [row] = await school.sql(`select academic_year_id as id from academic_section where id = ${section}`);
  yearId = Number(row?.id);
  for (const name of ['Asha', 'Bela', 'Chand']) await seat(school, section, name);
  school.clock.now = new Date('2020-05-20T06:00:00Z');
  await askLeave('Asha', office);
  await askLeave('Bela', office);
  await askLeave('Chand', principal);
  await askLeave('Chand', office, '2020-06-20');
  await school.sql(`
    with register as (insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day,
        taken_at, locks_at)
      select academic_year_id, branch_id, program_id, grade_id, id, '2020-02-03', '2020-02-03', '2020-02-03'
      from academic_section where id = ${section} returning id),
    asked as (insert into attendance_correction (register_id, student_id, new_code_id, reason)
      select register.id, student.id, code.id, 'Came late' from register, (select min(id) as id from student) student,
        (select id from attendance_code limit 1) code returning id, student_id)
    insert into approval (kind, attendance_correction_id, student_id, branch_id, title, requested_by, requested_at)
    select 'attendance.correction', id, student_id, 1, '{"id": "Correction"}', ${office.staffId}, '2020-05-01' from asked`);
});
afterAll(() => school.close());

/** Leave of a day, which waits for the principal. */
const askLeave = (name: string, by: Person, day = '2020-05-25') =>
  school.sql(`
    with asked as (insert into attendance_leave (academic_year_id, student_id, from_day, to_day, kind, state, halves, counted,
        noted_by, noted_at)
      select year.id, student.id, '${day}', '${day}', 'Sick', 'Asked', 2, 2, ${by.staffId}, '2020-05-01'
      from student join academic_year year on '${day}' between year.starts_on and year.ends_on
      where student.first_name = '${name}' returning id, student_id)
    insert into approval (kind, attendance_leave_id, student_id, branch_id, title, requested_by, requested_at)
    select 'attendance.leave', id, student_id, 1, '{"id": "Leave"}', ${by.staffId}, '2020-05-01' from asked`);
const states = async () =>
  (
    await school.sql(`select approval.kind, status, remark, count(*)::integer as count from approval
    group by 1, 2, 3 order by 1, 2`)
  ).map(({ kind, status, remark, count }) => [kind, status, remark, count]);
const asked = { kind: 'attendance.leave', remark: 'The year is being closed.' };
const send = (who: Person, body: object) =>
  who.send({ method: 'POST', url: '/api/approval/return-of-year', body: { yearId, ...asked, ...body } });

test('requests of a year that is not over are decided one by one', async () => {
  expect(await principal.call(approvalApi.ofYear, { yearId })).toEqual([]);
  expect((await send(principal, {})).json.error.message).toBe('No request of this kind is waiting for your decision.');
});

test('the principal returns all requests of a kind that write into a year with one reason, and no other request', async () => {
  school.clock.now = new Date('2020-06-05T06:00:00Z');
  const kinds = await principal.call(approvalApi.ofYear, { yearId });
  expect(kinds.map(({ kind, requests }) => [kind, requests])).toEqual([
    ['attendance.correction', 1],
    ['attendance.leave', 2],
  ]);
  const { total } = await principal.call(approvalList.api.list, { tab: 'forMe', yearId: String(yearId) });
  expect(total).toBe(3);
  const before = await states();
  expect((await send(principal, { remark: '' })).json.error.fields).toHaveProperty('remark');
  // The office asked for them itself, and an accountant decides on none.
  const accountant = await school.person({ sets: ['accountant'] });
  for (const other of [office, accountant])
    expect((await send(other, {})).json.error.message).toBe('No request of this kind is waiting for your decision.');
  const preview = (await send(principal, {})).json;
  expect(preview).toMatchObject({ changed: 2, skippedCount: 0 });
  expect(await states()).toEqual(before);
  // One more is asked for in between, which the preview did not show.
  await askLeave('Asha', office, '2020-05-26');
  expect((await send(principal, { confirmToken: preview.confirmToken })).json.error.code).toBe('stale');
  const { confirmToken } = (await send(principal, {})).json;
  expect((await send(principal, { confirmToken })).json).toMatchObject({ changed: 3 });
  expect(await states()).toEqual([
    ['attendance.correction', 'Pending', '', 1],
    // Of the next year, and the principal's own.
    ['attendance.leave', 'Pending', '', 2],
    ['attendance.leave', 'Rejected', asked.remark, 3],
  ]);
  const audited = await school.sql(`select id from audit where action = 'approval.rejected'`);
  expect(audited).toHaveLength(3);
  expect(
    await school.sql(`select distinct state from attendance_leave leave join approval on
    approval.attendance_leave_id = leave.id and approval.status = 'Rejected'`),
  ).toHaveLength(1);
  expect((await send(principal, {})).status).toBe(409);
});
