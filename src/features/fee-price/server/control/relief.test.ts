import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { feeWriters } from '#access/contract/grants.ts';
import { approvalApi, approvalList } from '#features/approval/contract/approval.ts';
import { type EnrolmentChange, enrolmentHook } from '#features/student/contract/hooks.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import type { UserContext } from '#kit/server/context.ts';
import { ask } from '#kit/server/hook.ts';
import { openHttp } from '#kit/server/http/http.ts';
import { serve } from '#kit/server/http/routes.ts';
import { openLog } from '#kit/server/log.ts';
import { sessionCookie } from '#kit/server/security/session.ts';
import type { Person } from '#testing/browser.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { setMonthCharges } from '../../api.ts';
import { planApi } from '../../contract/plan.ts';
import { allocationRuns } from '../plan/allocation.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let principal: Person;
let office: Person;
/** The accountant of a small school, who also enrols and plans the buses. */
let one: Person;
let lab: number;
const today = '11-28';
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  office = await school.person({ name: 'Olga', role: 'Staff', sets: ['office'] });
  one = await school.person({ name: 'Uma', role: 'Staff', sets: ['accountant', 'office', 'transportIncharge'] });
  prices = await openPrices(school);
  const [head] = await school
    .sql(`alter table fee_structure_line disable trigger user;
    with head as (insert into fee_head (name, short_name, category, frequency_id, applies_to, pro_rata, is_optional, priority,
        receipt_series_id) select 'Lab', 'LAB', 'Activity', frequency_id, 'All students', 'Month', true, 50,
        receipt_series_id from fee_head where id = ${prices.heads.Tuition} returning id, frequency_id)
    insert into fee_structure_line (structure_id, fee_head_id, annual, frequency_id)
      select structure.id, head.id, 1200000, frequency_id from head, fee_structure structure returning fee_head_id as id;
    alter table fee_structure_line enable trigger user`)
    .then(async () => school.sql(`select id from fee_head where name = 'Lab'`));
  lab = Number(head?.id);
  school.clock.now = new Date(`${prices.year}-04-01T06:00:00Z`);
  const [due] = await duesOf(await plannedChild(school, prices, 'Payer'));
  await receive(school, {
    account: Number(due?.account_id),
    series: Number(due?.receipt_series_id),
    day: `${prices.year}-04-01`,
    on: [{ due: Number(due?.id), amount: 100 }],
  });
});
afterAll(() => school.close());

const day = (of: string) => `${prices.year}-${of}`;
const setDay = (of: string) => {
  school.clock.now = new Date(`${day(of)}T06:00:00Z`);
};
const duesOf = (student: number) =>
  school.sql(`select due.* from fee_due due join fee_account account on account.id = due.account_id
    where student_id = ${student} order by due_on, due.id`);
/** A child whose plan was made in April; the clock is at 28 November afterwards. */
async function child(name: string) {
  setDay('04-01');
  const student = await plannedChild(school, prices, name);
  setDay(today);
  const [row] = await school.sql(`select plan.id, enrollment.id as enrollment from fee_plan plan
    join fee_account account on account.id = plan.account_id
    join student_enrollment enrollment on enrollment.student_id = account.student_id where account.student_id = ${student}`);
  return { student, plan: Number(row?.id), enrollment: Number(row?.enrollment) };
}
const balance = async (student: number) =>
  Number((await school.sql(`select balance from fee_account where student_id = ${student}`))[0]?.balance);
/** The dues up to today. */
const dueNow = async (student: number) =>
  Number(
    (
      await school.sql(`select coalesce(sum(net - paid), 0) as due from fee_due due join fee_account account
    on account.id = due.account_id where student_id = ${student} and due_on <= '${day(today)}'`)
    )[0]?.due,
  );
const version = async (plan: number) =>
  Number((await school.sql(`select version from fee_plan where id = ${plan}`))[0]?.version);
const act = async (plan: number, name: string, body: object, who = accountant) => {
  const sent = { ...body, version: await version(plan) };
  const { status, json } = await who.send({ method: 'POST', url: `/api/fee/plan/${plan}/${name}`, body: sent });
  return status === 200 ? json.isAsked : json.error.message;
};
/** The principal decides on the one request there is. */
async function decide(outcome: 'Approved' | 'Rejected' = 'Approved') {
  const { rows } = await principal.call(approvalList.api.list, { tab: 'forMe' } as never);
  expect(rows).toHaveLength(1);
  const id = rows[0]?.id ?? 0;
  const { version: seenVersion, seen, effect } = await principal.call(approvalApi.read, { id });
  const body = { version: seenVersion, seen, outcome, remark: 'Seen' };
  const { status, json } = await principal.send({ method: 'POST', url: `/api/approval/${id}/decide`, body });
  return { status, message: json?.error?.message, effect: JSON.stringify(effect) };
}
/** Asks the hook as an act of the student feature by this person does. */
const change = (
  who: Person,
  { student, enrollment }: { student: number; enrollment: number },
  kind: EnrolmentChange['kind'],
  on: string,
  kept?: object,
) =>
  school.services.db.transaction().execute(async (db) => {
    const user = { id: who.id, staffId: who.staffId, name: who.name, sets: [] } as unknown as UserContext['user'];
    const answers = await ask({ ...school.context(), db, user } as UserContext, enrolmentHook, [
      {
        studentId: student,
        enrollmentId: enrollment,
        yearId: prices.place.academicYearId,
        kind,
        day: day(on),
        ...(kept ? { kept: { fee: kept } } : {}),
      },
    ]);
    const own = answers.find(({ by }) => by === 'fee')?.output;
    return {
      words: own?.texts.map(({ id, values }) => id.replace(/\{(\w+)\}/g, (_, name) => String(values?.[name]))) ?? [],
      kept: own?.kept?.[enrollment] as object | undefined,
    };
  });

test('MC4 a due that is not due yet moves once, by two weeks; a further day, a past due and a second move are asked for', async () => {
  const { student, plan } = await child('Asmi');
  const move = (dueOn: string, newDay: string) => act(plan, 'due-day', { dueOn: day(dueOn), newDay, reason: 'Asked' });
  expect(await move('12-10', day('12-20'))).toBe(false);
  expect((await duesOf(student)).filter(({ due_on }) => due_on === day('12-20'))).toHaveLength(1);
  const before = await dueNow(student);
  expect(await move('11-10', day('11-30'))).toBe(true);
  expect(await move('12-20', day('12-24'))).toBe('A change of this plan waits for a second person already.');
  expect(await dueNow(student)).toBe(before);
  expect((await decide()).effect).toContain('is due later');
  expect(await dueNow(student)).toBe(before - 500_000);
  expect(await move('12-20', day('12-24'))).toBe(true);
  expect((await decide('Rejected')).status).toBe(200);
  const far = await accountant.send({
    method: 'POST',
    url: `/api/fee/plan/${plan}/due-day`,
    body: { version: await version(plan), dueOn: day('12-20'), newDay: '2099-12-31', reason: 'Asked' },
  });
  expect(far.json.error.fields).toEqual({ newDay: `Choose a day of ${prices.year}-${prices.year + 1}.` });
});

test('MC4 a late plan has its past instalments at most 31 days ahead', async () => {
  setDay(today);
  const enrollment = await enroll(school, prices.place, 'Late');
  const preview = (pastDay: string) =>
    accountant.send({
      method: 'POST',
      url: `/api${planApi.allocate.path}`,
      body: { past: 'Due on a day', pastDay, selection: { ids: [enrollment], isAll: false, query: {} } },
    });
  expect((await preview(day('12-30'))).json.error.fields).toEqual({
    pastDay: `Choose 29 Dec ${prices.year} or an earlier day.`,
  });
  expect((await preview(day('12-29'))).status).toBe(200);
});

test('MC5 an unpaid plan of an earlier day is withdrawn once a second person approves; an own plan of today at once', async () => {
  const { student, plan } = await child('Bela');
  const owed = await balance(student);
  expect(await act(plan, 'withdraw', { reason: 'Wrong child' })).toBe(true);
  expect(await balance(student)).toBe(owed);
  const decided = await decide();
  expect([decided.status, await balance(student)]).toEqual([200, 0]);

  const enrollment = await enroll(school, prices.place, 'Own');
  const selection = { ids: [enrollment], isAll: false, query: {} };
  const allocate = (more: object = {}) =>
    accountant.call(planApi.allocate, { past: 'As scheduled', pastDay: '', selection, ...more } as never);
  const { confirmToken } = await allocate();
  const { runId } = await allocate({ confirmToken });
  await finishRun(school.services, allocationRuns, Number(runId));
  const [own] = await school.sql(`select max(id) as id from fee_plan`);
  expect(await act(Number(own?.id), 'withdraw', { reason: 'Wrong child' }, one)).toBe(true);
  await decide('Rejected');
  expect(await act(Number(own?.id), 'withdraw', { reason: 'Wrong child' })).toBe(false);
});

test('MC5 an optional head ends at once from a month that has not begun, and is asked for from an earlier one', async () => {
  const { student, plan } = await child('Chirag');
  const choose = (isChosen: boolean, from: string) =>
    act(plan, 'option', { feeHeadId: lab, isChosen, effectiveFrom: from });
  expect(await choose(true, day('09-01'))).toBe(false);
  const owed = await balance(student);
  expect(await choose(false, `${prices.year + 1}-01-01`)).toBe(false);
  expect(await balance(student)).toBe(owed - 3 * 100_000);
  expect(await choose(false, day('10-01'))).toBe(true);
  expect(await choose(false, day('11-01'))).toBe('A change of this plan waits for a second person already.');
  expect(await balance(student)).toBe(owed - 3 * 100_000);
  expect((await decide()).effect).toContain('₹3,000.00');
  expect(await balance(student)).toBe(owed - 6 * 100_000);
});

test('MC13 a leaving of last month by the office lowers fees at once; an older one, and one by an accountant, wait with the deposit', async () => {
  const soon = await child('Dev');
  await change(office, soon, 'left', '10-12');
  expect(await balance(soon.student)).toBeLessThan(9_900_000);
  for (const [who, on] of [
    [office, '06-01'],
    [one, '11-20'],
  ] as const) {
    const late = await child('Esha');
    const { words, kept } = await change(who, late, 'left', on);
    expect(words).toEqual([expect.stringContaining('less once a second person approves')]);
    expect(await balance(late.student)).toBe(9_900_000);
    expect((await decide()).status).toBe(200);
    const rest = await balance(late.student);
    expect(rest).toBeLessThan(9_900_000 - 500_000);
    // Undone, the deposit and all months are charged again.
    await change(who, late, 'back', on, kept);
    expect(await balance(late.student)).toBe(9_900_000);
  }
});

test('MC13 a leaving that is undone before the decision leaves nothing to decide', async () => {
  const late = await child('Farid');
  const { kept } = await change(one, late, 'left', '11-20');
  await change(one, late, 'back', '11-20', kept);
  const { rows } = await principal.call(approvalList.api.list, { tab: 'forMe' } as never);
  expect([rows, await balance(late.student)]).toEqual([[], 9_900_000]);
});

test('MC13 a student who is enrolled again before the decision on the leaving leaves nothing to decide', async () => {
  const late = await child('Firoz');
  await change(one, late, 'left', '11-20');
  expect((await principal.call(approvalList.api.list, { tab: 'forMe' } as never)).rows).toHaveLength(1);
  await change(one, late, 'joined', '11-25');
  const { rows } = await principal.call(approvalList.api.list, { tab: 'forMe' } as never);
  expect([rows, await balance(late.student)]).toEqual([[], 9_900_000]);
});

test('MC13 a bus that costs less is charged less at once for a transport incharge, and waits for one who is also accountant', async () => {
  const [head] =
    await school.sql(`insert into fee_head (name, short_name, category, frequency_id, applies_to, pro_rata, priority,
      receipt_series_id) select 'Bus', 'BUS', 'Transport', frequency_id, 'All students', 'Month', 60, receipt_series_id
    from fee_head where id = ${prices.heads.Tuition} returning id`);
  expect(head).toBeDefined();
  const { student } = await child('Gita');
  const charge = (who: Person, amount: number) =>
    school.services.db.transaction().execute((db) => {
      const user = { id: who.id, staffId: who.staffId, name: who.name } as unknown as UserContext['user'];
      const months = Array.from({ length: 3 }, (_, at) => ({ month: 9 + at, amount }));
      return setMonthCharges({ ...school.context(), db, user } as UserContext, prices.place.academicYearId, [
        { studentId: student, months },
      ]);
    });
  const owed = await balance(student);
  await charge(one, 200_000);
  expect(await balance(student)).toBe(owed + 600_000);
  await charge(one, 10_000);
  expect(await balance(student)).toBe(owed + 600_000);
  expect((await decide()).status).toBe(200);
  expect(await balance(student)).toBe(owed + 30_000);
  await charge(office, 5_000);
  expect(await balance(student)).toBe(owed + 15_000);
});

test('the ledger refuses what lowers fees without authority, whatever code inserts it', async () => {
  const { student, plan } = await child('Hari');
  const [due] = (await duesOf(student)).filter(({ due_on }) => due_on === day('11-10'));
  const insert = (change: string, amount = -100_000, kind = 'Charge') =>
    school.sql(`with change as (insert into fee_plan_change (plan_id, kind, effective_from, staff_id, authority, undoes_id)
        values ${change} returning id)
      insert into fee_ledger_entry (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on, amount, change_id)
      select ${due?.account_id}, ${due?.id}, ${due?.receipt_series_id}, ${due?.academic_year_id}, '${kind}', '${day(today)}',
        '${day(today)}', ${amount}, id from change`);
  const of = (kind: string, authority: string, staff = accountant.staffId, from = today, undoes = 'null') =>
    `(${plan}, '${kind}', '${day(from)}', ${staff}, '${authority}', ${undoes})`;
  const refused = { constraint: 'fee_lowered_alone' };
  for (const change of [
    of('Left', 'Raise'),
    of('Left', 'Before'),
    of('Left', 'Fact'),
    of('Left', 'Fact', office.staffId, '09-30'),
    of('Option', 'Fact', office.staffId),
    of('Prices', 'Price'),
    of('Option', 'Choice'),
    of('Left', 'Decided'),
    of('Concession', 'Terms'),
    of('Withdrawn', 'Undo', accountant.staffId, today, `(select min(id) from fee_plan_change where plan_id = ${plan})`),
  ])
    await expect(insert(change), change).rejects.toMatchObject(refused);
  await expect(
    school.sql(`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount)
    values (${due?.account_id}, ${due?.id}, ${due?.receipt_series_id}, 'Credit', '${day(today)}', '${day(today)}', -100)`),
  ).rejects.toMatchObject(refused);
  await expect(
    school.sql(`with own as (insert into fee_adjustment (account_id, kind, due_id, amount, reason, status, done_on, asked_by)
      values (${due?.account_id}, 'Credit', ${due?.id}, 100, 'Because', 'Done', '${day(today)}', ${accountant.staffId}) returning id)
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, adjustment_id)
    select ${due?.account_id}, ${due?.id}, ${due?.receipt_series_id}, 'Credit', '${day(today)}', '${day(today)}', -100, id from own`),
  ).rejects.toMatchObject(refused);
  await insert(of('Left', 'Fact', office.staffId));
});

test('an operation that forgets to ask is refused with a remedy, changes nothing and is logged as a fault', async () => {
  const { student } = await child('Isha');
  const [due] = await duesOf(student);
  const lines: string[] = [];
  const app = await openHttp({
    log: openLog('error', { write: (line) => void lines.push(line) }),
    trustedProxies: [],
    isSecure: false,
  });
  const asked = { method: 'POST', path: '/forgetful', input: z.object({}), output: z.object({}) } as const;
  const handle = async ({ db }: UserContext) => {
    await sql`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount)
      values (${due?.account_id}, ${due?.id}, ${due?.receipt_series_id}, 'Credit', ${day(today)}, ${day(today)}, -100)`.execute(
      db,
    );
    return {};
  };
  serve(app, school.services, [{ endpoint: endpoint({ ...asked, access: feeWriters }), handle: handle as never }]);
  const cookie = `${sessionCookie}=${accountant.cookies.get(sessionCookie)}`;
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const owed = await balance(student);
  const answer = await app.inject({ method: 'POST', url: '/api/forgetful', headers, payload: '{}' });
  expect([answer.statusCode, answer.json().error.message]).toEqual([
    409,
    'This lowers fees, so a second person decides. Ask for a correction on the student’s account.',
  ]);
  expect(await balance(student)).toBe(owed);
  expect(lines.join('')).toContain('fee_lowered_alone');
  await app.close();
});
