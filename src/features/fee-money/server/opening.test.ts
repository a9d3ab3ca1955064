import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve } from '#testing/approving.ts';
import type { Person } from '#testing/browser.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openingApi, openingImportApi } from '../contract/opening.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let principal: Person;
let child: { account: number; grNo: string };
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
  const student = await plannedChild(school, prices, 'Asmi');
  const [row] = await school.sql(`select account.id, gr_no, due.id as due, due.receipt_series_id as series from student
    join fee_account account on account.student_id = student.id join fee_due due on due.account_id = account.id
    where student.id = ${student} order by due_on limit 1`);
  child = { account: Number(row?.id), grNo: String(row?.gr_no) };
  await receive(school, {
    account: child.account,
    series: Number(row?.series),
    day: `${prices.year}-04-12`,
    on: [{ due: Number(row?.due), amount: 100 }],
  });
});
afterAll(() => school.close());

const owed = 9_899_900;
const sums = async () => {
  const [row] = await school.sql(`select balance, coalesce((select sum(amount)::integer from fee_advance
    where account_id = account.id), 0) as advance from fee_account account where id = ${child.account}`);
  return [row?.balance, row?.advance];
};
async function take(amount: string, head = 'Tuition') {
  const file = `GR number,Academic year,Fee head,Amount (₹)\n${child.grNo},${prices.year}-${prices.year + 1},${head},${amount}`;
  const { confirmToken, counts } = await accountant.call(openingImportApi.import, { file });
  if (confirmToken) await accountant.call(openingImportApi.import, { file, confirmToken });
  return counts;
}
const latest = async () => (await accountant.call(openingApi.list, {})).rows[0];

test('MC2 a file with -50,000 changes nothing until a second person approves; its undo waits where it lowers, and so does the end', async () => {
  await take('-50000');
  expect(await sums()).toEqual([owed, 0]);
  expect((await latest())?.waits).toBe('Post');
  expect(await take('-50000')).toMatchObject({ same: 1 });
  await approve(school, principal);
  expect(await sums()).toEqual([owed - 5_000_000, 5_000_000]);

  await take('1200', 'Term');
  expect(await sums()).toEqual([owed - 5_000_000 + 120_000, 5_000_000]);
  const undo = async () => accountant.call(openingApi.undo, { id: (await latest())?.id ?? 0 });
  expect(await undo()).toMatchObject({ isAsked: true });
  await expect(undo()).rejects.toThrow('waits for a second person already');
  expect(await sums()).toEqual([owed - 5_000_000 + 120_000, 5_000_000]);
  await approve(school, principal);
  expect(await sums()).toEqual([owed - 5_000_000, 5_000_000]);

  await accountant.call(openingApi.complete, {});
  await expect(accountant.call(openingApi.complete, {})).rejects.toThrow('waits for a second person already');
  await approve(school, principal);
  expect((await accountant.call(openingApi.list, {})).isComplete).toBe(true);
  await expect(take('4500', 'Term')).rejects.toThrow('Opening balances are complete');
  await expect(
    school.sql(`insert into fee_opening (batch, account_id, academic_year_id, fee_head_id, amount, staff_id, due_on)
      select batch, account_id, academic_year_id, ${prices.heads.Term}, 100, staff_id, due_on from fee_opening limit 1`),
  ).rejects.toMatchObject({ constraint: 'fee_opening_complete' });
});

test('MC2 the ledger refuses an opening advance that was never approved', async () => {
  await expect(
    school.sql(`alter table fee_opening disable trigger complete;
      with own as (insert into fee_opening (batch, account_id, academic_year_id, fee_head_id, amount, staff_id, posted_at)
        select gen_random_uuid(), account_id, academic_year_id, ${prices.heads.Annual}, -100, staff_id, now() from fee_opening
        limit 1 returning *)
      insert into fee_ledger_entry (account_id, receipt_series_id, kind, entry_date, due_on, amount, opening_id)
      select account_id, (select min(id) from fee_receipt_series), 'Opening', '${prices.year}-04-12', '${prices.year}-04-12',
        amount, id from own`),
  ).rejects.toMatchObject({ constraint: 'fee_lowered_alone' });
});
