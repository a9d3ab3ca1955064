import { afterAll, beforeAll, expect, test } from 'vitest';
import { settlementCheck } from '#features/student/contract/hooks.ts';
import { english } from '#kit/contract/text.ts';
import { ask } from '#kit/server/hook.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { settleLeavers } from './leaving.ts';

let school: School;
let prices: Prices;
beforeAll(async () => {
  school = await openSchool();
  await school.person({ role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-28T06:00:00Z`);
});
afterAll(() => school.close());

test('before many students leave, the school reads whose late fines are charged and whose deposits return', async () => {
  const [rule] = await school.sql(`insert into fee_fine_rule (name) values ('Late') returning id`);
  await school.sql(`insert into fee_fine_version (rule_id, effective_from, kind, amount, grace_days, max_amount)
    values (${rule?.id}, '2040-01-01', 'Per day', 2000, 5, 50000)`);
  const onTime = await plannedChild(school, prices, 'Mira');
  await school.sql(`update fee_head set fine_rule_id = ${rule?.id} where id = ${prices.heads.Tuition}`);
  const late = [await plannedChild(school, prices, 'Asmi'), await plannedChild(school, prices, 'Bela')];
  const all = [onTime, ...late];
  const accounts = await school.sql(`select id as "accountId", student_id as student from fee_account
    where student_id in (${all.join(', ')}) order by id`);
  await school.sql(`update fee_due set is_refundable = false where account_id <> ${accounts[0]?.accountId}`);
  const ctx = school.context();
  const day = `${prices.year}-05-31`;
  const read = async (studentIds: number[]) =>
    (await ask(ctx, settlementCheck, { studentIds, day })).flatMap(({ output }) => output.map(english));
  expect(await read(all)).toEqual([
    'Students who leave and get their late fines charged: 2',
    'Students who leave and whose deposit becomes advance: 1',
  ]);
  expect(await read([])).toEqual([]);

  const before = await school.sql('select coalesce(max(id), 0)::integer as id from fee_ledger_entry');
  await ctx.db.transaction().execute((db) =>
    settleLeavers(
      { ...ctx, db },
      accounts.map(({ accountId }) => ({ accountId: Number(accountId), day, changeId: null })),
    ),
  );
  const charged = await school.sql(`select kind, count(distinct account_id)::integer as accounts from fee_ledger_entry
    where id > ${before[0]?.id} and kind in ('Fine', 'Credit') group by kind order by kind`);
  expect(charged).toEqual([
    { kind: 'Credit', accounts: 1 },
    { kind: 'Fine', accounts: 2 },
  ]);
});
