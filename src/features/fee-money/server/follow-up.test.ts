import { afterAll, beforeAll, expect, test } from 'vitest';
import { render } from '#kit/server/messages/outbox.ts';
import { qrCode } from '#kit/server/paper/qr-code.ts';
import { approve } from '#testing/approving.ts';
import type { Person } from '#testing/browser.ts';
import { linkValueOf } from '#testing/family.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { receive } from '#testing/payments.ts';
import { pagesOf } from '#testing/pdf.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { readQrCode } from '#testing/qr-code.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { accountList } from '../contract/account.ts';
import { advanceApi } from '../contract/advance.ts';
import { followUpApi } from '../contract/follow-up.ts';
import { openingApi, openingImportApi } from '../contract/opening.ts';
import { feeMessages, remindRuns } from './remind.ts';
import { upiAddress } from './upi.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let principal: Person;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
});
afterAll(() => school.close());

const chosen = (...ids: number[]) => ({ ids, isAll: false, query: {} });
async function accountOf(student: number) {
  const [row] = await school.sql(`select account.id, balance::integer, gr_no, coalesce((select sum(amount)::integer
      from fee_advance where account_id = account.id), 0) as advance
    from fee_account account join student on student.id = account.student_id where student_id = ${student}`);
  return { id: Number(row?.id), balance: row?.balance, advance: row?.advance, grNo: String(row?.gr_no) };
}

async function remind(...ids: number[]) {
  const preview = await accountant.call(followUpApi.remind, { selection: chosen(...ids) });
  if (!preview.confirmToken) return preview;
  return accountant.call(followUpApi.remind, { selection: chosen(...ids), confirmToken: preview.confirmToken });
}

test('B5.14 a guardian is reminded of all children in one message, once a day, with what is owed when it is sent', async () => {
  const [elder, younger] = [await plannedChild(school, prices, 'Asha'), await plannedChild(school, prices, 'Bela')];
  await joinFamily(school, 'Nikhil', '9876512001', [elder, younger]);
  const alone = await plannedChild(school, prices, 'Chirag');
  const answer = await remind(elder, younger, alone);
  expect(answer).toMatchObject({ isApplied: true, changed: 1, skippedCount: 1 });
  expect(answer.skipped[0]).toMatchObject({ name: 'Chirag Shah' });
  await school.sql('update run set begins_at = null where finished_at is null');
  await finishRun(school.services, remindRuns, Number(answer.runId));
  const sent = await school.sql(
    `select subject_id as id, recipient, keeps_quiet from outbox where template = 'fee.reminder'`,
  );
  expect(sent).toMatchObject([{ recipient: '9876512001', keeps_quiet: true }]);
  const id = Number(sent[0]?.id);
  const message = await render(school.services, feeMessages['fee.reminder'], id, 'sms');
  expect(message?.text).toContain('fees of Rs 61,000.00 for Asha, Bela are due since 10 Apr 2044');
  expect(await remind(elder, younger)).toMatchObject({ changed: 0, skippedCount: 2 });
  // Paid in the meantime: no message.
  for (const student of [elder, younger]) {
    const { id: account } = await accountOf(student);
    const dues = await school.sql(`select id, receipt_series_id as series, net from fee_due
      where account_id = ${account} and due_on <= '${prices.year}-04-20'`);
    const on = dues.map((due) => ({ due: Number(due.id), amount: Number(due.net) }));
    await receive(school, { account, series: Number(dues[0]?.series), day: `${prices.year}-04-12`, on });
  }
  expect(await render(school.services, feeMessages['fee.reminder'], id, 'sms')).toBeUndefined();
});

test('B5.14 a guardian with a page is reminded with its link and one without it in plain words; a link that ended takes no reminder with it', async () => {
  const [paged, plain] = [await plannedChild(school, prices, 'Gauri'), await plannedChild(school, prices, 'Hetal')];
  const father = await joinFamily(school, 'Paresh', '9876512021', [paged]);
  await joinFamily(school, 'Rajesh', '9876512022', [plain]);
  await linkValueOf(school, father);
  const answer = await remind(paged, plain);
  await school.sql('update run set begins_at = null where finished_at is null');
  await finishRun(school.services, remindRuns, Number(answer.runId));
  const sent = await school.sql(`select template, subject_id as id, recipient, version from outbox
    where recipient in ('9876512021', '9876512022') order by recipient`);
  expect(sent.map(({ template, recipient }) => [template, recipient])).toEqual([
    ['fee.reminder-page', '9876512021'],
    ['fee.reminder', '9876512022'],
  ]);
  const [own] = sent;
  const kind = 'fee.reminder-page';
  const [id, version] = [Number(own?.id), Number(own?.version)];
  const words = async () => (await render(school.services, feeMessages[kind], id, 'sms', version, { kind }))?.text;
  const first = /Pay: \S+/.exec((await words()) ?? '')?.[0];
  expect(first).toMatch(/\/a\/\w+$/);
  // The link ended before the message was sent: the reminder goes without it, and with the next one once there is one.
  await school.sql(`update family_link set revoked_at = now(), revoked_reason = 'Lost' where guardian_id = ${father}`);
  expect(await words()).toContain('for Gauri are due since');
  expect(await words()).not.toContain('/a/');
  const { isFor } = feeMessages[kind];
  const queued = { subjectId: id, recipient: '9876512021', version };
  expect(isFor !== 'as queued' && (await isFor(school.services, queued))).toBe(true);
  await linkValueOf(school, father);
  const next = /Pay: \S+/.exec((await words()) ?? '')?.[0];
  expect([next !== undefined, next === first]).toEqual([true, false]);
});

test('a promise that passed unpaid is a tab of the list, and the note is on the account', async () => {
  const student = await plannedChild(school, prices, 'Dev');
  const note = { id: student, note: 'Father called', promisedOn: `${prices.year}-04-14` };
  await expect(
    accountant.call(followUpApi.add, { ...note, promisedOn: `${prices.year}-04-01` } as never),
  ).rejects.toMatchObject({ fields: { promisedOn: expect.anything() } });
  await accountant.call(followUpApi.add, note as never);
  const missed = async () =>
    (await accountant.call(accountList.api.list, { tab: 'promised' } as never)).rows.map(({ id }) => id);
  expect(await missed()).toEqual([]);
  school.clock.now = new Date(`${prices.year}-04-15T06:00:00Z`);
  expect(await missed()).toEqual([student]);
  const { rows } = await accountant.call(followUpApi.list, { id: student });
  expect(rows).toMatchObject([{ note: 'Father called', promisedOn: `${prices.year}-04-14`, by: 'Farida' }]);
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
});

test('B5.17 a demand slip has what is owed today, and the address of a UPI payment', async () => {
  await school.sql(`update fee_receipt_series set upi_id = 'teaktree@bank'`);
  const student = await plannedChild(school, prices, 'Esha');
  school.papers.isReal = true;
  const { status, bytes } = await accountant.send({ method: 'POST', url: '/api/fee/demand', body: chosen(student) });
  school.papers.isReal = false;
  expect(status).toBe(200);
  const page = (await pagesOf(bytes)).join(' ');
  expect(page).toContain('Esha Shah');
  expect(page).toContain('₹30,500.00 by UPI');
  const series = { id: 1, name: 'Main (school)', upiId: 'teaktree@bank' };
  const address = upiAddress({
    accountId: 12,
    version: 3,
    payee: 'Teak Tree',
    series,
    amount: 3_050_050,
    since: '2044-04-10',
  });
  expect(readQrCode(qrCode(address))).toBe(address);
  expect(address).toBe(
    'upi://pay?pa=teaktree%40bank&pn=Teak%20Tree&tr=FC204404103&am=30500.50&cu=INR&tn=Fees%20Main%20school',
  );
});

test('B5.18 advance pays what is due in its series after a preview, and on the account at once', async () => {
  const student = await plannedChild(school, prices, 'Farid');
  const { id: account } = await accountOf(student);
  const [series] = await school.sql('select min(id) as id from fee_receipt_series');
  await receive(school, {
    account,
    series: Number(series?.id),
    day: `${prices.year}-04-12`,
    on: [{ due: null, amount: 3_100_000 }],
  });
  const preview = await accountant.call(advanceApi.applyAll, {});
  expect(preview).toMatchObject({ isApplied: false, changed: 1, amount: 3_050_000 });
  await accountant.call(advanceApi.applyAll, { confirmToken: preview.confirmToken ?? '' });
  expect(await accountOf(student)).toMatchObject({ advance: 50_000, balance: 9_900_000 - 3_100_000 });
  await expect(accountant.call(advanceApi.apply, { studentId: student })).rejects.toMatchObject({ code: 'conflict' });
  school.clock.now = new Date(`${prices.year}-05-12T06:00:00Z`);
  expect(await accountant.call(advanceApi.apply, { studentId: student })).toEqual({ applied: 50_000 });
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
});

test('B5.13 opening balances are owed once, and the undo of a file removes what was not paid', async () => {
  await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on, status)
    values ('2043-2044', '2043-04-01', '2044-03-31', '2043-06-01', 'Closed')`);
  const [owes, ahead] = [await plannedChild(school, prices, 'Gita'), await plannedChild(school, prices, 'Hari')];
  const [first, second] = [await accountOf(owes), await accountOf(ahead)];
  const file = [
    'GR number,Academic year,Fee head,Amount (₹)',
    `${first.grNo},2043-2044,Tuition,"4,500"`,
    `${second.grNo},2043-2044,Tuition,-1200.50`,
  ].join('\n');
  const take = async (csv: string) => {
    const { confirmToken } = await accountant.call(openingImportApi.import, { file: csv });
    return accountant.call(openingImportApi.import, { file: csv, confirmToken: confirmToken ?? '' });
  };
  expect((await take(file)).counts).toMatchObject({ added: 2, wrong: 0 });
  await approve(school, principal);
  expect(await accountOf(owes)).toMatchObject({ balance: 9_900_000 + 450_000 });
  expect(await accountOf(ahead)).toMatchObject({ balance: 9_900_000 - 120_050, advance: 120_050 });
  expect((await accountant.call(openingImportApi.import, { file })).counts).toMatchObject({ same: 2 });
  const changed = file.replace('4,500', '4,600');
  expect((await accountant.call(openingImportApi.import, { file: changed })).rows[0]).toMatchObject({
    status: 'wrong',
  });
  const [due] = await school.sql(`select id, receipt_series_id as series from fee_due
    where account_id = ${first.id} and kind = 'Opening'`);
  const on = [{ due: Number(due?.id), amount: 100 }];
  await receive(school, { account: first.id, series: Number(due?.series), day: `${prices.year}-04-12`, on });
  const { rows } = await accountant.call(openingApi.list, {});
  expect(rows).toMatchObject([{ by: 'Farida', count: 2, undone: 0, owed: 450_000, advance: 120_050 }]);
  expect(await accountant.call(openingApi.undo, { id: rows[0]?.id ?? 0 })).toMatchObject({ isAsked: true });
  await approve(school, principal);
  expect(await accountOf(ahead)).toMatchObject({ balance: 9_900_000, advance: 0 });
  expect(await accountOf(owes)).toMatchObject({ balance: 9_900_000 + 450_000 - 100 });
});
