import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import { doDaily } from '#kit/server/job/daily.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { openPrices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { findFeeWarnings, nightlyProof } from './proof.ts';

let school: School;
let children: number[];
beforeAll(async () => {
  school = await openSchool();
  await school.person();
  const prices = await openPrices(school);
  children = [];
  for (const name of ['Asha', 'Bela', 'Chirag', 'Dev']) children.push(await plannedChild(school, prices, name));
});
afterAll(() => school.close());

/** Adds up the ledger as each night does, and returns the warnings that follow. */
async function prove() {
  await school.sql(`delete from daily_task where name = '${nightlyProof.name}'`);
  expect(await doDaily(school.services, { ...nightlyProof, from: 0, until: 24 })).toBe(true);
  return (await findFeeWarnings(school.services)).map(({ text }) => english(text));
}
/** Changes what no act of the application can change. */
const plant = (statement: string) =>
  school.sql(`do $$ begin set local session_replication_role = replica; ${statement}; end $$`);

test('B5.22 a sound ledger gives no warning; a balance, a due and an advance that differ from it are noted, each with its account', async () => {
  expect(await prove()).toEqual([]);
  const account = (child = 0) => `(select id from fee_account where student_id = ${child})`;
  const [first, second, third] = children;
  await plant(`update fee_account set balance = balance + 1 where id = ${account(first)}`);
  // Two dues that differ by opposite amounts, so that their sum agrees.
  await plant(`update fee_due set gross = gross + case seq when 1 then 100 else -100 end
    where account_id = ${account(second)} and fee_head_id = (select min(fee_head_id) from fee_due) and seq in (1, 2)`);
  await plant(`insert into fee_advance (account_id, receipt_series_id, amount)
    select ${account(third)}, min(id), 500 from fee_receipt_series`);
  const [warning, ...more] = await prove();
  expect(more).toEqual([]);
  expect(warning).toMatch(/^Fees of 3 accounts don’t agree with the ledger, first \S+\./);
  const found = await school.sql(`select account.student_id, (found.balance - found.ledger)::integer as balance,
      (found.dues - found.ledger)::integer as dues, wrong_dues
    from fee_difference found join fee_account account on account.id = found.account_id order by 1`);
  expect(found).toEqual([
    { student_id: first, balance: 1, dues: 0, wrong_dues: 0 },
    { student_id: second, balance: 0, dues: 0, wrong_dues: 2 },
    { student_id: third, balance: 0, dues: -500, wrong_dues: 0 },
  ]);
  await plant(`update fee_account set balance = balance - 1 where id = ${account(first)}`);
  expect(await prove()).toEqual([expect.stringContaining('Fees of 2 accounts')]);
});
