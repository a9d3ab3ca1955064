import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { studentRecordApi } from '#features/student/contract/record.ts';
import { workbookMark } from '#kit/contract/import-limits.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { readFile } from '#testing/imported-rows.ts';
import { setDay, takeRegister } from '#testing/registers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { recordStatements } from '#testing/statements.ts';
import { openSection } from '#testing/teachers.ts';
import { dailyApi } from '../contract/daily.ts';
import { monthApi, shownMarks } from '../contract/month.ts';
import { registerApi } from '../contract/register.ts';
import { absentOn, monthOf, percentOf } from './child-days.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());
/** The month before this one has ended and has 28 days at least. */
const from = `${addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)}-01`;
const month = from.slice(0, 7);
const dayAt = (index: number) => addDays(from, index);

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
  await openSection(school, { day: `'${from}'` });
  for (let index = 0; index < 6; index += 1) await setDay(school, dayAt(index), 'Working day');
  for (let index = 6; dayAt(index) <= today; index += 1) await setDay(school, dayAt(index), 'Vacation', 'Vacation');
});
afterAll(() => school.close());

const fileOf = (section: number, as: string) =>
  office.send({ url: `/api/attendance/month/file?sectionId=${section}&month=${month}&as=${as}` });

const yearOf = async (section: number) =>
  Number((await school.sql(`select academic_year_id as id from academic_section where id = ${section}`))[0]?.id);

test('T6 E0.6 the days not taken are named beside the percentage and do not change it', async () => {
  const a = await openSection(school, { day: `'${from}'` });
  const b = await openSection(school, { day: `'${from}'` });
  const zoya = await seat(school, a, 'Zoya', { joinedOn: from });
  const aarav = await seat(school, a, 'Aarav', { joinedOn: from });
  await takeRegister(office, a, dayAt(0), { Zoya: 'A' });
  await takeRegister(office, a, dayAt(1), { Aarav: 'HD' });
  // Entered after the second day: in the other section from that day, which has taken only the fourth.
  await school.sql(`update student_section set effective_to = '${dayAt(0)}' where student_id = ${zoya};
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id, effective_from)
    select enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, ${b}, '${dayAt(1)}'
    from student_section where student_id = ${zoya}`);
  await takeRegister(office, b, dayAt(3));
  const yearId = await yearOf(a);
  const totals = await percentOf(school.services, [zoya, aarav, zoya], { yearId, from, to: dayAt(5) });
  expect(totals).toMatchObject([{ studentId: Math.min(zoya, aarav) }, { studentId: Math.max(zoya, aarav) }]);
  expect(totals.find(({ studentId }) => studentId === zoya)).toMatchObject({
    perMille: 667,
    days: 3,
    present: 2,
    absent: 1,
    notTaken: 3,
  });
  expect(totals.find(({ studentId }) => studentId === aarav)).toMatchObject({
    perMille: 750,
    days: 2,
    halfDay: 1,
    notTaken: 4,
  });
  const { children } = await office.call(monthApi.read, { sectionId: b, month });
  expect(children.map(({ studentId, yearPerMille }) => [studentId, yearPerMille])).toEqual([[zoya, 667]]);
});

test('E0.9 late arrivals at the gate are filled in, and nothing counts until the register is submitted', async () => {
  const section = await openSection(school, { day: `'${from}'` });
  await setDay(school, today, 'Working day');
  const child = await seat(school, section, 'Aarav', { joinedOn: from });
  const [{ grNo } = {}] = await school.sql(`select gr_no as "grNo" from student where id = ${child}`);
  await office.call(dailyApi.enter, { number: String(grNo) });
  const sheet = await office.call(registerApi.read, { sectionId: section, day: '' });
  expect(sheet.children).toMatchObject([{ mark: null, gateAt: expect.stringMatching(/^\d\d:\d\d$/) }]);
  const yearId = await yearOf(section);
  const [totals] = await percentOf(school.services, [child], { yearId, from, to: today });
  expect(totals).toMatchObject({ perMille: null, days: 0, late: 0 });
  await setDay(school, today, 'Vacation', 'Vacation');
});

test('the doors of attendance name the days of a month and those who are away', async () => {
  const section = await openSection(school, { day: `'${from}'` });
  const aarav = await seat(school, section, 'Aarav', { joinedOn: dayAt(1) });
  const bina = await seat(school, section, 'Bina', { joinedOn: from });
  await takeRegister(office, section, dayAt(1), { Aarav: 'A', Bina: 'LV' });
  await takeRegister(office, section, dayAt(2), { Bina: 'L 09:10' });
  expect((await monthOf(school.services, [aarav], month)).slice(0, 3)).toEqual([
    { studentId: aarav, day: dayAt(1), half: 1, kind: 'Absent', symbol: 'A' },
    { studentId: aarav, day: dayAt(2), half: 1, kind: 'Present', symbol: 'P' },
    { studentId: aarav, day: dayAt(3), half: 1, kind: '', symbol: '' },
  ]);
  expect(await absentOn(school.services, dayAt(1), [aarav, bina])).toEqual([
    { studentId: aarav, kind: 'Absent' },
    { studentId: bina, kind: 'Leave' },
  ]);
  expect(await absentOn(school.services, dayAt(2), [aarav, bina])).toEqual([]);
});

test('T8 the record of a child has the year’s percentage, the days before, and the months, for those of the set', async () => {
  const section = await openSection(school, { day: `'${from}'` });
  const child = await seat(school, section, 'Aarav', { joinedOn: from });
  await seat(school, section, 'Bina', { joinedOn: from });
  const card = () => office.call(studentRecordApi.card, { id: child, key: 'attendance' });
  expect(await card()).toMatchObject({ facts: [], table: null });
  await takeRegister(office, section, dayAt(0), { Aarav: 'A' });
  await takeRegister(office, section, dayAt(1), { Aarav: 'L 09:10' });
  await takeRegister(office, section, dayAt(2));
  const { facts, strip, table, to } = await card();
  expect(english(facts[0]?.value ?? ('' as never))).toBe('66.7 % of 3 days, below 75 %');
  const cells = strip?.cells.filter(({ day }) => day <= dayAt(5));
  expect(cells?.map(({ tone, mark }) => [tone, mark])).toEqual([
    ['bad', 'A'],
    ['warn', 'L'],
    ['good', 'P'],
    ['none', ''],
    ['none', ''],
    ['none', ''],
  ]);
  expect(english(strip?.says ?? ('' as never))).toMatch(/1 present, 1 absent, 1 late or half, 0 on leave/);
  expect(
    table?.rows
      .map((cells) => cells.map((cell) => english(cell)))
      .at(-1)
      ?.slice(1),
  ).toEqual(['1', '1', '1', '–', '66.7 %']);
  expect(to).toBe(`/school-erp/attendance/month-wise-attendance?section=${section}&month=${today.slice(0, 7)}`);
  const accountant = await school.person({ sets: ['accountant'] });
  await expect(accountant.call(studentRecordApi.card, { id: child, key: 'attendance' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('E2.8 a month of sixty children is read in the statements of one child', async () => {
  const [one, sixty] = [
    await openSection(school, { day: `'${from}'` }),
    await openSection(school, { day: `'${from}'` }),
  ];
  await seat(school, one, 'Aarav', { joinedOn: from });
  await school.sql(`update academic_section set capacity = 60 where id = ${sixty}`);
  for (let index = 0; index < 60; index += 1) await seat(school, sixty, `Child${index}`, { joinedOn: from });
  await takeRegister(office, one, dayAt(0));
  for (let index = 0; index < 6; index += 1) await takeRegister(office, sixty, dayAt(index), { Child7: 'A' });
  const statementsOf = (section: number) =>
    recordStatements(school, () => office.call(monthApi.read, { sectionId: section, month }));
  const [small, large] = [await statementsOf(one), await statementsOf(sixty)];
  expect([small.result.children.length, large.result.children.length]).toEqual([1, 60]);
  expect(large.texts).toEqual(small.texts);
});

test('E2.5 the workbook of a month has the marks and totals of the page', async () => {
  const section = await openSection(school, { day: `'${from}'` });
  await seat(school, section, 'Aarav', { gender: 'M', joinedOn: from });
  await seat(school, section, 'Bina', { joinedOn: dayAt(1) });
  await takeRegister(office, section, dayAt(0), { Aarav: 'HD' });
  await takeRegister(office, section, dayAt(1), { Bina: 'A', Aarav: 'OD' });
  const page = await office.call(monthApi.read, { sectionId: section, month });
  const { bytes } = await fileOf(section, 'xlsx');
  const lines = await readFile(workbookMark + Buffer.from(bytes).toString('base64'));
  const [heads = [], ...rows] = lines.map(({ cells }) => cells);
  expect(heads.slice(0, 4)).toEqual(['Roll no', 'Name', '1', '2']);
  for (const [index, { name, marks, totals, yearPerMille }] of page.children.entries()) {
    const row = rows[index] ?? [];
    expect(row.slice(1, 2 + marks.length).map((cell) => cell ?? '')).toEqual([name, ...marks.map(shownMarks)]);
    expect(row.slice(2 + marks.length).map((cell) => Number(cell))).toEqual([
      totals.present,
      totals.absent,
      totals.late,
      totals.halfDay,
      totals.leave + totals.onDuty,
      totals.days,
      Number(totals.perMille) / 10,
      Number(yearPerMille) / 10,
    ]);
  }
  const boys = rows.find(([, title]) => title === 'Boys') ?? [];
  expect([boys[2], boys[3]].map(Number)).toEqual([page.days[0]?.boys, page.days[1]?.boys]);
});

test('E2.7 the paper of a month is in the order of GR numbers, with sums, categories and signature lines', async () => {
  const section = await openSection(school, { day: `'${from}'` });
  const numbers = { Aarav: 'G-20', Bina: 'G-3', Charu: 'G-100' };
  for (const [name, grNo] of Object.entries(numbers))
    await seat(school, section, name, { grNo, joinedOn: from, ...(name === 'Aarav' && { gender: 'M' }) });
  await takeRegister(office, section, dayAt(0), { Aarav: 'A' });
  await school.sql(`update student set category_id = (select id from academic_lookup
    where kind = 'Student category' and name = 'RTE') where gr_no = 'G-3'`);
  school.papers.isReal = true;
  const { bytes } = await fileOf(section, 'pdf');
  school.papers.isReal = false;
  if (process.env.PAPERS) await writeFile(`${process.env.PAPERS}/month-register.pdf`, bytes);
  expect(Buffer.from(bytes).subarray(0, 5).toString()).toBe('%PDF-');
  expect(bytes.length).toBeGreaterThan(10_000);
  const { register, categories, signatures } = school.papers.last().data;
  expect(register.rows.map(([grNo]: string[]) => grNo)).toEqual(['G-3', 'G-20', 'G-100']);
  expect(register.rows[1].slice(3, 4)).toEqual(['A']);
  expect(register.rows[1].slice(-7)).toEqual(['–', '1', '–', '–', '–', '1', '0.0']);
  expect(register.sums.map((row: string[]) => [row[2], row[3]])).toEqual([
    ['Present', '2'],
    ['Boys', '0'],
    ['Girls', '2'],
  ]);
  expect(categories.rows).toEqual([
    ['RTE', '–', '1', '1', '1', '–', '1'],
    ['Not entered', '1', '1', '2', '1', '1', '2'],
  ]);
  expect(signatures.map(({ who }: { who: string }) => who)).toEqual(['Class teacher', 'Principal']);
  const audited = await school.sql(`select details ->> 'as' as as from audit where action = 'attendance.month-exported'
    and entity_id = ${section}`);
  expect(audited).toEqual([{ as: 'pdf' }]);
});
