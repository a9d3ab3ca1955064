import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLocalDate } from '#kit/server/day.ts';
import { failingAt } from '#testing/failing.ts';
import { setDay } from '#testing/registers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { registerApi } from '../contract/register.ts';

let school: School;
const today = toLocalDate(new Date());
beforeAll(async () => {
  school = await openSchool();
  await openSection(school, { day: `'${today}'` });
  await setDay(school, today, 'Working day');
});
afterAll(() => school.close());

async function openClass() {
  const teacher = await school.person();
  const section = await teach(school, teacher, { sectionId: await openSection(school, { day: `'${today}'` }) });
  const children = [await seat(school, section, 'Aarav'), await seat(school, section, 'Bina')];
  const adult = await raise(school, children, { firstName: 'Nikhil', mobile: '9825012345' });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${adult}`);
  const sheet = await teacher.call(registerApi.read, { sectionId: section, day: '' });
  const idOf = (code: string) => sheet.codes.find((one) => one.code === code)?.id ?? 0;
  /** Submits as a device does: under a key that stays the same when it tries again. */
  const submit = (key: string, rowVersion: number, ...codes: [string, string]) =>
    teacher.send({
      method: 'POST',
      url: '/api/attendance/register',
      headers: { 'idempotency-key': key },
      body: {
        sectionId: section,
        day: today,
        rowVersion,
        marks: children.map((studentId, index) => ({ studentId, codeId: idOf(codes[index] ?? 'P'), arrivedAt: '' })),
      },
    });
  const stored = async () => {
    const [row] = await school.sql(`select
      (select count(*)::integer from attendance_register where section_id = ${section}) as registers,
      (select string_agg(code.code, '' order by mark.student_id) from attendance_mark mark
        join attendance_code code on code.id = mark.code_id where mark.student_id in (${children.join(', ')})) as marks,
      (select count(*)::integer from attendance_message where student_id in (${children.join(', ')})) as messages,
      (select count(*)::integer from outbox join attendance_message told on dedupe_key = 'attendance ' || told.id
        where told.student_id in (${children.join(', ')})) as queued,
      (select count(*)::integer from audit where action = 'attendance.submitted'
        and entity_id in (select id from attendance_register where section_id = ${section})) as audited`);
    return row;
  };
  return { submit, stored };
}

test('E1.15 a submission that breaks off at any statement leaves nothing behind, and its repetition is taken once', async () => {
  const nothing = { registers: 0, marks: null, messages: 0, queued: 0, audited: 0 };
  const once = { registers: 1, marks: 'AP', messages: 1, queued: 1, audited: 1 };
  let broken = 0;
  for (let n = 1; ; n += 1) {
    const { submit, stored } = await openClass();
    const key = randomUUID();
    const { status } = await failingAt(n, () => submit(key, 0, 'A', 'P'));
    if (status === 200) {
      expect(await stored()).toEqual(once);
      break;
    }
    broken += 1;
    expect([n, await stored()]).toEqual([n, nothing]);
    for (let again = 0; again < 2; again += 1) expect((await submit(key, 0, 'A', 'P')).status).toBe(200);
    expect([n, await stored()]).toEqual([n, once]);
  }
  expect(broken).toBeGreaterThan(6);
});

test('E1.16 of two devices one that was cut off is told of the other’s register, and its marks count once it says so', async () => {
  const { submit, stored } = await openClass();
  const [key, other] = [randomUUID(), randomUUID()];
  expect((await submit(other, 0, 'A', 'P')).status).toBe(200);
  // The device that was cut off sends its register late, twice.
  for (let again = 0; again < 2; again += 1) {
    const late = await submit(key, 0, 'P', 'A');
    expect([late.status, late.json.error.code]).toEqual([409, 'stale']);
  }
  expect(await stored()).toMatchObject({ registers: 1, marks: 'AP', messages: 1 });
  const chosen = randomUUID();
  for (let again = 0; again < 2; again += 1)
    expect((await submit(chosen, 1, 'P', 'A')).json).toMatchObject({ version: 2 });
  // The absence that waited for the first child is closed when it is sent; the update is closed with it.
  expect(await stored()).toMatchObject({ registers: 1, marks: 'PA', audited: 2 });
});
