import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { employ, openType, openWorkYear, spanOf } from '#testing/workdays.ts';
import { punchImportApi } from '../contract/punch.ts';

let school: School;
let yearId: number;
let hr: Person;
let asha: Person;
let number: string;
/** A Friday; the Monday of its week is the 26th. */
const today = '2040-11-30';
const monday = '2040-11-26';
beforeAll(async () => {
  school = await openSchool();
  yearId = await openWorkYear(school, today);
  hr = await school.person({ name: 'Hema', sets: ['hr'] });
  await employ(school, hr);
  await school.sql(`insert into workday_shift (name, weekdays, starts, ends, grace_min, half_below_min, is_default)
    values ('Day', '{Monday,Tuesday,Wednesday,Thursday,Friday}', '09:00', '17:00', 10, 240, true)`);
});
afterAll(() => school.close());
beforeEach(async () => {
  school.clock.now = new Date(`${today}T18:00:00+05:30`);
  asha = await school.person({ name: 'Asha' });
  await employ(school, asha);
  const [row] = await school.sql(`select employee_number as number from staff where id = ${asha.staffId}`);
  number = String(row?.number);
});

type Columns = readonly string[];
const plan = (columns: Columns, values: Record<string, string> = {}) => ({
  fileName: 'punches.csv',
  columns: Object.fromEntries(columns.map((to, place) => [String(place), { to }])),
  values: { staffId: values },
});
const preview = (columns: Columns, rows: string[], values = {}) =>
  hr.call(punchImportApi.import, {
    file: [columns.join(','), ...rows].join('\r\n'),
    plan: plan(columns, values),
  } as never);
async function load(columns: Columns, rows: string[], values = {}) {
  const { confirmToken, counts } = await preview(columns, rows, values);
  const done = await hr.call(punchImportApi.import, {
    file: [columns.join(','), ...rows].join('\r\n'),
    plan: plan(columns, values),
    confirmToken,
  } as never);
  return { importId: Number(done.importId), ...counts };
}
const markOf = async (day = monday, { staffId }: Person = asha) => {
  const [row] =
    await school.sql(`select kind, half, to_char(in_at, 'HH24:MI') as "inAt", to_char(out_at, 'HH24:MI') as "outAt",
    source, note from workday_presence where staff_id = ${staffId} and day = '${day}'`);
  return row;
};
const moments = ['staffId', 'moment'];
const times = ['staffId', 'day', 'times'];

test('WD7 a punch at the end of the grace is present, a minute later is late', async () => {
  await load(moments, [
    `${number},26/11/2040 09:10`,
    `${number},26/11/2040 17:05`,
    `${number},27/11/2040 9:11 AM`,
    `${number},27-Nov-40 5:02 PM`,
  ]);
  expect(await markOf()).toMatchObject({ kind: 'Present', inAt: '09:10', outAt: '17:05', source: 'Punches' });
  expect(await markOf('2040-11-27')).toMatchObject({ kind: 'Late', inAt: '09:11', outAt: '17:02' });
});

test('WD7 fewer minutes than the shift asks for are half a day, and one punch is present without an end', async () => {
  await load(times, [`${number},26/11/2040,"09:00, 10:30, 12:20"`, `${number},27/11/2040,08:55`]);
  expect(await markOf()).toMatchObject({ kind: 'Half day', half: 1, inAt: '09:00', outAt: '12:20' });
  expect(await markOf('2040-11-27')).toMatchObject({ kind: 'Present', outAt: null, note: 'out missing' });
});

/** Gives Asha a shift from 22:00 to 06:00. */
async function workAtNight() {
  const [shift] = await school.sql(`insert into workday_shift (name, weekdays, starts, ends)
    values ('Night ${asha.staffId}', '{Monday,Tuesday,Wednesday,Thursday,Friday}', '22:00', '06:00') returning id`);
  await school.sql(`insert into workday_shift_person (staff_id, shift_id, effective_from)
    values (${asha.staffId}, ${shift?.id}, '2040-06-01')`);
}

test('WD7 a night belongs to the day on which its shift starts', async () => {
  await workAtNight();
  await load(['staffId', 'day', 'times', 'out'], [`${number},26/11/2040,22:00,06:05`]);
  expect(await markOf()).toMatchObject({ kind: 'Present', inAt: '22:00', outAt: '06:05' });
  expect(await markOf('2040-11-27')).toBeUndefined();
});

test('the last night of an employment ends on the day after its last day, a later punch is refused', async () => {
  await workAtNight();
  await school.sql(`update staff_employment set last_day = '${monday}' where staff_id = ${asha.staffId}`);
  await load(moments, [`${number},26/11/2040 22:00`, `${number},27/11/2040 06:05`]);
  expect(await markOf()).toMatchObject({ kind: 'Present', inAt: '22:00', outAt: '06:05' });
  expect((await preview(moments, [`${number},27/11/2040 18:00`])).counts).toMatchObject({ wrong: 1 });
  expect((await preview(moments, [`${number},28/11/2040 05:00`])).counts).toMatchObject({ wrong: 1 });
});

test('00:00 stands for no punch, and times of a day in another order are sorted', async () => {
  await load(
    ['staffId', 'day', 'times', 'out'],
    [`${number},26/11/2040,09:00,00:00`, `${number},27/11/2040,17:05,08:55`],
  );
  expect(await markOf()).toMatchObject({ kind: 'Present', inAt: '09:00', outAt: null });
  expect(await markOf('2040-11-27')).toMatchObject({ kind: 'Present', inAt: '08:55', outAt: '17:05' });
  expect((await preview(times, [`${number},28/11/2040,00:00 00:00`])).counts).toMatchObject({ wrong: 1 });
});

test('a late mark of punches follows leave of the first half, and its end', async () => {
  const typeId = await openType(school, yearId, { code: `L${asha.staffId}`, halves: 24 });
  await load(times, [`${number},26/11/2040,12:30 17:00`]);
  expect(await markOf()).toMatchObject({ kind: 'Late' });
  const body = { ...spanOf({ typeId, from: monday, ends: 'At noon' }), staffId: asha.staffId, reason: '' };
  const { json } = await hr.send({ method: 'POST', url: '/api/workday/leave/enter', body });
  expect(await markOf()).toMatchObject({ kind: 'Present', inAt: '12:30' });
  await hr.send({ method: 'POST', url: `/api/workday/leave/${json.id}/cancel`, body: { version: 1 } });
  expect(await markOf()).toMatchObject({ kind: 'Late' });
});

test('WD7 the same file again adds nothing, and a mark of the office is kept', async () => {
  const rows = [`${number},26/11/2040,09:30 17:00`];
  const marks = [{ staffId: asha.staffId, kind: 'On duty', inAt: '', note: 'Board exam', version: 0 }];
  await hr.send({ method: 'POST', url: '/api/workday/presence', body: { day: monday, marks } });
  expect(await load(times, rows)).toMatchObject({ added: 1, same: 0 });
  expect((await preview(times, rows)).counts).toMatchObject({ added: 0, same: 1 });
  expect(await markOf()).toMatchObject({ kind: 'On duty', source: 'Office', note: 'Board exam' });
});

test('WD7 undoing an import takes its punches away and marks the days by those that are left', async () => {
  await load(times, [`${number},26/11/2040,09:30 17:00`]);
  const { importId } = await load(times, [`${number},26/11/2040,08:50`, `${number},27/11/2040,09:00 17:00`]);
  expect(await markOf()).toMatchObject({ kind: 'Present', inAt: '08:50', outAt: '17:00' });
  const { confirmToken, added } = await hr.call(punchImportApi.importUndo, { importId } as never);
  expect(added).toBe(3);
  await hr.call(punchImportApi.importUndo, { importId, confirmToken } as never);
  expect(await markOf()).toMatchObject({ kind: 'Late', inAt: '09:30' });
  expect(await markOf('2040-11-27')).toBeUndefined();
  expect((await hr.call(punchImportApi.imports, {})).find(({ id }) => id === importId)?.isUndone).toBe(true);
});

test('an import of the first days of a month is undone once the month before is closed, one of that month is not', async () => {
  const { importId: before } = await load(times, [`${number},31/10/2040,09:00 17:00`]);
  await school.sql(`insert into workday_month (month, closed_by, closed_at)
    values ('2040-10-01', ${hr.staffId}, now())`);
  // October would be late by these hours.
  await school.sql(`update workday_shift set starts = '08:00' where is_default`);
  const { importId } = await load(times, [`${number},01/11/2040,09:00 17:00`]);
  expect(await markOf('2040-11-01')).toMatchObject({ kind: 'Late' });
  const { confirmToken } = await hr.call(punchImportApi.importUndo, { importId } as never);
  await hr.call(punchImportApi.importUndo, { importId, confirmToken } as never);
  expect(await markOf('2040-11-01')).toBeUndefined();
  await expect(hr.call(punchImportApi.importUndo, { importId: before } as never)).rejects.toThrow();
  expect(await markOf('2040-10-31')).toMatchObject({ kind: 'Present' });
  await school.sql(`delete from workday_month; update workday_shift set starts = '09:00' where is_default`);
});

test('a code of the device is asked about once and remembered', async () => {
  const rows = ['0042,26/11/2040,09:00 17:00'];
  const file = [times.join(','), ...rows].join('\r\n');
  const asked = { file, plan: plan(times) };
  const open = await hr.call(punchImportApi.importOpen, asked as never);
  expect(open.words).toMatchObject([{ field: 'staffId', words: [{ word: '0042', proposal: null }] }]);
  expect((await preview(times, rows)).counts).toMatchObject({ wrong: 1 });
  await load(times, rows, { '0042': `${number} Asha` });
  expect(await markOf()).toMatchObject({ kind: 'Present' });
  const again = await hr.call(punchImportApi.importOpen, asked as never);
  expect(again.words).toMatchObject([{ words: [{ word: '0042', proposal: `${number} Asha` }] }]);
});

test('times to come, days outside the employment, a closed month and staff of other branches are refused by row', async () => {
  await school.sql(`update staff_employment set joined_on = '2040-11-27' where staff_id = ${asha.staffId};
    insert into workday_month (month, closed_by, closed_at) values ('2040-10-01', ${hr.staffId}, now())`);
  const { rows, counts } = await preview(times, [
    `${number},01/12/2040,09:00`,
    `${number},26/11/2040,09:00`,
    `${number},05/10/2040,09:00`,
    `${number},27/11/2040,9 o'clock`,
    `XYZ,27/11/2040,09:00`,
  ]);
  expect(counts).toMatchObject({ wrong: 5 });
  expect(rows.map(({ messages }) => Object.keys(messages))).toEqual([
    ['day'],
    ['day'],
    ['day'],
    ['times'],
    ['staffId'],
  ]);
  await school.sql(`delete from workday_month`);
});
