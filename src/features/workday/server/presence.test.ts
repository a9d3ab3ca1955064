import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { askLeave, employ, openType, openWorkYear } from '#testing/workdays.ts';
import { presenceApi } from '../contract/presence.ts';

let school: School;
let office: Person;
let yearId: number;
let casual: number;
let asha: Person;
/** A Monday. */
const today = '2040-09-03';
beforeAll(async () => {
  school = await openSchool();
  yearId = await openWorkYear(school, today);
  casual = await openType(school, yearId, { code: 'CL', halves: 24 });
  office = await school.person({ name: 'Meena', sets: ['office'] });
  await employ(school, office);
});
afterAll(() => school.close());
beforeEach(async () => {
  asha = await school.person({ name: 'Asha' });
  await employ(school, asha);
});

const rowOf = async ({ staffId }: Person, day = today) =>
  (await office.call(presenceApi.read, { day })).people.find((person) => person.staffId === staffId);
const mark = (who: Person, staffId: number, kind: string, version: number, more = {}) =>
  who.send({
    method: 'POST',
    url: '/api/workday/presence',
    body: { day: today, marks: [{ staffId, kind, inAt: '', note: '', version, ...more }] },
  });
const awayOf = async ({ staffId }: Person) =>
  (
    await school.sql(
      `select half, why from workday_away where staff_id = ${staffId} and day = '${today}' order by half`,
    )
  ).map(({ half, why }) => `${half} ${why}`);

test('a member of staff who is marked absent is away at once, and present again once the mark is changed', async () => {
  expect(await rowOf(asha)).toMatchObject({ works: 'Whole day', kind: '', version: 0 });
  expect((await mark(office, asha.staffId, 'Absent', 0)).status).toBe(200);
  expect(await awayOf(asha)).toEqual(['1 Absent', '2 Absent']);
  expect((await mark(office, asha.staffId, 'Late', 1, { inAt: '10:20' })).status).toBe(200);
  expect(await rowOf(asha)).toMatchObject({ kind: 'Late', inAt: '10:20', version: 2 });
  expect(await awayOf(asha)).toEqual([]);
  expect((await mark(office, asha.staffId, '', 2)).status).toBe(200);
  expect(await rowOf(asha)).toMatchObject({ kind: '', version: 0 });
});

test('a mark that the office corrects loses the time of going, which was of the other mark', async () => {
  await mark(office, asha.staffId, 'Late', 0, { inAt: '09:40' });
  await school.sql(`update workday_presence set out_at = '16:00' where staff_id = ${asha.staffId}`);
  await mark(office, asha.staffId, 'Late', 1, { inAt: '09:40', note: 'Bus' });
  expect(await rowOf(asha)).toMatchObject({ outAt: '16:00', note: 'Bus' });
  await mark(office, asha.staffId, 'Late', 2, { inAt: '10:40' });
  expect(await rowOf(asha)).toMatchObject({ inAt: '10:40', outAt: '' });
});

test('of two who mark the same person, the later one reads the mark first', async () => {
  const answers = await Promise.all([
    mark(office, asha.staffId, 'Present', 0),
    mark(office, asha.staffId, 'Absent', 0),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await mark(office, asha.staffId, 'Late', 7)).json.error.code).toBe('stale');
  expect((await rowOf(asha))?.version).toBe(1);
});

test('leave stands filled in; a mark of presence comes before leave of the whole day, and keeps leave of one half', async () => {
  await askLeave(asha, { typeId: casual, from: today, ends: 'At noon' });
  expect(await rowOf(asha)).toMatchObject({ away: ['Asked', ''], kind: '' });
  expect(await awayOf(asha)).toEqual(['1 Asked']);
  await mark(office, asha.staffId, 'Present', 0);
  expect(await awayOf(asha)).toEqual(['1 Asked']);
  await askLeave(asha, { typeId: casual, from: today, begins: 'At noon' });
  expect(await awayOf(asha)).toEqual([]);
});

test('a weekly off lists only people with leave or a mark; a shift with its own days off works on it', async () => {
  const sunday = '2040-09-02';
  expect(await rowOf(asha, sunday)).toBeUndefined();
  const [shift] = await school.sql(`insert into workday_shift (name, weekdays, starts, ends, has_own_days_off)
    values ('Guards', '{Sunday,Monday}', '22:00', '06:00', true) returning id`);
  await school.sql(
    `insert into workday_shift_person (staff_id, shift_id, effective_from) values (${asha.staffId}, ${shift?.id}, '2040-06-01')`,
  );
  expect(await rowOf(asha, sunday)).toMatchObject({ works: 'Whole day', starts: '22:00' });
  expect(await rowOf(asha, '2040-09-04')).toBeUndefined();
});

test('a half day of the school is its first half, and a vacation is off but for shifts that work in it', async () => {
  await school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
    values (${yearId}, '2040-08-30', 'Half day', 'Exam'), (${yearId}, '2040-08-31', 'Vacation', 'Break')`);
  expect(await rowOf(asha, '2040-08-30')).toMatchObject({ works: 'First half' });
  expect(await rowOf(asha, '2040-08-31')).toBeUndefined();
  const [shift] = await school.sql(`insert into workday_shift (name, weekdays, starts, ends, works_vacation)
    values ('Office', '{Monday,Tuesday,Wednesday,Thursday,Friday}', '09:00', '17:00', true) returning id`);
  await school.sql(
    `insert into workday_shift_person (staff_id, shift_id, effective_from) values (${asha.staffId}, ${shift?.id}, '2040-06-01')`,
  );
  expect(await rowOf(asha, '2040-08-31')).toMatchObject({ works: 'Whole day' });
});

test('a later day, and staff of another branch, are not marked', async () => {
  const later = await office.send({
    method: 'POST',
    url: '/api/workday/presence',
    body: { day: '2040-09-04', marks: [{ staffId: asha.staffId, kind: 'Present', inAt: '', note: '', version: 0 }] },
  });
  expect(Object.keys(later.json.error.fields)).toEqual(['day']);
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('Far', 'FAR') returning id`);
  const elsewhere = await school.person({ sets: ['office'], branchIds: [Number(branch?.id)] });
  expect((await mark(elsewhere, asha.staffId, 'Present', 0)).status).toBe(404);
  expect((await elsewhere.call(presenceApi.read, { day: today })).people).toEqual([]);
});
