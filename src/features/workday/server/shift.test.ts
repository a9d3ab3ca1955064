import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { staffList } from '#features/staff/contract/list.ts';
import { staffRecordApi } from '#features/staff/contract/record.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { askLeave, costsOf, employ, openType, openWorkYear, spanOf } from '#testing/workdays.ts';
import { awayApi } from '../contract/away.ts';
import { staffLeaveApi } from '../contract/leave.ts';
import { staffMonthApi } from '../contract/month.ts';
import { grantedChange } from './dashboard-card.ts';

/** Without a shift Monday to Friday are worked; the short week has no Fridays, on which Asha has leave. */
let school: School;
let casual: number;
let short: number;
let hr: Person;
let asha: Person;
const [lastFriday, today, nextFriday] = ['2040-08-31', '2040-09-03', '2040-09-07'];
const span = (day: string) => ({ ...spanOf({ typeId: casual, from: '2040-09-06', to: day }) });
beforeAll(async () => {
  school = await openSchool();
  const yearId = await openWorkYear(school, today);
  casual = await openType(school, yearId, { code: 'CL', halves: 24 });
  hr = await school.person({ name: 'Hema', sets: ['hr'] });
  await employ(school, hr);
  const [shift] = await school.sql(`insert into workday_shift (name, weekdays, starts, ends)
    values ('Short week', '{Monday,Tuesday,Wednesday,Thursday}', '09:00', '17:00') returning id`);
  short = Number(shift?.id);
});
afterAll(() => school.close());
beforeEach(async () => {
  await school.sql('delete from workday_month');
  asha = await school.person({ name: 'Asha' });
  await employ(school, asha);
  await enter(spanOf({ typeId: casual, from: '2040-08-30', to: lastFriday }));
  await enter(span(nextFriday));
  expect(await costsOf(school, asha)).toEqual([2, 2]);
});

async function enter(leave: ReturnType<typeof spanOf>) {
  const body = { ...leave, staffId: asha.staffId, reason: '' };
  expect((await hr.send({ method: 'POST', url: '/api/workday/leave/enter', body })).status).toBe(200);
}
const give = (from: string, shiftId: number | null = short, staffId = asha.staffId) =>
  hr.send({ method: 'POST', url: '/api/workday/person-shift', body: { staffId, shiftId, from } });
const closeAugust = () => hr.call(staffMonthApi.close, { month: '2040-08' });

test('a shift of a person changes what later leave costs, and ends where the next one begins', async () => {
  expect((await give(today)).status).toBe(200);
  expect(await costsOf(school, asha)).toEqual([2, 1]);
  expect((await asha.call(staffLeaveApi.own, {})).shift).toBe('Short week 09:00–17:00');
  expect((await give('2040-09-07', null)).status).toBe(200);
  expect(await costsOf(school, asha)).toEqual([2, 2]);
  expect(await asha.call(staffLeaveApi.own, {})).toMatchObject({ shiftUntil: '2040-09-06', nextShifts: [] });
  expect(
    await school.sql(`select effective_from::text as from, effective_to::text as until from workday_shift_person
      where staff_id = ${asha.staffId}`),
  ).toEqual([{ from: today, until: '2040-09-06' }]);
});

test('a shift of a person is refused where leave in a closed month would cost another number of days', async () => {
  await closeAugust();
  const { status, json } = await give('2040-08-01');
  expect(status).toBe(409);
  expect(JSON.stringify(json)).toContain('August 2040');
  expect(JSON.stringify(json)).toContain('Asha');
  expect(JSON.stringify(json)).toContain('give the shift from a later day');
  expect(await costsOf(school, asha)).toEqual([2, 2]);
  expect((await give('2040-09-01')).status).toBe(200);
  expect(await costsOf(school, asha)).toEqual([2, 1]);
});

test('a saved shift that changes leave in a closed month is refused with the month and the names', async () => {
  await give('2040-08-01');
  expect(await costsOf(school, asha)).toEqual([1, 1]);
  await closeAugust();
  const [row] = await school.sql(`select version from workday_shift where id = ${short}`);
  const { status, json } = await hr.send({
    method: 'PUT',
    url: `/api/workday/shift/${short}`,
    body: {
      version: row?.version,
      ...{
        name: 'Short week',
        staffCategoryId: '',
        starts: '09:00',
        ends: '17:00',
        saturdayStarts: '',
        saturdayEnds: '',
      },
      weekdays: 'Monday,Tuesday,Wednesday,Thursday,Friday',
      ...{
        graceMin: '0',
        halfBelowMin: '0',
        hasOwnDaysOff: false,
        worksVacation: false,
        worksHalfDays: false,
        isDefault: false,
      },
    },
  });
  expect([status, JSON.stringify(json)]).toEqual([
    409,
    expect.stringMatching(/August 2040.*add another shift and give it to each person from a later day/),
  ]);
  expect(await costsOf(school, asha)).toEqual([1, 1]);
  await school.sql('delete from workday_shift_person');
});

test('HR gives no shift to themselves, none before joining, and none that is inactive', async () => {
  expect((await give(today, short, hr.staffId)).status).toBe(409);
  expect((await give('2039-05-01')).json).toMatchObject({ error: { fields: { from: expect.anything() } } });
  await school.sql(`update workday_shift set is_active = false where id = ${short}`);
  expect((await give(today)).json).toMatchObject({ error: { fields: { shiftId: expect.anything() } } });
  await school.sql(`update workday_shift set is_active = true where id = ${short}`);
});

test('a post of another staff category weighs leave by the shift of that category, but not in a closed month', async () => {
  const [category] = await school.sql(`select id from hris_staff_category order by id limit 1`);
  await school.sql(`update workday_shift set staff_category_id = ${category?.id} where id = ${short}`);
  const [post] = await school.sql(
    `select branch_id, designation_id, department_id from staff_post where staff_id = ${asha.staffId}`,
  );
  const save = async (from: string) => {
    const { version } = await hr.call(staffRecordApi.read, { id: asha.staffId });
    return hr.send({
      method: 'POST',
      url: `/api/staff/${asha.staffId}/post`,
      body: {
        ...{
          version,
          from,
          branchId: post?.branch_id,
          designationId: post?.designation_id,
          departmentId: post?.department_id,
        },
        ...{ staffCategoryId: category?.id, employmentTypeId: null, reportsToId: null },
      },
    });
  };
  await closeAugust();
  const { status, json } = await save('2040-08-01');
  expect([status, JSON.stringify(json)]).toEqual([409, expect.stringContaining('enter the post from a later day')]);
  expect(await costsOf(school, asha)).toEqual([2, 2]);
  await school.sql(`insert into workday_punch (staff_id, at)
    values (${asha.staffId}, '2040-08-31T09:30+05:30'), (${asha.staffId}, '2040-09-01T09:30+05:30')`);
  const marks = () =>
    school.sql(`select day::text as day, kind from workday_presence where staff_id = ${asha.staffId} order by day`);
  expect((await save('2040-09-01')).status).toBe(200);
  expect(await costsOf(school, asha)).toEqual([2, 1]);
  expect(await marks()).toEqual([{ day: '2040-09-01', kind: 'Present' }]);
  await school.sql(`update workday_shift set staff_category_id = null where id = ${short}`);
});

test('who is away in a month and today is read by the office, without type and reason', async () => {
  const office = await school.person({ name: 'Meena', sets: ['office'] });
  await school.sql(`insert into workday_presence (staff_id, day, kind, half, source, entered_by, entered_at) values
    (${asha.staffId}, '${today}', 'Half day', 1, 'Office', ${office.staffId}, now())`);
  const read = await office.call(awayApi.read, { month: '2040-09' });
  const own = read.people.find(({ staffId }) => staffId === asha.staffId);
  expect([own?.days[2], own?.days[5], own?.days[6], own?.days[7]]).toEqual(['Second half', 'Away', 'Away', '']);
  expect(read.totals[6]).toBe(read.people.filter(({ days }) => days[6] !== '').length);
  expect(JSON.stringify(read)).not.toMatch(/CL|Type/);
  expect(await awayToday(office)).toEqual([[asha.staffId, 'Second half']]);
  await school.sql(`update workday_presence set kind = 'Absent', half = null where staff_id = ${asha.staffId}`);
  expect(await awayToday(office)).toEqual([[asha.staffId, 'Day']]);
  await school.sql(`delete from workday_presence where staff_id = ${asha.staffId}`);
});

const awayToday = async (person: Person) =>
  (await person.call(staffList.api.list, { away: 'Away today' })).rows.map(({ id, away }) => [id, away]);

test('leave that is only asked for is counted apart in the month, and is not away in the staff list', async () => {
  const office = await school.person({ name: 'Meena', sets: ['office'] });
  const ofDay = async () => {
    const { totals, asked } = await office.call(awayApi.read, { month: '2040-09' });
    return [totals[2], asked[2]];
  };
  const [away, waiting] = await ofDay();
  expect((await askLeave(asha, { typeId: casual, from: today })).status).toBe(200);
  expect(await ofDay()).toEqual([away, Number(waiting) + 1]);
  expect(await awayToday(office)).toEqual([]);
});

test('who does not read presence is not shown in the staff list who is away', async () => {
  const accountant = await school.person({ name: 'Anil', sets: ['accountant'] });
  await school.sql(`insert into workday_presence (staff_id, day, kind, source, entered_by, entered_at) values
    (${asha.staffId}, '${today}', 'Absent', 'Office', ${hr.staffId}, now())`);
  expect(await awayToday(hr)).toEqual([[asha.staffId, 'Day']]);
  expect(await awayToday(accountant)).toEqual([]);
  const { rows } = await accountant.call(staffList.api.list, { search: 'Asha' });
  expect(new Set(rows.map(({ away }) => away))).toEqual(new Set(['']));
  await school.sql(`delete from workday_presence where staff_id = ${asha.staffId}`);
});

test('two people of one name whose leave was granted are two people', async () => {
  const namesake = await school.person({ name: 'Asha' });
  await employ(school, namesake);
  const since = '2040-12-01';
  for (const [person, day] of [
    [asha, '2040-12-03'],
    [namesake, '2040-12-04'],
  ] as const)
    await school.sql(`insert into workday_leave (academic_year_id, staff_id, type_id, from_day, from_half, to_day, to_half, reason,
        state, asked_by, asked_at, decided_by, decided_at)
      select id, ${person.staffId}, ${casual}, '${day}', 1, '${day}', 2, '', 'Granted', ${hr.staffId}, now(), ${hr.staffId},
        '${since}T10:00:00+05:30' from academic_year where '${day}' between starts_on and ends_on`);
  const user = {
    id: hr.id,
    staffId: hr.staffId,
    role: 'Staff',
    sets: ['hr'],
    scope: { branches: [], led: [], taught: [] },
  };
  expect(await grantedChange.read({ ...school.services, user } as never, since)).toMatchObject({
    names: ['Asha', 'Asha'],
    more: 0,
  });
});
