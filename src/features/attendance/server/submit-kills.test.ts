import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLocalDate } from '#kit/server/day.ts';
import { openBrowser } from '#testing/browser.ts';
import { type App, startApp } from '#testing/faults/app.ts';
import { setDay } from '#testing/registers.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { isSoak } from '#testing/soak.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { registerApi } from '../contract/register.ts';

let school: School;
let app: App;
const today = toLocalDate(new Date());
beforeAll(async () => {
  school = await openOwnSchool();
  await openSection(school, { day: `'${today}'` });
  await setDay(school, today, 'Working day');
  app = await startApp(school);
});
afterAll(async () => {
  await app.kill();
  await school.close();
});

/** A class with its register, and its device, which sends one act until the server has taken it. */
async function openDevice() {
  const teacher = await school.person();
  const section = await teach(school, teacher, { sectionId: await openSection(school, { day: `'${today}'` }) });
  const children = [await seat(school, section, 'Aarav'), await seat(school, section, 'Bina')];
  const adult = await raise(school, children, { firstName: 'Nikhil', mobile: '9825012345' });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${adult}`);
  const { codes } = await teacher.call(registerApi.read, { sectionId: section, day: '' });
  const marks = children.map((studentId, index) => ({
    studentId,
    codeId: codes.find(({ code }) => code === (index === 0 ? 'A' : 'P'))?.id ?? 0,
    arrivedAt: '',
  }));
  const device = openBrowser(app);
  for (const [name, value] of teacher.cookies) device.cookies.set(name, value);
  const headers = { 'idempotency-key': randomUUID() };
  const body = { sectionId: section, day: today, rowVersion: 0, marks };
  const submit = async () => {
    for (let tries = 1; ; tries += 1) {
      const answer = await device
        .send({ method: 'POST', url: '/api/attendance/register', headers, body })
        .catch(() => null);
      if (answer?.status === 200) return { tries, version: answer.json.version as number };
      expect([null, 429, 503]).toContain(answer?.status ?? null);
      await pause(20);
    }
  };
  return { submit, section };
}

test('E1.18 a server killed under submissions loses no register, takes none twice and tells each family once', async () => {
  const devices = await Promise.all(Array.from({ length: isSoak ? 60 : 8 }, openDevice));
  const answers = [];
  // Four at once, so that a kill meets submissions at several statements.
  for (let from = 0; from < devices.length; from += 4) {
    const sent = Promise.all(devices.slice(from, from + 4).map(({ submit }) => submit()));
    if (isSoak || from === 4) {
      await pause(Math.random() * (isSoak ? 80 : 15));
      await app.kill();
      await app.start();
    }
    answers.push(...(await sent));
  }
  expect(answers.map(({ version }) => version)).toEqual(devices.map(() => 1));
  // Some were cut off and sent again.
  expect(Math.max(...answers.map(({ tries }) => tries))).toBeGreaterThan(1);
  const sections = devices.map(({ section }) => section).join(', ');
  const stored = await school.sql(`select register.version,
      (select string_agg(code.code, '' order by mark.student_id) from attendance_mark mark
        join attendance_code code on code.id = mark.code_id where mark.register_id = register.id) as marks,
      (select count(*)::int from attendance_message told join attendance_mark mark on mark.student_id = told.student_id
        where mark.register_id = register.id) as messages,
      (select count(*)::int from audit where action = 'attendance.submitted' and entity_id = register.id) as audited
    from attendance_register register where section_id in (${sections})`);
  expect(stored).toEqual(devices.map(() => ({ version: 1, marks: 'AP', messages: 1, audited: 1 })));
});
