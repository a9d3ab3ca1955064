import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { calendarApi } from '#features/calendar/contract/calendar.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { form, openSchool, paper, type School } from '#testing/school.ts';
import {
  askLeave,
  costsOf,
  decideLatest,
  employ,
  leftOf,
  openType,
  openWorkYear,
  spanOf,
  waitingFor,
} from '#testing/workdays.ts';
import { staffLeaveApi, staffLeaveList } from '../contract/leave.ts';

let school: School;
let yearId: number;
let casual: number;
let between: number;
let hr: Person;
let manager: Person;
let principal: Person;
let asha: Person;
beforeAll(async () => {
  school = await openSchool();
  yearId = await openWorkYear(school, '2040-09-03');
  casual = await openType(school, yearId, { code: 'CL', halves: 24 });
  between = await openType(school, yearId, { code: 'EL', counts: 'Working days and days between', halves: 30 });
  hr = await school.person({ name: 'Hema', sets: ['hr'] });
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
  manager = await school.person({ name: 'Ravi' });
  for (const person of [hr, principal, manager]) await employ(school, person);
});
afterAll(() => school.close());
beforeEach(async () => {
  asha = await school.person({ name: 'Asha' });
  await employ(school, asha, { reportsTo: manager });
});

const enter = (who: Person, { staffId }: Person, wanted: Parameters<typeof spanOf>[0]) =>
  who.send({ method: 'POST', url: '/api/workday/leave/enter', body: { ...spanOf(wanted), staffId, reason: '' } });
/** The latest request that waits. */
const latest = async () =>
  Number((await school.sql(`select max(id) as id from approval where status = 'Pending'`))[0]?.id);
const leaveOf = async ({ staffId }: Person) => {
  const [row] = await school.sql(
    `select id, version, state, step from workday_leave where staff_id = ${staffId} order by id desc limit 1`,
  );
  return { id: Number(row?.id), version: Number(row?.version), state: row?.state, step: row?.step };
};
const cancel = async (who: Person, id: number) => {
  const [row] = await school.sql(`select version from workday_leave where id = ${id}`);
  return who.send({ method: 'POST', url: `/api/workday/leave/${id}/cancel`, body: { version: row?.version } });
};

test('WD1 who joins on 17 October has 8 of 12 days and 10 of 15, a day later 7 and 9', async () => {
  for (const [joined, ofCasual, ofEarned] of [
    ['2040-10-17', 16, 20],
    ['2040-10-18', 14, 18],
  ] as const) {
    const person = await school.person();
    await employ(school, person, { joined });
    const [row] =
      await school.sql(`select workday_entitled(${person.staffId}, ${casual}, ${yearId}, '2040-09-03') as casual,
      workday_entitled(${person.staffId}, ${between}, ${yearId}, '2040-09-03') as earned`);
    expect([joined, row?.casual, row?.earned]).toEqual([joined, ofCasual, ofEarned]);
  }
});

test('WD1 each month counts by the rule of the post held on its 15th', async () => {
  const typeId = await openType(school, yearId, { code: 'RULE', halves: 24 });
  const [contract] = await school.sql(`select id from hris_employment_type where name = 'Contract'`);
  await school.sql(`insert into workday_leave_rule (academic_year_id, leave_type_id, employment_type_id, halves)
    values (${yearId}, ${typeId}, ${contract?.id}, 16)`);
  await school.sql(`update staff_post set employment_type_id = ${contract?.id}, effective_to = '2041-01-15' where staff_id = ${asha.staffId};
    insert into staff_post (staff_id, effective_from, branch_id, designation_id, department_id)
    select staff_id, '2041-01-16', branch_id, designation_id, department_id from staff_post where staff_id = ${asha.staffId}`);
  const [row] = await school.sql(
    `select workday_entitled(${asha.staffId}, ${typeId}, ${yearId}, '2040-09-03') as halves`,
  );
  // Eight months of 16 / 12 and four of 24 / 12: 18.67, rounded once.
  expect(row?.halves).toBe(19);
});

test('WD1 a monthly type is given month by month and rounded down', async () => {
  const typeId = await openType(school, yearId, { code: 'MON', halves: 15, more: `accrual = 'Monthly'` });
  const earned = async (day: string) =>
    (await school.sql(`select workday_entitled(${asha.staffId}, ${typeId}, ${yearId}, '${day}') as halves`))[0]?.halves;
  expect([await earned('2040-06-01'), await earned('2040-07-31'), await earned('2041-05-31')]).toEqual([1, 2, 15]);
});

test('WD2 Friday to Monday costs 2 days, and 4 where days between count', async () => {
  expect((await askLeave(asha, { typeId: casual, from: '2040-09-07', to: '2040-09-10' })).status).toBe(200);
  expect(await costsOf(school, asha)).toEqual([2]);
  const other = await school.person();
  await employ(school, other);
  expect((await askLeave(other, { typeId: between, from: '2040-09-07', to: '2040-09-10' })).status).toBe(200);
  expect(await costsOf(school, other)).toEqual([4]);
});

test('WD2 Friday and Monday in two requests cost 1 and 3 days, whichever is asked first, and 1 once the other is cancelled', async () => {
  await askLeave(asha, { typeId: between, from: '2040-09-07' });
  const friday = await leaveOf(asha);
  await askLeave(asha, { typeId: between, from: '2040-09-10' });
  expect(await costsOf(school, asha)).toEqual([1, 3]);
  expect(await leftOf(asha, 'EL')).toBe('11');
  expect((await cancel(asha, friday.id)).status).toBe(200);
  expect(await costsOf(school, asha)).toEqual([1]);
  expect(await leftOf(asha, 'EL')).toBe('14');
  await askLeave(asha, { typeId: between, from: '2040-09-07' });
  expect(await costsOf(school, asha)).toEqual([3, 1]);
});

test('WD2 the first half of Friday does not join Monday, and its second half does', async () => {
  await askLeave(asha, { typeId: between, from: '2040-09-10' });
  await askLeave(asha, { typeId: between, from: '2040-09-07', ends: 'At noon' });
  expect(await costsOf(school, asha)).toEqual([0.5, 1]);
  await askLeave(asha, { typeId: between, from: '2040-09-07', begins: 'At noon' });
  expect(await costsOf(school, asha)).toEqual([0.5, 2.5, 1]);
});

test('WD2 half a day on a Sunday is refused at its first day, and says why', async () => {
  const refused = await askLeave(asha, { typeId: casual, from: '2040-09-09', ends: 'At noon' });
  expect([refused.status, refused.json.error.fields]).toEqual([
    422,
    { fromDay: '9 Sep 2040 is no working day: Weekly off.' },
  ]);
});

test('the form shows the cost of a leave and the balance after it, before anything is sent', async () => {
  const found = await asha.call(staffLeaveApi.estimate, {
    ...spanOf({ typeId: between, from: '2040-09-07', to: '2040-09-10' }),
    staffId: '',
  });
  expect(found).toMatchObject({ costs: '4', left: '11', between: ['2040-09-08', '2040-09-09'], refusal: null });
  expect(found.decider).toMatchObject({ values: { name: 'Ravi' } });
  expect(await costsOf(school, asha)).toEqual([]);
});

test('leave on days with leave is refused and names the other one', async () => {
  await askLeave(asha, { typeId: casual, from: '2040-09-11', ends: 'At noon' });
  const refused = await askLeave(asha, { typeId: between, from: '2040-09-10', to: '2040-09-11' });
  expect(refused.json.error.fields).toEqual({ fromDay: 'There is leave on these days already: Type CL, 11 Sep 2040.' });
  expect((await askLeave(asha, { typeId: between, from: '2040-09-11', begins: 'At noon' })).status).toBe(200);
});

test('WD3 of two simultaneous requests with a balance for one, the later is refused with the balance', async () => {
  const typeId = await openType(school, yearId, { code: `T${asha.staffId % 1000}`, halves: 4 });
  const answers = await Promise.all([
    askLeave(asha, { typeId, from: '2040-09-11', to: '2040-09-12', ends: 'At noon' }),
    askLeave(asha, { typeId, from: '2040-09-18', to: '2040-09-19', ends: 'At noon' }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  expect(answers.find(({ status }) => status === 422)?.json.error.fields).toEqual({ typeId: '0.5 left.' });
  expect(await costsOf(school, asha)).toEqual([1.5]);
});

test('WD4 three days are decided by the manager, who tells the person by it', async () => {
  await askLeave(asha, { typeId: casual, from: '2040-09-11', to: '2040-09-13' });
  expect(await waitingFor(principal)).not.toContain(await latest());
  expect(await waitingFor(manager)).toContain(await latest());
  expect((await decideLatest(school, manager)).status).toBe(200);
  expect(await leaveOf(asha)).toMatchObject({ state: 'Granted' });
  const notices = await school.sql(
    `select text ->> 'id' as text from notice where account_id = ${asha.id} order by id`,
  );
  expect(notices.map(({ text }) => text)).toEqual(['Your leave of {days} was granted.']);
});

test('WD4 two days beside two other days are decided by the manager, and then by the principal', async () => {
  await askLeave(asha, { typeId: casual, from: '2040-09-13', to: '2040-09-14' });
  await decideLatest(school, manager);
  await askLeave(asha, { typeId: casual, from: '2040-09-17', to: '2040-09-18' });
  expect((await decideLatest(school, manager)).status).toBe(200);
  expect(await leaveOf(asha)).toMatchObject({ state: 'Asked', step: 2 });
  const notices = await school.sql(`select 1 from notice where account_id = ${asha.id} and read_at is null`);
  expect(notices.length).toBe(1);
  expect(await waitingFor(manager)).not.toContain(await latest());
  expect(await waitingFor(principal)).toContain(await latest());
  const askedByAsha = async () => {
    const { cards } = await asha.call(dashboardApi.read, {});
    return cards.find(({ title }) => title.id === 'Asked by you')?.lines?.map(({ state }) => english(state));
  };
  expect(await askedByAsha()).toEqual(['Waiting since 3 Sep 2040', 'Approved today']);
  expect((await decideLatest(school, principal)).status).toBe(200);
  expect(await askedByAsha()).toEqual(['Approved today', 'Approved today']);
  expect(await leaveOf(asha)).toMatchObject({ state: 'Granted' });
});

test('WD4 a principal never decides on the own leave: another principal does, else HR', async () => {
  await askLeave(principal, { typeId: casual, from: '2040-09-11' });
  const [request] = await school.sql(`select max(id) as id from approval where status = 'Pending'`);
  const { version, seen, may } = await principal.call(approvalApi.read, { id: Number(request?.id) });
  expect(may.decide).toBe(false);
  const body = { version, seen, outcome: 'Approved', remark: '' };
  const own = await principal.send({ method: 'POST', url: `/api/approval/${request?.id}/decide`, body });
  expect(own.status).toBe(409);
  expect(await waitingFor(hr)).toContain(Number(request?.id));
  const other = await school.person({ name: 'Nita', sets: ['principal'] });
  expect(await waitingFor(hr)).not.toContain(Number(request?.id));
  expect(await waitingFor(other)).toContain(Number(request?.id));
  await school.sql(`update sign_in_account set is_active = false where id = ${other.id}`);
  expect((await decideLatest(school, hr)).status).toBe(200);
});

test('WD4 a principal who is HR too enters no own leave', async () => {
  const both = await school.person({ name: 'Usha', sets: ['principal', 'hr'] });
  await employ(school, both);
  const refused = await enter(both, both, { typeId: casual, from: '2040-09-11' });
  expect(Object.keys(refused.json.error.fields)).toEqual(['staffId']);
  await school.sql(`update sign_in_account set is_active = false where id = ${both.id}`);
});

test('while the manager is away the principal decides', async () => {
  await askLeave(asha, { typeId: casual, from: '2040-09-11' });
  expect(await waitingFor(manager)).toContain(await latest());
  await school.sql(`insert into workday_presence (staff_id, day, kind, source, entered_by, entered_at)
    values (${manager.staffId}, '2040-09-03', 'Absent', 'Office', ${hr.staffId}, now())`);
  expect(await waitingFor(manager)).not.toContain(await latest());
  expect((await decideLatest(school, principal)).status).toBe(200);
  await school.sql(`delete from workday_presence where staff_id = ${manager.staffId}`);
});

test('rejected leave takes no day, and the balance is as before', async () => {
  await askLeave(asha, { typeId: casual, from: '2040-09-11', to: '2040-09-12' });
  expect(await leftOf(asha, 'CL')).toBe('10');
  expect((await decideLatest(school, manager, 'Rejected')).status).toBe(200);
  expect(await leftOf(asha, 'CL')).toBe('12');
  expect((await school.sql(`select 1 from workday_leave_half where staff_id = ${asha.staffId}`)).length).toBe(0);
});

test('asked leave counts as away at once, and neither type nor reason is read by a colleague', async () => {
  await askLeave(asha, { typeId: casual, from: '2040-09-11', ends: 'At noon' });
  const away = await school.sql(
    `select half, why from workday_away where staff_id = ${asha.staffId} and day = '2040-09-11'`,
  );
  expect(away).toEqual([{ half: 1, why: 'Asked' }]);
  const colleague = await school.person();
  const { status } = await colleague.send({ url: `/api/workday/person/${asha.staffId}` });
  expect(status).toBe(404);
});

test('a sick day is entered for an earlier absence and counts as leave once granted; the eighth day back is HR’s', async () => {
  await school.sql(`insert into workday_presence (staff_id, day, kind, source, entered_by, entered_at)
    values (${asha.staffId}, '2040-08-31', 'Absent', 'Office', ${hr.staffId}, now())`);
  const awayOn = async () =>
    (
      await school.sql(`select distinct why from workday_away where staff_id = ${asha.staffId} and day = '2040-08-31'`)
    ).map(({ why }) => why);
  expect(await awayOn()).toEqual(['Absent']);
  expect((await askLeave(asha, { typeId: casual, from: '2040-08-31' })).status).toBe(200);
  await decideLatest(school, manager);
  expect(await awayOn()).toEqual(['Leave']);
  expect((await askLeave(asha, { typeId: casual, from: '2040-08-27' })).status).toBe(200);
  const refused = await askLeave(asha, { typeId: casual, from: '2040-08-24' });
  expect(Object.keys(refused.json.error.fields)).toEqual(['fromDay']);
  expect((await enter(hr, asha, { typeId: casual, from: '2040-08-24' })).status).toBe(200);
});

test('granted leave that has begun is not cancelled by the person: it ends earlier, and the rest is given back', async () => {
  await enter(hr, asha, { typeId: casual, from: '2040-09-03', to: '2040-09-06' });
  const { id, version } = await leaveOf(asha);
  expect((await cancel(asha, id)).status).toBe(409);
  const back = (lastDay: string) =>
    asha.send({ method: 'POST', url: `/api/workday/leave/${id}/back`, body: { version, lastDay } });
  expect((await back('2040-09-06')).json.error.fields).toHaveProperty('lastDay');
  expect((await back('2040-09-04')).status).toBe(200);
  expect(await costsOf(school, asha)).toEqual([2]);
  expect((await back('2040-09-03')).json.error.code).toBe('stale');
});

test('HR lists leave of the own branches alone', async () => {
  await askLeave(asha, { typeId: casual, from: '2040-09-11' });
  const [branch] = await school.sql(
    `insert into academic_branch (name, code) values ('Other', 'OTH') on conflict do nothing returning id`,
  );
  const elsewhere = await school.person({ sets: ['hr'], branchIds: [Number(branch?.id)] });
  const named = async (who: Person) =>
    (await who.call(staffLeaveList.api.list, { tab: 'asked' })).rows.filter(({ staffId }) => staffId === asha.staffId)
      .length;
  expect([await named(hr), await named(elsewhere)]).toEqual([1, 0]);
  const { id } = await leaveOf(asha);
  expect((await cancel(elsewhere, id)).status).toBe(404);
});

test('leave after the last day ends with the employment', async () => {
  await askLeave(asha, { typeId: casual, from: '2040-09-06', to: '2040-09-11' });
  await decideLatest(school, manager);
  await decideLatest(school, principal);
  const [reason] = await school.sql('select min(id) as id from hris_separation_reason');
  const relieve = (over = {}) =>
    hr.send({
      method: 'POST',
      url: `/api/staff/${asha.staffId}/relieve`,
      body: { lastDay: '2040-09-07', separationReasonId: String(reason?.id), remark: '', ...over },
    });
  const { json } = await relieve();
  expect(JSON.stringify(json)).toContain('after the last day will end');
  expect(await costsOf(school, asha)).toEqual([4]);
  expect((await relieve({ confirmToken: json.confirmToken })).status).toBe(200);
  expect(await costsOf(school, asha)).toEqual([2]);
});

test('WD6 leave from Monday to Wednesday costs a day less once Tuesday becomes a holiday, in the same act, and as before once it is undone', async () => {
  const admin = await school.person({ role: 'Admin' });
  const set = async (kind: string, warned = '') =>
    admin.send({
      method: 'PUT',
      url: '/api/academic/calendar/day',
      body: {
        academicYearId: yearId,
        rowVersion: (await admin.call(calendarApi.read, { academicYearId: yearId })).rowVersion,
        ...{ from: '2040-10-09', to: '2040-10-09', kind, name: 'Festival', gradeId: null, warned },
      },
    });
  const change = async (kind: string) => {
    const { data } = (await set(kind)).json.error;
    expect((await set(kind, data.token)).status).toBe(200);
    return data.texts.map(({ values }: { values: object }) => values);
  };
  const before = (await costsOf(school, asha)).length;
  await askLeave(asha, { typeId: casual, from: '2040-10-08', to: '2040-10-10' });
  const own = async () => (await costsOf(school, asha)).slice(before);
  const left = Number(await leftOf(asha, 'CL'));
  expect(await own()).toEqual([3]);
  await school.sql(`insert into workday_month (month, closed_by, closed_at)
    values ('2040-10-01', ${hr.staffId}, now())`);
  // A closed month that keeps its sheet is named.
  const said = await change('Holiday');
  expect(said).toContainEqual({ n: 1 });
  expect(said).toContainEqual({ month: 'October 2040' });
  await school.sql(`delete from workday_month`);
  expect([await own(), Number(await leftOf(asha, 'CL')) - left]).toEqual([[2], 1]);
  await change('Working day');
  expect([await own(), Number(await leftOf(asha, 'CL'))]).toEqual([[3], left]);
});

test('a credit of HR adds to the balance, and HR credits nothing to themselves', async () => {
  const credit = (who: Person, staffId: number, halves: number) =>
    who.send({
      method: 'POST',
      url: '/api/workday/credit',
      body: {
        staffId,
        typeId: String(casual),
        kind: 'Opening',
        halves: String(halves),
        reason: 'Kept in the old system',
      },
    });
  expect((await credit(hr, asha.staffId, 5)).status).toBe(200);
  expect(await leftOf(asha, 'CL')).toBe('14.5');
  expect((await credit(hr, asha.staffId, 0)).json.error.fields).toHaveProperty('halves');
  expect((await credit(hr, hr.staffId, 5)).status).toBe(409);
});

test('asked while the manager was away, it is decided by the principal or by the manager who is back', async () => {
  const away = (act: 'add' | 'remove') =>
    school.sql(
      act === 'add'
        ? `insert into workday_presence (staff_id, day, kind, source, entered_by, entered_at)
            values (${manager.staffId}, '2040-09-03', 'Absent', 'Office', ${hr.staffId}, now())`
        : `delete from workday_presence where staff_id = ${manager.staffId}`,
    );
  await away('add');
  await askLeave(asha, { typeId: casual, from: '2040-09-20' });
  expect(await waitingFor(manager)).not.toContain(await latest());
  const { now } = school.clock;
  school.clock.now = new Date('2040-09-04T10:00:00+05:30');
  expect(await waitingFor(manager)).toContain(await latest());
  expect(await waitingFor(principal)).toContain(await latest());
  expect((await decideLatest(school, manager)).status).toBe(200);
  school.clock.now = now;
  await away('remove');
});

test('without a manager and a principal HR decides on long leave in one step', async () => {
  const single = await school.person({ name: 'Tara' });
  await employ(school, single);
  await school.sql(`update sign_in_account set is_active = false where id = ${principal.id}`);
  await askLeave(single, { typeId: casual, from: '2040-09-11', to: '2040-09-18' });
  expect((await decideLatest(school, hr)).status).toBe(200);
  expect(await leaveOf(single)).toMatchObject({ state: 'Granted' });
  await school.sql(`update sign_in_account set is_active = true where id = ${principal.id}`);
});

test('the manager who decides reads the paper, another colleague does not, and neither replaces it', async () => {
  await askLeave(asha, { typeId: casual, from: '2040-09-11' });
  const { id } = await leaveOf(asha);
  const url = `/api/workday/leave/${id}/paper`;
  const photo = { paper: await paper('Doctor’s certificate') };
  const save = async (who: Person) => (await who.send({ method: 'POST', url, body: form({}, photo) })).status;
  expect(await save(asha)).toBe(200);
  const colleague = await school.person();
  expect([(await manager.send({ url })).status, (await colleague.send({ url })).status]).toEqual([200, 404]);
  expect([await save(manager), await save(principal)]).toEqual([404, 404]);
});

test('a saved shift weighs leave again', async () => {
  const admin = await school.person({ role: 'Admin' });
  await askLeave(asha, { typeId: casual, from: '2040-09-13', to: '2040-09-14' });
  expect(await costsOf(school, asha)).toEqual([2]);
  const made = await admin.send({
    method: 'POST',
    url: '/api/workday/shift',
    body: {
      ...{ name: 'Short week', weekdays: 'Monday,Tuesday,Wednesday,Thursday', starts: '08:00', ends: '14:00' },
      ...{ staffCategoryId: '', saturdayStarts: '', saturdayEnds: '', hasOwnDaysOff: false },
      ...{ worksVacation: false, worksHalfDays: false, isDefault: true, graceMin: '0', halfBelowMin: '0' },
    },
  });
  expect(made.status).toBe(200);
  expect(await costsOf(school, asha)).toEqual([1]);
  await school.sql(`delete from workday_shift where name = 'Short week'`);
});

test('days that are paid out are taken from the balance, never added', async () => {
  const body = { staffId: asha.staffId, typeId: String(casual), kind: 'Encashed', halves: '4', reason: 'Paid in May' };
  const refused = await hr.send({ method: 'POST', url: '/api/workday/credit', body });
  expect(refused.json.error.fields).toHaveProperty('halves');
});
