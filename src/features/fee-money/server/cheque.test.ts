import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { makePlan } from '#features/fee-price/api.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { accountApi } from '../contract/account.ts';
import { chequeApi, chequeList, chequeMessages } from '../contract/cheque.ts';
import { paymentApi } from '../contract/payment.ts';
import { spread } from '../contract/spread.ts';
import { monthsLater } from './cheque-series.ts';

let school: School;
let prices: Prices;
let accountant: Person;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  at('2044-04-10');
});
afterAll(() => school.close());

function at(day: string) {
  school.clock.now = new Date(`${day}T06:00:00Z`);
}
let numbers = 100_000;
/** A cheque of a student who owes 99,000 for the year, of which 35,500 are due on 10 April. */
async function cheque(name: string, datedOn: string, amount: number) {
  const [row] = await school.sql(`select student_id as id from student_enrollment
    where id = ${await enroll(school, prices.place, name)}`);
  const studentId = Number(row?.id);
  const ctx = school.context();
  await ctx.db.transaction().execute((db) => makePlan({ ...ctx, db }, studentId, prices.place.academicYearId, {}));
  const number = String(++numbers);
  const made = await accountant.call(chequeApi.take, {
    studentId,
    kind: 'Cheque',
    number,
    bank: 'Bank of Surat',
    datedOn,
    amount,
    payerName: 'A parent',
  });
  return { studentId, ...made };
}
const act = async (id: number, what: string, body: object = {}) => {
  const [row] = await school.sql(`select version from fee_cheque where id = ${id}`);
  return accountant.send({
    method: 'POST',
    url: `/api/fee/cheque/${id}/${what}`,
    body: { version: row?.version, ...body },
  });
};
/** Rupees. */
const balance = async (studentId: number) =>
  Number(
    (
      await school.sql(`select balance / 100 as balance from fee_account where student_id = ${studentId}
      and balance = (select sum(amount) from fee_ledger_entry where account_id = fee_account.id)`)
    )[0]?.balance,
  );
const rowsOf = async (tab: string) =>
  (await accountant.call(chequeList.api.list, { tab } as never)).rows.map(({ id, status }) => [id, status]);

test('B5.45 a bounce reverses the payment of a cheque and charges for it, and a new deposit is a new payment', async () => {
  const { id, studentId, status } = await cheque('Asha', '2044-04-08', 500_000);
  expect([status, await balance(studentId)]).toEqual(['Received', 94_000]);
  expect(await rowsOf('today')).toEqual([[id, 'Received']]);
  await act(id, 'deposit', { slipNo: '17' });
  const twice = await Promise.all([1, 2].map(() => act(id, 'bounce', { reason: 'No funds', charge: 30_000 })));
  expect(twice.map((answer) => answer.status).sort()).toEqual([200, 409]);
  expect(await balance(studentId)).toBe(99_300);
  expect((await act(id, 'clear')).status).toBe(409);
  expect((await act(id, 'deposit', { slipNo: '18' })).status).toBe(200);
  expect(await balance(studentId)).toBe(94_300);
  expect((await act(id, 'clear')).json).toEqual({ status: 'Cleared' });
  const [row] =
    await school.sql(`select bounces, (select count(*)::integer from fee_payment) as payments from fee_cheque
    where id = ${id}`);
  expect(row).toEqual({ bounces: 1, payments: 2 });
});

test('B5.47 a cheque bounces, is cleared and given back after the cashier has closed the day; a new payment waits for tomorrow', async () => {
  const [bounced, cleared, received] = await Promise.all(
    ['Dev', 'Esha', 'Farid'].map((name) => cheque(name, '2044-04-09', 500_000)),
  );
  for (const one of [bounced, cleared]) await act(one?.id ?? 0, 'deposit', { slipNo: '17' });
  at('2044-04-12');
  await school.sql(`insert into fee_day (staff_id, day) values (${accountant.staffId}, '2044-04-12');
    update fee_day set status = 'Closed', closed_by = staff_id, closed_at = now() where day = '2044-04-12'`);
  expect((await act(bounced?.id ?? 0, 'bounce', { reason: 'No funds', charge: 30_000 })).status).toBe(200);
  expect(await balance(bounced?.studentId ?? 0)).toBe(99_300);
  expect((await act(cleared?.id ?? 0, 'clear')).json).toEqual({ status: 'Cleared' });
  expect((await act(received?.id ?? 0, 'deposit', { slipNo: '18' })).json).toEqual({ status: 'Deposited' });
  const again = await act(bounced?.id ?? 0, 'deposit', { slipNo: '19' });
  expect([again.status, again.json.error.message]).toEqual([
    409,
    expect.stringMatching(/^Your drawer is closed since .* Open another shift/),
  ]);
  expect((await act(bounced?.id ?? 0, 'return', { reason: 'Pays in cash' })).json).toEqual({ status: 'Returned' });
  at('2044-04-10');
});

test('B5.46 a cheque of a later day is no money before that day', async () => {
  const { id, studentId, status } = await cheque('Bela', '2044-05-02', 500_000);
  expect([status, await balance(studentId)]).toEqual(['Held', 99_000]);
  expect((await act(id, 'deposit', { slipNo: '' })).status).toBe(409);
  expect(await rowsOf('held')).toEqual([[id, 'Held']]);
  at('2044-05-02');
  expect(await rowsOf('today')).toEqual([[id, 'Held']]);
  // What can go to the bank today is one row of work for the accountant, gone with the deposit.
  const toDeposit = async () =>
    (await accountant.call(dashboardApi.todo, {})).rows
      .filter(({ kind }) => kind === 'fee-deposit')
      .map(({ title, about, when, detail }) => [
        typeof title === 'string' ? title : english(title),
        about,
        when,
        english(detail),
      ]);
  expect(await toDeposit()).toEqual([['1 cheque to deposit', '₹5,000', 'today', 'Received 2 May']]);
  at('2044-05-03');
  expect((await toDeposit())[0]?.[2]).toBe('late');
  at('2044-05-02');
  await act(id, 'deposit', { slipNo: '19' });
  expect(await toDeposit()).toEqual([]);
  expect(await balance(studentId)).toBe(94_000);
  const [receipt] = await school.sql(`select receipt_date::text from fee_receipt order by id desc limit 1`);
  expect(receipt).toEqual({ receipt_date: '2044-05-02' });
  at('2044-04-10');
});

test('a cheque is in the register once, is refused when it is too old, and is given back with a reason', async () => {
  const { id } = await cheque('Chirag', '2044-06-01', 100_000);
  const [row] = await school.sql(`select student_id, number from fee_cheque where id = ${id}`);
  const body = {
    studentId: row?.student_id,
    kind: 'Cheque',
    number: row?.number,
    bank: 'bank of surat',
    datedOn: '2044-06-01',
    amount: 100_000,
    payerName: 'A parent',
  };
  const send = (over: object) =>
    accountant.send({ method: 'POST', url: '/api/fee/cheque', body: { ...body, ...over } });
  expect(Object.keys((await send({})).json.error.fields)).toEqual(['number']);
  // Good until the same day three months later.
  expect(Object.keys((await send({ number: '999999', datedOn: '2044-01-09' })).json.error.fields)).toEqual(['datedOn']);
  expect((await send({ number: '999999', datedOn: '2044-01-10' })).status).toBe(200);
  expect((await act(id, 'return', { reason: 'Paid in cash' })).json).toEqual({ status: 'Returned' });
  await expect(school.sql(`update fee_cheque set status = 'Held' where id = ${id}`)).rejects.toThrow('goes its way');
});

test('B5.24 a cheque at the counter pays for brother and sister at once, and bounces and is deposited again for both', async () => {
  const children = [await plannedChild(school, prices, 'Gaurav'), await plannedChild(school, prices, 'Hetal')];
  const payerGuardianId = await joinFamily(school, 'Jayesh', '9876500077', children);
  const before = await Promise.all(children.map(balance));
  const { children: found } = await accountant.call(paymentApi.dues, { studentId: children[0] ?? 0, on: '' });
  const amount = 4_000_000;
  const { parts } = spread(
    amount,
    found.flatMap(({ lines }) => lines),
  );
  const body = {
    payerGuardianId,
    payerName: '',
    payerMobile: '',
    amount,
    kind: 'Cheque' as const,
    number: '700001',
    bank: 'Bank of Surat',
    datedOn: '2044-04-10',
    children: found.map(({ studentId, version, lines }) => ({
      studentId,
      version,
      lines: lines.flatMap(({ key }) => (parts.has(key) ? [{ key, amount: parts.get(key) ?? 0 }] : [])),
    })),
  };
  await expect(accountant.call(chequeApi.takeAtCounter, { ...body, datedOn: '2044-04-11' })).rejects.toMatchObject({
    fields: { datedOn: chequeMessages.later },
  });
  expect(await Promise.all(children.map(balance))).toEqual(before);

  const { papers } = await accountant.call(chequeApi.takeAtCounter, body);
  expect([...new Set(papers.map(({ student, mode, reference }) => `${student} ${mode} ${reference}`))]).toEqual([
    'Gaurav Shah Cheque 700001',
    'Hetal Shah Cheque 700001',
  ]);
  const paid = async () => (await Promise.all(children.map(balance))).map((now, place) => (before[place] ?? 0) - now);
  const first = await paid();
  expect(first.reduce((sum, part) => sum + part, 0)).toBe(amount / 100);
  expect(Math.min(...first)).toBeGreaterThan(0);
  const [row] = await school.sql(`select id, payer_name as payer, status from fee_cheque where number = '700001'`);
  expect(row).toMatchObject({ payer: 'Jayesh Shah', status: 'Received' });
  const id = Number(row?.id);
  await act(id, 'deposit', { slipNo: '21' });
  expect((await act(id, 'bounce', { reason: 'No funds', charge: 0 })).status).toBe(200);
  expect(await paid()).toEqual([0, 0]);
  expect((await act(id, 'deposit', { slipNo: '22' })).status).toBe(200);
  expect(await paid()).toEqual(first);
});

test('MB5 a series of twelve cheques is held until the day of each, and eight that are left are given back at once, without a charge', async () => {
  at('2044-11-28');
  const studentId = await plannedChild(school, prices, 'Gauri');
  const series = {
    studentId,
    number: '700001',
    count: 12,
    bank: 'Bank of Surat',
    amount: 500_000,
    payerName: 'A parent',
  };
  await expect(accountant.call(chequeApi.takeSeries, { ...series, datedOn: '2044-11-28' })).rejects.toMatchObject({
    fields: { datedOn: chequeMessages.seriesLater },
  });
  await expect(
    accountant.call(chequeApi.takeSeries, { ...series, number: '999995', datedOn: '2044-12-05' }),
  ).rejects.toMatchObject({ fields: { number: chequeMessages.seriesNumber } });
  const before = await balance(studentId);
  const { ids, total } = await accountant.call(chequeApi.takeSeries, { ...series, datedOn: '2044-12-05' });
  expect([ids.length, total, await balance(studentId)]).toEqual([12, 6_000_000, before]);
  // Account, statement and slip name them, and none counts as paid.
  const named = { number: '700001', bank: 'Bank of Surat', datedOn: '2044-12-05', amount: 500_000 };
  const account = await accountant.call(accountApi.read, { id: studentId });
  const statement = await accountant.call(accountApi.statement, { id: studentId, on: '' });
  const earlier = await accountant.call(accountApi.statement, { id: studentId, on: '2044-11-27' });
  expect([account.heldCheques.length, statement.heldCheques[0], earlier.heldCheques]).toEqual([12, named, []]);
  const body = { ids: [studentId], isAll: false, query: {} };
  expect((await accountant.send({ method: 'POST', url: '/api/fee/demand', body })).status).toBe(200);
  const { slips } = school.papers.last().data as unknown as { slips: { held: string[] }[] };
  expect(slips[0]?.held[0]).toBe('Held, not paid: cheque 700001 of 5 Dec 2044, Bank of Surat, ₹5,000.00');
  await expect(accountant.call(chequeApi.takeSeries, { ...series, datedOn: '2044-12-05' })).rejects.toMatchObject({
    fields: { number: chequeMessages.once },
  });
  const dates = await school.sql(
    `select number, dated_on::text as day from fee_cheque where student_id = ${studentId} order by id`,
  );
  expect([dates[0], dates[11]]).toEqual([
    { number: '700001', day: '2044-12-05' },
    { number: '700012', day: '2045-11-05' },
  ]);
  expect(
    ['2045-02-28', '2044-02-29'].map((day) =>
      [monthsLater('2045-01-31', 1), monthsLater('2044-01-31', 1)].includes(day),
    ),
  ).toEqual([true, true]);
  at('2044-12-05');
  expect((await rowsOf('today')).filter(([id]) => ids.includes(Number(id)))).toEqual([[ids[0], 'Held']]);
  for (const [n, day] of ['2044-12-05', '2045-01-05', '2045-02-05', '2045-03-05'].entries()) {
    at(day);
    expect((await act(ids[n] ?? 0, 'deposit', { slipNo: `S${n}` })).status).toBe(200);
  }
  expect(await balance(studentId)).toBe(before - 20_000);
  const giveBack = (chosen: readonly number[]) =>
    accountant.call(chequeApi.giveBackMany, {
      selection: { ids: [...chosen], isAll: false, query: {} },
      reason: 'Left',
    } as never);
  // One that is at the bank is given back by nobody, and then none is.
  await expect(giveBack(ids.slice(3))).rejects.toMatchObject({ code: 'conflict' });
  expect(await giveBack(ids.slice(4))).toEqual({ cheques: 8, amount: 4_000_000 });
  const [after] = await school.sql(`select count(*) filter (where status = 'Returned')::integer as returned,
    sum(bounces)::integer as bounces from fee_cheque where student_id = ${studentId}`);
  expect([after, await balance(studentId)]).toEqual([{ returned: 8, bounces: 0 }, before - 20_000]);
});

test('the news of the day counts students with a bounced cheque by record, so two of one name are two', async () => {
  at('2044-04-11');
  for (const one of [
    await cheque('Namesake', '2044-04-09', 100_000),
    await cheque('Namesake', '2044-04-09', 100_000),
  ]) {
    await act(one.id, 'deposit', { slipNo: '31' });
    expect((await act(one.id, 'bounce', { reason: 'No funds', charge: 0 })).status).toBe(200);
  }
  const { since, lines } = await accountant.call(dashboardApi.changes, {});
  const [row] = await school.sql(`select count(distinct student.id)::integer as students,
      count(distinct student.name)::integer as names
    from fee_cheque cheque join student on student.id = cheque.student_id
    where cheque.status = 'Bounced' and cheque.ended_on >= '${since}'`);
  expect(Number(row?.students)).toBeGreaterThan(Number(row?.names));
  const news = lines.find(({ words }) => english(words).includes('bounced'));
  expect(Number(news?.names.length) + Number(news?.more)).toBe(row?.students);
  at('2044-04-10');
});
