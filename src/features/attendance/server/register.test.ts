// Smoke: runs on the oldest PostgreSQL too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingApi } from '#features/school/contract/setting.ts';
import { AppError } from '#kit/contract/errors.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { registerApi } from '../contract/register.ts';
import { subjectTeachersTake } from './settings.ts';

let school: School;
const today = toLocalDate(new Date());
beforeAll(async () => {
  school = await openSchool();
  await openSection(school, { day: `'${today}'` });
  // Today and the days around it are days with school, whatever the weekday of the test.
  for (const by of [-3, -2, -1, 0, 1]) await setDay(addDays(today, by), 'Working day');
});
afterAll(() => school.close());

const setDay = (day: string, kind: string, name = 'Test day') =>
  school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
    select id, '${day}', '${kind}', '${name}' from academic_year where '${day}' between starts_on and ends_on
    on conflict on constraint academic_calendar_day_unique do update set kind = excluded.kind, name = excluded.name`);

const codes = async () =>
  Object.fromEntries(
    (await school.sql(`select code, id from attendance_code`)).map(({ code, id }) => [code, Number(id)]),
  );

/** A class teacher and a section with children. */
async function openClass(...names: string[]) {
  const teacher = await school.person();
  const section = await teach(school, teacher, { sectionId: await openSection(school, { day: `'${today}'` }) });
  const children: number[] = [];
  for (const name of names) children.push(await seat(school, section, name));
  return { teacher, section, children };
}

const sheetOf = (person: Person, sectionId: number, day = '') => person.call(registerApi.read, { sectionId, day });

/** Submits a register as its page does: all present, but those named otherwise by their first name. */
async function take(person: Person, sectionId: number, marks: Record<string, string> = {}, over: Partial<Over> = {}) {
  const sheet = await sheetOf(person, sectionId, over.day);
  const ids = await codes();
  return person.call(registerApi.submit, {
    sectionId,
    day: sheet.day,
    rowVersion: over.rowVersion ?? sheet.register?.version ?? 0,
    marks: sheet.children
      .filter(({ takenIn }) => takenIn === '')
      .map(({ studentId, name }) => {
        const [code = 'P', arrivedAt = ''] = (marks[name.split(' ')[0] ?? ''] ?? 'P').split(' ');
        return { studentId, codeId: ids[code] ?? 0, arrivedAt };
      }),
  });
}
interface Over {
  day: string;
  rowVersion: number;
}

const refused = async (work: Promise<unknown>): Promise<[string, string]> => {
  try {
    await work;
    return ['', ''];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [field = error.text] = Object.values(error.fields);
    return [error.code, english(field)];
  }
};

test('E1.1 the section that a class teacher leads opens by itself; a second submission changes the register', async () => {
  const { teacher, section } = await openClass('Aarav', 'Bina', 'Charu');
  const sheet = await teacher.call(registerApi.read, { sectionId: '', day: '' });
  expect(sheet).toMatchObject({ day: today, section: { id: section }, register: null, mayTake: true });
  expect(sheet.children.map(({ name, mark }) => [name, mark])).toEqual([
    ['Aarav Shah', null],
    ['Bina Shah', null],
    ['Charu Shah', null],
  ]);
  expect(await take(teacher, section, { Bina: 'A' })).toMatchObject({ version: 1 });
  expect(await take(teacher, section, { Bina: 'P', Charu: 'A' })).toMatchObject({ version: 2 });
  const stored = await school.sql(`select student.first_name as name, code.code from attendance_mark mark
    join student on student.id = mark.student_id join attendance_code code on code.id = mark.code_id
    join attendance_register register on register.id = mark.register_id where section_id = ${section} order by 1`);
  expect(stored).toEqual([
    { name: 'Aarav', code: 'P' },
    { name: 'Bina', code: 'P' },
    { name: 'Charu', code: 'A' },
  ]);
  expect(
    await school.sql(`select details ->> 'from' as from, details ->> 'to' as to from audit
    where action = 'attendance.mark-changed' and details ->> 'day' = '${today}' order by entity_id`),
  ).toEqual([
    { from: 'Absent', to: 'Present' },
    { from: 'Present', to: 'Absent' },
  ]);
});

test('E0.1 of two devices that submit a first register, the second is refused and changes nothing', async () => {
  const { teacher, section } = await openClass('Aarav', 'Bina');
  const [first, second] = await Promise.allSettled([
    take(teacher, section, { Aarav: 'A' }, { rowVersion: 0 }),
    take(teacher, section, { Bina: 'A' }, { rowVersion: 0 }),
  ]);
  expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await refused(take(teacher, section, { Bina: 'A' }, { rowVersion: 0 }))).toMatchObject(['stale', /changed/]);
  const sheet = await sheetOf(teacher, section);
  const ids = await codes();
  expect(sheet.children.filter(({ mark }) => mark?.codeId === ids.A)).toHaveLength(1);
  expect(await take(teacher, section, { Bina: 'A' })).toMatchObject({ version: 2 });
});

test('T1 a colleague who opens a taken register sees by whom and when, and changes it only as it is now', async () => {
  const { teacher, section } = await openClass('Aarav', 'Bina');
  const colleague = await school.person();
  await teach(school, colleague, { role: 'Co-class teacher', sectionId: section });
  expect(await sheetOf(colleague, section)).toMatchObject({ register: null, mayTake: true });
  await take(teacher, section, { Aarav: 'A' });
  const [{ name } = {}] = await school.sql(`select name from staff where id = ${teacher.staffId}`);
  const seen = await sheetOf(colleague, section);
  expect(seen.register).toMatchObject({ version: 1, takenBy: name, takenAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  // The colleague opened the sheet before it was taken.
  expect(await refused(take(colleague, section, { Bina: 'A' }, { rowVersion: 0 }))).toMatchObject(['stale', /changed/]);
  await take(colleague, section, { Aarav: 'A', Bina: 'A' });
  expect(await refused(take(teacher, section, {}, { rowVersion: 1 }))).toMatchObject(['stale', /changed/]);
  expect((await sheetOf(teacher, section)).register).toMatchObject({ version: 2 });
});

test('T3 E1.2 E0.3 a day without school is shown with its name and takes no register, nor does a day to come', async () => {
  const { teacher, section } = await openClass('Aarav');
  const [year] = await school.sql(
    `select starts_on::text as from from academic_year where '${today}' between starts_on and ends_on`,
  );
  const from = String(year?.from);
  const holiday = addDays(from, 1);
  await setDay(holiday, 'Holiday', 'Rath Yatra');
  const sheet = await sheetOf(teacher, section, holiday);
  expect(sheet).toMatchObject({ school: { kind: 'Holiday', name: 'Rath Yatra', work: 0 }, mayTake: false });
  expect(await refused(take(teacher, section, {}, { day: holiday }))).toEqual([
    'conflict',
    'There is no school on this day.',
  ]);
  expect(await refused(take(teacher, section, {}, { day: addDays(today, 1) }))).toEqual([
    'conflict',
    'This day is in the future.',
  ]);
});

test('E1.3 E0.2 a child who joined later is not in an earlier register, and a later one waits for a new submission', async () => {
  const { teacher, section } = await openClass('Aarav');
  const yesterday = addDays(today, -1);
  // After a holiday yesterday’s register is open until tomorrow, at whatever hour the test runs.
  await setDay(today, 'Holiday');
  await take(teacher, section, {}, { day: yesterday });
  await setDay(today, 'Working day');
  await seat(school, section, 'Bina', { joinedOn: today });
  const namesOn = async (day: string) => (await sheetOf(teacher, section, day)).children.map(({ name }) => name);
  expect(await namesOn(yesterday)).toEqual(['Aarav Shah']);
  expect(await namesOn(today)).toEqual(['Aarav Shah', 'Bina Shah']);
  expect(await take(teacher, section)).toMatchObject({ version: 1 });
  await seat(school, section, 'Amit', { joinedOn: today });
  const { children } = await sheetOf(teacher, section);
  expect(children.map(({ name, mark }) => [name, mark !== null])).toEqual([
    ['Aarav Shah', true],
    ['Bina Shah', true],
    ['Amit Shah', false],
  ]);
});

test('E0.2 marks stay where they were made after a transfer that is entered later, and count once', async () => {
  const { teacher, section, children } = await openClass('Aarav', 'Bina');
  const other = await openClass('Charu');
  await school.sql(`update academic_section set (program_id, grade_id) = (select program_id, grade_id from academic_section
    where id = ${section}) where id = ${other.section}`);
  await take(teacher, section, { Bina: 'A' });
  await school.sql(`update student_section set section_id = ${other.section} where student_id = ${children[1]}`);
  expect((await sheetOf(teacher, section)).children.map(({ name }) => name)).toEqual(['Aarav Shah', 'Bina Shah']);
  const theirs = await sheetOf(other.teacher, other.section);
  expect(theirs.children.find(({ name }) => name === 'Bina Shah')).toMatchObject({ mark: null, takenCode: 'A' });
  await take(other.teacher, other.section);
  expect(
    await school.sql(`select count(*)::integer as marks from attendance_mark where student_id = ${children[1]}`),
  ).toEqual([{ marks: 1 }]);
});

test('E1.5 late needs the time of arrival, and none later than now; other codes have no time', async () => {
  const { teacher, section } = await openClass('Aarav', 'Bina');
  expect(await refused(take(teacher, section, { Aarav: 'L' }))).toEqual(['invalid', 'Enter the time of arrival.']);
  school.clock.now = new Date(`${today}T09:30:00+05:30`);
  expect(await refused(take(teacher, section, { Aarav: 'L 09:45' }))).toEqual([
    'invalid',
    'The time of arrival is later than now.',
  ]);
  await take(teacher, section, { Aarav: 'L 09:12', Bina: 'A 09:12' });
  school.clock.now = undefined;
  const { children } = await sheetOf(teacher, section);
  expect(children.map(({ mark }) => mark?.arrivedAt)).toEqual(['09:12', '']);
});

test('E1.7 yesterday’s code and the days absent in a row stand beside each child', async () => {
  const { teacher, section } = await openClass('Aarav', 'Bina');
  const office = await school.person({ sets: ['office'] });
  for (const by of [-3, -2, -1])
    await take(office, section, { Aarav: 'A', Bina: by === -3 ? 'A' : 'L 09:10' }, { day: addDays(today, by) });
  const { children, dayBefore } = await sheetOf(teacher, section);
  expect(dayBefore).toBe(addDays(today, -1));
  expect(children.map(({ before, absentFor }) => [before, absentFor])).toEqual([
    ['A', 3],
    ['L', 0],
  ]);
});

test('E1.8 a first submission is undone until it locks, and a locked register is not changed', async () => {
  const { teacher, section } = await openClass('Aarav');
  const { id } = await take(teacher, section, { Aarav: 'A' });
  await teacher.call(registerApi.undo, { id, rowVersion: 1 });
  expect((await sheetOf(teacher, section)).register).toBeNull();
  const again = await take(teacher, section);
  await take(teacher, section, { Aarav: 'A' });
  expect((await refused(teacher.call(registerApi.undo, { id: again.id, rowVersion: 2 })))[0]).toBe('conflict');
  await school.sql(
    `update attendance_register set locks_at = now() - interval '1 minute' where section_id = ${section}`,
  );
  expect(await sheetOf(teacher, section)).toMatchObject({
    register: { isLocked: true },
    mayTake: false,
    mayUndo: false,
  });
  expect(await refused(take(teacher, section))).toMatchObject(['conflict', /locked/]);
});

test('E1.9 a substitute takes the register on the days of the mapping, a subject teacher on the day, the office any', async () => {
  const { section } = await openClass('Aarav');
  const yesterday = addDays(today, -1);
  const substitute = await school.person();
  await teach(school, substitute, {
    role: 'Co-class teacher',
    sectionId: section,
    from: `'${today}'`,
    until: `'${today}'`,
  });
  const subject = await school.person();
  await teach(school, subject, { role: 'Subject teacher', sectionId: section });
  const office = await school.person({ sets: ['office'] });
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('East', 'E') returning id`);
  const elsewhere = await school.person({ sets: ['office'], branchIds: [Number(branch?.id)] });
  const stranger = await school.person();
  await teach(school, stranger);
  const mayTake = async (person: Person, day = today) => {
    try {
      return (await sheetOf(person, section, day)).mayTake;
    } catch (error) {
      return (error as AppError).code;
    }
  };
  expect(await Promise.all([substitute, subject, office].map((person) => mayTake(person)))).toEqual([true, true, true]);
  expect(await mayTake(substitute, yesterday)).toBe(false);
  expect(await mayTake(subject, yesterday)).toBe(false);
  expect(await mayTake(office, yesterday)).toBe(true);
  expect(await mayTake(stranger)).toBe('not_found');
  expect(await refused(take(substitute, section, {}, { day: yesterday }))).toMatchObject([
    'forbidden',
    /class teacher/,
  ]);
  await expect(elsewhere.call(registerApi.read, { sectionId: section, day: '' })).resolves.toMatchObject({
    section: null,
  });
  const admin = await school.person({ role: 'Admin' });
  await admin.call(settingApi.save, { key: subjectTeachersTake.key, value: false, rowVersion: 0 });
  expect(await mayTake(subject)).toBe(false);
  expect(await refused(take(subject, section))).toMatchObject(['forbidden', /class teacher/]);
});

test('E1.10 a code that teachers may not use is refused to them, and stays where it was used', async () => {
  const { teacher, section } = await openClass('Aarav');
  const office = await school.person({ sets: ['office'] });
  await school.sql(`update attendance_code set teacher_may_use = false where code = 'OD'`);
  expect(await refused(take(teacher, section, { Aarav: 'OD' }))).toMatchObject(['invalid', /can’t use/]);
  await take(office, section, { Aarav: 'OD' });
  expect(await take(teacher, section, { Aarav: 'OD' })).toMatchObject({ version: 2 });
  await school.sql(`update attendance_code set teacher_may_use = true where code = 'OD'`);
});
