import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { chequeApi } from '#features/fee-money/contract/cheque.ts';
import { paymentApi } from '#features/fee-money/contract/payment.ts';
import { unplacedList } from '#features/fee-money/contract/unplaced.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import { english } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Person } from '#testing/browser.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { depositApi, depositList } from '../contract/deposit.ts';
import { dayTickApi, lineApi, lineList, lineMessages, unseenList } from '../contract/line.ts';
import { statementImportApi } from '../contract/statement.ts';
import { lineTodo, slipTodo } from './todo.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let children: number[];
let account: number;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  at('2044-05-02');
  children = [];
  for (const name of ['Asha', 'Bela', 'Chirag', 'Dev', 'Esha', 'Falguni', 'Gita', 'Hari', 'Ila', 'Jay'])
    children.push(await plannedChild(school, prices, name));
  const [row] = await school.sql(`insert into fee_bank_account (name, bank, last4, receipt_series_id)
    select 'Fees', 'Bank of Surat', '4321', min(id) from fee_receipt_series returning id`);
  account = Number(row?.id);
});
afterAll(() => school.close());

let today = '';
function at(day: string) {
  today = day;
  school.clock.now = new Date(`${day}T06:00:00Z`);
}

/** A payment of a child at the counter. */
async function pay(child: number, amount: number, reference: string, mode = 'UPI') {
  const studentId = children[child] ?? 0;
  const found = (await accountant.call(paymentApi.dues, { studentId, on: today })).children.find(
    (one) => one.studentId === studentId,
  );
  let left = amount;
  const lines = (found?.lines ?? []).flatMap(({ key, owed }) => {
    const part = Math.min(left, owed);
    left -= part;
    return part > 0 ? [{ key, amount: part }] : [];
  });
  const taken = await accountant.call(paymentApi.take, {
    payerName: `Parent ${child}`,
    payerMobile: '',
    payerGuardianId: null,
    amount,
    mode: mode as 'UPI',
    reference,
    paidOn: today,
    backReason: '',
    remark: '',
    children: [{ studentId, version: found?.version ?? 0, lines }],
  } as never);
  return (taken as { id: number }).id;
}

const plan = { fileName: 'statement.csv', same: { bankAccountId: 'Fees' } };
/** Imports a file with the columns as they are proposed. */
async function take(file: string, over: object = {}) {
  const stage = await accountant.call(statementImportApi.importOpen, { file });
  const columns = Object.fromEntries(stage.columns.flatMap((one, at) => (one.plan ? [[String(at), one.plan]] : [])));
  const asked = { file, plan: { ...plan, headLine: stage.headLine, columns, ...over } as unknown as ImportPlan };
  const { confirmToken, counts, rows } = await accountant.call(statementImportApi.import, asked as never);
  if (confirmToken) await accountant.call(statementImportApi.import, { ...asked, confirmToken } as never);
  return { counts, columns, wrong: rows.filter(({ status }) => status === 'wrong') };
}
const linesOf = async (tab: 'open' | 'matched' | 'aside' | 'all') =>
  (await accountant.call(lineList.api.list, { tab } as never)).rows;
const lineWith = async (words: string) => (await linesOf('all')).find(({ narration }) => narration.includes(words));
const stateOf = async (words: string) => (await lineWith(words))?.status;

/** A line as the bank of the test writes it: date, narration, reference, withdrawal, deposit, balance. */
const fileOf = (...lines: string[]) =>
  ['Date,Narration,Chq./Ref.No.,Withdrawal Amt.,Deposit Amt.,Closing Balance', ...lines].join('\n');

test('MB3 a line matches the payment with its whole reference and amount, never by name or amount alone; a file again doubles nothing', async () => {
  const named = await pay(0, 750_000, '412345678901');
  await pay(1, 750_000, '499999999999');
  await pay(2, 750_000, '455555555555');
  const file = fileOf(
    '01/05/44,UPI-PARENT 1-412345678901-FEES,0000412345678901,,"7,500.00","1,07,500.00"',
    '02/05/44,UPI/CR/455555555555/PARENT 2,,,"7,000.00","1,14,500.00"',
    '02/05/44,INTEREST,,,12.00,"1,14,512.00"',
    '02/05/44,INTEREST,,,12.00,"1,14,512.00"',
  ).replaceAll('/44', '/2044');
  expect((await take(file)).counts).toMatchObject({ added: 4, same: 0, wrong: 0 });
  const [matched] = await school.sql(`select payment_id, state from bank_line where narration like '%412345678901%'`);
  expect(matched).toEqual({ payment_id: named, state: 'Matched' });
  expect([await stateOf('455555555555'), (await lineWith('455555555555'))?.difference]).toEqual(['Differs', -50_000]);
  expect((await linesOf('open')).map(({ narration }) => narration.slice(0, 8)).toSorted()).toEqual([
    'INTEREST',
    'INTEREST',
    'UPI/CR/4',
  ]);

  expect((await take(file)).counts).toMatchObject({ added: 0, same: 4 });
  const more = `${file}\n${['a', 'b', 'c'].map((one) => `03/05/2044,NEFT ${one},,,5.00,`).join('\n')}`;
  at('2044-05-03');
  expect((await take(more)).counts).toMatchObject({ added: 3, same: 4 });
  expect((await school.sql(`select count(*)::integer as count from bank_line`))[0]?.count).toBe(7);
});

test('MB4 cheques on one slip are cleared by its credit, and a withdrawal returns the one whose number it has', async () => {
  at('2044-05-04');
  const ids: number[] = [];
  for (const [index, amount] of [750_000, 750_000, 750_000, 750_000, 700_000, 800_000].entries())
    ids.push(
      (
        await accountant.call(chequeApi.take, {
          studentId: children[index] ?? 0,
          kind: 'Cheque',
          number: String(200_001 + index),
          bank: 'Bank of Surat',
          datedOn: '2044-05-01',
          amount,
          payerName: 'A parent',
        })
      ).id,
    );
  const deposit = (slipNo: string, over: object = {}) =>
    accountant.send({
      method: 'POST',
      url: '/api/bank/deposit',
      body: { selection: { ids, isAll: false, query: {} }, bankAccountId: account, slipNo, ...over },
    });
  const both = await Promise.all([deposit('771'), deposit('771')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const [slip] = (await accountant.call(depositList.api.list, {} as never)).rows;
  expect(slip).toMatchObject({ slipNo: '771', cheques: 6, amount: 4_500_000, seen: 0 });
  await accountant.call(depositApi.paper, { id: slip?.id ?? 0 });
  expect(school.papers.last().data).toMatchObject({
    table: { sums: [expect.anything(), '', '', '', '₹45,000.00'] },
  });

  at('2044-05-06');
  await take(
    fileOf(
      '05/05/2044,CLG DEPOSIT SLIP 771,,,"45,000.00",',
      '06/05/2044,CHQ RETURN 200003 FUNDS INSUFFICIENT,,"7,500.00",,',
      '06/05/2044,SALARY OF MAY,,"99,000.00",,',
    ),
  );
  expect(await lineWith('SALARY')).toBeUndefined();
  const credit = await lineWith('CLG DEPOSIT');
  expect(credit).toMatchObject({ status: 'Open', of: '771?' });
  const match = (line: { id: number; version: number } | undefined, kind: string, ofId: number | undefined) =>
    accountant.call(lineApi.match, {
      id: line?.id ?? 0,
      version: line?.version ?? 0,
      kind,
      ofId,
      reason: '',
      charge: null,
    } as never);
  expect(await match(credit, 'Deposit slip', slip?.id)).toEqual({ cleared: 6 });
  const back = await lineWith('CHQ RETURN');
  const { rows } = await accountant.call(lineApi.candidates, { id: back?.id ?? 0 });
  expect(rows.map(({ kind, id, isNamed }) => [kind, id, isNamed])).toEqual([['Returned cheque', ids[2], true]]);
  await match(back, 'Returned cheque', ids[2]);
  const states = await school.sql(`select status, count(*)::integer as count from fee_cheque group by 1 order by 1`);
  expect(states).toEqual([
    { status: 'Bounced', count: 1 },
    { status: 'Cleared', count: 5 },
  ]);
  // The bounced cheque goes on a second slip.
  expect((await deposit('772', { selection: { ids: [ids[2]], isAll: false, query: {} } })).status).toBe(200);
  const wrong = await deposit('772', { selection: { ids: [ids[0]], isAll: false, query: {} } });
  expect(wrong.json.error.message).toMatch(/^Cheque 200001 /);
});

test('MB8 what nobody knows is taken without a child from the day of the bank; a line set aside opens again', async () => {
  at('2044-05-08');
  await take(fileOf('07/05/2044,IMPS 477777777777 UNKNOWN,,,"3,000.00",', '07/05/2044,CASHBACK,,,5.00,'));
  const line = await lineWith('477777777777');
  await accountant.call(lineApi.take, {
    id: line?.id ?? 0,
    version: line?.version ?? 0,
    payerName: 'Unknown',
    branchId: prices.place.branchId,
  });
  expect(await stateOf('477777777777')).toBe('Matched');
  const [sum] = (await accountant.call(unplacedList.api.list, { tab: 'open' } as never)).rows;
  expect(sum).toMatchObject({ amount: 300_000, day: '2044-05-07' });
  const aside = async (what: string, body: object = {}) => {
    const own = await lineWith('CASHBACK');
    return accountant.send({
      method: 'POST',
      url: `/api/bank/line/${own?.id}/${what}`,
      body: { version: own?.version, ...body },
    });
  };
  expect((await aside('set-aside', { note: 'Of the bank' })).status).toBe(200);
  expect((await aside('set-aside', { note: 'Again' })).json.error.message).toBe(lineMessages.open.id);
  expect((await aside('undo')).status).toBe(200);
  expect(await stateOf('CASHBACK')).toBe('Open');
});

test('MB9 a payment that no statement of its day shows is listed after 3 days; the totals of UPI are ticked off as they were', async () => {
  at('2044-05-09');
  const missing = await pay(5, 111_100, '466666666666');
  const seen = await pay(6, 222_200, '433333333333');
  await take(fileOf('09/05/2044,UPI/CR/433333333333/X,,,"2,222.00",'));
  const unseen = async () => (await accountant.call(unseenList.api.list, {} as never)).rows.map(({ id }) => id);
  expect(await unseen()).not.toContain(missing);
  at('2044-05-13');
  expect(await unseen()).toContain(missing);
  expect(await unseen()).not.toContain(seen);
  const day = async () => (await accountant.call(dayTickApi.list, {})).rows.find((row) => row.day === '2044-05-09');
  expect(await day()).toMatchObject({ amount: 333_300, seen: 222_200, ticked: null });
  const open = async () => {
    const { figures } = await accountant.call(dashboardApi.line, {});
    return figures.find(({ title }) => english(title) === 'To tick off')?.value ?? 0;
  };
  const before = await open();
  await accountant.call(dayTickApi.tick, { day: '2044-05-09', mode: 'UPI', amount: 333_300 });
  // What a statement has shown was not open.
  expect(before - (await open())).toBe(111_100);
  expect((await day())?.ticked).toMatchObject({ amount: 333_300, by: 'Farida' });
});

test('MB10 a statement of 60 lines with head lines, byte order mark, quotes, Cr and Dr and lakh commas is imported once, and undone', async () => {
  at('2044-06-30');
  const head = [
    '\ufeff"BANK OF SURAT LTD.",,,,,',
    '"Statement of account no. XXXXXX4321 from 01/06/2044 to 30/06/2044",,,,,',
    '"Customer: SUNRISE TRUST, ""FEES""",,,,,',
    ',,,,,',
    'Sl. No.,Txn Date,Value Date,Particulars,Amount (INR),Dr / Cr,Running Balance',
  ];
  const days = ['01-Jun-2044', '02/06/2044', '3-Jun-44', '04-06-2044 10:22:33', '05 Jun 2044'];
  const body = Array.from({ length: 60 }, (_, at) => {
    const amount = at % 7 === 0 ? '"1,25,000.50"' : `"${(at + 1) * 100}.00"`;
    const isDebit = at % 10 === 9;
    return `${at + 1},${days[at % 5]},${days[at % 5]},"NEFT IN, REF ${7_000_000 + at}",${amount},${isDebit ? 'DR' : 'CR'},"${at},00,000.00 Cr"`;
  });
  const foot = [',,,Opening balance,,,"10,000.00 Cr"', ',,,*** End of statement ***,,,'];
  const file = [...head, ...body, ...foot].join('\r\n');
  const before = Number((await school.sql('select count(*)::integer as count from bank_line'))[0]?.count);
  const { counts, columns, wrong } = await take(file);
  expect(Object.values(columns).map(({ to }) => to)).toEqual(
    expect.arrayContaining(['day', 'narration', 'amount', 'side', 'balance']),
  );
  expect(wrong).toEqual([]);
  // Of 60 lines six are withdrawals of no fee.
  expect(counts).toMatchObject({ added: 54, wrong: 0 });
  const [sum] =
    await school.sql(`select count(*)::integer as count, sum(credit)::bigint as credit, min(day)::text as first,
    max(day)::text as last from bank_line where narration like 'NEFT IN, REF 7%'`);
  const expected = Array.from({ length: 60 }, (_, at) =>
    at % 10 === 9 ? 0 : at % 7 === 0 ? 12_500_050 : (at + 1) * 10_000,
  );
  expect(sum).toEqual({
    count: 54,
    credit: expected.reduce((total, one) => total + one, 0),
    first: '2044-06-01',
    last: '2044-06-05',
  });
  expect((await take(file)).counts).toMatchObject({ added: 0, wrong: 0 });

  const [done] = (await accountant.call(statementImportApi.imports, {})).filter(({ mayUndo }) => mayUndo).slice(-1);
  const imports = await accountant.call(statementImportApi.imports, {});
  const own = imports.find(({ counts: { added } }) => added === 54) ?? done;
  const undo = { importId: own?.id ?? 0 };
  const { confirmToken } = await accountant.call(statementImportApi.importUndo, undo);
  await accountant.call(statementImportApi.importUndo, { ...undo, confirmToken: confirmToken ?? '' });
  expect((await school.sql('select count(*)::integer as count from bank_line'))[0]?.count).toBe(before);
});

test('MB11 a user of some branches reads no line of an account and deposits no cheque of another branch', async () => {
  const other = await school.person({
    name: 'Otto',
    role: 'Staff',
    sets: ['accountant'],
    branchIds: [prices.place.branchId],
  });
  expect((await other.call(lineList.api.list, { tab: 'all' } as never)).rows).toEqual([]);
  expect((await other.call(unseenList.api.list, {} as never)).rows).toEqual([]);
  await expect(other.call(lineApi.matchAll, {})).rejects.toThrow(/all branches/);
  const file = fileOf('01/06/2044,NEFT,,,5.00,');
  await expect(other.call(statementImportApi.import, { file } as never)).rejects.toThrow();
});

test('MB16 a slip without its money in a statement, and lines that nobody knows, are to do for accountants of all branches', async () => {
  at('2044-08-20');
  await school.sql(`insert into bank_deposit (bank_account_id, day, slip_no, amount, made_by) values
      (${account}, '2044-08-10', 'LATE1', 50000, ${accountant.staffId}), (${account}, '2044-08-18', 'NEW1', 50000, ${accountant.staffId});
    insert into bank_line (bank_account_id, day, narration, tokens, credit, debit, nth, file_from, file_to)
      values (${account}, '2044-08-11', 'NOBODY KNOWS', '{}', 12300, 0, 1, '2044-08-01', '2044-08-19')`);
  const ctx = (branches: number[]) =>
    ({ ...school.context(), user: { staffId: accountant.staffId, scope: { branches } } }) as unknown as UserContext;
  const slips = (await slipTodo.find(ctx([]), 50)).rows.map(({ title }) => title);
  expect(slips).toContain('LATE1');
  expect(slips).not.toContain('NEW1');
  const lines = await lineTodo.find(ctx([]), 50);
  expect(lines.rows.find(({ title }) => title === 'NOBODY KNOWS')).toMatchObject({
    about: '₹123',
    when: 'late',
    detail: { values: { day: '11 Aug' } },
  });
  expect([await slipTodo.find(ctx([1]), 50), await lineTodo.find(ctx([1]), 50)]).toMatchObject([
    { total: 0 },
    { total: 0 },
  ]);
  // Shown whole by the bank, it is no longer to do.
  await school.sql(`update bank_line set state = 'Matched', deposit_id = (select id from bank_deposit where slip_no = 'LATE1')
    where narration = 'NOBODY KNOWS'`);
  const late = (await slipTodo.find(ctx([]), 50)).rows.find(({ title }) => title === 'LATE1');
  expect(late?.detail).toMatchObject({ values: { amount: '₹377' } });
});

test('MB3 a line in the account of another receipt series matches no payment by its reference', async () => {
  at('2044-07-02');
  await school.sql(`with other as (insert into fee_receipt_series (name, short_name) values ('Trust', 'TRUST') returning id)
    insert into fee_bank_account (name, bank, last4, receipt_series_id) select 'Trust fees', 'Bank of Surat', '8765', id from other`);
  await pay(9, 10_000, '466688889999');
  const file = fileOf('02/07/2044,UPI/CR/466688889999/PARENT 9,,,100.00,');
  expect((await take(file, { same: { bankAccountId: 'Trust fees' } })).counts).toMatchObject({ added: 1 });
  expect(await stateOf('466688889999')).toBe('Open');
  expect((await take(file)).counts).toMatchObject({ added: 1 });
  const lines = await school.sql(`select account.name, line.state from bank_line line
    join fee_bank_account account on account.id = line.bank_account_id
    where narration like '%466688889999%' order by account.name`);
  expect(lines).toEqual([
    { name: 'Fees', state: 'Matched' },
    { name: 'Trust fees', state: 'Open' },
  ]);
});
