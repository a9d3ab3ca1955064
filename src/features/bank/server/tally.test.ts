import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { receive, undo } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { tallyApi, tallyMessages } from '../contract/tally.ts';
import { escapeXml } from './tally-xml.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let principal: Person;
let series: number;
let student: number;
let account: number;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  school.clock.now = new Date('2044-05-02T06:00:00Z');
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  series = Number((await school.sql('select id from fee_receipt_series'))[0]?.id);
  const enrollment = await enroll(school, prices.place, 'Asha');
  const [made] = await school.sql(`insert into fee_account (student_id)
    select student_id from student_enrollment where id = ${enrollment} returning id, student_id`);
  [account, student] = [Number(made?.id), Number(made?.student_id)];
});
afterAll(() => school.close());

interface Node {
  name: string;
  attributes: Record<string, string>;
  children: Node[];
  text: string;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
function unescaped(words: string): string {
  if (/[<>]|&(?!(amp|lt|gt|quot|apos);)/.test(words)) throw new Error(`Not escaped: ${words}`);
  return words.replaceAll(/&(\w+);/g, (_, name: string) => entities[name] ?? '');
}

/** Reads XML without comments and namespaces; throws where elements do not close in order or a letter is not escaped. */
function parseXml(xml: string): Node {
  const root: Node = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const body = xml.replace('<?xml version="1.0" encoding="UTF-8"?>', '');
  for (const [, close, name = '', attributes = '', text = ''] of body.matchAll(
    /<(\/?)([A-Za-z.:]+)((?: [A-Za-z:]+="[^"<]*")*)>([^<]*)/g,
  )) {
    if (close) {
      const ended = open.pop();
      if (ended?.name !== name) throw new Error(`${name} closes ${ended?.name}`);
    } else {
      const own: Node = { name, attributes: {}, children: [], text: unescaped(text) };
      for (const [, key = '', value = ''] of attributes.matchAll(/ ([A-Za-z:]+)="([^"]*)"/g))
        own.attributes[key] = unescaped(value);
      open.at(-1)?.children.push(own);
      open.push(own);
    }
  }
  const read = [...body.matchAll(/<(\/?)([A-Za-z.:]+)((?: [A-Za-z:]+="[^"<]*")*)>([^<]*)/g)].reduce(
    (sum, [all]) => sum + all.length,
    0,
  );
  if (open.length !== 1 || read !== body.trimStart().length) throw new Error('Something is no element.');
  return root;
}

const all = (node: Node, name: string): Node[] =>
  node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
const one = (node: Node, name: string) => all(node, name)[0]?.text ?? '';

const span = () => ({ seriesId: series, from: '2044-05-01', to: '2044-05-31' });
async function exported(over: object = {}) {
  const asked = { ...span(), ...over };
  const query = new URLSearchParams(
    Object.entries(asked).map(([key, value]): [string, string] => [key, String(value)]),
  );
  return accountant.send({ url: `/api${tallyApi.file.path}?${query}` });
}
/** The vouchers of a file, by number: type, day, whether cancelled, and the lines in rupees. */
function vouchersOf(xml: string) {
  return Object.fromEntries(
    all(parseXml(xml), 'VOUCHER').map((voucher) => {
      const lines = all(voucher, 'ALLLEDGERENTRIES.LIST').map((line) => [
        one(line, 'LEDGERNAME'),
        Number(one(line, 'AMOUNT')),
        one(line, 'ISDEEMEDPOSITIVE'),
      ]);
      const about = {
        type: one(voucher, 'VOUCHERTYPENAME'),
        day: one(voucher, 'DATE'),
        isCancelled: one(voucher, 'ISCANCELLED'),
      };
      return [one(voucher, 'VOUCHERNUMBER'), { ...about, narration: one(voucher, 'NARRATION'), lines }];
    }),
  );
}

async function due(head: number, rupees: number, gstRate = 0) {
  const [row] =
    await school.sql(`insert into fee_due (account_id, kind, fee_head_id, receipt_series_id, gst_rate, label, due_on)
    values (${account}, 'Extra', ${head}, ${series}, ${gstRate}, 'Extra', '2044-05-01') returning id`);
  await school.sql(`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount)
    values (${account}, ${row?.id}, ${series}, 'Debit', '2044-05-01', '2044-05-01', ${rupees * 100})`);
  return Number(row?.id);
}
const paid = (day: string, on: [due: number | null, rupees: number][]) =>
  receive(school, { account, series, day, on: on.map(([of, rupees]) => ({ due: of, amount: rupees * 100 })) });

test('MB7 the vouchers of a span balance and parse, whatever letters names have, and a second export is the same file', async () => {
  const tuition = 'શિક્ષણ ફી & <Tuition> "મુખ્ય"';
  const { Tuition, Annual } = prices.heads;
  // 5,500: 4,000 of tuition and 1,500 in advance; 1,180 with GST of 18 %: 1,000, 90 and 90.
  const first = await due(Tuition, 4000);
  const taxed = await due(Annual, 1180, 1800);
  const small = await due(Tuition, 500);
  await paid('2044-05-02', [
    [first, 4000],
    [null, 1500],
  ]);
  await school.sql(`update fee_payment set payer_name = 'A & B <Traders> પટેલ'`);
  await undo(school, await paid('2044-05-02', [[small, 200]]));
  await paid('2044-05-03', [[taxed, 1180]]);
  // 500 of the advance pay a due, 1,000 are paid back.
  await school.sql(`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount)
    values (${account}, ${small}, ${series}, 'Applied', '2044-05-04', '2044-05-04', -50000),
      (${account}, null, ${series}, 'Applied', '2044-05-04', '2044-05-04', 50000)`);
  school.clock.now = new Date('2044-05-05T06:00:00Z');
  const body = {
    studentId: student,
    receiptSeriesId: series,
    amount: 100_000,
    mode: 'Cheque',
    payee: 'A parent',
    reason: 'Paid twice',
  };
  const { json } = await accountant.send({ method: 'POST', url: '/api/fee/refund', body });
  const [asked] = await school.sql(`select id from approval where fee_refund_id = ${json.id}`);
  const found = await principal.call(approvalApi.read, { id: Number(asked?.id) });
  const decided = { version: found.version, seen: found.seen, outcome: 'Approved', remark: '' };
  await principal.send({ method: 'POST', url: `/api/approval/${found.id}/decide`, body: decided });
  const [refund] = await school.sql(`select version from fee_refund where id = ${json.id}`);
  const pay = { version: refund?.version, reference: '000124' };
  expect((await accountant.send({ method: 'POST', url: `/api/fee/refund/${json.id}/pay`, body: pay })).status).toBe(
    200,
  );

  const before = await accountant.call(tallyApi.preview, span());
  expect(before.lacks.map(english)).toContain('Tuition');
  expect(await exported()).toMatchObject({ status: 409, json: { error: { message: english(tallyMessages.lacks) } } });
  const { ledgers } = await accountant.call(tallyApi.names, {});
  for (const { key, usual } of ledgers)
    await accountant.call(tallyApi.saveName, { key, name: key === `head:${Tuition}` ? tuition : usual });
  await expect(accountant.call(tallyApi.saveName, { key: 'head:999999', name: 'None' })).rejects.toMatchObject({
    code: 'conflict',
  });

  const file = await exported();
  const vouchers = vouchersOf(file.text);
  const lines = Object.values(vouchers).flatMap((own) => own.lines);
  // Debits are negative and deemed positive, and each voucher adds up to zero.
  for (const [, amount, isDebit] of lines) expect(isDebit).toBe(Number(amount) < 0 ? 'Yes' : 'No');
  for (const own of Object.values(vouchers))
    expect(own.lines.reduce((sum, [, amount]) => sum + Math.round(Number(amount) * 100), 0)).toBe(0);
  expect(
    Object.values(vouchers).map(({ type, day, isCancelled, lines: own }) => [
      type,
      day,
      isCancelled,
      own.map(([name, amount]) => [name, amount]),
    ]),
  ).toEqual([
    [
      'Receipt',
      '20440502',
      'No',
      [
        [tuition, 4000],
        ['Advance fees', 1500],
        ['UPI', -5500],
      ],
    ],
    ['Receipt', '20440502', 'Yes', []],
    [
      'Receipt',
      '20440503',
      'No',
      [
        ['Annual', 1000],
        ['CGST', 90],
        ['SGST', 90],
        ['UPI', -1180],
      ],
    ],
    [
      'Journal',
      '20440504',
      'No',
      [
        [tuition, 500],
        ['Advance fees', -500],
      ],
    ],
    [
      'Payment',
      '20440505',
      'No',
      [
        ['Advance fees', -1000],
        ['Bank', 1000],
      ],
    ],
  ]);
  expect(Object.values(vouchers)[0]?.narration).toContain('A & B <Traders> પટેલ');
  const preview = await accountant.call(tallyApi.preview, span());
  expect(preview).toMatchObject({ vouchers: 5, cancelled: 1, debit: 818_000, lacks: [] });
  expect((await exported()).text).toBe(file.text);
  // A span within another has the same vouchers, by which Tally knows them again.
  const part = (await exported({ from: '2044-05-03', to: '2044-05-03' })).text;
  expect(file.text).toContain(part.split('\n').find((line) => line.startsWith('<TALLYMESSAGE')) ?? 'none');
});

test('MB7 a receipt that ended later has a voucher of its own on that day, and one that ended on its day is cancelled', async () => {
  const receipt = await paid('2044-06-02', [[null, 700]]);
  await school.sql(`do $$ begin
    update fee_payment set ended_as = 'Cancelled', ended_on = '2044-06-09', end_reason = 'Typed twice', end_money = 'It never came'
      where id = (select payment_id from fee_receipt where id = ${receipt});
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, receipt_id, reverses_id)
      select account_id, due_id, receipt_series_id, kind, '2044-06-09', '2044-06-09', -amount, receipt_id, id
      from fee_ledger_entry where receipt_id = ${receipt};
  end $$`);
  const vouchers = Object.values(vouchersOf((await exported({ from: '2044-06-01', to: '2044-06-30' })).text));
  expect(vouchers.map(({ type, day, lines }) => [type, day, lines.map(([name, amount]) => [name, amount])])).toEqual([
    [
      'Receipt',
      '20440602',
      [
        ['Advance fees', 700],
        ['UPI', -700],
      ],
    ],
    [
      'Payment',
      '20440609',
      [
        ['Advance fees', -700],
        ['UPI', 700],
      ],
    ],
  ]);
});

test('MB7 cash that a closed shift sent to the bank is a contra voucher of its day; what an open shift has is none', async () => {
  await receive(school, { account, series, day: '2044-07-03', on: [{ due: null, amount: 90_000 }], isCash: true });
  await receive(school, { account, series, day: '2044-07-04', on: [{ due: null, amount: 10_000 }], isCash: true });
  await school.sql(`insert into fee_day_count (day_id, note, pieces)
    select id, note, pieces from fee_day, (values (500, 1), (200, 2)) as own (note, pieces) where day = '2044-07-03'`);
  await school.sql(`update fee_day set status = 'Closed', counted = 90000, expected = 90000, difference = 0, banked = 80000,
    slip_no = 'C-17', closed_by = staff_id, closed_at = '2044-07-03T12:00:00Z' where day = '2044-07-03'`);
  const july = { from: '2044-07-01', to: '2044-07-31' };
  const contras = Object.entries(vouchersOf((await exported(july)).text)).filter(([, { type }]) => type === 'Contra');
  expect(contras.map(([number, { day, lines }]) => [number, day, lines])).toEqual([
    [
      'C-17',
      '20440703',
      [
        ['Bank', -800, 'Yes'],
        ['Cash', 800, 'No'],
      ],
    ],
  ]);
});

test('MB7 accountants of some branches, and the office, export nothing', async () => {
  const limited = await school.person({
    name: 'Lata',
    role: 'Staff',
    sets: ['accountant'],
    branchIds: [prices.place.branchId],
  });
  await expect(limited.call(tallyApi.preview, span())).rejects.toMatchObject({ code: 'conflict' });
  const office = await school.person({ name: 'Omkar', role: 'Staff', sets: ['office'] });
  await expect(office.call(tallyApi.preview, span())).rejects.toMatchObject({ code: 'forbidden' });
  expect((await principal.call(tallyApi.preview, span())).vouchers).toBeGreaterThan(0);
});

test('MB7 text in a voucher keeps its letters and loses only characters that XML does not know', () => {
  expect(escapeXml('A & B <શાળા> "\u0000\u0007x"')).toBe('A &amp; B &lt;શાળા&gt; &quot;x&quot;');
});
