import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi, approvalList } from '#features/approval/contract/approval.ts';
import { headMaster } from '#features/fee-price/contract/masters.ts';
import { showMoney } from '#kit/contract/money.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { owedToday } from './read-dues.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let principal: Person;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-28T06:00:00Z`);
});
afterAll(() => school.close());

const accountOf = async (student: number) =>
  Number((await school.sql(`select id from fee_account where student_id = ${student}`))[0]?.id);
const fineOf = async (account: number) =>
  (await owedToday({ db: school.services.db }, [account], `${prices.year}-04-28`)).get(account)?.fine;

test('the record says with late fines what a child owes today, as the counter does', async () => {
  const [rule] = await school.sql(`insert into fee_fine_rule (name) values ('Late bus') returning id`);
  await school.sql(`insert into fee_fine_version (rule_id, effective_from, kind, amount, grace_days, max_amount)
    values (${rule?.id}, '2040-01-01', 'Per day', 2000, 5, 50000)`);
  await school.sql(`update fee_head set fine_rule_id = ${rule?.id} where id = ${prices.heads.Tuition}`);
  const student = await plannedChild(school, prices, 'Ira');
  const account = await accountOf(student);
  const owed = (await owedToday({ db: school.services.db }, [account], `${prices.year}-04-28`)).get(account);
  expect(owed?.fine).toBe(26_000);
  const { json } = await accountant.send({ url: `/api/student/${student}/card/fee` });
  const total = showMoney((owed?.due ?? 0) + 26_000);
  expect(english(json.facts[0].value)).toBe(`${total}, including ${showMoney(26_000)} of late fines`);
  await school.sql(`update fee_head set fine_rule_id = null where id = ${prices.heads.Tuition}`);
});

test('MC3 a head loses its late fine once a second person approves, and the dues made before keep theirs', async () => {
  const [rule] = await school.sql(`insert into fee_fine_rule (name) values ('Late') returning id`);
  await school.sql(`insert into fee_fine_version (rule_id, effective_from, kind, amount, grace_days, max_amount)
    values (${rule?.id}, '2040-01-01', 'Per day', 2000, 5, 50000)`);
  await school.sql(`update fee_head set fine_rule_id = ${rule?.id} where id = ${prices.heads.Tuition}`);
  const account = await accountOf(await plannedChild(school, prices, 'Asmi'));
  const [due] = await school.sql(`select id, receipt_series_id as series from fee_due
    where account_id = ${account} and fee_head_id = ${prices.heads.Term} order by due_on limit 1`);
  const on = [{ due: Number(due?.id), amount: 100 }];
  await receive(school, { account, series: Number(due?.series), day: `${prices.year}-04-28`, on });
  // ₹20 a day from the 16th to the 28th.
  expect(await fineOf(account)).toBe(26_000);

  const { rows } = await accountant.call(headMaster.api.list, { search: 'Tuition' } as never);
  const saved = await accountant.call(headMaster.api.update, { ...rows[0], fineRuleId: null } as never);
  expect([saved.isHeld, await fineOf(account)]).toEqual([true, 26_000]);
  const [request] = (await principal.call(approvalList.api.list, { tab: 'forMe' } as never)).rows;
  const { version, seen, facts } = await principal.call(approvalApi.read, { id: request?.id ?? 0 });
  expect(JSON.stringify(facts)).toContain('Late → –');
  await principal.call(approvalApi.decide, {
    id: request?.id ?? 0,
    version,
    seen,
    outcome: 'Approved',
    remark: '',
  } as never);
  expect(await fineOf(account)).toBe(26_000);
  expect(await fineOf(await accountOf(await plannedChild(school, prices, 'Bela')))).toBe(0);
});
