import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentApi } from '#features/fee-money/contract/payment.ts';
import type { Person } from '#testing/browser.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { openPrices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { statementImportApi } from '../contract/statement.ts';

let school: School;
let accountant: Person;
const children: number[] = [];
const names = ['Asha', 'Bela', 'Chirag', 'Dev', 'Esha', 'Falguni', 'Gita', 'Hari', 'Ila', 'Jay', 'Kavya', 'Leena'];
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  const prices = await openPrices(school);
  school.clock.now = new Date('2044-06-12T06:00:00Z');
  for (const name of names) children.push(await plannedChild(school, prices, name));
  await school.sql(`insert into fee_bank_account (name, bank, last4, receipt_series_id)
    select 'Fees', 'Overseas Bank', '4321', min(id) from fee_receipt_series`);
});
afterAll(() => school.close());

async function pay(child: number, amount: number, reference: string, mode: string) {
  const studentId = children[child] ?? 0;
  const { children: found } = await accountant.call(paymentApi.dues, { studentId, on: '2044-06-12' });
  const own = found.find((one) => one.studentId === studentId);
  let left = amount;
  const lines = (own?.lines ?? []).flatMap(({ key, owed }) => {
    const part = Math.min(left, owed);
    left -= part;
    return part > 0 ? [{ key, amount: part }] : [];
  });
  const taken = await accountant.call(paymentApi.take, {
    ...{ payerName: `Parent of ${names[child]}`, payerMobile: '', payerGuardianId: null, amount, mode, reference },
    ...{ paidOn: '2044-06-12', backReason: '', remark: '' },
    children: [{ studentId, version: own?.version ?? 0, lines }],
  } as never);
  return Number((taken as { id: number }).id);
}

/** Value date, text of the bank, its own number, debit with Dr, credit with Cr, and balance. */
type Row = [day: string, words: string, number: string, debit: string, credit: string];
const open = (day: string, words: string, credit: string): Row => [day, words, '', '', credit];

/** What the bank shows of the twelve payments, and whether a line matches. */
const shown: [Row, 'Matched' | 'Differs' | 'Open'][] = [
  [['11-Jun-44', 'UPI/CR/416201000001/SOMEBODY ELSE/okbank', '', '', '6,000.00 Cr'], 'Matched'],
  [['12-Jun-44', 'INWARD NEFT', 'HDFCN52044061200002', '', '6,100.00 Cr'], 'Matched'],
  [['12-Jun-44', 'UPI IN 0000416201000003 TO FEES', '', '', '6,200.00 Cr'], 'Matched'],
  [['13-Jun-44', 'RTGS-sbinr52044061300004-SHAH AND SONS', '', '', '6,300.00 Cr'], 'Matched'],
  [['14-Jun-44', 'BIL/INFT/EB44X00005/', 'EB44X00005', '', '6,400.00 Cr'], 'Matched'],
  [['17-Jun-44', 'UPI:416201000006', '', '', '6,500.00 Cr'], 'Matched'],
  // Another amount.
  [['12-Jun-44', 'UPI/CR/416201000007/PARENT OF GITA', '', '', '6,000.00 Cr'], 'Differs'],
  // More than five days later.
  [['18-Jun-44', 'UPI/CR/416201000008/PARENT OF HARI', '', '', '6,700.00 Cr'], 'Open'],
  // Only a part of the reference.
  [['12-Jun-44', 'UPI/CR/41620100000/PARENT OF ILA', '', '', '6,800.00 Cr'], 'Open'],
  // The name and the amount of the payer, and another reference.
  [['12-Jun-44', 'UPI/CR/499999999999/PARENT OF JAY', '', '', '6,900.00 Cr'], 'Open'],
  // The reference twice.
  [['12-Jun-44', 'UPI/CR/416201000011/PARENT OF KAVYA', '', '', '7,000.00 Cr'], 'Open'],
  [['12-Jun-44', 'UPI/CR/416201000011/PARENT OF KAVYA AGAIN', '', '', '7,000.00 Cr'], 'Open'],
  // The amount alone, in lakhs.
  [['12-Jun-44', 'TRANSFER', '', '', '1,20,000.00 Cr'], 'Open'],
];
const references: [reference: string, mode: string][] = [
  ['416201000001', 'UPI'],
  ['HDFCN52044061200002', 'Bank transfer'],
  ['416201000003', 'UPI'],
  ['SBINR52044061300004', 'Bank transfer'],
  ['EB44X00005', 'Net banking'],
  ['416201000006', 'UPI'],
  ['416201000007', 'UPI'],
  ['416201000008', 'UPI'],
  ['416201000009', 'UPI'],
  ['416201000010', 'UPI'],
  ['416201000011', 'UPI'],
  ['416201000012', 'UPI'],
];

test('MB3 MB10 of a statement of 60 lines with columns of its own the lines with a whole reference and its amount match, and no other', async () => {
  const payments: number[] = [];
  for (const [at, [reference, mode]] of references.entries())
    payments.push(await pay(at, 600_000 + at * 10_000, reference, mode));
  school.clock.now = new Date('2044-06-30T06:00:00Z');
  const others = Array.from({ length: 41 }, (_, at) =>
    open(`${String(1 + (at % 28)).padStart(2, '0')}-Jun-44`, `RENT OF HALL ${at}`, `${at + 1},000.00 Cr`),
  );
  const debits = Array.from({ length: 6 }, (_, at): Row => {
    return [`${20 + at}-Jun-44`, `SALARY ${at}`, '', '2,45,000.00 Dr', ''];
  });
  const rows = [...shown.map(([row]) => row), ...others, ...debits];
  expect(rows).toHaveLength(60);
  const line = (cells: string[]) => cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',');
  const file = [
    'OVERSEAS BANK PLC,,,,,',
    '"Account 00XX4321, SUNRISE TRUST",,,,,',
    'Period,01-Jun-44,30-Jun-44,,,',
    ',,,,,',
    'Book Dt,Val Dt,What happened,Our No,Out,In,Standing',
    ...rows.map(([day, words, number, debit, credit], at) =>
      line([day, day, words, number, debit, credit, `${at + 1},25,000.50 Cr`]),
    ),
    line(['', '', 'Total', '', '14,70,000.00 Dr', '10,67,900.00 Cr', '']),
  ].join('\r\n');

  const stage = await accountant.call(statementImportApi.importOpen, {
    file,
    plan: { headLine: 5, columns: {} },
  } as never);
  const places = ['Val Dt', 'What happened', 'Our No', 'Out', 'In', 'Standing'].map((name) =>
    stage.columns.findIndex(({ head }) => head === name),
  );
  const [day, narration, reference, debit, credit, balance] = places.map(String);
  const fields = { day, narration, reference, debit, credit, balance };
  const columns = Object.fromEntries(Object.entries(fields).map(([to, place]) => [place, { to }]));
  const asked = { file, plan: { fileName: 'june.csv', same: { bankAccountId: 'Fees' }, headLine: 5, columns } };
  const preview = await accountant.call(statementImportApi.import, asked as never);
  expect(preview.rows.filter(({ status }) => status === 'wrong')).toEqual([]);
  expect(preview.counts).toMatchObject({ added: 54, wrong: 0 });
  await accountant.call(statementImportApi.import, { ...asked, confirmToken: preview.confirmToken } as never);

  const stored = await school.sql('select narration, state from bank_line');
  const stateOf = new Map(stored.map(({ narration: words, state }) => [words, state]));
  expect(shown.map(([[, words]]) => [words, stateOf.get(words)])).toEqual(
    shown.map(([[, words], state]) => [words, state]),
  );
  expect(others.map(([, words]) => stateOf.get(words))).toEqual(others.map(() => 'Open'));
  const tied = await school.sql(`select payment_id as id from bank_line where payment_id is not null order by id`);
  expect(tied.map(({ id }) => Number(id)).toSorted((one, other) => one - other)).toEqual(payments.slice(0, 7));
});
