import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarApi, everyWeek, usualWeeklyOff } from '#features/calendar/contract/calendar.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { registerApi } from '../contract/register.ts';

let school: School;
let admin: Person;
let teacher: Person;
let section: number;
let academicYearId: number;
const today = toLocalDate(new Date());
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  teacher = await school.person({ name: 'Ravi' });
  section = await teach(school, teacher, { sectionId: await openSection(school, { day: `'${today}'` }) });
  const [year] = await school.sql(`select academic_year_id as id from academic_section where id = ${section}`);
  academicYearId = Number(year?.id);
  await school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
    values (${academicYearId}, '${today}', 'Working day', 'Test day')`);
  const student = await seat(school, section, 'Aarav');
  const [code] = await school.sql(`select id from attendance_code where code = 'A'`);
  const marks = [{ studentId: student, codeId: Number(code?.id), arrivedAt: '' }];
  await teacher.call(registerApi.submit, { sectionId: section, day: today, rowVersion: 0, marks });
});
afterAll(() => school.close());

const rowVersion = async () => (await admin.call(calendarApi.read, { academicYearId })).rowVersion;
const setDay = async (day: string, kind: string, warned = '') =>
  admin.send({
    method: 'PUT',
    url: '/api/academic/calendar/day',
    body: {
      academicYearId,
      rowVersion: await rowVersion(),
      from: day,
      to: day,
      kind,
      name: 'Rain',
      gradeId: null,
      warned,
    },
  });
const weight = async () =>
  (await school.sql(`select weight from attendance_register where section_id = ${section}`))[0]?.weight;

test('E0.8 a day on which attendance was taken changes only after a warning, and its register then follows', async () => {
  const refused = await setDay(today, 'Holiday');
  const { code, data } = refused.json.error;
  expect([refused.status, code, data.texts[0].values]).toEqual([
    409,
    'conflict',
    { registers: 1, days: 1, sections: 1 },
  ]);
  expect(await weight()).toBe(2);
  // The warning of another change does not count.
  expect((await setDay(today, 'Half day', 'other')).status).toBe(409);
  expect((await setDay(today, 'Holiday', data.token)).status).toBe(200);
  expect(await weight()).toBe(0);
  const back = await setDay(today, 'Working day');
  expect(back.status).toBe(409);
  expect((await setDay(today, 'Working day', back.json.error.data.token)).status).toBe(200);
  expect(await weight()).toBe(2);
});

test('no warning is given for days without registers, future days, and changes that keep the working hours', async () => {
  expect((await setDay(today, 'Exam day')).status).toBe(200);
  expect((await setDay(addDays(today, 1), 'Holiday')).status).toBe(200);
  expect((await setDay(addDays(today, -1), 'Vacation')).status).toBe(200);
});

test('E0.8 an import of holidays names the registers of past days before it is confirmed, and they then follow', async () => {
  const [, month, day] = today.split('-');
  const text = `${day}-${month}-${today.slice(0, 4)},Rain`;
  const preview = await admin.call(calendarApi.importDays, { academicYearId, text });
  expect([preview.warnings.map(({ values }) => values), preview.isApplied, await weight()]).toEqual([
    [{ registers: 1, days: 1, sections: 1 }],
    false,
    2,
  ]);
  const input = { academicYearId, text, confirmToken: preview.confirmToken ?? '' };
  expect(await admin.call(calendarApi.importDays, input)).toMatchObject({ isApplied: true, counts: { changed: 1 } });
  expect(await weight()).toBe(0);
  const ahead = addDays(today, 2).split('-').reverse().join('-');
  const later = await admin.call(calendarApi.importDays, { academicYearId, text: `${ahead},Holi` });
  expect(later.warnings).toEqual([]);
});

test('E0.8 new weekly offs begin today where past days are kept as they were', async () => {
  const work = (first: string, last: string) =>
    school.sql(`select day::text, work from academic_school_days(${academicYearId}, ${first}, ${last})
      where grade_id is null order by day`);
  const past = () => work(`'${today}'::date - 60`, `'${today}'::date - 1`);
  const before = await past();
  const weeklyOff = { ...usualWeeklyOff, friday: everyWeek, saturday: everyWeek, sunday: [] };
  const given = { academicYearId, rowVersion: await rowVersion(), weeklyOff };
  await admin.call(calendarApi.saveWeeklyOff, { ...given, keepsPast: true });
  expect(await past()).toEqual(before);
  const ahead = await work(`'${today}'::date + 3`, `'${today}'::date + 9`);
  expect(ahead.map(({ work }) => work).sort()).toEqual([0, 0, 2, 2, 2, 2, 2]);
});

test('leave follows the calendar in the same act, also down to no school day, and what was decided on is kept', async () => {
  const [from, to] = [addDays(today, 2), addDays(today, 3)];
  for (const day of [from, to])
    await school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
      values (${academicYearId}, '${day}', 'Working day', 'Test day')`);
  const student = await seat(school, section, 'Bina');
  const office = await school.person({ sets: ['office'] });
  const noted = await office.send({
    method: 'POST',
    url: '/api/attendance/leave',
    body: { studentId: student, number: '', fromDay: from, toDay: to, half: 'Whole day', kind: 'Family', reason: '' },
  });
  expect(noted.status).toBe(200);
  const stored = async () =>
    (await school.sql(`select halves, counted from attendance_leave where student_id = ${student}`))[0];
  const change = async (day: string, kind: string) => {
    const { data } = (await setDay(day, kind)).json.error;
    expect((await setDay(day, kind, data.token)).status).toBe(200);
    return data.texts.at(-1)?.values;
  };
  expect(await stored()).toEqual({ halves: 4, counted: 4 });
  expect(await change(from, 'Holiday')).toEqual({ n: 1 });
  await change(to, 'Holiday');
  expect(await stored()).toEqual({ halves: 0, counted: 4 });
  await change(from, 'Half day');
  expect(await stored()).toEqual({ halves: 1, counted: 4 });
});
