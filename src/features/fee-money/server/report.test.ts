import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import {
  groupings,
  type ReportFilter,
  reportApi,
  reportFilters,
  reportKinds,
  reportWords,
} from '../contract/report.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let series: number;
const sections: Record<string, number> = {};
const accounts: Record<string, number> = {};

/** A child in a section, with an account and no plan. */
async function child(name: string, gradeId: number, section: string) {
  const enrollment = await enroll(school, { ...prices.place, gradeId }, name);
  await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
      section_id, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${sections[section]}, joined_on
    from student_enrollment where id = ${enrollment}`);
  const [row] = await school.sql(`insert into fee_account (student_id)
    select student_id from student_enrollment where id = ${enrollment} returning id`);
  accounts[name] = Number(row?.id);
}

/** A due of a head, charged on its day. */
async function due(name: string, head: 'Tuition' | 'Term', day: string, rupees: number) {
  const [row] =
    await school.sql(`insert into fee_due (account_id, kind, fee_head_id, receipt_series_id, gst_rate, label, due_on)
    values (${accounts[name]}, 'Extra', ${prices.heads[head]}, ${series}, 0, '${head}', '${day}') returning id`);
  await entry(name, 'Debit', { due: Number(row?.id), day, rupees });
  return Number(row?.id);
}

async function fine(name: string, day: string, rupees: number) {
  const [row] = await school.sql(`with rule as (insert into fee_fine_rule (name) values ('Ten a day') returning id)
    insert into fee_due (account_id, kind, fine_rule_id, fine_of, receipt_series_id, gst_rate, label, due_on)
    select ${accounts[name]}, 'Fine', id, '${day}', ${series}, 0, 'Fine', '${day}' from rule returning id`);
  await entry(name, 'Fine', { due: Number(row?.id), day, rupees });
  return Number(row?.id);
}

const entry = (
  name: string,
  kind: string,
  { due: of, day, on = day, rupees }: { due: number; day: string; on?: string; rupees: number },
) =>
  school.sql(`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount)
    values (${accounts[name]}, ${of}, ${series}, '${kind}', '${day}', '${on}', ${rupees * 100})`);

const pay = (name: string, day: string, on: [due: number | null, rupees: number][]) =>
  receive(school, {
    account: accounts[name] ?? 0,
    series,
    day,
    on: on.map(([of, rupees]) => ({ due: of, amount: rupees * 100 })),
  });

/** Ends a payment, with the reversal of each entry. */
const cancel = (receipt: number, day: string) =>
  school.sql(`do $$ begin
    update fee_payment set ended_as = 'Cancelled', ended_on = '${day}', end_reason = 'Typed twice', end_money = 'It never came'
      where id = (select payment_id from fee_receipt where id = ${receipt});
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, receipt_id, reverses_id)
      select account_id, due_id, receipt_series_id, kind, '${day}', '${day}', -amount, receipt_id, id
      from fee_ledger_entry where receipt_id = ${receipt};
  end $$`);

const read = (asked: Partial<InputOf<typeof reportApi.read>> & { kind: (typeof reportKinds)[number]; to: string }) =>
  accountant.call(reportApi.read, asked);

/** The rows as their first cell and their cells by the words of the columns, in rupees. */
async function table(asked: Parameters<typeof read>[0]) {
  const { columns, rows, total, ledger, totals } = await read(asked);
  const named = (cells: readonly (string | number | null)[]) =>
    Object.fromEntries(
      columns.flatMap(({ label, kind }, at) => (kind === 'money' ? [[english(label), Number(cells[at]) / 100]] : [])),
    );
  expect([asked, total]).toEqual([asked, ledger]);
  const byName: Record<string, Record<string, number>> = Object.fromEntries(
    rows.map(({ cells }) => [cells[0], named(cells)]),
  );
  return { rows: byName, all: named(totals) };
}

beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  const other = await plant(school, gradeMaster);
  series = Number((await school.sql('select id from fee_receipt_series'))[0]?.id);
  const { academicYearId, branchId, programId } = prices.place;
  for (const [name, gradeId] of [
    ['A', prices.place.gradeId],
    ['B', other.id],
  ] as const)
    sections[name] = (await plant(school, sectionMaster, { name, academicYearId, branchId, programId, gradeId })).id;
  await child('Asha', prices.place.gradeId, 'A');
  await child('Bina', prices.place.gradeId, 'A');
  await child('Chetan', other.id, 'B');
  await child('Diya', other.id, 'B');
  await child('Esha', prices.place.gradeId, 'A');
});
afterAll(() => school.close());

/** What is open at the end of a day by each entry of the ledger with its account, in rupees. */
async function openByEntries(day: string) {
  const [row] = await school.sql(`select coalesce(sum(owed), 0)::integer / 100 as owed from (
    select account.id, entry.due_id, sum(entry.amount) as owed
    from fee_ledger_entry entry join fee_account account on account.id = entry.account_id
    where entry.due_id is not null and entry.entry_date <= '${day}' and entry.due_on <= '${day}'
    group by 1, 2 having sum(entry.amount) > 0) as open`);
  return row?.owed;
}

/** What a child owes at the end of a day, in rupees. */
async function asOf(day: string, name: string) {
  const { rows, all } = await table({ kind: 'Dues by class', by: 'Student', to: day });
  expect([day, all.Dues]).toEqual([day, await openByEntries(day)]);
  return rows[`${name} Shah`]?.Dues ?? 0;
}

test('MB2 dues as of a day between two due days of one fee are those that the ledger knew then', async () => {
  // Moved on 15 October to 10 November.
  const moved = await due('Esha', 'Tuition', '2044-10-10', 5000);
  await school.sql(`with plan as (insert into fee_plan (account_id, academic_year_id, joined_on)
      values (${accounts.Esha}, ${prices.place.academicYearId}, '2044-04-01') returning id),
    change as (insert into fee_plan_change (plan_id, kind, effective_from, staff_id, authority)
      select id, 'Due day', '2044-11-10', ${accountant.staffId}, 'Raise' from plan returning id)
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on, amount, change_id)
    select ${accounts.Esha}, ${moved}, ${series}, ${prices.place.academicYearId}, 'Charge', '2044-10-15', day::date, amount, change.id
    from change, (values ('2044-10-15', -500000), ('2044-11-10', 500000)) as part (day, amount)`);
  expect([
    await asOf('2044-10-12', 'Esha'),
    await asOf('2044-10-31', 'Esha'),
    await asOf('2044-11-10', 'Esha'),
  ]).toEqual([5000, 0, 5000]);
});

test('MB1 receipts of a month stand by head, class and day, and a receipt that ended later is taken off in its month', async () => {
  const tuition = await due('Asha', 'Tuition', '2044-10-01', 5000);
  const term = await due('Bina', 'Term', '2044-10-01', 2000);
  const late = await due('Chetan', 'Tuition', '2044-09-01', 4400);
  const fined = await fine('Chetan', '2044-10-20', 100);
  await pay('Asha', '2044-10-05', [
    [tuition, 5000],
    [null, 500],
  ]);
  const cancelled = await pay('Bina', '2044-10-12', [[term, 2000]]);
  await pay('Chetan', '2044-10-20', [
    [late, 4400],
    [fined, 100],
  ]);
  await cancel(cancelled, '2044-11-03');
  const october = { kind: 'Receipts by head', from: '2044-10-01', to: '2044-10-31' } as const;
  expect((await table(october)).all).toEqual({
    Tuition: 9400,
    Term: 2000,
    'Late fines': 100,
    Advance: 500,
    Total: 12_000,
  });
  const november = { kind: 'Receipts by head', from: '2044-11-01', to: '2044-11-30' } as const;
  expect((await table(november)).all).toEqual({ Term: -2000, Total: -2000 });
  const byClass = (await table({ ...october, by: 'Section' })).rows;
  expect(Object.values(byClass).map((row) => row.Total)).toEqual([7500, 4500]);
  const ofClass = { ...october, gradeId: String(prices.place.gradeId) };
  expect((await table({ ...ofClass, by: 'Receipt' })).all).toEqual({
    Tuition: 5000,
    Term: 2000,
    Advance: 500,
    Total: 7500,
  });
  expect((await table({ ...october, headId: String(prices.heads.Tuition) })).all).toEqual({
    Tuition: 9400,
    Total: 9400,
  });
  // A receipt of two heads is in two rows, and one receipt of the total.
  const byHead = await read({ ...october, by: 'Fee head' });
  expect([byHead.rows.map(({ cells }) => cells[1]), byHead.totals[1]]).toEqual([[1, 2, 1, 1], 3]);
  // The day book has the same sum over both months.
  const both = { from: '2044-10-01', to: '2044-11-30' };
  expect((await read({ kind: 'Day book', ...both })).total).toBe(
    (await read({ kind: 'Receipts by head', ...both })).total,
  );
});

test('MB2 dues as of a day count payments by their day, and none that came before the due day', async () => {
  const first = await due('Diya', 'Tuition', '2044-10-10', 5000);
  await pay('Diya', '2044-10-20', [[first, 2000]]);
  await pay('Diya', '2044-11-05', [[first, 3000]]);
  expect([
    await asOf('2044-10-09', 'Diya'),
    await asOf('2044-10-31', 'Diya'),
    await asOf('2044-11-05', 'Diya'),
  ]).toEqual([0, 3000, 0]);
  // Paid before its day: it owes nothing, and makes no other due smaller.
  const later = await due('Diya', 'Term', '2044-12-10', 900);
  await pay('Diya', '2044-11-20', [[later, 900]]);
  expect(await asOf('2044-11-30', 'Diya')).toBe(0);
});

test('B5.42 each report agrees with the ledger under each of its filters, and the parts of a filter are the whole', async () => {
  const days = { from: '2044-04-01', to: '2045-03-31' };
  const values: Partial<Record<ReportFilter, string[]>> = {};
  const column: Record<ReportFilter, string> = {
    gradeId: 'select distinct grade_id from student_section',
    sectionId: 'select distinct section_id from student_section',
    branchId: 'select id from academic_branch',
    seriesId: 'select id from fee_receipt_series',
    mode: 'select distinct mode from fee_payment',
    cashierId: 'select distinct staff_id from fee_payment',
    headId: 'select id from fee_head',
    discountId: 'select id from fee_discount',
  };
  for (const [name, query] of Object.entries(column))
    values[name as ReportFilter] = (await school.sql(query)).map((row) => String(Object.values(row)[0]));
  for (const kind of reportKinds) {
    const { total: whole } = await read({ kind, ...days });
    for (const name of Object.keys(reportFilters) as ReportFilter[]) {
      let sum = 0;
      for (const value of values[name] ?? []) {
        const { total, ledger } = await read({ kind, ...days, [name]: value });
        expect([kind, name, value, total]).toEqual([kind, name, value, ledger]);
        sum += reportWords[kind].filters.includes(name) ? total : whole;
        // A filter that the report does not have changes nothing.
        if (!reportWords[kind].filters.includes(name)) expect([kind, name, total]).toEqual([kind, name, whole]);
      }
      if (reportWords[kind].filters.includes(name) && !['headId', 'discountId'].includes(name))
        expect([kind, name, sum]).toEqual([kind, name, whole]);
    }
  }
  expect(new Set(reportKinds.flatMap((kind) => reportWords[kind].by ?? []))).toEqual(new Set(groupings));
});

/** A payment in another mode, and a cheque of it where it is one. */
async function payBy(name: string, mode: string, day: string, rupees: number) {
  const receipt = await pay(name, day, [[null, rupees]]);
  const cheque = String(100_000 + receipt);
  await school.sql(`update fee_payment set mode = '${mode}', reference = '${mode === 'Cheque' ? cheque : `${mode}${receipt}`}'
    where id = (select payment_id from fee_receipt where id = ${receipt})`);
  return { receipt, cheque };
}

test('MB12 a collection has any two of day, mode, cashier, class and series, and each total is that of the ledger', async () => {
  await payBy('Asha', 'Card', '2044-07-02', 300);
  await payBy('Chetan', 'Cash', '2044-07-02', 200);
  await payBy('Bina', 'Cash', '2044-07-03', 100);
  const days = { kind: 'Collection', from: '2044-07-01', to: '2044-07-31' } as const;
  expect((await table(days)).all).toEqual({ Card: 300, Cash: 300, Total: 600 });
  expect(Object.values((await table(days)).rows).map((row) => [row.Card, row.Cash])).toEqual([
    [300, 200],
    [0, 100],
  ]);
  const byMode = (await table({ ...days, by: 'Mode', across: 'Class' })).rows;
  expect(byMode).toMatchObject({ Card: { Total: 300 }, Cash: { Total: 300 } });
  expect(Object.keys(byMode.Cash ?? {})).toHaveLength(3);
  // By one and the same, each stands in its row alone.
  expect((await table({ ...days, by: 'Mode', across: 'Mode' })).all).toEqual({ Total: 600 });
});

test('MB12 cheques of these days are held, bounced or paid in, and the bounces of a family are counted', async () => {
  const { cheque, receipt } = await payBy('Asha', 'Cheque', '2044-08-02', 700);
  const student = `(select student_id from fee_account where id = ${accounts.Asha})`;
  const put = (number: string, status: string, payment: string, over = '') =>
    school.sql(`insert into fee_cheque (student_id, kind, number, bank, dated_on, amount, payer_name, status, received_on,
        received_by, payment_id, bounces, ended_on, reason)
      values (${student}, 'Cheque', '${number}', 'Bank of Surat', '2044-08-10', 70000, 'A parent', '${status}', '2044-08-02',
        ${accountant.staffId}, ${payment}, ${over || "0, null, ''"})`);
  await put(cheque, 'Deposited', `(select payment_id from fee_receipt where id = ${receipt})`);
  await put('900001', 'Held', 'null');
  await put('900002', 'Returned', 'null', "1, '2044-08-12', 'Left'");
  const days = { kind: 'Cheques', from: '2044-08-01', to: '2044-08-31' } as const;
  const { rows, total, ledger, totals } = await read(days);
  expect([total, ledger]).toEqual([70_000, 70_000]);
  expect(totals.slice(-3)).toEqual([70_000, 0, 70_000]);
  expect(rows.map(({ cells }) => [cells[1], cells[6], cells[8]])).toEqual([
    [cheque, 'Deposited', 1],
    ['900001', 'Held', 1],
    ['900002', 'Returned', 1],
  ]);
});

test('MB12 a bank day has what came by its value day, and what the bank has shown of it; the office does not read it', async () => {
  const { receipt } = await payBy('Diya', 'UPI', '2044-09-05', 400);
  await payBy('Diya', 'UPI', '2044-09-05', 150);
  await payBy('Diya', 'Cash', '2044-09-05', 50);
  await school.sql(`with account as (insert into fee_bank_account (name, bank, last4, receipt_series_id)
      values ('Fees', 'Bank of Surat', '4321', ${series}) returning id)
    insert into bank_line (bank_account_id, day, narration, tokens, credit, debit, nth, file_from, file_to, state, payment_id)
    select id, '2044-09-05', 'UPI', '{}', 40000, 0, 1, '2044-09-01', '2044-09-30', 'Matched',
      (select payment_id from fee_receipt where id = ${receipt}) from account`);
  const days = { kind: 'Bank day', from: '2044-09-05', to: '2044-09-05' } as const;
  expect((await table(days)).all).toEqual({ Total: 550, 'Seen in the bank': 400, 'Not seen': 150 });
  const office = await school.person({ name: 'Omkar', role: 'Staff', sets: ['office'] });
  await expect(office.call(reportApi.read, days)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(office.call(reportApi.export, { ...days, as: 'csv' })).rejects.toMatchObject({ code: 'forbidden' });
});

test('MB12 money without a child is that of the day that is asked for', async () => {
  const [made] = await school.sql(`insert into fee_account (unplaced_note, branch_id)
    values ('No name with it', ${prices.place.branchId}) returning id`);
  accounts.Nobody = Number(made?.id);
  await pay('Nobody', '2044-09-10', [[null, 300]]);
  const cancelled = await pay('Nobody', '2044-09-11', [[null, 100]]);
  await school.sql(`do $$ begin
    update fee_payment set ended_as = 'Cancelled', ended_on = '2044-09-20', end_reason = 'Typed twice', end_money = 'It never came'
      where id = (select payment_id from fee_receipt where id = ${cancelled});
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, receipt_id, reverses_id)
      select account_id, due_id, receipt_series_id, kind, '2044-09-20', '2044-09-20', -amount, receipt_id, id
      from fee_ledger_entry where receipt_id = ${cancelled};
  end $$`);
  const left = async (to: string) => (await table({ kind: 'Unplaced', to })).all['Still there'];
  expect([await left('2044-09-09'), await left('2044-09-19'), await left('2044-09-20')]).toEqual([0, 400, 300]);
});

test('MB13 a late fine that nobody has charged stands beside the dues as of today, and not of other days', async () => {
  school.clock.now = new Date('2044-06-20T06:00:00Z');
  const [rule] = await school.sql(`with rule as (insert into fee_fine_rule (name) values ('Twenty a day') returning id)
    insert into fee_fine_version (rule_id, kind, amount, grace_days, max_amount, effective_from)
    select id, 'Per day', 2000, 5, 50000, '2044-04-01' from rule returning rule_id as id`);
  const late = await due('Esha', 'Tuition', '2044-06-10', 1000);
  await school.sql(`update fee_due set late_rule_id = ${Number(rule?.id)} where id = ${late}`);
  // 16 to 20 June: five days.
  const asked = { by: 'Student', to: '2044-06-20' } as const;
  const found = await table({ kind: 'Dues by class', ...asked });
  expect(found.rows['Esha Shah']).toMatchObject({ Dues: 1000, 'Late fine not charged': 100 });
  expect(found.all['Late fine not charged']).toBe(100);
  const byAge = await table({ kind: 'Outstanding by age', to: '2044-06-20' });
  expect(byAge.rows['Esha Shah']).toMatchObject({ All: 1000, 'Late fine not charged': 100 });
  expect(Object.keys((await table({ kind: 'Dues by class', by: 'Student', to: '2044-06-19' })).all)).not.toContain(
    'Late fine not charged',
  );
});

test('MB14 a report of 12,000 receipts is exported whole as CSV, and its last row is the total', async () => {
  // Without the triggers, which add up account by account.
  await school.sql(`alter table fee_ledger_entry disable trigger user; alter table fee_receipt disable trigger user;
    alter table fee_payment disable trigger user`);
  await school.sql(`do $$ begin
    insert into fee_day (staff_id, day) values (${accountant.staffId}, '2044-05-05') on conflict do nothing;
    with paid as (insert into fee_payment (day_id, staff_id, paid_on, value_on, payer_name, payer_key, mode, amount, reference)
        select day.id, day.staff_id, day.day, day.day, 'A parent', 'A parent', 'UPI', 100, 'LONG' || n
        from fee_day day, generate_series(1, 12000) as n
        where day.day = '2044-05-05' and day.staff_id = ${accountant.staffId} returning id),
      receipt as (insert into fee_receipt (payment_id, receipt_date, account_id, receipt_series_id, branch_id, number_series_id,
          number_period, number_value, receipt_no, amount, issued_as)
        select paid.id, '2044-05-05', ${accounts.Bina}, ${series}, ${prices.place.branchId}, number.id, 'long', paid.id, 'L/' || paid.id,
          100, '{}' from paid, number_series number where code = 'fee-receipt-${series}' returning id)
      insert into fee_ledger_entry (account_id, receipt_series_id, kind, entry_date, due_on, amount, receipt_id)
        select ${accounts.Bina}, ${series}, 'Receipt', '2044-05-05', '2044-05-05', -100, id from receipt;
  end $$`);
  await school.sql(`alter table fee_ledger_entry enable trigger user; alter table fee_receipt enable trigger user;
    alter table fee_payment enable trigger user`);
  const days = { kind: 'Day book', from: '2044-05-05', to: '2044-05-05' } as const;
  const file = await accountant.send({
    url: `/api${reportApi.export.path}?${new URLSearchParams({ ...days, as: 'csv' })}`,
  });
  const lines = file.text.trimEnd().split('\r\n');
  expect([lines.length, lines.at(-1)]).toEqual([12_002, `"Total",${'"",'.repeat(9)}"12000"`]);
  await expect(accountant.call(reportApi.export, { ...days, as: 'pdf' })).rejects.toMatchObject({ code: 'conflict' });
});

test('the day book’s page has the lines of its file, its count and its sum, also of one class and of receipts that ended', async () => {
  const paid = await due('Esha', 'Term', '2044-06-01', 900);
  await pay('Esha', '2044-06-03', [[paid, 500]]);
  await cancel(await pay('Diya', '2044-06-03', [[null, 300]]), '2044-06-07');
  await pay('Asha', '2044-06-07', [[null, 100]]);
  const span = { kind: 'Day book', from: '2044-06-01', to: '2044-06-30' } as const;
  for (const [narrowed, lines] of [
    [{}, 4],
    [{ gradeId: String(prices.place.gradeId) }, 2],
    [{ mode: 'UPI' }, 4],
    [{ seriesId: String(series + 1) }, 0],
  ] as const) {
    const { rows, count, total, ledger } = await read({ ...span, ...narrowed });
    const { text } = await accountant.send({
      url: `/api${reportApi.export.path}?${new URLSearchParams({ ...span, ...narrowed, as: 'csv' })}`,
    });
    const [, ...filed] = text.trimEnd().split('\r\n');
    const last = filed.pop();
    expect([narrowed, count, rows.length, filed.length]).toEqual([narrowed, lines, lines, lines]);
    expect(total).toBe(ledger);
    expect(last).toContain(`"${total / 100}"`);
    // The file writes days in words, amounts in rupees, and what may be read as a formula after an apostrophe.
    expect(
      rows.map(({ cells }) =>
        [...cells.slice(1, -1).map((cell) => `"${cell ?? ''}"`), `"${Number(cells.at(-1)) / 100}"`].join(),
      ),
    ).toEqual(filed.map((line) => line.slice(line.indexOf(',') + 1).replace("'-", '-')));
  }
});
