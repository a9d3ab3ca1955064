import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { askLeave, decideLatest, employ, openType, openWorkYear, spanOf } from '#testing/workdays.ts';
import { staffMonthApi } from '../contract/month.ts';
import { monthTodo } from './todo.ts';

let school: School;
let yearId: number;
let casual: number;
let unpaid: number;
let hr: Person;
let principal: Person;
let asha: Person;
/** The Monday after a November that ends on a Friday. */
const today = '2040-12-03';
beforeAll(async () => {
  school = await openSchool();
  yearId = await openWorkYear(school, today);
  casual = await openType(school, yearId, { code: 'CL', halves: 24 });
  unpaid = await openType(school, yearId, { code: 'LWP', more: 'is_paid = false, may_go_below = true' });
  hr = await school.person({ name: 'Hema', sets: ['hr'] });
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
  for (const person of [hr, principal]) await employ(school, person);
});
afterAll(() => school.close());
beforeEach(async () => {
  await school.sql(`delete from workday_month`);
  asha = await school.person({ name: 'Asha' });
  await employ(school, asha);
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
});

const sheetOf = (who: Person = hr, month = '2040-11') => who.call(staffMonthApi.read, { month });
const rowOf = async ({ staffId }: Person) => (await sheetOf()).people.find((person) => person.staffId === staffId);
const mark = async ({ staffId }: Person, kind: string, ...days: string[]) => {
  for (const day of days) {
    const body = { day, marks: [{ staffId, kind, inAt: '', note: '', version: 0 }] };
    expect((await hr.send({ method: 'POST', url: '/api/workday/presence', body })).status).toBe(200);
  }
};
const enter = ({ staffId }: Person, typeId: number, from: string, to = from) =>
  hr.send({
    method: 'POST',
    url: '/api/workday/leave/enter',
    body: { ...spanOf({ typeId, from, to }), staffId, reason: '' },
  });
const act = (who: Person, what: 'close' | 'reopen', month = '2040-11') =>
  who.send({ method: 'POST', url: `/api/workday/month/${what}`, body: { month } });
const setLates = (lates: number) =>
  school.sql(`insert into setting (key, value, updated_by) values ('workday.lates-per-half', '${lates}', null)
    on conflict (key) do update set value = excluded.value`);
/** Two leaves, an absence and three late arrivals in November. */
async function ashasNovember() {
  await mark(asha, 'Absent', '2040-11-05');
  await enter(asha, unpaid, '2040-11-06');
  await enter(asha, casual, '2040-11-07', '2040-11-08');
  await mark(asha, 'Late', '2040-11-12', '2040-11-13', '2040-11-14');
}

test('WD8 absence, unpaid leave and every third late arrival are taken from the days employed', async () => {
  await ashasNovember();
  await setLates(3);
  expect(await rowOf(asha)).toMatchObject({
    employed: 30,
    working: 22,
    present: 3,
    late: 3,
    absent: 1,
    leave: [2, 1],
    unpaid: 1,
    payable: 27.5,
    unmarked: 15,
  });
  await setLates(0);
  expect(await rowOf(asha)).toMatchObject({ payable: 28 });
});

test('WD8 each day shows its mark, leave and days off, and a half day of leave beside a mark takes half of it', async () => {
  await ashasNovember();
  const half = spanOf({ typeId: casual, from: '2040-11-15', ends: 'At noon' });
  const body = { ...half, staffId: asha.staffId, reason: '' };
  await hr.send({ method: 'POST', url: '/api/workday/leave/enter', body });
  await mark(asha, 'Present', '2040-11-15');
  await enter(asha, casual, '2040-11-16');
  await mark(asha, 'Present', '2040-11-16');
  await mark(asha, 'Half day', '2040-11-19');
  await enter(asha, casual, '2040-11-20');
  await mark(asha, 'Half day', '2040-11-20');
  const afternoon = { ...spanOf({ typeId: casual, from: '2040-11-21', begins: 'At noon' }), staffId: asha.staffId };
  await hr.send({ method: 'POST', url: '/api/workday/leave/enter', body: { ...afternoon, reason: '' } });
  await mark(asha, 'Present', '2040-11-21');
  const row = await rowOf(asha);
  // The 10th and 11th are a Saturday and a Sunday.
  expect(row?.marks.slice(4, 21).join(' ')).toBe('A LWP CL CL  · · L L L CL/P P+CL · · H H+CL P/CL');
  expect(row).toMatchObject({ halfDays: 2, absent: 1.5, presentOnLeave: 2, leave: [5, 1], payable: 27.5 });
});

test('WD8 a person is paid for the days of the employment only, and leave that is asked counts once it is granted', async () => {
  await school.sql(`update staff_employment set joined_on = '2040-11-16' where staff_id = ${asha.staffId}`);
  await mark(asha, 'Absent', '2040-11-30');
  await askLeave(asha, { typeId: casual, from: '2040-11-30' });
  expect(await rowOf(asha)).toMatchObject({ employed: 15, absent: 1, payable: 14 });
  await decideLatest(school, principal);
  expect(await rowOf(asha)).toMatchObject({ employed: 15, absent: 0, payable: 15 });
});

test('WD5 a sick day counts once it is granted; the 8th day back is refused to the person and open to HR', async () => {
  const back = await askLeave(asha, { typeId: casual, from: '2040-11-23' });
  expect(Object.keys(back.json.error.fields)).toEqual(['fromDay']);
  expect((await enter(asha, casual, '2040-11-23')).status).toBe(200);
});

test('WD5 a closed month refuses presence and leave to everybody until another person reopens it', async () => {
  await mark(asha, 'Absent', '2040-11-29');
  await enter(asha, casual, '2040-11-28');
  const [leave] = await school.sql(`select id, version from workday_leave where staff_id = ${asha.staffId}`);
  expect((await act(hr, 'close')).status).toBe(200);
  const said = 'November 2040 is closed. HR or the principal can reopen it.';
  expect((await enter(asha, casual, '2040-11-30', '2040-12-03')).json.error.fields.fromDay).toBe(said);
  const body = {
    day: '2040-11-30',
    marks: [{ staffId: asha.staffId, kind: 'Present', inAt: '', note: '', version: 0 }],
  };
  const refused = await hr.send({ method: 'POST', url: '/api/workday/presence', body });
  expect([refused.status, refused.json.error.message]).toEqual([409, said]);
  const cancel = {
    method: 'POST' as const,
    url: `/api/workday/leave/${leave?.id}/cancel`,
    body: { version: leave?.version },
  };
  expect((await hr.send(cancel)).status).toBe(409);
  expect((await askLeave(asha, { typeId: casual, from: '2040-11-30' })).json.error.fields.fromDay).toBeDefined();
  expect((await act(hr, 'close')).status).toBe(409);
  expect((await act(hr, 'reopen')).status).toBe(409);
  expect((await act(principal, 'reopen')).status).toBe(200);
  expect((await hr.send(cancel)).status).toBe(200);
});

test('the database refuses presence and leave in a closed month, whatever act writes it', async () => {
  await mark(asha, 'Absent', '2040-11-29');
  await enter(asha, casual, '2040-11-28');
  await act(hr, 'close');
  const whose = `where staff_id = ${asha.staffId}`;
  for (const write of [
    `update workday_presence set kind = 'Present' ${whose}`,
    `delete from workday_presence ${whose}`,
    `update workday_leave set state = 'Cancelled' ${whose}`,
    `insert into workday_leave (staff_id, academic_year_id, type_id, from_day, to_day, from_half, to_half, state, asked_by, asked_at)
      values (${asha.staffId}, ${yearId}, ${casual}, '2040-11-30', '2040-12-01', 1, 2, 'Asked', ${asha.staffId}, now())`,
  ])
    await expect(school.sql(write)).rejects.toThrow('the month is closed');
});

test('a closed month keeps its workbook, also after it was reopened and closed again', async () => {
  await act(hr, 'close');
  const [first] = (await sheetOf()).closings;
  expect(first).toMatchObject({ closedBy: 'Hema', isOpen: false });
  const kept = await hr.send({ url: `/api/workday/month/kept/${first?.id}` });
  expect([kept.status, kept.headers['content-type']]).toEqual([200, expect.stringContaining('spreadsheet')]);
  await act(principal, 'reopen');
  await act(principal, 'close');
  const { closings } = await sheetOf();
  expect(closings.map(({ closedBy, isOpen }) => [closedBy, isOpen])).toEqual([
    ['Mina', false],
    ['Hema', true],
  ]);
  expect((await hr.send({ url: `/api/workday/month/kept/${first?.id}` })).status).toBe(200);
});

test('a closed month shows its figures as they were, whatever settings, employment and types become', async () => {
  await ashasNovember();
  await setLates(3);
  await act(hr, 'close');
  const closed = await rowOf(asha);
  await setLates(0);
  await school.sql(`update staff_employment set joined_on = '2040-11-20' where staff_id = ${asha.staffId}`);
  const later = await openType(school, yearId, { code: 'AAA' });
  expect(await rowOf(asha)).toEqual(closed);
  expect((await sheetOf()).types.map(({ code }) => code)).not.toContain('AAA');
  await act(principal, 'reopen');
  expect(await rowOf(asha)).toMatchObject({ employed: 11 });
  await school.sql(`delete from workday_leave_type where id = ${later}`);
});

test('who is of one branch is not offered the workbook of all', async () => {
  const [branch] = await school.sql(`select id from academic_branch where code = 'WRK'`);
  const near = await school.person({ sets: ['hr'], branchIds: [Number(branch?.id)] });
  expect([(await sheetOf(near)).mayRead, (await sheetOf()).mayRead]).toEqual([false, true]);
});

test('a month is closed after its end, once its leave is decided on, and for all branches', async () => {
  expect((await act(hr, 'close', '2040-12')).status).toBe(409);
  await askLeave(asha, { typeId: casual, from: '2040-11-30' });
  const asked = await act(hr, 'close');
  expect([asked.status, asked.json.error.message]).toEqual([409, expect.stringContaining('Asha')]);
  await decideLatest(school, principal);
  const [branch] = await school.sql(`select id from academic_branch where code = 'WRK'`);
  const near = await school.person({ sets: ['hr'], branchIds: [Number(branch?.id)] });
  expect((await act(near, 'close')).status).toBe(409);
  expect((await sheetOf(near)).people.map(({ staffId }) => staffId)).toContain(asha.staffId);
  expect((await act(hr, 'close')).status).toBe(200);
});

test('the oldest month with marks that is over and open is listed to be closed', async () => {
  const listed = async () => {
    const user = { role: 'Staff', sets: ['hr'], scope: { branches: [], led: [], taught: [] } };
    return (await monthTodo.find({ ...school.services, user } as never, 9)).rows.map(({ title }) => title);
  };
  await school.sql('delete from workday_presence');
  await mark(asha, 'Present', today);
  expect(await listed()).toEqual([]);
  await mark(asha, 'Present', '2040-10-01');
  expect(await listed()).toEqual(['October 2040']);
  expect((await act(hr, 'close', '2040-10')).status).toBe(200);
  expect(await listed()).toEqual([]);
  await mark(asha, 'Present', '2040-11-30');
  expect(await listed()).toEqual(['November 2040']);
});

test('of two who close a month at the same time, one reads that it is closed', async () => {
  const answers = await Promise.all([act(hr, 'close'), act(principal, 'close')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await sheetOf()).closings).toHaveLength(1);
});

test('the month is exported as CSV, workbook and paper, with a column for each leave type', async () => {
  await ashasNovember();
  const csv = await hr.send({ url: '/api/workday/month/file?month=2040-11&as=csv' });
  expect(csv.text).toContain('"CL","LWP","Unpaid","Not marked","Payable"');
  expect(csv.text).toContain('Asha');
  for (const as of ['xlsx', 'pdf'])
    expect((await principal.send({ url: `/api/workday/month/file?month=2040-11&as=${as}` })).status).toBe(200);
});

test('the sheet of 400 people is read and closed within the time of a statement', async () => {
  await school.sql(`with made as (insert into staff (name, employee_number) select 'Many ' || n, 'M' || n
      from generate_series(1, 400) as n returning id)
    insert into staff_employment (staff_id, joined_on) select id, '2039-06-01' from made`);
  await school.sql(`insert into workday_presence (staff_id, day, kind, source, entered_by, entered_at)
    select staff.id, day::date, 'Present', 'Office', ${hr.staffId}, now() from staff
    cross join generate_series('2040-11-01'::timestamp, '2040-11-30', interval '1 day') as day
    where staff.name like 'Many %'`);
  await school.sql('analyze workday_presence');
  const began = performance.now();
  const sheet = await sheetOf();
  expect(sheet.people.length).toBe(100);
  expect(performance.now() - began).toBeLessThan(3000);
  const csv = await hr.send({ url: '/api/workday/month/file?month=2040-11&as=csv' });
  expect(csv.text).toContain('Many 400');
  expect((await act(hr, 'close')).status).toBe(200);
  expect((await sheetOf()).count).toBe(sheet.count);
});
