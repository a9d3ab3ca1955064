import { afterAll, beforeAll, expect, test } from 'vitest';
import { leavingApi } from '#features/student/contract/leaving.ts';
import { studentSectionApi } from '#features/student/contract/student-section.ts';
import { english, type Text } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { setDay, takeRegister } from '#testing/registers.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { monthApi } from '../contract/month.ts';

let school: School;
let office: Person;
let a: number;
let b: number;
const today = toLocalDate(new Date());
/** The month before this one has ended and has 28 days at least. */
const from = `${addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)}-01`;
const dayAt = (index: number) => addDays(from, index);

beforeAll(async () => {
  school = await openOwnSchool();
  office = await school.person({ sets: ['office'] });
  a = await openSection(school, { day: `'${from}'` });
  const [other] =
    await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select academic_year_id, branch_id, grade_id, program_id, 'Other', capacity, medium from academic_section where id = ${a} returning id`);
  b = Number(other?.id);
  for (let index = 0; index < 11; index += 1) await setDay(school, dayAt(index), 'Working day');
  for (let index = 11; dayAt(index) <= today; index += 1) await setDay(school, dayAt(index), 'Vacation', 'Vacation');
});
afterAll(() => school.close());

const daysIn = async (sectionId: number, studentId: number) => {
  const { children } = await office.call(monthApi.read, { sectionId: String(sectionId), month: from.slice(0, 7) });
  const child = children.find((one) => one.studentId === studentId);
  return [child?.totals.days ?? 0, child?.marks.filter((marks) => marks?.some(Boolean)).length ?? 0];
};
const yearDays = async (id: number) =>
  Number(
    (
      await school.sql(`select coalesce(sum(share) / 4.0, 0) as days from attendance_counted where student_id = ${id}`)
    )[0]?.days,
  );
const said = (texts: readonly Text[]) => texts.map(english).join(' ');

test('Q1.19 a move entered four school days late shows seven days in the old section’s month and four in the new one’s', async () => {
  const zoya = await seat(school, a, 'Zoya', { joinedOn: from });
  await seat(school, a, 'Aarav', { joinedOn: from });
  for (let index = 0; index < 11; index += 1) await takeRegister(office, a, dayAt(index));
  expect([await daysIn(a, zoya), await daysIn(b, zoya)]).toEqual([
    [11, 11],
    [0, 0],
  ]);
  const input = { id: zoya, sectionId: b, from: dayAt(7), reason: 'Asked for by the family' };
  const preview = await office.call(studentSectionApi.move, input);
  expect(said(preview.also)).toMatch(/^4 marks from .+ on: taken in .+\. They count once, in the month of .+\.$/);
  await office.call(studentSectionApi.move, { ...input, confirmToken: preview.confirmToken ?? undefined });
  expect([await daysIn(a, zoya), await daysIn(b, zoya), await yearDays(zoya)]).toEqual([[7, 7], [4, 4], 11]);
  const back = { ...input, sectionId: a };
  const undone = await office.call(studentSectionApi.move, back);
  await office.call(studentSectionApi.move, { ...back, confirmToken: undone.confirmToken ?? undefined });
  expect([await daysIn(a, zoya), await daysIn(b, zoya)]).toEqual([
    [11, 11],
    [0, 0],
  ]);
});

test('Q1.19 a leaving entered four school days late names the marks after it, and its undoing gives them back', async () => {
  const [row] = await school.sql(`select id from student where first_name = 'Aarav'`);
  const aarav = Number(row?.id);
  const [reason] = await school.sql(`select id from academic_lookup where name = 'Moved to another city'`);
  const facts = { conduct: 'Good', progress: 'Satisfactory', nextSchool: '', remark: '' };
  const input = { id: aarav, lastDay: dayAt(6), reasonId: Number(reason?.id), ...facts };
  const preview = await office.call(leavingApi.leave, input);
  expect(said(preview.ends)).toMatch(/4 marks after .+ \(4 present\) will not count\. Is the last day right\?/);
  await office.call(leavingApi.leave, { ...input, confirmToken: preview.confirmToken ?? undefined });
  expect(await daysIn(a, aarav)).toEqual([7, 7]);
  const undo = { id: aarav, reason: 'Stays' };
  const { confirmToken } = await office.call(leavingApi.undo, undo);
  await office.call(leavingApi.undo, { ...undo, confirmToken: confirmToken ?? undefined });
  expect(await daysIn(a, aarav)).toEqual([11, 11]);
});
