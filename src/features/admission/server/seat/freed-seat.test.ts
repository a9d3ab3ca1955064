import { afterAll, beforeAll, expect, test } from 'vitest';
import { leavingApi } from '#features/student/contract/leaving.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { confirmSeat } from '#testing/admission.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';

let school: School;
let admin: Person;

beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin' });
});
afterAll(() => school.close());

/** A student of this year who was admitted from an application, with the last seat of the row. */
async function admitted() {
  await school.sql('update admission_seat set total = 500');
  const section = await openSection(school);
  const studentId = await seat(school, section, 'Ishaan');
  const { id } = await confirmSeat(school, section);
  await school.sql(`update admission_inquiry set state = 'Admitted', student_id = ${studentId} where id = ${id}`);
  const [row] =
    await school.sql(`update admission_seat set total = taken where id = (select seat_id from admission_inquiry
    where id = ${id}) returning id`);
  return { id, studentId, seatId: Number(row?.id), section };
}
const takenOf = async (seatId: number) =>
  Number((await school.sql(`select taken from admission_seat where id = ${seatId}`))[0]?.taken);
async function leave(id: number) {
  const [reason] = await school.sql(`select min(id) as id from academic_lookup where kind = 'Leaving reason'`);
  const input = {
    ...{ id, lastDay: toLocalDate(new Date()), reasonId: Number(reason?.id) },
    ...{ conduct: 'Good', progress: 'Good', nextSchool: '', remark: '' },
  };
  const preview = await admin.call(leavingApi.leave, input);
  await admin.call(leavingApi.leave, { ...input, confirmToken: preview.confirmToken ?? undefined });
  return preview;
}
async function undo(id: number) {
  const input = { id, reason: 'Entered for the wrong child' };
  const preview = await admin.call(leavingApi.undo, input as never);
  await admin.call(leavingApi.undo, { ...input, confirmToken: preview.confirmToken ?? undefined } as never);
  return preview;
}

test('a child who leaves in the admitted year frees the seat, which the preview says, and takes it again when undone', async () => {
  const { studentId, seatId } = await admitted();
  const given = await takenOf(seatId);
  const preview = await leave(studentId);
  expect(JSON.stringify(preview)).toContain('A seat is free');
  expect(await takenOf(seatId)).toBe(given - 1);
  await undo(studentId);
  expect(await takenOf(seatId)).toBe(given);
});

test('a seat that was given to another child stays with it, and the heads are told to add one', async () => {
  const head = await school.person({ sets: ['admissionHead'] });
  const { studentId, seatId, section } = await admitted();
  await leave(studentId);
  await confirmSeat(school, section);
  const given = await takenOf(seatId);
  await undo(studentId);
  expect(await takenOf(seatId)).toBe(given);
  const notices = await school.sql(`select text from notice where account_id = ${head.id} order by id desc limit 1`);
  expect(JSON.stringify(notices)).toContain('one child more than seats');
});
