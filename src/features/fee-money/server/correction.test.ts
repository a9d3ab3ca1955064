import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { makePlan } from '#features/fee-price/api.ts';
import { notificationApi } from '#features/notification/contract.ts';
import type { Person } from '#testing/browser.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { correctionList, refundList } from '../contract/correction.ts';
import { reportApi } from '../contract/report.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let principal: Person;
let series: number;
const day = '2044-04-05';
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${day}T06:00:00Z`);
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal', 'accountant'] });
  series = Number((await school.sql('select id from fee_receipt_series'))[0]?.id);
});
afterAll(() => school.close());

async function child(name: string) {
  const [row] = await school.sql(`select student_id as id from student_enrollment
    where id = ${await enroll(school, prices.place, name)}`);
  const ctx = school.context();
  const studentId = Number(row?.id);
  await ctx.db.transaction().execute((db) => makePlan({ ...ctx, db }, studentId, prices.place.academicYearId, {}));
  const [account] = await school.sql(`select id from fee_account where student_id = ${studentId}`);
  return { studentId, account: Number(account?.id) };
}
const dueOf = async (account: number, head: number) =>
  Number(
    (
      await school.sql(`select id from fee_due where account_id = ${account} and fee_head_id = ${head}
      order by due_on limit 1`)
    )[0]?.id,
  );
const parts = { dueId: null, feeHeadId: null, dueOn: '', fromSeriesId: null, toSeriesId: null, reason: 'Agreed' };
const correct = (studentId: number, over: object, who = accountant) =>
  who.send({ method: 'POST', url: '/api/fee/adjustment', body: { studentId, ...parts, ...over } });
/** The pending request about a document, decided by the principal. */
async function decide(column: string, id: number, outcome = 'Approved') {
  const [asked] = await school.sql(`select id from approval where ${column} = ${id} and status = 'Pending'`);
  const found = await principal.call(approvalApi.read, { id: Number(asked?.id) });
  const body = { version: found.version, seen: found.seen, outcome, remark: outcome === 'Rejected' ? 'No' : '' };
  return principal.send({ method: 'POST', url: `/api/approval/${found.id}/decide`, body });
}
/** Rupees: the account's balance, its advance, and what one due charges and has paid. */
async function state(account: number, due = 0) {
  const [row] = await school.sql(`select balance / 100 as balance,
      (select coalesce(sum(amount), 0) / 100 from fee_advance where account_id = account.id) as advance,
      (select net / 100 from fee_due where id = ${due}) as net, (select paid / 100 from fee_due where id = ${due}) as paid,
      (select sum(amount) from fee_ledger_entry where account_id = account.id) = balance as "isSum"
    from fee_account account where id = ${account}`);
  expect(row?.isSum).toBe(true);
  return [row?.balance, row?.advance, row?.net, row?.paid].map(Number);
}

test('B5.43 a debit charges a due of its own at once; a credit waits for a second person and frees what was paid', async () => {
  const { studentId, account } = await child('Asha');
  const { json } = await correct(studentId, {
    kind: 'Debit',
    feeHeadId: prices.heads.Annual,
    dueOn: '2044-04-20',
    amount: 35_000,
    reason: 'Lost library book',
  });
  expect(json).toMatchObject({ status: 'Done' });
  expect(await state(account)).toEqual([99_350, 0, 0, 0]);

  const due = await dueOf(account, prices.heads.Term);
  await receive(school, { account, series, day, on: [{ due, amount: 450_000 }] });
  const asked = await correct(studentId, { kind: 'Credit', dueId: due, amount: 100_000 });
  expect(asked.json.status).toBe('Requested');
  expect(await state(account, due)).toEqual([94_850, 0, 4500, 4500]);
  expect((await decide('fee_adjustment_id', asked.json.id)).status).toBe(200);
  expect(await state(account, due)).toEqual([93_850, 1000, 3500, 3500]);
  const { rows } = await accountant.call(correctionList.api.list, { tab: 'all' } as never);
  expect(rows.map(({ kind, status, about }) => [kind, status, about])).toEqual(
    expect.arrayContaining([
      ['Credit', 'Done', 'Term, Quarterly 1'],
      ['Debit', 'Done', 'Annual, Lost library book'],
    ]),
  );
});

test('more than is open is refused in its field, a fine alone is waived, and a rejected write-off changes nothing', async () => {
  const { studentId, account } = await child('Bela');
  const due = await dueOf(account, prices.heads.Tuition);
  const more = await correct(studentId, { kind: 'Write-off', dueId: due, amount: 500_100 });
  expect(more.json.error.fields).toEqual({ amount: 'At most ₹5,000.00.' });
  const waiver = await correct(studentId, { kind: 'Waiver', dueId: due, amount: 100 });
  expect(Object.keys(waiver.json.error.fields)).toEqual(['kind']);
  const { json } = await correct(studentId, { kind: 'Write-off', dueId: due, amount: 500_000 });
  await decide('fee_adjustment_id', json.id, 'Rejected');
  expect(await state(account, due)).toEqual([99_000, 0, 5000, 0]);
  const other = await correct(studentId, { kind: 'Write-off', dueId: due, amount: 500_000 }, principal);
  const [request] = await school.sql(`select id from approval where fee_adjustment_id = ${other.json.id}`);
  const own = await principal.call(approvalApi.read, { id: Number(request?.id) });
  const body = { version: own.version, seen: own.seen, outcome: 'Approved', remark: '' };
  const decided = await principal.send({ method: 'POST', url: `/api/approval/${own.id}/decide`, body });
  expect(decided.status).not.toBe(200);
});

test('B5.44 a refund holds its advance from the request, and is paid once with a voucher', async () => {
  const { studentId, account } = await child('Chirag');
  await receive(school, { account, series, day, on: [{ due: null, amount: 600_000 }] });
  const ask = (amount: number) =>
    accountant.send({
      method: 'POST',
      url: '/api/fee/refund',
      body: { studentId, receiptSeriesId: series, amount, mode: 'Cheque', payee: 'A parent', reason: 'Left' },
    });
  const { json } = await ask(500_000);
  const second = await ask(100_100);
  expect(second.json.error.fields).toEqual({
    amount: 'At most ₹1,000.00: ₹5,000.00 of the advance is requested in another refund.',
  });
  const version = async () =>
    Number((await school.sql(`select version from fee_refund where id = ${json.id}`))[0]?.version);
  const pay = async () =>
    accountant.send({
      method: 'POST',
      url: `/api/fee/refund/${json.id}/pay`,
      body: { version: await version(), reference: '000123' },
    });
  expect((await pay()).status).toBe(409);
  const notice = async (who: Person) => (await who.call(notificationApi.list, {})).rows[0];
  expect(await notice(principal)).toMatchObject({ about: expect.stringContaining('Chirag') });
  const toPay = async (who: Person) =>
    (await who.call(dashboardApi.todo, {})).rows.filter(({ kind }) => kind === 'fee-refund').map(({ title }) => title);
  expect(await toPay(accountant)).toEqual([]);
  await decide('fee_refund_id', json.id);
  const approver = await school.person({ role: 'Staff', sets: ['financeApprover'] });
  expect([await toPay(accountant), await toPay(approver)]).toEqual([[expect.stringContaining('Chirag')], []]);
  expect(await notice(accountant)).toMatchObject({
    text: { id: 'Your request was approved.' },
    about: expect.stringContaining('Chirag'),
  });
  const v = await version();
  const body = { version: v, reference: '000123' };
  const url = `/api/fee/refund/${json.id}/pay`;
  const twice = await Promise.all([1, 2].map(() => accountant.send({ method: 'POST', url, body })));
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await state(account)).toEqual([98_000, 1000, 0, 0]);
  expect(await toPay(accountant)).toEqual([]);
  const { rows } = await accountant.call(refundList.api.list, { tab: 'all' } as never);
  expect(rows[0]).toMatchObject({ status: 'Paid', refundNo: expect.stringMatching(/^RF\//), paidOn: day });
  await expect(school.sql(`update fee_refund set amount = amount + 1 where id = ${json.id}`)).rejects.toThrow(
    'keeps its amount',
  );
  const { total, ledger } = await accountant.call(reportApi.read, { kind: 'Outstanding by age', to: '2044-12-31' });
  expect(total).toBe(ledger);
});

test('MC7 advance is refunded as far as nothing is due in another series, when it is asked for and when it is paid', async () => {
  const { studentId, account } = await child('Esha');
  const [trust] = await school.sql(
    `insert into fee_receipt_series (name, short_name) values ('Second', 'SEC') returning id`,
  );
  const owe = (amount: number) =>
    school.sql(`with due as (insert into fee_due (account_id, kind, fee_head_id, receipt_series_id, gst_rate, label, due_on)
        select ${account}, 'Extra', (select min(id) from fee_head), ${trust?.id}, 0, 'Picnic', '${day}' returning id)
      insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount)
      select ${account}, id, ${trust?.id}, 'Debit', '${day}', '${day}', ${amount} from due`);
  const dues = await school.sql(
    `select id, net - paid as amount from fee_due where account_id = ${account} and due_on <= '${day}'`,
  );
  const on = dues.map(({ id, amount }) => ({ due: Number(id), amount: Number(amount) }));
  await receive(school, { account, series, day, on: [...on, { due: null, amount: 1_150_000 }] });
  await owe(120_000);
  const ask = (amount: number) =>
    accountant.send({
      method: 'POST',
      url: '/api/fee/refund',
      body: { studentId, receiptSeriesId: series, amount, mode: 'Cheque', payee: 'A parent', reason: 'Left' },
    });
  expect((await ask(1_150_000)).json.error.fields).toEqual({ amount: 'At most ₹10,300.00: ₹1,200.00 is due.' });
  const { json } = await ask(1_030_000);
  await decide('fee_refund_id', json.id);
  await owe(50_000);
  const [row] = await school.sql(`select version from fee_refund where id = ${json.id}`);
  const body = { version: row?.version, reference: '000124' };
  const paid = await accountant.send({ method: 'POST', url: `/api/fee/refund/${json.id}/pay`, body });
  expect([paid.status, paid.json.error.message]).toEqual([409, 'At most ₹9,800.00: ₹1,700.00 is due.']);
});

test('advance moves to another receipt series by an approved transfer', async () => {
  const { studentId, account } = await child('Dev');
  const [other] = await school.sql(
    `insert into fee_receipt_series (name, short_name) values ('Trust', 'TRU') returning id`,
  );
  await receive(school, { account, series, day, on: [{ due: null, amount: 100_000 }] });
  const asked = await correct(studentId, {
    kind: 'Transfer',
    fromSeriesId: series,
    toSeriesId: Number(other?.id),
    amount: 40_000,
  });
  await decide('fee_adjustment_id', asked.json.id);
  const advances = await school.sql(
    `select amount::integer from fee_advance where account_id = ${account} order by receipt_series_id`,
  );
  expect(advances.map(({ amount }) => amount)).toEqual([60_000, 40_000]);
});
