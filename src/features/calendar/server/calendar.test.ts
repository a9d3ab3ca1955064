import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import type { AppError } from '#kit/contract/errors.ts';
import type { Person } from '#testing/browser.ts';
import { reopenWords } from '#testing/closed-year.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { create } from '#testing/masters.ts';
import { inEnglish } from '#testing/messages.ts';
import { openSchool, type School } from '#testing/school.ts';
import { calendarApi, usualWeeklyOff } from '../contract/calendar.ts';
import { yearMaster } from '../contract/masters.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

/** A test's own year: its calendar, and a function that formats its days. */
async function openYear() {
  const year = await create(admin, yearMaster);
  const start = Number(String(year.startsOn).slice(0, 4));
  const read = () => admin.call(calendarApi.read, { academicYearId: year.id });
  const given = async () => ({ academicYearId: year.id, rowVersion: (await read()).rowVersion });
  const set = async (over: object) =>
    admin.call(calendarApi.setDays, {
      ...(await given()),
      from: `${start}-10-20`,
      to: `${start}-10-20`,
      kind: 'Holiday',
      name: 'Dussehra',
      gradeId: null,
      ...over,
    });
  const days = async () => (await read()).days.map(({ day, kind, name }) => [day.slice(5), kind, name]);
  return { id: year.id, year, start, on: (day: string) => `${start}-${day}`, read, given, set, days };
}
type Year = Awaited<ReturnType<typeof openYear>>;

const fieldsOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'taken',
    (error: AppError) => inEnglish(error.fields),
  );
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'taken',
    (error: AppError) => error.code,
  );
const auditOf = async ({ id }: Year) => {
  const rows = await school.sql(
    `select actor, action, version, details from audit where entity = 'academic_calendar' and entity_id = ${id} order by id`,
  );
  return rows.map(({ actor, action, version, details }) => [actor, action, version, details]);
};

test('a new year has its Sundays off, and other weekly offs can be chosen', async () => {
  const here = await openYear();
  expect(await here.read()).toEqual({
    startsOn: here.on('06-01'),
    endsOn: `${here.start + 1}-05-31`,
    isClosed: false,
    rowVersion: 1,
    weeklyOff: usualWeeklyOff,
    days: [],
  });
  const weeklyOff = { ...usualWeeklyOff, saturday: [4, 2, 2], sunday: [] };
  await admin.call(calendarApi.saveWeeklyOff, { ...(await here.given()), weeklyOff, keepsPast: false });
  expect(await here.read()).toMatchObject({ rowVersion: 2, weeklyOff: { ...weeklyOff, saturday: [2, 4] } });
  const details = { Year: here.year.name, Saturday: '– → 2, 4', Sunday: '1, 2, 3, 4, 5 → –' };
  expect(await auditOf(here)).toEqual([['Asha', 'calendar.weekly-off-changed', 2, details]]);
});

test('a weekday has no sixth week', async () => {
  const here = await openYear();
  const weeklyOff = { ...usualWeeklyOff, saturday: [6] };
  expect(
    await codeOf(admin.call(calendarApi.saveWeeklyOff, { ...(await here.given()), weeklyOff, keepsPast: false })),
  ).toBe('invalid');
  await expect(
    school.sql(`insert into academic_calendar (academic_year_id, saturday) values (${here.id}, '{6}')`),
  ).rejects.toThrow('academic_calendar_weeks');
});

test('days are set, made shorter and removed, each in one act, and it is written down what they were', async () => {
  const here = await openYear();
  const span = { from: here.on('11-02'), to: here.on('11-04') };
  await here.set({ ...span, kind: 'Vacation', name: 'Diwali' });
  await here.set({ from: here.on('11-03'), to: here.on('11-03'), kind: 'Working day', name: 'Sports day' });
  expect(await here.days()).toEqual([
    ['11-02', 'Vacation', 'Diwali'],
    ['11-03', 'Working day', 'Sports day'],
    ['11-04', 'Vacation', 'Diwali'],
  ]);
  const instead = { ...span, gradeId: null };
  await here.set({ from: here.on('11-04'), to: here.on('11-05'), kind: 'Vacation', name: 'Deepavali', instead });
  expect(await here.days()).toEqual([
    ['11-04', 'Vacation', 'Deepavali'],
    ['11-05', 'Vacation', 'Deepavali'],
  ]);
  await admin.call(calendarApi.removeDays, { ...(await here.given()), ...instead, to: here.on('11-04') });
  expect(await here.days()).toEqual([['11-05', 'Vacation', 'Deepavali']]);
  expect(await codeOf(admin.call(calendarApi.removeDays, { ...(await here.given()), ...instead }))).toBe('not_found');
  const told = (await auditOf(here)).map(([, action, version, details]) => [action, version, details]);
  expect(told.map(([action, version]) => [action, version])).toEqual([
    ['calendar.days-set', 2],
    ['calendar.days-set', 3],
    ['calendar.days-set', 4],
    ['calendar.days-removed', 5],
  ]);
  expect(told[2]?.[2]).toMatchObject({
    Days: `4 Nov ${here.start} – 5 Nov ${here.start}`,
    Kind: 'Vacation',
    Name: 'Deepavali',
    Before: `Vacation Diwali 2 Nov ${here.start}; Working day Sports day 3 Nov ${here.start}; Vacation Diwali 4 Nov ${here.start}`,
  });
  expect(told[3]?.[2]).toMatchObject({ Before: `Vacation Deepavali 4 Nov ${here.start}` });
});

test('exams and half days of many days leave out the weekly offs between, and one that is chosen alone is meant', async () => {
  const here = await openYear();
  const weeklyOff = { ...usualWeeklyOff, monday: [2] };
  await admin.call(calendarApi.saveWeeklyOff, { ...(await here.given()), weeklyOff, keepsPast: false });
  const weekday = (day: number) => new Date(Date.UTC(here.start, 9, day)).getUTCDay();
  const monday = [8, 9, 10, 11, 12, 13, 14].find((day) => weekday(day) === 1) ?? 0;
  const on = (day: number) => here.on(`10-${String(day).padStart(2, '0')}`);
  await here.set({ from: on(monday - 2), to: on(monday + 1), kind: 'Exam day', name: 'Exam' });
  expect((await here.read()).days.map(({ day }) => day)).toEqual([on(monday - 2), on(monday + 1)]);
  expect(await fieldsOf(here.set({ from: on(monday - 1), to: on(monday), kind: 'Half day', name: 'Fair' }))).toEqual({
    to: 'All these days are weekly offs. To change a weekly off, choose only that day.',
  });
  await here.set({ from: on(monday - 1), to: on(monday - 1), kind: 'Half day', name: 'Fair' });
  expect((await here.read()).days).toHaveLength(3);
});

test('a grade has days of its own beside those of the whole school', async () => {
  const here = await openYear();
  const grade = await create(admin, gradeMaster);
  await here.set({});
  await here.set({ kind: 'Exam day', name: 'Board exam', gradeId: grade.id });
  expect((await here.read()).days.map(({ kind, gradeId }) => [kind, gradeId])).toEqual([
    ['Exam day', grade.id],
    ['Holiday', null],
  ]);
  expect((await auditOf(here))[1]?.[3]).toMatchObject({ Grade: grade.name });
  const place = { from: here.on('10-20'), to: here.on('10-20'), gradeId: null };
  await admin.call(calendarApi.removeDays, { ...(await here.given()), ...place });
  expect((await here.read()).days.map(({ gradeId }) => gradeId)).toEqual([grade.id]);
  expect(await fieldsOf(here.set({ gradeId: 999_999 }))).toEqual({
    gradeId: 'This entry is inactive. Choose another one.',
  });
  await expect(
    school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
      select ${here.id}, '${here.on('10-21')}', 'Holiday', 'Twice' from generate_series(1, 2)`),
  ).rejects.toThrow('academic_calendar_day_unique');
});

test('a day lies inside its year, whichever of them is changed, and in SQL', async () => {
  const here = await openYear();
  const outside = 'Enter dates within the academic year.';
  const [before, after] = [here.on('05-31'), `${here.start + 1}-06-01`];
  expect(await fieldsOf(here.set({ from: before, to: before }))).toEqual({ from: outside });
  expect(await fieldsOf(here.set({ to: after }))).toEqual({ to: outside });
  expect(await fieldsOf(here.set({ to: here.on('10-19') }))).toEqual({
    to: 'Enter a later last day.',
  });
  expect(await fieldsOf(here.set({ name: ' ', kind: 'Feast' }))).toEqual({
    name: 'Name is required.',
    kind: 'Kind is not valid.',
  });
  await here.set({});
  expect(await here.days()).toHaveLength(1);
  const later = { ...here.year, startsOn: here.on('11-01') };
  expect(await fieldsOf(admin.call(yearMaster.api.update, later as never))).toEqual({
    startsOn: 'A term or calendar day would be outside the year. Change it first.',
  });
  await expect(
    school.sql(`update academic_calendar_day set day = '${before}' where academic_year_id = ${here.id}`),
  ).rejects.toThrow('a day lies outside its year');
});

test('a closed year’s calendar is read and not changed, through the pages or in SQL', async () => {
  const here = await openYear();
  await here.set({});
  await school.sql(`update academic_year set status = 'Closed' where id = ${here.id}`);
  const given = await here.given();
  const place = { from: here.on('10-20'), to: here.on('10-20'), gradeId: null };
  for (const ask of [
    () => here.set({ name: 'Other' }),
    () => admin.call(calendarApi.removeDays, { ...given, ...place }),
    () => admin.call(calendarApi.saveWeeklyOff, { ...given, weeklyOff: usualWeeklyOff, keepsPast: false }),
    () => admin.call(calendarApi.importDays, { academicYearId: here.id, text: `${here.on('12-25')},Christmas` }),
  ])
    await expect(ask()).rejects.toMatchObject({
      code: 'conflict',
      message: reopenWords,
    });
  for (const table of ['academic_calendar', 'academic_calendar_day'])
    await expect(school.sql(`delete from ${table} where academic_year_id = ${here.id}`)).rejects.toThrow(
      'the academic year is closed',
    );
  expect(await here.read()).toMatchObject({ isClosed: true, days: [{ name: 'Dussehra' }] });
});

test('of ten changes of a calendar at once one succeeds and the others are stale', async () => {
  const here = await openYear();
  const given = await here.given();
  const place = { from: here.on('12-25'), to: here.on('12-25'), gradeId: null };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2
        ? admin.send({
            method: 'PUT',
            url: '/api/academic/calendar/day',
            body: { ...given, ...place, kind: 'Holiday', name: `Name ${n}` },
          })
        : admin.send({
            method: 'PUT',
            url: '/api/academic/calendar/weekly-off',
            body: { ...given, weeklyOff: usualWeeklyOff, keepsPast: false },
          }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  const refused = answers.find(({ status }) => status === 409)?.json.error;
  expect(refused).toMatchObject({ code: 'stale', data: { rowVersion: 2, savedDateTime: expect.any(String) } });
  expect(await auditOf(here)).toHaveLength(1);
});

test('a list of holidays is previewed, and imported as a whole or not at all', async () => {
  const here = await openYear();
  await here.set({ from: here.on('08-15'), to: here.on('08-15'), kind: 'Half day', name: 'Flags' });
  await here.set({ from: here.on('12-25'), to: here.on('12-25'), kind: 'Holiday', name: 'Christmas' });
  const preview = (text: string) => admin.call(calendarApi.importDays, { academicYearId: here.id, text });
  const apply = (text: string, confirmToken: string | null) =>
    admin.call(calendarApi.importDays, { academicYearId: here.id, text, confirmToken: confirmToken ?? '' });
  const list = `Day,Name\r\n${here.on('08-15')},Independence Day\n2/10/${here.start},Gandhi Jayanti`;
  const good = `${list}\n25-12-${here.start},Christmas\n20 Oct ${here.start},"Dussehra, Vijayadashami"\n\n`;
  const wrong = `${good}30/02/${here.start + 1},Never\n1/6/${here.start + 1},Late\n02/10/${here.start},Again\n3/10/${here.start},`;

  const refused = await preview(wrong);
  expect(refused).toMatchObject({ confirmToken: null, counts: { added: 2, changed: 1, same: 1, wrong: 4 } });
  expect(
    refused.rows.filter(({ status }) => status === 'wrong').map(({ line, messages }) => [line, inEnglish(messages)]),
  ).toEqual([
    [7, { day: 'Enter a valid date, such as 21-11-2026.' }],
    [8, { day: 'Enter dates within the academic year.' }],
    [9, { day: 'Another line has the same entry.' }],
    [10, { name: 'Name is required.' }],
  ]);
  await expect(apply(wrong, null)).rejects.toMatchObject({ code: 'stale' });
  const seen = await preview(good);
  expect(seen).toMatchObject({ isApplied: false, counts: { added: 2, changed: 1, same: 1, wrong: 0 } });
  expect(await here.days()).toHaveLength(2);
  expect(inEnglish(seen.rows.find(({ status }) => status === 'changed')?.messages ?? {})).toEqual({
    until: 'Now: Half day, Flags',
  });

  expect(await apply(good, seen.confirmToken)).toMatchObject({ isApplied: true });
  const holidays = [
    ['08-15', 'Holiday', 'Independence Day'],
    ['10-02', 'Holiday', 'Gandhi Jayanti'],
    ['10-20', 'Holiday', 'Dussehra, Vijayadashami'],
    ['12-25', 'Holiday', 'Christmas'],
  ];
  expect(await here.days()).toEqual(holidays);
  const { confirmToken, counts } = await preview(good);
  expect(counts).toMatchObject({ added: 0, changed: 0, same: 4 });
  await apply(good, confirmToken);
  const told = (await auditOf(here)).filter(([, action]) => action === 'calendar.imported');
  expect(told).toEqual([['Asha', 'calendar.imported', 4, expect.objectContaining({ Added: 2, Changed: 1 })]]);
});

test('a list of holidays is not imported over a calendar changed since its preview', async () => {
  const here = await openYear();
  const input = { academicYearId: here.id, text: `${here.on('12-25')},Christmas` };
  const { confirmToken } = await admin.call(calendarApi.importDays, input);
  await here.set({});
  const late = admin.call(calendarApi.importDays, { ...input, confirmToken: confirmToken ?? '' });
  await expect(late).rejects.toMatchObject({ code: 'stale' });
  expect(await here.days()).toHaveLength(1);
});

test('H3 leaves nothing behind whichever of its statements fails', async () => {
  const here = await openYear();
  await here.set({});
  const given = await here.given();
  const body = {
    ...given,
    from: here.on('10-20'),
    to: here.on('10-21'),
    kind: 'Vacation',
    name: 'Break',
    gradeId: null,
  };
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  for (let n = 1; ; n++) {
    const set = () => admin.send({ method: 'PUT', url: '/api/academic/calendar/day', body });
    const { status } = await failingAt(n, set);
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
  expect([await here.days(), await auditOf(here)].map(({ length }) => length)).toEqual([2, 2]);
});

test('the history of a calendar shows users and changes, the newest first; of an unknown year there is none', async () => {
  const here = await openYear();
  const told = () => admin.call(calendarApi.history, { id: here.id });
  expect(await told()).toEqual({ rows: [], next: null });
  await here.set({});
  await here.set({ name: 'Vijaya Dashami' });
  const [last, first] = (await told()).rows;
  expect([first?.actor, first?.action, first?.details.Name]).toEqual(['Asha', 'days-set', 'Dussehra']);
  expect([last?.actor, last?.action, last?.details.Name]).toEqual(['Asha', 'days-set', 'Vijaya Dashami']);
  expect(await codeOf(admin.call(calendarApi.history, { id: 999_999 }))).toBe('not_found');
});

test('W1 a list of more lines than a year has days is refused, however short they are', async () => {
  const here = await openYear();
  const ask = (text: string) => admin.call(calendarApi.importDays, { academicYearId: here.id, text });
  expect((await ask('Date,Name\n'.concat('x\n'.repeat(731)))).counts.wrong).toBe(731);
  await expect(ask('x\n'.repeat(15_000))).rejects.toMatchObject({
    code: 'invalid',
    message: 'Too much data for one import. Import it in parts.',
  });
});
