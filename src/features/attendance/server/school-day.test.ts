import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import type { AppError } from '#kit/contract/errors.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { dailyApi } from '../contract/daily.ts';
import { monthApi, shownMarks } from '../contract/month.ts';
import { registerApi } from '../contract/register.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());
/** A month of the year with 28 days at least before today, or this one. */
const first = `${today.slice(0, 7)}-01`;
const from = addDays(`${addDays(first, -1).slice(0, 7)}-01`, 0);
const dayAt = (index: number) => addDays(from, index);

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
  for (const day of [from, today]) await openSection(school, { day: `'${day}'` });
  for (const day of [...Array.from({ length: 20 }, (_, index) => dayAt(index)), today, addDays(today, -1)])
    await setDay(day, 'Working day');
});
afterAll(() => school.close());

const setDay = (day: string, kind: string, name = 'Test day') =>
  school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
    select id, '${day}', '${kind}', '${name}' from academic_year where '${day}' between starts_on and ends_on
    on conflict on constraint academic_calendar_day_unique do update set kind = excluded.kind, name = excluded.name`);

/** Takes a register as the office: all present, but those named otherwise by their first name. */
async function take(sectionId: number, day: string, marks: Record<string, string> = {}) {
  const sheet = await office.call(registerApi.read, { sectionId, day });
  const idOf = (code: string | undefined) => sheet.codes.find((one) => one.code === code)?.id ?? 0;
  return office.call(registerApi.submit, {
    sectionId,
    day,
    rowVersion: sheet.register?.version ?? 0,
    marks: sheet.children
      .filter(({ takenIn }) => takenIn === '')
      .map(({ studentId, name }) => {
        const [code = 'P', arrivedAt = ''] = (marks[name.split(' ')[0] ?? ''] ?? 'P').split(' ');
        return { studentId, codeId: idOf(code), arrivedAt };
      }),
  });
}

const monthOf = (sectionId: number) => office.call(monthApi.read, { sectionId, month: from.slice(0, 7) });

test('E2.1 E2.3 E2.4 half a day adds a half, a holiday is no working day, and a day without a register changes nothing', async () => {
  const section = await openSection(school, { day: `'${from}'` });
  await seat(school, section, 'Aarav', { gender: 'M', joinedOn: from });
  await seat(school, section, 'Bina', { joinedOn: from });
  await setDay(dayAt(2), 'Holiday', 'Diwali');
  await take(section, dayAt(0), { Aarav: 'HD' });
  await take(section, dayAt(1), { Bina: 'A' });
  // The fourth day is not taken.
  await take(section, dayAt(4), { Bina: 'L 09:10' });
  const { days, children, perMille } = await monthOf(section);
  expect(days[2]).toMatchObject({ kind: 'Holiday', name: 'Diwali', work: 0, isTaken: false });
  expect(days[0]).toMatchObject({ isTaken: true, present: 2, boys: 1, girls: 1 });
  expect(
    children.map(({ name, marks, totals }) => [name, marks.slice(0, 5).map(shownMarks), totals.days, totals.perMille]),
  ).toEqual([
    ['Aarav Shah', ['HD', 'P', '', '', 'P'], 3, 833],
    ['Bina Shah', ['P', 'A', '', '', 'L'], 3, 667],
  ]);
  expect(children[0]?.totals).toMatchObject({ present: 2, halfDay: 1, absent: 0 });
  expect(perMille).toBe(750);
});

test('E2.2 E0.2 a child who moved is in both months on the own days, and the year goes on', async () => {
  const a = await openSection(school, { day: `'${from}'` });
  const b = await openSection(school, { day: `'${from}'` });
  const child = await seat(school, a, 'Zoya', { joinedOn: from });
  await seat(school, a, 'Aarav', { joinedOn: from });
  await take(a, dayAt(0), { Zoya: 'A' });
  await take(a, dayAt(1));
  // Entered after the second day: in the other section from that day.
  await school.sql(`update student_section set effective_to = '${dayAt(0)}' where student_id = ${child};
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id, effective_from)
    select enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, ${b}, '${dayAt(1)}'
    from student_section where student_id = ${child}`);
  await take(b, dayAt(3));
  const [here, there] = [await monthOf(a), await monthOf(b)];
  const zoya = ({ children }: typeof here) => children.find(({ studentId }) => studentId === child);
  expect(zoya(here)?.marks.slice(0, 4)).toEqual([['A'], null, null, null]);
  expect(zoya(there)).toMatchObject({ elsewhere: [1], totals: { days: 2, perMille: 1000 } });
  expect(zoya(there)?.marks.slice(0, 4)).toEqual([null, ['P'], [''], ['P']]);
  expect([zoya(here)?.yearPerMille, zoya(there)?.yearPerMille]).toEqual([667, 667]);
});

test('E2.10 a month has each child on the days on which it sits there, and counts the marks that it shows', async () => {
  const [here, there] = [
    await openSection(school, { day: `'${from}'` }),
    await openSection(school, { day: `'${from}'` }),
  ];
  const names = ['Asha', 'Bela', 'Chirag', 'Deep', 'Ela', 'Falguni'];
  const children: number[] = [];
  for (const [index, name] of names.entries())
    children.push(await seat(school, index < 4 ? here : there, name, { joinedOn: dayAt(index === 1 ? 3 : 0) }));
  const [asha = 0, , chirag = 0, , ela = 0] = children;
  for (let index = 0; index < 10; index++)
    for (const section of [here, there])
      if (index % 4 < 2) await take(section, dayAt(index), { Chirag: 'A', Ela: 'HD' });
  // Entered after the registers: one moves away, one comes, one leaves the school.
  const move = (child: number, to: number, index: number) =>
    school.sql(`update student_section set effective_to = '${dayAt(index - 1)}' where student_id = ${child};
      insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id, effective_from)
      select enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, ${to}, '${dayAt(index)}'
      from student_section where student_id = ${child}`);
  await move(chirag, there, 5);
  await move(ela, here, 6);
  await school.sql(`update student_section set effective_to = '${dayAt(7)}' where student_id = ${asha};
    update student_enrollment set status = 'Left', left_on = '${dayAt(7)}' where student_id = ${asha}`);
  for (const section of [here, there]) {
    const { days, children: listed } = await monthOf(section);
    const placed = await school.sql(`select own.student_id as id, days.day::date::text as day
      from generate_series('${from}'::date, '${from}'::date + interval '1 month' - interval '1 day', interval '1 day') as days (day)
      cross join lateral student_on(days.day::date) own where own.section_id = ${section}`);
    const sits = new Set(placed.map(({ id, day }) => `${id} ${day}`));
    const marks = await school.sql(`select mark.register_id, mark.student_id as id, mark.day::text, code.code
      from attendance_mark mark join attendance_code code on code.id = mark.code_id
      where mark.student_id in (${children.join(', ')})`);
    const shown = marks.filter(({ id, day }) => sits.has(`${id} ${day}`));
    const counted =
      await school.sql(`select student_id as id, attendance_per_mille(sum(worth)::bigint, sum(share)::bigint) as "perMille"
      from attendance_counted where (register_id, student_id) in (${shown.map((mark) => `(${mark.register_id}, ${mark.id})`).join(', ')})
      group by student_id`);
    expect(listed.map(({ studentId }) => studentId).sort()).toEqual(
      [...new Set([...placed, ...shown].map(({ id }) => Number(id)))].sort(),
    );
    for (const child of listed) {
      const wanted = days.map(({ day }) => {
        const mark = shown.find((one) => one.id === child.studentId && one.day === day);
        return mark ? [mark.code] : sits.has(`${child.studentId} ${day}`) ? [''] : null;
      });
      expect([child.name, child.marks]).toEqual([child.name, wanted]);
      expect(child.totals.perMille).toBe(counted.find(({ id }) => id === child.studentId)?.perMille ?? null);
    }
  }
});

test('E3.1 E3.4 the day has each section with students once, and its sums; the transport incharge reads no numbers', async () => {
  const section = await openSection(school, { day: `'${today}'` });
  const empty = await openSection(school, { day: `'${today}'` });
  const teacher = await school.person({ name: 'Meena Chauhan' });
  await teach(school, teacher, { sectionId: section });
  const child = await seat(school, section, 'Aarav', { joinedOn: addDays(today, -1) });
  await seat(school, section, 'Bina', { joinedOn: addDays(today, -1) });
  await raise(school, [child], { firstName: 'Nikhil', mobile: '9825012345' });
  const waiting = await office.call(dailyApi.read, { day: '' });
  expect(waiting.sections.find(({ id }) => id === section)).toMatchObject({
    strength: 2,
    registers: [{ slot: 'Full day', takenAt: null, isDue: true }],
    teacher: 'Meena Chauhan',
  });
  expect(waiting.sections.some(({ id }) => id === empty)).toBe(false);
  await take(section, addDays(today, -1), { Aarav: 'A' });
  await take(section, today, { Aarav: 'A' });
  const daily = await office.call(dailyApi.read, { day: '' });
  expect(daily.sections.find(({ id }) => id === section)).toMatchObject({
    present: 1,
    absent: 1,
    late: 0,
    perMille: 500,
  });
  expect(daily.absentees.find(({ studentId }) => studentId === child)).toMatchObject({
    days: 2,
    guardian: 'Nikhil Shah',
    mobile: '9825012345',
  });
  const transport = await school.person({ sets: ['transportIncharge'] });
  const theirs = await transport.call(dailyApi.read, { day: '' });
  expect(theirs.absentees.find(({ studentId }) => studentId === child)).toMatchObject({ guardian: '', mobile: '' });
});

test('the dashboard counts children absent for the third day in a row, not those who came in between', async () => {
  for (const days of [-2, -3]) await setDay(addDays(today, days), 'Working day');
  const section = await openSection(school, { day: `'${addDays(today, -3)}'` });
  for (const name of ['Ishan', 'Jiya', 'Kavya']) await seat(school, section, name, { joinedOn: addDays(today, -3) });
  const counted = async () => {
    const { figures } = await office.call(dashboardApi.line, {});
    return figures.find(({ title }) => english(title) === 'Absent 3rd day')?.value;
  };
  await take(section, addDays(today, -3), { Jiya: 'A' });
  await take(section, addDays(today, -2), { Ishan: 'A', Jiya: 'A', Kavya: 'A' });
  await take(section, addDays(today, -1), { Ishan: 'A', Kavya: 'A' });
  const before = (await counted()) ?? 0;
  await take(section, today, { Ishan: 'A', Jiya: 'A' });
  expect(await counted()).toBe(before + 1);
});

test('E3.5 a day without school says why and lists nothing', async () => {
  await setDay(dayAt(15), 'Holiday', 'Diwali');
  expect(await office.call(dailyApi.read, { day: dayAt(15) })).toMatchObject({
    closedFor: 'Diwali',
    sections: [],
    absentees: [],
  });
});

test('E3.3 a late arrival at the gate changes an absent mark to late with the time, and waits for a register not taken', async () => {
  const section = await openSection(school, { day: `'${today}'` });
  const absent = await seat(school, section, 'Aarav', { grNo: 'G-501' });
  await seat(school, section, 'Bina', { grNo: 'G-502' });
  const other = await openSection(school, { day: `'${today}'` });
  await seat(school, other, 'Charu', { grNo: 'G-503' });
  await take(section, today, { Aarav: 'A' });
  school.clock.now = new Date(`${today}T09:20:00+05:30`);
  expect(await office.call(dailyApi.enter, { number: 'g-501' })).toMatchObject({
    name: 'Aarav Shah',
    arrivedAt: '09:20',
  });
  const enter = async (number: string) => {
    try {
      return (await office.call(dailyApi.enter, { number })).name;
    } catch (error) {
      return english((error as AppError).fields.number ?? (error as AppError).text);
    }
  };
  expect(await enter('G-502')).toBe('Bina Shah is marked as Present today.');
  expect(await enter('G-999')).toMatch(/^No student here today has this number/);
  expect(await enter('G-503')).toBe('Charu Shah');
  expect(await enter('G-503')).toBe('Charu Shah is entered already.');
  school.clock.now = undefined;
  const sheet = await office.call(registerApi.read, { sectionId: section, day: '' });
  expect(sheet).toMatchObject({ register: { version: 2 } });
  const late = sheet.codes.find(({ code }) => code === 'L')?.id;
  expect(sheet.children.find(({ studentId }) => studentId === absent)?.mark).toEqual({
    codeId: late,
    arrivedAt: '09:20',
  });
  const waiting = await office.call(registerApi.read, { sectionId: other, day: '' });
  expect(waiting.children[0]).toMatchObject({ gateAt: '09:20', mark: null });
  const { late: listed } = await office.call(dailyApi.read, { day: '' });
  expect(listed.map(({ name, arrivedAt }) => [name, arrivedAt])).toEqual([
    ['Aarav Shah', '09:20'],
    ['Charu Shah', '09:20'],
  ]);
});

test('late in the register and at the gate is one child each in count, list and card, with where it was noted', async () => {
  const before = await office.call(dailyApi.read, { day: '' });
  const section = await openSection(school, { day: `'${today}'` });
  for (const [name, grNo] of [
    ['Esha', 'G-601'],
    ['Falguni', 'G-602'],
    ['Gopal', 'G-603'],
  ] as const)
    await seat(school, section, name, { grNo });
  school.clock.now = new Date(`${today}T09:25:00+05:30`);
  await office.call(dailyApi.enter, { number: 'G-601' });
  await office.call(dailyApi.enter, { number: 'G-603' });
  school.clock.now = new Date(`${today}T09:35:00+05:30`);
  await take(section, today, { Esha: 'L 09:20', Falguni: 'L 09:30' });
  school.clock.now = undefined;
  const { late, sections } = await office.call(dailyApi.read, { day: '' });
  expect(
    late
      .filter(({ name }) => /^(Esha|Falguni|Gopal) /.test(name))
      .map(({ name, arrivedAt, isAtGate, isMarked }) => [name.split(' ')[0], arrivedAt, isAtGate, isMarked])
      .toSorted(),
  ).toEqual([
    ['Esha', '09:20', true, true],
    ['Falguni', '09:30', false, true],
    ['Gopal', '09:25', true, false],
  ]);
  expect(sections.find(({ id }) => id === section)?.late).toBe(3);
  const sum = (all: typeof sections) => all.reduce((total, one) => total + one.late, 0);
  expect([sum(sections), late.length - before.late.length]).toEqual([late.length, 3]);
});

test('E3.6 a roll number with its section finds the child', async () => {
  const section = await openSection(school, { day: `'${today}'` });
  await school.sql(`update academic_section set name = 'Q' where id = ${section}`);
  const child = await seat(school, section, 'Dev');
  await school.sql(`update student_section set roll_no = 17 where student_id = ${child}`);
  const [grade] =
    await school.sql(`select grade.name from academic_section section join academic_grade grade on grade.id = grade_id
    where section.id = ${section}`);
  expect(await office.call(dailyApi.enter, { number: `${grade?.name}, Q 17` })).toMatchObject({ name: 'Dev Shah' });
});
