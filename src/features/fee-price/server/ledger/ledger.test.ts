import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { create, openKeeper, plant } from '#testing/masters.ts';
import { receive } from '#testing/payments.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { headMaster } from '../../contract/masters.ts';

let school: School;
let place: { academicYearId: number; branchId: number; programId: number; gradeId: number };
let head: { id: number; frequencyId: number; series: number };
beforeAll(async () => {
  school = await openSchool();
  const keeper = await openKeeper(school);
  place = {
    academicYearId: (await plant(school, yearMaster)).id,
    branchId: (await plant(school, branchMaster)).id,
    programId: (await plant(school, programMaster)).id,
    gradeId: (await plant(school, gradeMaster)).id,
  };
  const made = await create(keeper, headMaster);
  head = { id: made.id, frequencyId: Number(made.frequencyId), series: Number(made.receiptSeriesId) };
});
afterAll(() => school.close());

/** Runs a statement as the application does. */
const asApp = async (statement: string) => (await sql.raw(statement).execute(school.services.db)).rows;
const idOf = ([row]: readonly unknown[]) => Number((row as { id: number }).id);

interface Due {
  account: number;
  plan: number;
  change: number;
  due: number;
}
/** A child with a plan and one due without an amount. */
async function anyDue(): Promise<Due> {
  const enrollment = await enroll(school, place, 'Mira');
  const account = idOf(
    await asApp(`insert into fee_account (student_id)
      select student_id from student_enrollment where id = ${enrollment} returning id`),
  );
  const plan = idOf(
    await asApp(`insert into fee_plan (account_id, academic_year_id, joined_on)
      select ${account}, id, starts_on from academic_year where id = ${place.academicYearId} returning id`),
  );
  const change = idOf(
    await asApp(`insert into fee_plan_change (plan_id, kind, effective_from, authority) values (${plan}, 'Left', '2026-04-01', 'Fact')
      returning id`),
  );
  const due = idOf(
    await asApp(`insert into fee_due (account_id, plan_id, academic_year_id, kind, fee_head_id, receipt_series_id, gst_rate,
        label, frequency_id, seq, period_from, period_to, due_on)
      values (${account}, ${plan}, ${place.academicYearId}, 'Plan', ${head.id}, ${head.series}, 0, 'April',
        ${head.frequencyId}, 1, '2026-04-01', '2026-04-30', '2026-04-10') returning id`),
  );
  return { account, plan, change, due };
}

interface Entry {
  kind?: string;
  amount: number;
  due?: number | null;
  reverses?: number;
  account?: number;
}
let own: Due;
beforeEach(async () => {
  own = await anyDue();
});
const post = (...entries: Entry[]) =>
  asApp(`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on,
      amount, change_id, reverses_id) values ${entries
        .map(
          ({ kind = 'Charge', amount, due = own.due, reverses = null, account = own.account }) =>
            `(${account}, ${due}, ${head.series}, ${place.academicYearId}, '${kind}', '2026-04-01', '2026-04-10', ${amount},
            ${own.change}, ${reverses})`,
        )
        .join(', ')} returning id`);
/** A receipt of an amount that pays no due. */
const advance = (amount: number) =>
  receive(school, { account: own.account, series: head.series, day: '2026-04-01', on: [{ due: null, amount }] });
const sums = async () => {
  const [due] = await asApp(`select gross, pro_rata, paid, net from fee_due where id = ${own.due}`);
  const [account] = await asApp(`select balance, version from fee_account where id = ${own.account}`);
  const [advance] = await asApp(`select amount from fee_advance where account_id = ${own.account}`);
  return { ...(due as object), ...(account as object), advance: (advance as { amount: number } | undefined)?.amount };
};

test('B4.9 an act is one insert: sums of dues, advance and balance follow from its entries', async () => {
  await post({ amount: 500_000 }, { kind: 'Pro-rata', amount: -100_000 });
  expect(await sums()).toMatchObject({ gross: 500_000, pro_rata: 100_000, net: 400_000, balance: 400_000, version: 2 });
  // A payment comes as advance and is applied to the due.
  await advance(300_000);
  expect(await sums()).toMatchObject({ balance: 100_000, advance: 300_000, paid: 0 });
  await post({ kind: 'Applied', due: null, amount: 250_000 }, { kind: 'Applied', amount: -250_000 });
  expect(await sums()).toMatchObject({ balance: 100_000, advance: 50_000, paid: 250_000, version: 4 });
});

test('B4.9 the application neither changes nor deletes entries, and writes no sum itself', async () => {
  await post({ amount: 500_000 });
  for (const statement of [
    'update fee_ledger_entry set amount = 1',
    `update fee_ledger_entry set entry_date = '2026-05-01'`,
    'delete from fee_ledger_entry',
    'truncate fee_ledger_entry',
    'update fee_due set gross = 0',
    'update fee_due set paid = net',
    'delete from fee_due',
    'update fee_account set balance = 0',
    'delete from fee_account',
    'update fee_advance set amount = 0',
    `insert into fee_advance (account_id, receipt_series_id, amount) values (${own.account}, ${head.series}, 5)`,
    `insert into fee_account (student_id, balance) select min(id), 5 from student`,
    'update fee_plan_change set total = 0',
    'delete from fee_plan_change',
    'delete from fee_plan',
    `insert into fee_ledger_entry (account_id, receipt_series_id, kind, entry_date, due_on, amount, created_at)
      values (${own.account}, ${head.series}, 'Applied', '2026-04-01', '2026-04-01', -5, now())`,
    'select fee_post()',
  ])
    await expect([statement, await asApp(statement).then(() => 'done', String)]).toEqual([
      statement,
      expect.stringContaining('permission denied'),
    ]);
  expect(await sums()).toMatchObject({ gross: 500_000, balance: 500_000 });
});

test('no due falls below zero, is paid beyond its amount, and no advance is spent twice', async () => {
  await post({ amount: 500_000 });
  await expect(post({ amount: -500_001 })).rejects.toThrow('fee_due_');
  await expect(post({ kind: 'Pro-rata', amount: -500_001 })).rejects.toThrow('fee_due_');
  await expect(
    post({ kind: 'Applied', amount: -500_001 }, { kind: 'Applied', due: null, amount: 500_001 }),
  ).rejects.toThrow('fee_due_paid');
  await expect(post({ kind: 'Applied', amount: -1 }, { kind: 'Applied', due: null, amount: 1 })).rejects.toThrow(
    'fee_advance_amount',
  );
  await expect(post({ kind: 'Applied', due: null, amount: -1 })).rejects.toThrow('advance is moved, never made');
  await expect(post({ due: null, amount: 1 })).rejects.toThrow('check constraint');
  await expect(post({ amount: 0 })).rejects.toThrow('check constraint');
});

test('a reversal is of the same child, due and kind and of the opposite amount, and happens once', async () => {
  const [charge, other] = [idOf(await post({ amount: 500_000 })), idOf(await post({ amount: 200_000 }))];
  const stranger = await anyDue();
  await expect(post({ amount: -400_000, reverses: charge })).rejects.toThrow('fee_ledger_entry_reversal');
  await expect(post({ kind: 'Pro-rata', amount: -500_000, reverses: charge })).rejects.toThrow(
    'fee_ledger_entry_reversal',
  );
  await expect(
    post({ amount: -500_000, reverses: charge, account: stranger.account, due: stranger.due }),
  ).rejects.toThrow();
  await post({ amount: -500_000, reverses: charge });
  await expect(post({ amount: -500_000, reverses: charge })).rejects.toThrow('unique');
  expect(await sums()).toMatchObject({ gross: 200_000, balance: 200_000 });
  await post({ amount: -200_000, reverses: other });
  expect(await sums()).toMatchObject({ gross: 0, balance: 0 });
});

test('one plan stands for a child and year, and another one after it was withdrawn or ended', async () => {
  const again = () =>
    asApp(`insert into fee_plan (account_id, academic_year_id, joined_on)
      select ${own.account}, id, starts_on + 90 from academic_year where id = ${place.academicYearId} returning id`);
  await expect(again()).rejects.toThrow('fee_plan_once');
  await asApp(`update fee_plan set left_on = joined_on + 60 where id = ${own.plan}`);
  const second = idOf(await again());
  await asApp(`update fee_plan set status = 'Withdrawn' where id = ${second}`);
  await again();
});

test('a closed year keeps its prices, while money paid for it still counts', async () => {
  await post({ amount: 500_000 });
  await advance(100_000);
  await school.sql(`update academic_year set status = 'Closed' where id = ${place.academicYearId}`);
  await expect(post({ amount: 1 })).rejects.toThrow('the academic year is closed');
  await expect(asApp(`update fee_plan set left_on = '2026-08-31' where id = ${own.plan}`)).rejects.toThrow('is closed');
  await expect(asApp(`insert into fee_plan_option values (${own.plan}, ${head.id}, 0, 11)`)).rejects.toThrow(
    'is closed',
  );
  await post({ kind: 'Applied', amount: -100_000 }, { kind: 'Applied', due: null, amount: 100_000 });
  expect(await sums()).toMatchObject({ paid: 100_000, advance: 0, balance: 400_000 });
  await school.sql(`update academic_year set status = 'Open' where id = ${place.academicYearId}`);
});

test('entries of one child that come at once are all counted', async () => {
  await Promise.all(Array.from({ length: 8 }, () => post({ amount: 10_000 })));
  expect(await sums()).toMatchObject({ gross: 80_000, balance: 80_000, version: 9 });
});
