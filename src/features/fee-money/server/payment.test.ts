// Smoke: runs on the oldest PostgreSQL too.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { searchApi } from '#features/search/contract.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { accountApi } from '../contract/account.ts';
import { paymentApi } from '../contract/payment.ts';

let school: School;
let prices: Prices;
let cashier: Person;
let principal: Person;
let mira: number;
let father: number;
let count = 0;
beforeAll(async () => {
  school = await openSchool();
  cashier = await school.person({ name: 'Farida Shaikh', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
});
beforeEach(async () => {
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
  mira = await plannedChild(school, prices, `Mira${++count}`);
  father = await joinFamily(school, `Nikhil${count}`, `98765${String(count).padStart(5, '0')}`, [mira]);
});
afterAll(() => school.close());

const day = (monthDay: string) => `${prices.year}-${monthDay}`;
const duesOf = (studentId: number, on = '') => cashier.call(paymentApi.dues, { studentId, on });
const childOf = async (studentId: number, on = '') => {
  const found = (await duesOf(studentId, on)).children.find((child) => child.studentId === studentId);
  if (!found) throw new Error('The child is not among the dues.');
  return found;
};
interface Paid {
  amount: number;
  mode?: string;
  reference?: string;
  paidOn?: string;
  backReason?: string;
  payerGuardianId?: number | null;
  payerName?: string;
  payerMobile?: string;
  lines?: { key: string; amount: number }[];
  version?: number;
  who?: Person;
  studentId?: number;
}
/** Pays as the counter does: the oldest first. */
async function pay({ amount, lines, version, who = cashier, studentId = mira, ...over }: Paid) {
  const paidOn = over.paidOn ?? day('04-12');
  const child = await childOf(studentId, paidOn);
  let left = amount;
  const oldest = child.lines.flatMap(({ key, owed }) => {
    const part = Math.min(left, owed);
    left -= part;
    return part > 0 ? [{ key, amount: part }] : [];
  });
  const body = {
    payerGuardianId: father,
    payerName: '',
    payerMobile: '',
    mode: 'Cash',
    reference: '',
    paidOn,
    backReason: '',
    remark: '',
    amount,
    ...over,
    children: [{ studentId, version: version ?? child.version, lines: lines ?? oldest }],
  };
  return who.send({ method: 'POST', url: '/api/fee/payment', body });
}
const accountOf = (studentId = mira) => cashier.call(accountApi.read, { id: studentId });
const cancel = (id: number, who = cashier, version = 1) =>
  who.send({
    method: 'POST',
    url: `/api/fee/payment/${id}/cancel`,
    body: { version, money: 'It never came', reason: 'Wrong child' },
  });
/** The ledger of all accounts equals their headers, and those equal their dues less their advance. */
const expectWhole = async () => {
  const [row] = await school.sql(`select count(*)::integer as count from fee_account account where balance <>
      coalesce((select sum(amount) from fee_ledger_entry where account_id = account.id), 0)
    or balance <> coalesce((select sum(net - paid) from fee_due where account_id = account.id), 0)
      - coalesce((select sum(amount) from fee_advance where account_id = account.id), 0)`);
  expect(row).toEqual({ count: 0 });
};

test('B5.1 a payment in cash pays the oldest dues, gives a numbered receipt in words and is in the statement', async () => {
  const before = await childOf(mira);
  expect(before.lines.filter(({ isDue }) => isDue).reduce((sum, { owed }) => sum + owed, 0)).toBe(3_050_000 - 0);
  const { status, json } = await pay({ amount: 700_050 });
  expect(status).toBe(200);
  const [paper] = json.papers;
  expect(json.papers).toHaveLength(1);
  expect(paper).toMatchObject({
    receiptNo: expect.stringMatching(/^MAIN\/2044-45\/0000\d$/),
    total: 700_050,
    student: `Mira${count} Shah`,
    receivedFrom: `Nikhil${count} Shah (father)`,
    mode: 'Cash',
    date: day('04-12'),
  });
  expect(english(paper.inWords)).toBe('Seven thousand rupees and fifty paise only');
  expect(english(paper.copy)).toBe('Original');
  expect(paper.lines.reduce((sum: number, { paid }: { paid: number }) => sum + paid, 0)).toBe(700_050);
  const after = await accountOf();
  expect(after.receipts).toMatchObject([{ receiptNo: paper.receiptNo, amount: 700_050, endedAs: '' }]);
  const { rows, balance } = await cashier.call(accountApi.statement, { id: mira, on: '' });
  expect(rows.at(-1)).toMatchObject({ kind: 'Receipt', balance });
  expect(after.due + after.fine).toBe(balance);
  await expectWhole();
});

test('B5.2 the cashier cancels a payment of today: the number stays, and everything is owed again', async () => {
  const before = await accountOf();
  const { json } = await pay({ amount: 500_000 });
  expect((await cancel(json.id)).json).toEqual({ isAsked: false });
  const after = await accountOf();
  expect(after).toMatchObject({ balance: before.balance, due: before.due });
  expect(after.receipts).toMatchObject([
    { receiptNo: json.papers[0].receiptNo, endedAs: 'Cancelled', endReason: 'Wrong child' },
  ]);
  const { paper } = await cashier.call(paymentApi.receipt, { id: json.papers[0].id });
  expect(paper).toMatchObject({ isCancelled: true, receiptNo: json.papers[0].receiptNo });
  expect((await cancel(json.id, cashier, 2)).status).toBe(409);
  await expectWhole();
});

/** The principal approves the cancellation of a payment. */
async function approve(paymentId: number) {
  const [asked] = await school.sql(`select id, version from approval where fee_payment_id = ${paymentId}`);
  const { seen } = await principal.call(approvalApi.read, { id: Number(asked?.id) });
  return principal.send({
    method: 'POST',
    url: `/api/approval/${asked?.id}/decide`,
    body: { version: Number(asked?.version), outcome: 'Approved', remark: '', seen },
  });
}

test('B5.3 a payment of an earlier day is cancelled by a second person', async () => {
  const { json } = await pay({ amount: 500_000 });
  school.clock.now = new Date(`${prices.year}-04-13T06:00:00Z`);
  expect((await cancel(json.id)).json).toEqual({ isAsked: true });
  expect((await accountOf()).receipts).toMatchObject([{ endedAs: '', isAsked: true }]);
  const decided = await approve(json.id);
  expect([decided.status, decided.text]).toEqual([200, expect.anything()]);
  expect((await accountOf()).receipts).toMatchObject([{ endedAs: 'Cancelled', endedOn: day('04-13') }]);
  await expectWhole();
});

test('a payment of a closed day is cancelled from the next day on', async () => {
  const other = await school.person({ role: 'Staff', sets: ['accountant'] });
  const { json } = await pay({ amount: 500_000, who: other });
  await school.sql(`update fee_day set status = 'Closed', reason = 'Not counted', closed_by = staff_id, closed_at = now()
    where staff_id = ${other.staffId}`);
  expect((await cancel(json.id, other)).json).toEqual({ isAsked: true });
  const refused = await approve(json.id);
  expect([refused.status, english(refused.json.error.text)]).toEqual([
    409,
    expect.stringContaining('from tomorrow on'),
  ]);
  school.clock.now = new Date(`${prices.year}-04-13T06:00:00Z`);
  expect((await approve(json.id)).status).toBe(200);
  expect((await accountOf()).receipts).toMatchObject([{ endedAs: 'Cancelled', endedOn: day('04-13') }]);
  await expectWhole();
});

test('a payment beyond all dues is advance, and dues that changed in between refuse it as stale', async () => {
  const { balance } = await accountOf();
  const over = await pay({ amount: balance + 100_000, mode: 'Bank transfer', reference: `UTR ${count}` });
  expect(over.json).toMatchObject({ advance: 100_000 });
  expect(await accountOf()).toMatchObject({ advance: 100_000, balance: -100_000 });
  const late = await pay({ amount: 100, version: 1 });
  expect([late.status, late.json.error.code]).toEqual([409, 'stale']);
  await expectWhole();
});

test('W38 cash of one payer stays below ₹2,00,000 a day, and a cancelled payment gives its room back', async () => {
  const first = await pay({ amount: 12_000_000 });
  expect(first.status).toBe(200);
  const refused = await pay({ amount: 8_000_000 });
  expect(english(refused.json.error.fields && refused.json.error.texts.amount)).toBe(
    'Cash from this family or mobile number today is ₹1,20,000.00. At most ₹79,999.99 more.',
  );
  expect((await pay({ amount: 7_999_999 })).status).toBe(200);
  await cancel(first.json.id);
  expect((await pay({ amount: 12_000_001 })).status).toBe(422);
  expect((await pay({ amount: 12_000_000 })).status).toBe(200);
  await expect(school.sql(`update fee_cash_day set amount = 20000000 where payer_key like 'f %'`)).rejects.toThrow(
    'fee_cash_day_limit',
  );
});

test('MC8 a payment is cancelled by its cashier within 30 minutes, and by a second person later on the same day', async () => {
  const [soon, late] = [await pay({ amount: 100_000 }), await pay({ amount: 100_000 })];
  school.clock.now = new Date(`${prices.year}-04-12T06:30:00Z`);
  expect((await cancel(soon.json.id)).json).toEqual({ isAsked: false });
  school.clock.now = new Date(`${prices.year}-04-12T06:31:00Z`);
  expect((await cancel(late.json.id)).json).toEqual({ isAsked: true });
  await approve(late.json.id);
  const receipts = (await accountOf()).receipts;
  expect(receipts.map(({ endedAs }) => endedAs)).toEqual(['Cancelled', 'Cancelled']);
});

test('MC10 cash counts for the family and the mobile number, however the payer is named; other modes do not count', async () => {
  expect((await pay({ amount: 12_000_000 })).status).toBe(200);
  const named = { payerGuardianId: null, payerMobile: '' };
  const stranger = await plannedChild(school, prices, `Other${count}`);
  const sameMobile = {
    payerName: 'M. Shah.',
    payerMobile: `98765${String(count).padStart(5, '0')}`,
    studentId: stranger,
  };
  for (const who of [{ payerName: 'M. Shah' }, { payerName: 'M. Shah.' }, { payerName: 'Grandmother' }, sameMobile])
    expect([who.payerName, (await pay({ amount: 8_000_000, ...named, ...who })).status]).toEqual([who.payerName, 422]);
  expect((await pay({ amount: 8_000_000, mode: 'UPI', reference: `MC10 ${count}` })).status).toBe(200);
  expect((await pay({ amount: 7_999_999, ...named, payerName: 'Grandmother' })).status).toBe(200);
  expect((await pay({ amount: 8_000_000, ...named, payerName: 'A neighbour', studentId: stranger })).status).toBe(200);
});

test('B5.4 a reference of a transfer is used once, whatever its mode and spelling, and is free after a cancellation', async () => {
  const first = await pay({ amount: 100_000, mode: 'UPI', reference: '4330 1234-567x' });
  expect(first.status).toBe(200);
  const again = await pay({ amount: 100_000, mode: 'Net banking', reference: '43301234567X' });
  expect(english(again.json.error.texts.reference)).toBe(
    `Reference used on receipt ${first.json.papers[0].receiptNo} of 12 Apr ${prices.year} for Mira${count} Shah. One transfer for several children is one payment: cancel that one and take it once for all of them, or move its money.`,
  );
  await cancel(first.json.id);
  expect((await pay({ amount: 100_000, mode: 'Net banking', reference: '43301234567X' })).status).toBe(200);
  expect((await pay({ amount: 100_000, mode: 'UPI' })).json.error.fields).toHaveProperty('reference');
});

test('W40 numbers count in the financial year of the receipt’s date', async () => {
  await school.sql(
    `insert into fee_book (closed_until, reason, staff_id) select '2020-03-31', 'Audit', min(id) from staff`,
  );
  const noOf = async (paidOn: string, backReason = '') => {
    const { json } = await pay({ amount: 100, paidOn, backReason });
    return json.papers[0].receiptNo as string;
  };
  const next = prices.year + 1;
  school.clock.now = new Date(`${next}-03-31T06:00:00Z`);
  const old = await noOf(`${next}-03-31`);
  school.clock.now = new Date(`${next}-04-01T06:00:00Z`);
  const fresh = [await noOf(`${next}-04-01`), await noOf(`${next}-04-01`)];
  const back = await noOf(`${next}-03-31`, 'Forgotten');
  const [prefix, value] = [old.slice(0, -5), Number(old.slice(-5))];
  expect(prefix).toBe(`MAIN/${prices.year}-45/`);
  expect(fresh).toEqual(['MAIN/2045-46/00001', 'MAIN/2045-46/00002']);
  expect(back).toBe(`${prefix}${String(value + 1).padStart(5, '0')}`);
  expect((await pay({ amount: 100, paidOn: `${next}-04-03` })).json.error.fields).toHaveProperty('paidOn');
  expect((await pay({ amount: 100, paidOn: `${next}-03-25`, backReason: 'Late' })).json.error.fields).toHaveProperty(
    'paidOn',
  );
  expect((await pay({ amount: 100, paidOn: `${next}-03-31` })).json.error.fields).toHaveProperty('backReason');
  await school.sql(
    `insert into fee_book (closed_until, reason, staff_id) select '${next}-03-31', 'Audit', min(id) from staff`,
  );
  expect((await pay({ amount: 100, paidOn: `${next}-03-31`, backReason: 'Late' })).json.error.fields).toHaveProperty(
    'paidOn',
  );
  await school.sql('delete from fee_book');
  const [gap] =
    await school.sql(`select count(*)::integer as count from (select number_period, max(number_value) as most,
    count(*) as count from fee_receipt group by number_series_id, number_period) as own where most <> own.count`);
  expect(gap).toEqual({ count: 0 });
});

test('a closed day takes no more, and a print after the first is a duplicate', async () => {
  const { json } = await pay({ amount: 100_000 });
  const again = await cashier.call(paymentApi.print, { id: json.id });
  expect(english(again.papers[0]?.copy as never)).toBe('Duplicate 1');
  // The PDF has the words of the print.
  expect((await cashier.send({ url: `/api/fee/receipt/${json.papers[0].id}/file` })).status).toBe(200);
  const pdf = JSON.stringify(school.papers.last());
  for (const words of [
    json.papers[0].receiptNo,
    json.papers[0].student,
    json.papers[0].receivedFrom,
    '₹1,000.00',
    'One thousand rupees only',
  ])
    expect(pdf).toContain(words);
  const other = await school.person({ role: 'Staff', sets: ['accountant'] });
  await school.sql(`insert into fee_day (staff_id, day, status, counted, expected, difference, closed_by, closed_at)
    select staff_id, '${day('04-12')}', 'Closed', 0, 0, 0, staff_id, now() from sign_in_account where id = ${other.id}`);
  expect((await pay({ amount: 100, who: other })).status).toBe(409);
});

test('B5.5 families are found by name, GR number, mobile and receipt number, in the branches of the accountant alone', async () => {
  const { json } = await pay({ amount: 100_000 });
  const found = async (search: string, who = cashier) =>
    (await who.call(paymentApi.find, { search })).families.flatMap(({ children }) =>
      children.map(({ studentId }) => studentId),
    );
  const { grNo } = await childOf(mira);
  expect(await found(`mira${count}`)).toContain(mira);
  expect(await found(`nikhil${count} sh`)).toContain(mira);
  expect(await found(grNo)).toEqual([mira]);
  expect(await found(`98765${String(count).padStart(5, '0')}`)).toEqual([mira]);
  expect(await found(json.papers[0].receiptNo.toLowerCase())).toEqual([mira]);
  const [elsewhere] = await school.sql(
    `insert into academic_branch (name, code) values ('Elsewhere', 'ELS') returning id`,
  );
  const stranger = await school.person({ role: 'Staff', sets: ['accountant'], branchIds: [Number(elsewhere?.id)] });
  expect(await found(grNo, stranger)).toEqual([]);
  expect((await stranger.send({ url: `/api/fee/counter/dues?studentId=${mira}` })).status).toBe(404);
  expect((await stranger.send({ url: `/api/fee/receipt/${json.papers[0].id}` })).status).toBe(404);
  expect((await stranger.send({ method: 'POST', url: `/api/fee/payment/${json.id}/print`, body: {} })).status).toBe(
    404,
  );
});

test.each([
  '+91 98765 NUMBER',
  '098765NUMBER',
  '0091-98765\u2011NUMBER',
  '\u202a+91 98765 NUMBER\u202c',
  'digits of Tamil',
])('B9 the counter finds a family by a number as a phone shows it: %j', async (typed) => {
  const number = String(count).padStart(5, '0');
  const search = typed.startsWith('digits')
    ? `98765${number}`.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xbe6 + Number(digit)))
    : typed.replace('NUMBER', number);
  const { families } = await cashier.call(paymentApi.find, { search });
  expect(families.map(({ children }) => children.map(({ studentId }) => studentId))).toEqual([[mira]]);
  expect((await cashier.call(paymentApi.find, { search: '--' })).families).toEqual([]);
});

test('P3.1 a receipt is found by its number in other digits and punctuation, and by a reference in other digits', async () => {
  const { json } = await pay({ amount: 100_000, mode: 'UPI', reference: `४५६७-८९०${count}` });
  const no: string = json.papers[0].receiptNo;
  const gujarati = no.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xae6 + Number(digit)));
  for (const search of [no, gujarati, no.replaceAll('-', '\u2011').replaceAll('/', '／')]) {
    expect((await cashier.call(paymentApi.find, { search })).families).toHaveLength(1);
    expect(await receiptsOf(search)).toEqual([no]);
  }
  expect(await receiptsOf(`4567890${count}`)).toEqual([no]);
});
const receiptsOf = async (search: string) =>
  (await cashier.call(searchApi.find, { search })).flatMap(({ kind, hits }) =>
    kind === 'receipt' ? hits.map(({ title }) => title) : [],
  );

test('a reference without a digit or a letter of A to Z is refused, since two of them would count as the same', async () => {
  const refused = await pay({ amount: 100_000, mode: 'UPI', reference: 'ગૂગલ પે' });
  expect([refused.status, refused.json.error.fields]).toEqual([
    422,
    { reference: 'Enter the reference of the payment.' },
  ]);
  expect((await pay({ amount: 100_000, reference: 'रोकड़' })).status).toBe(200);
  expect(await receiptsOf('मीरा')).toEqual([]);
});

test('Z15 a reference with a letter that only looks like one of A to Z is refused', async () => {
  const taken = { amount: 100_000, mode: 'UPI' };
  expect((await pay({ ...taken, reference: `Z9871${count}` })).status).toBe(200);
  const greek = await pay({ ...taken, reference: `\u03969871${count}` });
  expect([greek.status, greek.json.error.fields]).toEqual([
    422,
    { reference: 'Enter the reference in letters of A to Z and digits.' },
  ]);
});

test('Z16 a payment that names a child or a due twice is refused', async () => {
  const { lines, version } = await childOf(mira);
  const line = { key: lines[0]?.key ?? '', amount: 10_000 };
  const twice = await pay({ amount: 20_000, lines: [line, line] });
  const child = { studentId: mira, version, lines: [line] };
  const body = {
    payerGuardianId: father,
    mode: 'Cash',
    paidOn: day('04-12'),
    amount: 20_000,
    children: [child, child],
  };
  const children = await cashier.send({ method: 'POST', url: '/api/fee/payment', body });
  const message = { children: 'Name each child and each of its dues once.' };
  expect([twice, children].map(({ status, json }) => [status, json.error.fields])).toEqual([
    [422, message],
    [422, message],
  ]);
});
