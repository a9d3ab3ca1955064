import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { chequeApi } from '../contract/cheque.ts';
import { paymentApi } from '../contract/payment.ts';
import { spread } from '../contract/spread.ts';
import { receiptMessages } from './receipt-message.ts';
import { sendsReceipts } from './settings.ts';

let school: School;
let prices: Prices;
let cashier: Person;
let children: number[];
let father: number;
beforeAll(async () => {
  school = await openSchool();
  cashier = await school.person({ role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
  // The deposit is receipted by a trust; tuition is fined after five days.
  const [trust] = await school.sql(
    `insert into fee_receipt_series (name, short_name) values ('Trust', 'TRU') returning id`,
  );
  await school.sql(`update fee_head set receipt_series_id = ${trust?.id} where id = ${prices.heads.Deposit}`);
  const [rule] = await school.sql(`insert into fee_fine_rule (name) values ('Late') returning id`);
  await school.sql(`insert into fee_fine_version (rule_id, effective_from, kind, amount, grace_days, max_amount)
    values (${rule?.id}, '2040-01-01', 'Per day', 2000, 5, 50000)`);
  await school.sql(
    `update fee_head set fine_rule_id = ${rule?.id} where id in (${prices.heads.Tuition}, ${prices.heads.Term})`,
  );
  children = [await plannedChild(school, prices, 'Aarav'), await plannedChild(school, prices, 'Diya')];
  father = await joinFamily(school, 'Nikhil', '9876500000', children);
});
afterAll(() => school.close());

const day = (monthDay: string) => `${prices.year}-${monthDay}`;
const dues = (on = '') => cashier.call(paymentApi.dues, { studentId: children[0] ?? 0, on });
async function pay(amount: number, on: string, over: object = {}) {
  const { children: found } = await dues(on);
  const { parts } = spread(
    amount,
    found.flatMap(({ lines }) => lines.filter(({ isDue }) => isDue)),
  );
  const body = {
    payerGuardianId: father,
    payerName: '',
    payerMobile: '',
    mode: 'UPI',
    reference: `R ${on} ${amount}`,
    paidOn: on,
    backReason: '',
    remark: '',
    amount,
    children: found.map(({ studentId, version, lines }) => ({
      studentId,
      version,
      lines: lines.flatMap(({ key }) => (parts.has(key) ? [{ key, amount: parts.get(key) }] : [])),
    })),
    ...over,
  };
  return cashier.send({ method: 'POST', url: '/api/fee/payment', body });
}

test('W41 a payment of a family gives a receipt for each child and receipt series, which name each other', async () => {
  const found = await dues();
  expect(found.children.map(({ name }) => name)).toEqual(['Aarav Shah', 'Diya Shah']);
  expect(found.payers).toMatchObject([{ guardianId: father, isPrimary: true }]);
  const due = found.children.map(({ lines }) =>
    lines.filter(({ isDue }) => isDue).reduce((sum, { owed }) => sum + owed, 0),
  );
  const { json } = await pay((due[0] ?? 0) + (due[1] ?? 0) + 50_000, day('04-12'));
  const papers = json.papers as { receiptNo: string; student: string; total: number; notes: never[] }[];
  expect(papers.map(({ student, receiptNo }) => [student, receiptNo.split('/')[0]])).toEqual([
    ['Aarav Shah', 'MAIN'],
    ['Aarav Shah', 'TRU'],
    ['Diya Shah', 'MAIN'],
    ['Diya Shah', 'TRU'],
  ]);
  expect(papers.reduce((sum, { total }) => sum + total, 0)).toBe((due[0] ?? 0) + (due[1] ?? 0) + 50_000);
  expect(json.papers[3].payment.amount).toBe((due[0] ?? 0) + (due[1] ?? 0) + 50_000);
  expect(json.advance).toBe(50_000);
  const others = papers.slice(1).map(({ receiptNo }) => receiptNo);
  expect(papers[0]?.notes.map(english).join(' ')).toContain(`with ${others.join(', ')}`);
  const balances = await school.sql(`select
      coalesce((select sum(net - paid) from fee_due where account_id = account.id and due_on <= '${day('04-12')}'), 0)::integer as due,
      coalesce((select sum(amount) from fee_advance where account_id = account.id), 0)::integer as advance
    from fee_account account where student_id in (${children.join()}) order by 2`);
  expect(balances).toEqual([
    { due: 0, advance: 0 },
    { due: 0, advance: 50_000 },
  ]);
});

test('B5.6 a fine is shown before it is charged, is posted with the payment, and stands after that is cancelled', async () => {
  school.clock.now = new Date(`${prices.year}-05-25T06:00:00Z`);
  const on = day('05-25');
  const [aarav] = (await dues(on)).children;
  const fine = aarav?.lines.find(({ isFine }) => isFine);
  expect(fine).toMatchObject({ owed: 20_000, days: 10, dueId: null, dueOn: day('05-10') });
  const before = await school.sql(`select count(*)::integer as count from fee_due where kind = 'Fine'`);
  expect(before).toEqual([{ count: 0 }]);
  const tuition = aarav?.lines.find(({ isFine, isDue }) => !isFine && isDue);
  const { children: found } = await dues(on);
  const child = found.find(({ studentId }) => studentId === aarav?.studentId);
  const { json, status } = await pay(tuition?.owed ?? 0, on, {
    children: [
      { studentId: child?.studentId, version: child?.version, lines: [{ key: tuition?.key, amount: tuition?.owed }] },
    ],
  });
  expect(status).toBe(200);
  const posted = async () =>
    (await school.sql(
      `select net::integer as net, paid::integer as paid from fee_due where kind = 'Fine'`,
    )) as unknown[];
  expect(await posted()).toEqual([{ net: 20_000, paid: 0 }]);
  const cancelled = await cashier.send({
    method: 'POST',
    url: `/api/fee/payment/${json.id}/cancel`,
    body: { version: 1, money: 'It never came', reason: 'Wrong' },
  });
  expect(cancelled.status).toBe(200);
  // It grows again from what was posted.
  school.clock.now = new Date(`${prices.year}-05-27T06:00:00Z`);
  const again = (await dues(day('05-27'))).children[0]?.lines.find(({ isFine }) => isFine);
  expect(again).toMatchObject({ owed: 24_000, days: 12 });
  expect(await posted()).toEqual([{ net: 20_000, paid: 0 }]);
});

test('B5.23 where the school sends receipts, the guardian who pays gets one message, also for a cheque, and none after a cancellation', async () => {
  const on = day('05-27');
  const sent = async () => school.sql(`select subject_id as id, recipient from outbox where template = 'fee.receipt'`);
  await school.sql(`delete from outbox; insert into setting (key, value) values ('${sendsReceipts.key}', 'false')`);
  await pay(30_000, on);
  expect(await sent()).toEqual([]);
  await school.sql(`update setting set value = 'true' where key = '${sendsReceipts.key}'`);
  const { json } = await pay(31_000, on);
  expect(await sent()).toEqual([{ id: json.id, recipient: '9876500000' }]);
  const message = await render(school.services, receiptMessages['fee.receipt'], json.id, 'sms');
  expect(message?.text).toContain(
    `Rs 310.00 for Aarav was received on 27 May ${prices.year}. Receipt ${json.papers[0].receiptNo}.`,
  );
  await cashier.send({
    method: 'POST',
    url: `/api/fee/payment/${json.id}/cancel`,
    body: { version: 1, money: 'It never came', reason: 'Wrong' },
  });
  expect(await render(school.services, receiptMessages['fee.receipt'], json.id, 'sms')).toBeUndefined();
  // A cheque names its drawer only; the primary contact gets the receipt.
  await cashier.call(chequeApi.take, {
    studentId: children[0] ?? 0,
    kind: 'Cheque',
    number: '412301',
    bank: 'Bank of Surat',
    datedOn: on,
    amount: 33_000,
    payerName: 'An uncle',
  });
  expect(await dues()).toMatchObject({ lastBank: 'Bank of Surat' });
  const [, cheque] = await sent();
  expect(cheque?.recipient).toBe('9876500000');
  const ofCheque = await render(school.services, receiptMessages['fee.receipt'], Number(cheque?.id), 'sms');
  expect(ofCheque?.text).toContain('Subject to realisation.');
  const [printed] = await school.sql(`select issued_as -> 'notes' as notes from fee_receipt
    where payment_id = ${cheque?.id}`);
  expect(printed?.notes).toContainEqual(expect.objectContaining({ id: 'Subject to realisation.' }));
  await school.sql(`update student_guardian set receives_messages = false`);
  await pay(32_000, on);
  expect(await sent()).toHaveLength(2);
  await school.sql(`delete from setting where key = '${sendsReceipts.key}'`);
});

test('a receipt says how many days a late fine counts', async () => {
  const on = day('05-27');
  const [child] = (await dues(on)).children;
  const fine = child?.lines.find(({ isFine }) => isFine);
  const { json } = await pay(fine?.owed ?? 0, on, {
    children: [
      { studentId: child?.studentId, version: child?.version, lines: [{ key: fine?.key, amount: fine?.owed }] },
    ],
  });
  expect(json.papers[0].lines).toMatchObject([{ head: 'Late fine', label: `${fine?.days} days` }]);
});

test('a receipt for a due with GST says what of it is tax', async () => {
  const [account] = await school.sql(`select account.id, due.receipt_series_id as series from fee_account account
    join fee_due due on due.account_id = account.id where student_id = ${children[0]} limit 1`);
  const [due] = await school.sql(`insert into fee_due (account_id, kind, receipt_series_id, gst_rate, label, due_on)
    values (${account?.id}, 'Extra', ${account?.series}, 1800, 'Activity kit', '${day('04-01')}') returning id`);
  await school.sql(`with own as (
      insert into fee_adjustment (account_id, kind, due_id, amount, reason, status, done_on, asked_by)
      select ${account?.id}, 'Debit', ${due?.id}, 100000, 'Kit', 'Done', '${day('04-01')}', min(id) from staff returning id)
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, adjustment_id)
    select ${account?.id}, ${due?.id}, ${account?.series}, 'Debit', '${day('04-01')}', '${day('04-01')}', 100000, id from own`);
  const on = day('05-27');
  const kit = async () => (await dues(on)).children[0]?.lines.find(({ label }) => label === 'Activity kit');
  const only = async (amount: number) => {
    const [child] = (await dues(on)).children;
    const lines = [{ key: (await kit())?.key, amount }];
    return pay(amount, on, { children: [{ studentId: child?.studentId, version: child?.version, lines }] });
  };
  const notesOf = (papers: { notes: never[] }[]) => papers[0]?.notes.map(english).join(' ');
  const first = await only(33_333);
  expect(notesOf(first.json.papers)).toContain('Includes GST of 18 %: taxable ₹282.49, CGST ₹25.42, SGST ₹25.42.');
  const second = await only(66_667);
  expect(notesOf(second.json.papers)).toContain('taxable ₹564.97, CGST ₹50.85, SGST ₹50.85.');
});

test('a child of another branch is shown by name and cannot be paid for', async () => {
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('North', 'NOR') returning id`);
  const [own] = await school.sql(`select branch_id from student_enrollment where student_id = ${children[0]}`);
  await school.sql(`update student_enrollment set branch_id = ${branch?.id} where student_id = ${children[1]}`);
  const limited = await school.person({ role: 'Staff', sets: ['accountant'], branchIds: [Number(own?.branch_id)] });
  const found = await limited.call(paymentApi.dues, { studentId: children[0] ?? 0, on: '' });
  expect(found.children[1]).toMatchObject({ name: 'Diya Shah', isElsewhere: true, lines: [], net: 0, grNo: '' });
  const answer = await limited.send({
    method: 'POST',
    url: '/api/fee/payment',
    body: {
      payerGuardianId: father,
      mode: 'Cash',
      paidOn: day('05-27'),
      amount: 100,
      children: [{ studentId: children[1], version: found.children[1]?.version, lines: [] }],
    },
  });
  expect(answer.status).toBe(404);
});
