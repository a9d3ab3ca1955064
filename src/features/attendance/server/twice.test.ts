import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { AppError } from '#kit/contract/errors.ts';
import { workbookMark } from '#kit/contract/import-limits.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { openKept } from '#kit/server/kept.ts';
import type { Outgoing } from '#kit/server/messages/mail.ts';
import { sendMessage } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { readFile } from '#testing/imported-rows.ts';
import { setDay, takeRegister } from '#testing/registers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { absentOn, percentOf } from '../api.ts';
import { correctionApi } from '../contract/correction.ts';
import { dailyApi } from '../contract/daily.ts';
import { monthApi } from '../contract/month.ts';
import { registerApi, type Slot } from '../contract/register.ts';
import { twiceApi } from '../contract/twice.ts';
import { attendanceEvents } from './events.ts';
import { registersCard } from './register-card.ts';
import { familyMessages } from './tell-families.ts';

let school: School;
let admin: Person;
let office: Person;
let yearId: number;
/** The grade of sections of tests, which takes two registers a day here. */
let gradeId: number;
const today = toLocalDate(new Date());
const yesterday = addDays(today, -1);
const ids: Record<string, number> = {};
const at = (time: string) => {
  school.clock.now = new Date(`${today}T${time}:00+05:30`);
};

beforeAll(async () => {
  school = await openSchool();
  school.services.kept = openKept({ slow: 0 });
  admin = await school.person({ role: 'Admin' });
  office = await school.person({ sets: ['office'] });
  const section = await openSection(school, { day: `'${today}'` });
  const [row] = await school.sql(`select academic_year_id as year, grade_id as grade from academic_section
    where id = ${section}`);
  [yearId, gradeId] = [Number(row?.year), Number(row?.grade)];
  for (let by = -5; by <= 1; by += 1) await setDay(school, addDays(today, by), 'Working day');
  for (const { code, id } of await school.sql('select code, id from attendance_code')) ids[String(code)] = Number(id);
  await save([gradeId]);
});
beforeEach(() => at('10:00'));
afterAll(() => school.close());

async function save(gradeIds: number[]) {
  const { gradeIds: before } = await admin.call(twiceApi.read, { academicYearId: yearId });
  return admin.call(twiceApi.save, { academicYearId: yearId, gradeIds, before });
}

async function openClass(...names: string[]) {
  const teacher = await school.person();
  const section = await teach(school, teacher, { sectionId: await openSection(school, { day: `'${today}'` }) });
  const children: number[] = [];
  for (const name of names) children.push(await seat(school, section, name, { joinedOn: addDays(today, -5) }));
  return { teacher, section, children };
}

const sheetOf = (person: Person, sectionId: number, slot: Slot | '' = '', day = '') =>
  person.call(registerApi.read, { sectionId, day, slot });
const marksOf = async (studentId: number) =>
  (
    await school.sql(`select register.slot, code.code from attendance_mark mark
      join attendance_register register on register.id = mark.register_id
      join attendance_code code on code.id = mark.code_id where student_id = ${studentId} order by register.day, mark.half`)
  ).map(({ slot, code }) => `${slot} ${code}`);

async function refused(work: Promise<unknown>): Promise<[string, string]> {
  try {
    await work;
    return ['', ''];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [field = error.text] = Object.values(error.fields);
    return [error.code, english(field)];
  }
}

test('E0.11 an Admin chooses the grades with two registers a day; from the first register of a day on it waits', async () => {
  const [other] = await school.sql(`insert into academic_grade (name, code, stage, position)
    values ('Class Z', 'CZ', 'Middle', 9999) returning id`);
  const otherId = Number(other?.id);
  await save([gradeId, otherId]);
  const { grades, gradeIds } = await admin.call(twiceApi.read, { academicYearId: yearId });
  expect(gradeIds).toEqual([gradeId, otherId]);
  expect(grades.find(({ id }) => id === otherId)).toEqual({ id: otherId, name: 'Class Z', isActive: true });
  // What another Admin changed in the meantime is not lost.
  const late = { academicYearId: yearId, gradeIds: [gradeId], before: [gradeId] };
  expect((await refused(admin.call(twiceApi.save, late)))[0]).toBe('stale');

  const { teacher, section } = await openClass('Aarav');
  await takeRegister(teacher, section, '');
  expect(await refused(save([otherId]))).toEqual([
    'invalid',
    expect.stringMatching(/^A register of today is taken in/),
  ]);
  // Only a register that was taken today blocks the change.
  await save([gradeId]);
  await school.sql(`delete from attendance_mark; delete from attendance_register`);
  await takeRegister(office, section, yesterday);
  await save([]);
  // The registers of a day stay of one kind.
  expect((await sheetOf(office, section, '', yesterday)).slots.map(({ slot }) => slot)).toEqual([
    'Morning',
    'Afternoon',
  ]);
  expect(await sheetOf(teacher, section)).toMatchObject({ slot: 'Full day', slots: [{ slot: 'Full day' }] });
  await save([gradeId]);
  const [saved] = await school.sql(`select details from audit where action = 'attendance.twice-saved'
    order by id desc limit 1`);
  expect(saved?.details).toMatchObject({ once: '' });

  const [past] = await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on, status)
    values ('1950-51', '1950-06-01', '1951-05-31', '1950-06-01', 'Closed') returning id`);
  const closed = { academicYearId: Number(past?.id), gradeIds: [gradeId], before: [] };
  expect((await refused(admin.call(twiceApi.save, closed)))[0]).toBe('conflict');
  await expect(
    school.sql(`insert into attendance_twice (academic_year_id, grade_id) values (${past?.id}, ${gradeId})`),
  ).rejects.toThrow(/closed/);
});

test('E1.19 a register opens in the morning until noon and in the afternoon after it, and each is taken alone', async () => {
  const { teacher, section, children } = await openClass('Aarav', 'Bina');
  at('11:59');
  const morning = await sheetOf(teacher, section);
  expect(morning).toMatchObject({
    slot: 'Morning',
    slots: [
      { slot: 'Morning', isTaken: false },
      { slot: 'Afternoon', isTaken: false },
    ],
    sections: [{ id: section, slot: 'Morning', takenAt: null }],
  });
  await takeRegister(teacher, section, '', { Aarav: 'A' });
  expect(await sheetOf(teacher, section)).toMatchObject({
    register: { version: 1 },
    sections: [{ id: section, takenAt: expect.any(String) }],
  });
  // The afternoon is reached before noon too.
  expect(await sheetOf(teacher, section, 'Afternoon')).toMatchObject({ slot: 'Afternoon', register: null });
  at('12:00');
  const afternoon = await sheetOf(teacher, section);
  expect(afternoon).toMatchObject({ slot: 'Afternoon', register: null, mayTake: true });
  expect(afternoon.sections[0]).toMatchObject({ slot: 'Afternoon', takenAt: null });
  const { id } = await takeRegister(teacher, section, '', { Bina: 'HD' });
  expect([await marksOf(children[0] ?? 0), await marksOf(children[1] ?? 0)]).toEqual([
    ['Morning A', 'Afternoon P'],
    ['Morning P', 'Afternoon HD'],
  ]);
  // A second submission changes its own register, and an undo deletes only that.
  await takeRegister(teacher, section, '', { Aarav: 'L 09:30' }, { slot: 'Morning' });
  expect(await sheetOf(teacher, section, 'Morning')).toMatchObject({ register: { version: 2 }, mayUndo: false });
  await teacher.call(registerApi.undo, { id, rowVersion: 1 });
  expect(await marksOf(children[0] ?? 0)).toEqual(['Morning L']);
  const again = await takeRegister(teacher, section, '');
  await office.call(registerApi.lock, { id: again.id, rowVersion: 1 });
  expect(await sheetOf(teacher, section)).toMatchObject({ register: { isLocked: true }, mayTake: false });
  expect(await sheetOf(teacher, section, 'Morning')).toMatchObject({ register: { isLocked: false }, mayTake: true });
  const [undone] = await school.sql(
    `select details from audit where action = 'attendance.undone' and entity_id = ${id}`,
  );
  expect(undone?.details).toMatchObject({ slot: 'Afternoon' });
});

test('E1.19 the second device to take a half is refused, and so is a full day beside the halves', async () => {
  const { teacher, section } = await openClass('Aarav');
  await takeRegister(teacher, section, '', {}, { slot: 'Morning' });
  await takeRegister(teacher, section, '', {}, { slot: 'Afternoon', rowVersion: 0 });
  const again = takeRegister(teacher, section, '', { Aarav: 'A' }, { slot: 'Afternoon', rowVersion: 0 });
  expect((await refused(again))[0]).toBe('stale');
  const { children } = await sheetOf(teacher, section);
  const marks = children.map(({ studentId }) => ({ studentId, codeId: ids.P ?? 0, arrivedAt: '' }));
  const whole = teacher.call(registerApi.submit, { sectionId: section, day: today, rowVersion: 1, marks });
  expect(await refused(whole)).toEqual(['stale', expect.stringMatching(/registers a day/)]);
});

test('E1.20 T4 the afternoon begins with the absent of the morning, unless they came or their leave is over', async () => {
  const { teacher, section, children } = await openClass('Aarav', 'Bina', 'Charu', 'Dev', 'Esha');
  const [, , charu = 0, dev = 0] = children;
  await school.sql(`insert into attendance_leave (academic_year_id, student_id, from_day, to_day, half, kind, state, halves,
      counted, noted_by, noted_at)
    select ${yearId}, child, '${today}', '${today}', half, 'Sick', 'Granted', 1, 1, ${teacher.staffId}, now()
    from (values (${charu}, 'First half'), (${dev}, 'Second half')) as each (child, half)`);
  const leaveIn = async (slot: Slot) =>
    (await sheetOf(teacher, section, slot)).children.map(({ leave }) => leave?.codeId ?? null);
  // Half a day of leave is leave in one of two registers.
  expect(await leaveIn('Morning')).toEqual([null, null, ids.ML, null, null]);
  expect(await leaveIn('Afternoon')).toEqual([null, null, null, ids.ML, null]);
  await takeRegister(teacher, section, '', { Aarav: 'A', Bina: 'L 09:10', Charu: 'ML', Esha: 'LV' });
  at('13:00');
  const afternoon = await sheetOf(teacher, section);
  expect(afternoon.children.map(({ awayCodeId, before }) => [awayCodeId, before])).toEqual([
    [ids.A, 'A'],
    [null, 'L'],
    [null, 'ML'],
    [null, 'P'],
    [ids.LV, 'LV'],
  ]);
  // Of the gate, each half has its own arrivals.
  const [{ grNo } = {}] = await school.sql(`select gr_no as "grNo" from student where id = ${children[0]}`);
  await office.call(dailyApi.enter, { number: String(grNo) });
  const gateIn = async (slot: Slot) => (await sheetOf(teacher, section, slot)).children[0]?.gateAt;
  expect([await gateIn('Morning'), await gateIn('Afternoon')]).toEqual(['', '13:00']);
  expect(await marksOf(children[0] ?? 0)).toEqual(['Morning A']);
  await takeRegister(teacher, section, '', { Aarav: 'A' });
  await office.call(dailyApi.enter, { number: String(grNo) });
  expect(await marksOf(children[0] ?? 0)).toEqual(['Morning A', 'Afternoon L']);
});

test('leave of half a day that is granted late changes the absent of its own half, and back', async () => {
  const { teacher, section, children } = await openClass('Aarav');
  await takeRegister(teacher, section, '', { Aarav: 'A' }, { slot: 'Morning' });
  await takeRegister(teacher, section, '', { Aarav: 'A' }, { slot: 'Afternoon' });
  const half = { fromDay: today, toDay: today, half: 'Second half', kind: 'Family', reason: '' };
  const body = { studentId: children[0], number: '', ...half };
  const { json } = await teacher.send({ method: 'POST', url: '/api/attendance/leave', body });
  expect(json).toMatchObject({ state: 'Granted', changed: 1 });
  expect(await marksOf(children[0] ?? 0)).toEqual(['Morning A', 'Afternoon LV']);
  const cancelled = await teacher.send({
    method: 'POST',
    url: `/api/attendance/leave/${json.id}/cancel`,
    body: { version: 1 },
  });
  expect(cancelled.json).toEqual({ changed: 1 });
  expect(await marksOf(children[0] ?? 0)).toEqual(['Morning A', 'Afternoon A']);
});

test('E1.19 T5 a locked half is corrected on its own, and its request names it', async () => {
  const { teacher, section, children } = await openClass('Aarav');
  const [studentId = 0] = children;
  for (const slot of ['Morning', 'Afternoon'] as const)
    await takeRegister(teacher, section, '', { Aarav: 'A' }, { slot });
  await school.sql(
    `update attendance_register set locks_at = now() - interval '1 minute' where section_id = ${section}`,
  );
  const ask = { sectionId: section, day: today, studentId, codeId: ids.P ?? 0, arrivedAt: '', reason: 'Was there.' };
  expect((await refused(teacher.call(correctionApi.request, ask)))[1]).toMatch(/was not taken/);
  await teacher.call(correctionApi.request, { ...ask, slot: 'Afternoon' });
  const askedIn = async (slot: Slot) => (await sheetOf(teacher, section, slot)).children[0]?.asked;
  expect([await askedIn('Morning'), await askedIn('Afternoon')]).toEqual(['', 'Present']);
  const { rows } = await office.call(correctionApi.waiting, {});
  expect(rows.find((row) => row.studentId === studentId)).toMatchObject({ slot: 'Afternoon', day: today });
  const [request] = await school.sql(`select id from approval where student_id = ${studentId}`);
  const { version, seen, ...shown } = await office.call(approvalApi.read, { id: Number(request?.id) });
  expect(JSON.stringify(shown)).toContain('Afternoon');
  const decision = { version, seen, outcome: 'Approved', remark: '' };
  const url = `/api/approval/${request?.id}/decide`;
  expect((await office.send({ method: 'POST', url, body: decision })).status).toBe(200);
  expect(await marksOf(studentId)).toEqual(['Morning A', 'Afternoon P']);
});

test('E0.6 one absent afternoon in five days is 90.0 %, and a half day has one register of half the weight', async () => {
  const { section, children } = await openClass('Aarav');
  const days = [-5, -4, -3, -2, -1].map((by) => addDays(today, by));
  for (const [index, day] of days.entries()) {
    await takeRegister(office, section, day, {}, { slot: 'Morning' });
    await takeRegister(office, section, day, { Aarav: index === 0 ? 'A' : 'P' }, { slot: 'Afternoon' });
  }
  const span = { yearId, from: days[0] ?? '', to: yesterday };
  const rate = async () => (await percentOf(school.services, children, span))[0];
  expect(await rate()).toMatchObject({ perMille: 900, days: 5, absent: 0.5, notTaken: 0 });
  await setDay(school, days[1] ?? '', 'Half day');
  expect(await rate()).toMatchObject({ perMille: 889, days: 4.5 });
  await setDay(school, days[1] ?? '', 'Working day');
  await setDay(school, today, 'Half day');
  at('14:00');
  const half = await sheetOf(office, section);
  expect(half).toMatchObject({ slot: 'Morning', slots: [{ slot: 'Morning', isTaken: false }] });
  await takeRegister(office, section, '', { Aarav: 'A' });
  const { sections } = await office.call(dailyApi.read, { day: '' });
  expect(sections.find(({ id }) => id === section)?.registers).toMatchObject([{ slot: 'Morning', isDue: true }]);
  expect((await percentOf(school.services, children, { ...span, to: today }))[0]).toMatchObject({ perMille: 818 });
  await setDay(school, today, 'Working day');
});

test('E3.8 the day names the half that is not taken, and counts each child once', async () => {
  const { teacher, section, children } = await openClass('Aarav', 'Bina', 'Charu');
  const rowOf = async () => {
    const { sections, absentees } = await office.call(dailyApi.read, { day: '' });
    const own = sections.find(({ id }) => id === section);
    return {
      waits: own?.registers.filter(({ isDue, takenAt }) => isDue && !takenAt).map(({ slot }) => slot),
      counts: [own?.strength, own?.present, own?.absent, own?.perMille],
      absent: absentees
        .filter(({ studentId }) => children.includes(studentId))
        .map(({ name, slot }) => `${name} ${slot}`),
    };
  };
  expect((await rowOf()).waits).toEqual(['Morning']);
  await takeRegister(teacher, section, '', { Aarav: 'A', Bina: 'A' });
  expect(await rowOf()).toEqual({
    waits: [],
    counts: [3, 1, 2, 333],
    absent: ['Aarav Shah Morning', 'Bina Shah Morning'],
  });
  at('12:30');
  expect((await rowOf()).waits).toEqual(['Afternoon']);
  await takeRegister(teacher, section, '', { Aarav: 'A', Charu: 'A' });
  expect(await rowOf()).toEqual({
    waits: [],
    counts: [3, 1, 2, 333],
    absent: ['Aarav Shah Full day', 'Bina Shah Morning', 'Charu Shah Afternoon'],
  });
  expect(await absentOn(school.services, today, children)).toEqual([
    { studentId: children[0], kind: 'Absent' },
    { studentId: children[2], kind: 'Absent' },
  ]);
});

test('a class teacher’s to-do counts the students of each register and skips empty sections', async () => {
  const { teacher, section } = await openClass('Aarav', 'Bina');
  const empty = await openSection(school, { day: `'${today}'` });
  await teach(school, teacher, { sectionId: empty });
  const { rows } = await teacher.call(dashboardApi.todo, {});
  const told = rows.filter(({ kind }) => kind === 'register');
  expect(told.map(({ id, detail }) => [id, detail && english(detail)])).toEqual([
    [section, '2 students, morning register not taken'],
  ]);
});

test('E3.8 teachers are reminded of each half that is due, once, and the dashboard leads to it', async () => {
  const { teacher, section } = await openClass('Aarav', 'Bina');
  const noticesOf = async () =>
    (await school.sql(`select path from notice where account_id = ${teacher.id} order by id`)).map(({ path }) => path);
  const todosOf = async () => JSON.stringify((await teacher.send({ url: '/api/dashboard/todo' })).json);
  const address = `attendance/student-attendance?section=${section}`;
  const stateOf = async () => {
    const { sections } = await teacher.call(dashboardApi.day, {});
    return english(sections.find(({ id }) => id === section)?.state ?? { id: '' });
  };
  expect(await todosOf()).toContain(`${address}&slot=Morning`);
  expect(await stateOf()).toBe('Morning register not taken');
  await office.call(dailyApi.remind, {});
  await office.call(dailyApi.remind, {});
  expect(await noticesOf()).toEqual([`/school-erp/${address}&slot=Morning`]);
  await takeRegister(teacher, section, '', { Aarav: 'A' });
  expect(await todosOf()).not.toContain(address);
  expect(await stateOf()).toBe('1 of 2 present');
  at('12:30');
  // More than a minute later.
  school.services.kept.forget(teacher.id);
  expect(await todosOf()).toContain(`${address}&slot=Afternoon`);
  expect(await stateOf()).toBe('Afternoon register not taken');
  await office.call(dailyApi.remind, {});
  expect((await noticesOf()).slice(1)).toEqual([`/school-erp/${address}&slot=Afternoon`]);
  const figures = async () => {
    const { cards } = await teacher.call(dashboardApi.read, {});
    return cards.find(({ title }) => title.id === 'My section today')?.figures.map(({ value }) => value);
  };
  expect(await figures()).toEqual([1, 1, 0]);
  await takeRegister(teacher, section, '');
  expect(await stateOf()).toBe('2 of 2 present');
  expect(await figures()).toEqual([0, 0, 0]);
});

test('E2.9 a month shows both halves of a day in one cell, on the page and in its files', async () => {
  const { section } = await openClass('Aarav', 'Bina', 'Charu');
  const day = yesterday;
  const index = Number(day.slice(8)) - 1;
  await takeRegister(office, section, day, { Bina: 'A', Charu: 'A' }, { slot: 'Morning' });
  const read = async () => {
    const { days, children } = await office.call(monthApi.read, { sectionId: section, month: day.slice(0, 7) });
    return { day: days[index], cells: children.map(({ marks, totals }) => [marks[index], totals.perMille]) };
  };
  expect(await read()).toMatchObject({
    day: { isTaken: false, present: 1 },
    cells: [
      [['P', ''], 1000],
      [['A', ''], 0],
      [['A', ''], 0],
    ],
  });
  await takeRegister(office, section, day, { Charu: 'A' }, { slot: 'Afternoon' });
  expect(await read()).toMatchObject({
    day: { isTaken: true, present: 1.5, slots: [{ slot: 'Morning' }, { slot: 'Afternoon' }] },
    cells: [
      [['P', 'P'], 1000],
      [['A', 'P'], 500],
      [['A', 'A'], 0],
    ],
  });
  const file = (as: string) =>
    office.send({ url: `/api/attendance/month/file?sectionId=${section}&month=${day.slice(0, 7)}&as=${as}` });
  const { bytes } = await file('xlsx');
  const lines = await readFile(workbookMark + Buffer.from(bytes).toString('base64'));
  expect(lines.slice(1, 4).map(({ cells }) => cells[2 + index])).toEqual(['P', 'A/P', 'A']);
  expect((await file('pdf')).status).toBe(200);
  const { register } = school.papers.last().data;
  expect(register.rows.map((row: string[]) => row[3 + index])).toEqual(['P', 'A/P', 'A']);
});

test('the timeline of a child names the half, and a day counts as on time once both registers are taken', async () => {
  const { teacher, section, children } = await openClass('Aarav');
  await takeRegister(teacher, section, '', { Aarav: 'A' });
  const find = { from: today, to: today, most: 5, isAfter: () => sql`true` };
  const events = await attendanceEvents.find(school.services as never, children[0] ?? 0, find as never);
  expect(events.map(({ what }) => english(what))).toEqual(['Absent, Morning']);
  const takenOnTime = async () => {
    const period = { from: today, to: today };
    const card = await registersCard.read?.(school.services as never, teacher.staffId, period);
    return card?.facts.map(({ value }) => english(value));
  };
  expect(await takenOnTime()).toEqual([]);
  await takeRegister(teacher, section, '', {}, { slot: 'Afternoon' });
  expect(await takenOnTime()).toEqual(['1', '1 (100.0 %)', '0', '0']);
});

test('T7 a child absent in both halves brings one message, and one update if it comes in the afternoon', async () => {
  const { teacher, section, children } = await openClass('Aarav', 'Bina', 'Charu');
  const guardian = await raise(school, children, { firstName: 'Nikhil', mobile: '9825012399' });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${guardian}`);
  const send = async () => {
    const waiting = await school.sql(`select outbox.id from outbox
      join attendance_message told on outbox.dedupe_key = 'attendance ' || told.id
      where student_id in (${children.join(', ')}) and status = 'queued' order by outbox.id`);
    const sent: string[] = [];
    const keep = async ({ text }: Outgoing) => {
      sent.push(text.replace(/^Dear parent, (\w+ is (?:marked absent|at school)).*/s, '$1'));
    };
    for (const { id } of waiting)
      await sendMessage(school.services, familyMessages, { sms: keep, email: keep }, Number(id), { isLastTry: false });
    return sent;
  };
  await takeRegister(teacher, section, '', { Aarav: 'A', Bina: 'A' });
  expect(await send()).toEqual(['Aarav is marked absent', 'Bina is marked absent']);
  at('13:00');
  await takeRegister(teacher, section, '', { Aarav: 'A', Charu: 'A' });
  // Charu's afternoon mark is in the message.
  expect((await send()).toSorted()).toEqual(['Bina is at school', 'Charu is marked absent']);
  await takeRegister(teacher, section, '', { Charu: 'A' }, { slot: 'Morning' });
  expect(await send()).toEqual([]);
});

test('E0.1 a child moved from a grade with one register a day keeps that mark in both halves', async () => {
  const { teacher, section, children } = await openClass('Aarav', 'Bina');
  const [moved = 0] = children;
  const [whole] = await school.sql(`with register as (insert into attendance_register
        (academic_year_id, branch_id, program_id, grade_id, section_id, day, taken_at, locks_at)
      select academic_year_id, branch_id, program_id, grade_id, id, '${today}', now(), now() + interval '1 hour'
      from academic_section where id = ${await openSection(school, { day: `'${today}'` })} returning *)
    select id, section_id as section from register`);
  await school.sql(`update student_section set section_id = ${whole?.section} where student_id = ${moved};
    insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
      values (${whole?.id}, ${moved}, ${yearId}, '${today}', 1, ${ids.A});
    update student_section set section_id = ${section} where student_id = ${moved}`);
  for (const slot of ['Morning', 'Afternoon'] as const) {
    const sheet = await sheetOf(teacher, section, slot);
    expect(sheet.children.map(({ name, takenCode }) => [name, takenCode])).toEqual([
      ['Aarav Shah', 'A'],
      ['Bina Shah', ''],
    ]);
    await takeRegister(teacher, section, '', {}, { slot });
  }
  expect(await marksOf(moved)).toEqual(['Full day A']);
});
