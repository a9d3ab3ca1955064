import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { searchApi } from '#features/search/contract.ts';
import { english } from '#kit/contract/text.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { accountApi } from '../contract/account.ts';
import { dayApi } from '../contract/day.ts';
import { moveApi } from '../contract/move.ts';
import { paymentApi } from '../contract/payment.ts';
import { reportApi } from '../contract/report.ts';
import { unplacedList } from '../contract/unplaced.ts';
import { cancelMessages } from './cancel-message.ts';
import { readPayable } from './read-dues.ts';

let school: School;
let prices: Prices;
let cashier: Person;
let principal: Person;
let aarav: number;
let diya: number;
let stranger: number;
let elder: number;
let younger: number;
let father: number;
let april: object;
beforeAll(async () => {
  school = await openSchool();
  cashier = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
  const [rule] = await school.sql(`insert into fee_fine_rule (name) values ('Late') returning id`);
  await school.sql(`insert into fee_fine_version (rule_id, effective_from, kind, amount, grace_days, max_amount)
    values (${rule?.id}, '2040-01-01', 'Per day', 2000, 5, 50000)`);
  await school.sql(`update fee_head set fine_rule_id = ${rule?.id} where id = ${prices.heads.Tuition}`);
  school.clock.now = at('04-12');
  [aarav, diya] = [await plannedChild(school, prices, 'Aarav'), await plannedChild(school, prices, 'Diya')];
  father = await joinFamily(school, 'Nikhil', '9876500000', [aarav, diya]);
  stranger = await plannedChild(school, prices, 'Zoya');
  await joinFamily(school, 'Imran', '9876500001', [stranger]);
  // Two children who have paid until April.
  [elder, younger] = [await plannedChild(school, prices, 'Elder'), await plannedChild(school, prices, 'Younger')];
  const payerGuardianId = await joinFamily(school, 'Naresh', '9876500002', [elder, younger]);
  april = { payerGuardianId, mode: 'UPI' };
  await pay({ [elder]: 3_050_000, [younger]: 3_050_000 }, { ...april, reference: 'APRIL' });
});
afterAll(() => school.close());

const at = (monthDay: string, time = '06:00') => new Date(`${prices.year}-${monthDay}T${time}:00Z`);
const day = (monthDay: string) => `${prices.year}-${monthDay}`;
const post = (who: Person, url: string, body: object) => who.send({ method: 'POST', url: `/api${url}`, body });

/** Pays amounts for children, each the oldest dues first. */
async function pay(shares: Readonly<Record<number, number>>, over: object = {}) {
  const paidOn = school.clock.now?.toISOString().slice(0, 10);
  const children = [];
  for (const [id, amount] of Object.entries(shares)) {
    const found = await cashier.call(paymentApi.dues, { studentId: Number(id), on: '' });
    const own = found.children.find((child) => child.studentId === Number(id));
    let left = amount;
    const lines = (own?.lines ?? []).flatMap(({ key, owed }) => {
      const part = Math.min(left, owed);
      left -= part;
      return part > 0 ? [{ key, amount: part }] : [];
    });
    children.push({ studentId: Number(id), version: own?.version, lines });
  }
  const amount = Object.values(shares).reduce((sum, share) => sum + share, 0);
  const payer = { payerGuardianId: father, payerName: '', payerMobile: '' };
  const how = { mode: 'Cash', reference: '', paidOn, backReason: '', remark: '' };
  const { status, json } = await post(cashier, '/fee/payment', { ...payer, ...how, amount, children, ...over });
  expect([status, json]).toEqual([200, json]);
  return {
    id: Number(json.id),
    receipts: json.papers.map((paper: { receiptNo: string }) => paper.receiptNo) as string[],
  };
}
const versionOf = async (id: number) =>
  Number((await school.sql(`select version from fee_payment where id = ${id}`))[0]?.version);
const cancel = async (id: number, money: string, who = cashier) =>
  post(who, `/fee/payment/${id}/cancel`, { version: await versionOf(id), money, reason: 'Wrong child' });
const move = async (id: number, shares: Readonly<Record<number, number>>) =>
  post(cashier, `/fee/payment/${id}/move`, {
    version: await versionOf(id),
    children: Object.entries(shares).map(([studentId, amount]) => ({ studentId: Number(studentId), amount })),
    reason: 'Wrong child',
  });
async function decide(who = principal, outcome = 'Approved') {
  const [row] = await school.sql(`select id from approval where status = 'Pending' order by id desc limit 1`);
  const id = Number(row?.id);
  const { version, seen } = await who.call(approvalApi.read, { id });
  return post(who, `/approval/${id}/decide`, { version, seen, outcome, remark: outcome === 'Approved' ? '' : 'No' });
}
const nextOf = async (id: number) =>
  Number((await school.sql(`select id from fee_payment where reissue_of = ${id}`))[0]?.id);
const dayOf = (on: string) => cashier.call(dayApi.read, { day: on, staffId: '' });
const accountOf = (studentId: number) => cashier.call(accountApi.read, { id: studentId });
const unplaced = async (tab = 'open') => (await cashier.call(unplacedList.api.list, { tab } as never)).rows;
const dayBook = async (on: string) => {
  const { rows, total, ledger } = await cashier.call(reportApi.read, { kind: 'Day book', from: on, to: on });
  return { rows: rows.map(({ cells }) => cells), total, ledger };
};
const refusal = ({ json }: { json: { error: { text?: never; texts?: Record<string, never> } } }) => {
  const [field] = Object.values(json.error.texts ?? {});
  return english(field ?? (json.error.text as never));
};
/** Balance, dues and advance of every account agree with the ledger. */
async function expectTied() {
  const [row] = await school.sql(`select count(*)::integer as count from fee_account account where balance <>
      coalesce((select sum(amount) from fee_ledger_entry where account_id = account.id), 0)
    or balance <> coalesce((select sum(net - paid) from fee_due where account_id = account.id), 0)
      - coalesce((select sum(amount) from fee_advance where account_id = account.id), 0)`);
  expect(row?.count).toBe(0);
}
async function closeDay(on: string) {
  const drawer = await dayOf(on);
  const notes = drawer.expected / 100;
  await post(cashier, `/fee/day/${drawer.id}/close`, {
    version: drawer.version,
    counts: [{ note: 1, pieces: notes }],
    reason: '',
    banked: 0,
    slipNo: '',
  });
}

test('MC8 cash of a closed day that the school still has becomes unplaced money, is paid back with a voucher, and leaves no cash missing', async () => {
  const before = await accountOf(aarav);
  const { id } = await pay({ [aarav]: 500_000 });
  await closeDay(day('04-12'));
  school.clock.now = at('04-13');
  await pay({ [diya]: 200_000 });
  const [closed, open, bookBefore] = [
    await dayOf(day('04-12')),
    await dayOf(day('04-13')),
    await dayBook(day('04-12')),
  ];
  expect(refusal(await cancel(id, 'Given back now'))).toContain('Only cash of your own open day is given back.');
  expect((await cancel(id, 'The school still has it')).json).toEqual({ isAsked: true });
  expect(refusal(await cancel(id, 'It never came'))).toContain('is waiting for a decision');
  expect((await accountOf(aarav)).due).toBe(before.due - 500_000);
  expect((await decide()).status).toBe(200);
  expect((await accountOf(aarav)).due).toBe(before.due);
  // The old day is as it was; on the new one the money goes out and comes in, without any cash.
  expect(await dayOf(day('04-12'))).toMatchObject({ expected: closed.expected, modes: closed.modes });
  expect((await dayOf(day('04-13'))).expected).toBe(open.expected);
  expect((await dayBook(day('04-12'))).rows).toEqual(bookBefore.rows);
  const { rows, total, ledger } = await dayBook(day('04-13'));
  expect(rows.map((row) => row.at(-1)).toSorted()).toEqual([-500_000, 200_000, 500_000]);
  expect([total, ledger]).toEqual([200_000, 200_000]);
  const [sum] = await unplaced();
  expect(sum).toMatchObject({ left: 500_000, mode: 'Cash', note: 'Wrong child', child: 'Aarav Shah', status: 'Open' });
  expect((await accountOf(aarav)).unplaced).toMatchObject([{ id: sum?.id, amount: 500_000 }]);
  await expectTied();

  const asked = { mode: 'Bank transfer', payee: 'Nikhil Shah', reason: 'Paid twice' };
  const [refund] = (await post(cashier, `/fee/unplaced/${sum?.id}/refund`, asked)).json.ids as number[];
  expect(await unplaced()).toMatchObject([{ status: 'Waits for a decision', may: { place: false } }]);
  expect((await decide()).status).toBe(200);
  const [row] = await school.sql(`select version from fee_refund where id = ${refund}`);
  const paid = await post(cashier, `/fee/refund/${refund}/pay`, { version: row?.version, reference: 'NEFT 1' });
  expect(paid.json.refundNo).toMatch(/^RF\//);
  expect(await unplaced()).toEqual([]);
  expect(await unplaced('all')).toMatchObject([{ left: 0, status: 'Paid back' }]);
  expect((await dayOf(day('04-13'))).expected).toBe(open.expected);
  await expectTied();
});

test('MC8 cash is given back from the own open drawer alone, which then holds less; money that never came leaves a closed day as it is', async () => {
  school.clock.now = at('04-14');
  const [first, second] = [await pay({ [aarav]: 100_000 }), await pay({ [aarav]: 50_000 })];
  expect((await cancel(first.id, 'Given back now')).json).toEqual({ isAsked: false });
  expect((await dayOf(day('04-14'))).expected).toBe(50_000);
  expect(refusal(await cancel(first.id, 'Given back now'))).toBeTruthy();
  const other = await school.person({ role: 'Staff', sets: ['accountant'] });
  expect(refusal(await cancel(second.id, 'Given back now', other))).toContain('Only cash of your own open day');
  // Asked for today and decided tomorrow: the drawer of that cash is not there any more.
  school.clock.now = at('04-14', '07:00');
  expect((await cancel(second.id, 'Given back now')).json).toEqual({ isAsked: true });
  school.clock.now = at('04-15');
  expect(refusal(await decide())).toContain('The day of this cash is over');
  expect((await decide(principal, 'Rejected')).status).toBe(200);
  expect((await cancel(second.id, 'It never came')).json).toEqual({ isAsked: true });
  expect((await decide()).status).toBe(200);
  expect((await dayOf(day('04-14'))).expected).toBe(50_000);
  await expectTied();
});

test('MC8 the payer learns of each cancellation, also where receipts are not sent', async () => {
  school.clock.now = at('04-16');
  const said = async (id: number) => {
    const rows = await school.sql(
      `select recipient from outbox where template = 'fee.cancelled' and subject_id = ${id}`,
    );
    expect(rows).toEqual([{ recipient: '9876500000' }]);
    return (await render(school.services, cancelMessages['fee.cancelled'], id, 'sms'))?.text;
  };
  const [back, never, kept, moved] = [
    await pay({ [aarav]: 10_000 }),
    await pay({ [aarav]: 10_000 }, { mode: 'UPI', reference: 'NEVER1' }),
    await pay({ [aarav]: 10_000 }),
    await pay({ [aarav]: 10_000 }),
  ];
  await cancel(back.id, 'Given back now');
  await cancel(never.id, 'It never came');
  await cancel(kept.id, 'The school still has it');
  await move(moved.id, { [diya]: 10_000 });
  expect(await said(back.id)).toContain('Rs 100.00 for Aarav of 16 Apr 2044 was cancelled: the cash was given back.');
  expect(await said(never.id)).toContain('no money was received');
  expect(await said(kept.id)).toContain('the school still has the money');
  expect(await said(moved.id)).toContain('it was for another child');
});

test('MC11 a payment is moved with its reference and value day: four receipts, fines as of that day, and the old day as it was', async () => {
  school.clock.now = at('05-12');
  const { id, receipts } = await pay({ [elder]: 1_200_000, [younger]: 800_000 }, { ...april, reference: 'UTR 4455' });
  await closeDay(day('05-12'));
  school.clock.now = at('05-28');
  const [before, book] = [await dayOf(day('05-12')), await dayBook(day('05-12'))];
  expect((await move(id, { [elder]: 1_500_000, [younger]: 500_001 })).json.error.fields).toEqual({
    children: 'The amounts must total ₹20,000.00.',
  });
  expect((await move(id, { [elder]: 1_200_000, [younger]: 800_000 })).json.error.fields).toHaveProperty('children');
  expect((await move(id, { [elder]: 1_500_000, [younger]: 500_000 })).json).toEqual({ isAsked: true });
  expect((await decide()).status).toBe(200);
  const next = await nextOf(id);
  const rows =
    await school.sql(`select mode, reference, amount::integer, value_on::text as value, paid_on::text as paid, day_id
    from fee_payment where id in (${id}, ${next}) order by id`);
  const same = { mode: 'UPI', reference: 'UTR 4455', amount: 2_000_000, value: day('05-12') };
  expect(rows).toMatchObject([
    { ...same, paid: day('05-12') },
    { ...same, paid: day('05-28'), day_id: null },
  ]);
  const groups = await cashier.call(searchApi.find, { search: 'UTR4455' });
  const found = groups.flatMap(({ kind, hits }) => (kind === 'receipt' ? hits.map(({ title }) => title) : []));
  expect(found).toHaveLength(4);
  expect(found).toEqual(expect.arrayContaining(receipts));
  const parts =
    await school.sql(`select account.student_id as id, sum(receipt.amount)::integer as amount from fee_receipt receipt
    join fee_account account on account.id = receipt.account_id where payment_id = ${next} group by 1 order by 1`);
  expect(parts).toEqual([
    { id: elder, amount: 1_500_000 },
    { id: younger, amount: 500_000 },
  ]);
  // What is due on 10 May was paid on 12 May, within the days of grace, also for who moves it on the 28th.
  const accounts = await school.sql(`select id from fee_account where student_id in (${elder}, ${younger})`);
  const ids = accounts.map((row) => Number(row.id));
  expect((await readPayable({ db: school.services.db }, ids, day('05-28'))).fines).toEqual([]);
  const [fine] = await school.sql(
    `select count(*)::integer as posted from fee_due where account_id in (${ids}) and kind = 'Fine'`,
  );
  expect(fine?.posted).toBe(0);
  expect(await dayOf(day('05-12'))).toMatchObject({ expected: before.expected, modes: before.modes });
  expect((await dayBook(day('05-12'))).rows).toEqual(book.rows);
  const today = await dayBook(day('05-28'));
  expect([today.total, today.ledger]).toEqual([0, 0]);
  await expectTied();
});

test('MC11 the cashier moves alone within minutes and one household; another family and a second move wait', async () => {
  school.clock.now = at('06-01');
  const [own, other, late] = [
    await pay({ [aarav]: 30_000 }),
    await pay({ [aarav]: 30_000 }),
    await pay({ [aarav]: 30_000 }),
  ];
  const cash = (await dayOf(day('06-01'))).expected;
  expect((await move(own.id, { [diya]: 30_000 })).json).toEqual({ isAsked: false });
  expect((await move(other.id, { [stranger]: 30_000 })).json).toEqual({ isAsked: true });
  // The moved payment does not begin the minutes again.
  const next = await nextOf(own.id);
  expect((await cancel(next, 'It never came')).json).toEqual({ isAsked: true });
  expect(refusal(await cancel(next, 'Given back now'))).toContain('Only cash');
  school.clock.now = at('06-01', '06:31');
  expect((await move(late.id, { [diya]: 30_000 })).json).toEqual({ isAsked: true });
  expect((await dayOf(day('06-01'))).expected).toBe(cash);
  // A decider who is a guardian of one of the children is no second person.
  await school.sql(`update guardian set staff_id = ${principal.staffId} where id = ${father}`);
  const refused = await decide().catch((error: { code?: string }) => error);
  expect(refused).not.toMatchObject({ status: 200 });
  await school.sql(`update guardian set staff_id = null where id = ${father}`);
  expect((await decide()).status).toBe(200);
  expect((await dayOf(day('06-01'))).expected).toBe(cash);
  await school.sql(
    `update approval set status = 'Withdrawn', decided_at = now(), decided_by = requested_by where status = 'Pending'`,
  );
  await expectTied();
});

test('MC11 the database keeps the money of a moved payment, and unplaced money waits for a second person', async () => {
  school.clock.now = at('06-02');
  const { id } = await pay({ [aarav]: 30_000 });
  const copy = (
    amount: number,
    of: number,
  ) => `insert into fee_payment (staff_id, paid_on, value_on, payer_name, payer_key, mode, amount, reissue_of)
    select staff_id, paid_on, value_on, payer_name, payer_key, mode, ${amount}, ${of} from fee_payment where id = ${of}`;
  await expect(school.sql(copy(30_000, id))).rejects.toMatchObject({ constraint: 'fee_payment_moved' });
  await expect(
    school.sql(
      `update fee_payment set ended_as = 'Reissued', ended_on = paid_on, end_reason = 'Alone' where id = ${id}`,
    ),
  ).rejects.toMatchObject({ constraint: 'fee_payment_moved' });
  await cancel(id, 'The school still has it');
  await expect(school.sql(copy(40_000, id))).rejects.toThrow();
  const next = await nextOf(id);
  await expect(
    school.sql(`with own as (insert into fee_reissue (payment_id, kind, input, reason, asked_by, asked_at)
      select ${next}, 'Place', '[]', 'Alone', ${cashier.staffId}, now() returning id) select from own;
      update fee_reissue set status = 'Done', new_payment_id = ${id} where payment_id = ${next}`),
  ).rejects.toMatchObject({ constraint: 'fee_reissue_alone' });
});

test('MC19 unplaced money is taken without a child, and placed with children by a second person; a branch sees its own alone', async () => {
  school.clock.now = at('06-03');
  const [branch] = await school.sql('select id from academic_branch order by id limit 1');
  const body = {
    amount: 70_000,
    mode: 'UPI',
    reference: 'NOBODY 1',
    payerName: 'R. Desai',
    payerMobile: '',
    note: 'No name with it',
    branchId: Number(branch?.id),
    receiptSeriesId: Number((await school.sql('select min(id) as id from fee_receipt_series'))[0]?.id),
  };
  expect((await post(cashier, '/fee/unplaced', { ...body, reference: '' })).json.error.fields).toHaveProperty(
    'reference',
  );
  const taken = await post(cashier, '/fee/unplaced', body);
  expect(taken.status).toBe(200);
  expect((await dayOf(day('06-03'))).modes).toMatchObject([{ mode: 'UPI', amount: 70_000 }]);
  const again = await pay2(body.reference);
  expect(refusal(again)).toContain('which is in Unplaced');
  const row = (await unplaced()).find(({ reference }) => reference === 'NOBODY 1');
  const place = (id: number, children: object[]) =>
    post(cashier, `/fee/unplaced/${id}/place`, { version: row?.version, children, reason: 'Asked by phone' });
  const [other] = await school.sql(`insert into academic_branch (name, code) values ('Vesu', 'VES') returning id`);
  const elsewhere = await school.person({ role: 'Staff', sets: ['accountant'], branchIds: [Number(other?.id)] });
  expect((await elsewhere.call(unplacedList.api.list, { tab: 'all' } as never)).rows).toEqual([]);
  const there = { version: row?.version, children: [{ studentId: aarav, amount: 70_000 }], reason: 'Mine' };
  expect((await post(elsewhere, `/fee/unplaced/${row?.id}/place`, there)).status).toBe(404);
  expect((await post(elsewhere, '/fee/unplaced', { ...body, reference: 'N2' })).json.error.fields).toHaveProperty(
    'branchId',
  );
  const [account] = await school.sql(`select id from fee_account where student_id = ${aarav}`);
  expect((await place(Number(account?.id), [{ studentId: diya, amount: 70_000 }])).status).toBe(404);
  expect((await place(Number(row?.id), [])).json.error.fields).toHaveProperty('children');
  const asked = await place(Number(row?.id), [{ studentId: stranger, amount: 70_000 }]);
  expect(asked.json).toEqual({ isAsked: true });
  expect(refusal(await place(Number(row?.id), [{ studentId: stranger, amount: 70_000 }]))).toContain('waiting');
  expect((await decide()).status).toBe(200);
  expect((await accountOf(stranger)).receipts).toMatchObject([{ amount: 70_000, mode: 'UPI', reference: 'NOBODY 1' }]);
  expect((await unplaced('all')).find(({ id }) => id === row?.id)).toMatchObject({ status: 'Placed', left: 0 });
  expect((await dayOf(day('06-03'))).modes).toMatchObject([{ mode: 'UPI', amount: 70_000 }]);
  await expectTied();
});

/** A payment with a reference that is used, refused. */
const pay2 = async (reference: string) => {
  const { children } = await cashier.call(paymentApi.dues, { studentId: aarav, on: '' });
  return post(cashier, '/fee/payment', {
    payerGuardianId: father,
    payerName: '',
    payerMobile: '',
    mode: 'UPI',
    reference,
    paidOn: school.clock.now?.toISOString().slice(0, 10),
    backReason: '',
    remark: '',
    amount: 100,
    children: [{ studentId: aarav, version: children[0]?.version, lines: [] }],
  });
};

test('a payment shows what can be done with it', async () => {
  school.clock.now = at('06-04');
  const { id } = await pay({ [aarav]: 30_000 });
  const found = await cashier.call(moveApi.read, { id });
  expect(found).toMatchObject({
    isAlone: true,
    isUnplaced: false,
    answers: ['Given back now', 'It never came', 'The school still has it'],
  });
  expect(found.children.map(({ studentId, amount }) => [studentId, amount])).toEqual([
    [aarav, 30_000],
    [diya, 0],
  ]);
  school.clock.now = at('06-05');
  expect(await cashier.call(moveApi.read, { id })).toMatchObject({
    isAlone: false,
    answers: ['It never came', 'The school still has it'],
  });
});
