import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarApi } from '#features/calendar/contract/calendar.ts';
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

test('days without registers, days to come and changes that leave the work as it is need no warning', async () => {
  expect((await setDay(today, 'Exam day')).status).toBe(200);
  expect((await setDay(addDays(today, 1), 'Holiday')).status).toBe(200);
  expect((await setDay(addDays(today, -1), 'Vacation')).status).toBe(200);
});
