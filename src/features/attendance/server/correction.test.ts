import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { correctionApi } from '../contract/correction.ts';
import { registerApi } from '../contract/register.ts';

let school: School;
let office: Person;
let principal: Person;
const today = toLocalDate(new Date());
const ids: Record<string, number> = {};
beforeAll(async () => {
  school = await openSchool();
  await openSection(school, { day: `'${today}'` });
  for (const by of [-1, 0])
    await school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
      select id, '${addDays(today, by)}', 'Working day', 'Test day' from academic_year
      where '${addDays(today, by)}' between starts_on and ends_on`);
  for (const { code, id } of await school.sql('select code, id from attendance_code')) ids[String(code)] = Number(id);
  office = await school.person({ name: 'Meena', sets: ['office'] });
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
});
afterAll(() => school.close());

/** A section whose register of today has everyone absent and is locked. */
async function openLocked() {
  const teacher = await school.person({ name: 'Ravi' });
  const section = await teach(school, teacher, { sectionId: await openSection(school, { day: `'${today}'` }) });
  const children = [await seat(school, section, 'Aarav'), await seat(school, section, 'Bina')];
  const marks = children.map((studentId) => ({ studentId, codeId: ids.A ?? 0, arrivedAt: '' }));
  const { id } = await teacher.call(registerApi.submit, { sectionId: section, day: today, rowVersion: 0, marks });
  await school.sql(`update attendance_register set locks_at = now() - interval '1 minute' where id = ${id}`);
  return { teacher, section, registerId: id, student: children[0] ?? 0, other: children[1] ?? 0 };
}

const ask = (who: Person, sectionId: number, studentId: number, over: object = {}) =>
  who.send({
    method: 'POST',
    url: '/api/attendance/correction',
    body: { sectionId, day: today, studentId, codeId: ids.P, arrivedAt: '', reason: 'Was in the library.', ...over },
  });
const requestOf = async (studentId: number) => {
  const [row] = await school.sql(`select id from approval where student_id = ${studentId} order by id desc limit 1`);
  return Number(row?.id);
};
async function decide(who: Person, id: number, over: object = {}) {
  const { version, seen } = await who.call(approvalApi.read, { id });
  const body = { version, seen, outcome: 'Approved', remark: '', ...over };
  return who.send({ method: 'POST', url: `/api/approval/${id}/decide`, body });
}
const markOf = async (studentId: number) => {
  const [row] = await school.sql(`select code.code from attendance_mark mark
    join attendance_code code on code.id = mark.code_id where student_id = ${studentId}`);
  return row?.code;
};
const perMille = async (studentId: number) => {
  const [row] = await school.sql(`select per_mille from attendance_totals('{${studentId}}',
    (select academic_year_id from attendance_mark where student_id = ${studentId}), '${today}', '${today}')`);
  return row?.per_mille;
};

test('T5 E0.5 a locked mark changes once a second person approves its correction, and both marks are kept', async () => {
  const { teacher, section, student } = await openLocked();
  const sheet = () => teacher.call(registerApi.read, { sectionId: section, day: '' });
  expect(await sheet()).toMatchObject({ mayTake: false, mayCorrect: true });
  expect((await ask(teacher, section, student)).status).toBe(200);
  expect((await sheet()).children.map(({ asked }) => asked)).toEqual(['Present', '']);
  expect([await markOf(student), await perMille(student)]).toEqual(['A', 0]);
  const { rows } = await office.call(correctionApi.waiting, {});
  expect(rows).toContainEqual(expect.objectContaining({ studentId: student, from: 'Absent', to: 'Present' }));

  expect((await decide(office, await requestOf(student))).status).toBe(200);
  expect([await markOf(student), await perMille(student)]).toEqual(['P', 1000]);
  const [kept] =
    await school.sql(`select old.code as old, new.code as new, outcome from attendance_correction correction
    join attendance_code old on old.id = old_code_id join attendance_code new on new.id = new_code_id
    where student_id = ${student}`);
  expect(kept).toEqual({ old: 'A', new: 'P', outcome: 'Approved' });
  const [audited] = await school.sql(`select details from audit where action = 'attendance.corrected'
    and entity_id = ${student}`);
  expect(audited?.details).toMatchObject({ day: today, from: 'Absent', to: 'Present' });
});

test('a rejected correction leaves the mark, and a new one may be requested', async () => {
  const { teacher, section, student } = await openLocked();
  await ask(teacher, section, student);
  const twice = await ask(teacher, section, student, { codeId: ids.L, arrivedAt: '08:30' });
  expect([twice.status, twice.json.error.message]).toEqual([
    409,
    'A correction of this mark is waiting for approval already.',
  ]);
  await decide(principal, await requestOf(student), { outcome: 'Rejected', remark: 'The teacher was there.' });
  expect(await markOf(student)).toBe('A');
  expect((await ask(teacher, section, student, { codeId: ids.L, arrivedAt: '08:30' })).status).toBe(200);
  await decide(principal, await requestOf(student));
  const [mark] = await school.sql(`select arrived_at from attendance_mark where student_id = ${student}`);
  expect([await markOf(student), mark?.arrived_at]).toEqual(['L', '08:30:00']);
});

test('a correction is refused before the lock, for another section, and without a time where the code needs one', async () => {
  const { teacher, section, student, registerId } = await openLocked();
  const other = await openLocked();
  expect((await ask(other.teacher, section, student)).status).toBe(404);
  expect((await ask(teacher, section, other.student)).json.error.fields).toEqual({
    studentId: 'This student is not in this register.',
  });
  expect((await ask(teacher, section, student, { codeId: ids.L })).json.error.fields).toEqual({
    arrivedAt: 'Enter the time of arrival.',
  });
  expect((await ask(teacher, section, student, { codeId: ids.A })).json.error.fields).toEqual({
    codeId: 'The student has this mark already.',
  });
  await school.sql(`alter table attendance_register disable trigger keep_lock;
    update attendance_register set locks_at = now() + interval '1 hour' where id = ${registerId};
    alter table attendance_register enable trigger keep_lock`);
  expect((await ask(teacher, section, student)).json.error.message).toBe(
    'This register is not locked. Change the mark in it.',
  );
});

test('a child who was placed after the register was taken gets the first mark by a correction', async () => {
  const { teacher, section } = await openLocked();
  const late = await seat(school, section, 'Charu');
  expect((await ask(teacher, section, late)).status).toBe(200);
  expect((await decide(office, await requestOf(late))).status).toBe(200);
  expect(await markOf(late)).toBe('P');
});

test('of several who approve a correction at once, one does, and it is applied once', async () => {
  const { teacher, section, student } = await openLocked();
  await ask(teacher, section, student);
  const id = await requestOf(student);
  const { version, seen } = await office.call(approvalApi.read, { id });
  const answers = await Promise.all(
    [office, principal, office, principal].map((who) =>
      who.send({
        method: 'POST',
        url: `/api/approval/${id}/decide`,
        body: { version, seen, outcome: 'Approved', remark: '' },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  const audited = await school.sql(
    `select 1 from audit where action = 'attendance.corrected' and entity_id = ${student}`,
  );
  expect(audited).toHaveLength(1);
});
