import { afterAll, expect, test } from 'vitest';
import { planApi } from '#features/fee-price/contract/plan.ts';
import { approve } from '#testing/approving.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { openPrices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { advanceApi } from '../contract/advance.ts';
import { openingImportApi } from '../contract/opening.ts';

let school: School;
afterAll(() => school.close());

test('MC5 before the first receipt, a plan paid from an opening advance is withdrawn once a second person approves', async () => {
  school = await openSchool();
  const accountant = await school.person({ role: 'Staff', sets: ['accountant'] });
  const principal = await school.person({ role: 'Staff', sets: ['principal'] });
  const prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-12T06:00:00Z`);
  const student = await plannedChild(school, prices, 'Asmi');
  const accountOf = async () => {
    const [row] = await school.sql(`select gr_no, balance::integer, plan.id as plan, plan.version, plan.status,
        coalesce((select sum(amount)::integer from fee_advance where account_id = account.id), 0) as advance
      from student join fee_account account on account.student_id = student.id join fee_plan plan on plan.account_id = account.id
      where student.id = ${student}`);
    return row;
  };
  const before = await accountOf();
  const file = `GR number,Academic year,Fee head,Amount (₹)\n${before?.gr_no},${prices.year}-${prices.year + 1},Tuition,-5000`;
  const { confirmToken } = await accountant.call(openingImportApi.import, { file });
  await accountant.call(openingImportApi.import, { file, confirmToken: confirmToken ?? '' });
  expect((await accountant.call(advanceApi.apply, { studentId: student })).applied).toBe(500_000);
  expect(await school.sql('select from fee_receipt')).toEqual([]);

  const asked = { id: Number(before?.plan), version: Number((await accountOf())?.version), reason: 'Wrong grade' };
  expect(await accountant.call(planApi.withdraw, asked)).toEqual({ isAsked: true });
  expect(await school.sql('select lowers::integer from fee_relief')).toEqual([{ lowers: 9_900_000 }]);
  await approve(school, principal);
  expect(await accountOf()).toMatchObject({ status: 'Withdrawn', advance: 500_000, balance: -500_000 });
});
