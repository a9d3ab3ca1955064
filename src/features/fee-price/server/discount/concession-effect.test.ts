import { beforeAll, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { concessionApi } from '../../contract/concession.ts';
import { discountApi, tryOutApi } from '../../contract/discount.ts';
import { makePlan } from '../plan/doors.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let principal: Person;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
  return school.close;
});

let count = 0;
const draft = (over: object = {}) => ({
  name: `Discount ${++count}`,
  code: `D${count}`,
  valueKind: 'Percent' as const,
  percent: 2000,
  amount: null,
  heads: 'All heads with concessions' as const,
  headIds: [],
  eligibility: 'Any student' as const,
  categoryIds: [],
  thirdPercent: null,
  fourthPercent: null,
  stackGroup: '',
  priority: 50,
  maxAmount: null,
  needsApproval: false,
  approvalAbove: null,
  academicYearId: null,
  ...over,
});
const discount = async (over: object = {}) => (await accountant.call(discountApi.create, draft(over))).id;

/** A student of the year, with a plan unless there is to be none. */
async function child(name: string, { isPlanned = true } = {}) {
  const enrollment = await enroll(school, prices.place, name);
  const [row] = await school.sql(`update student_enrollment set admission_type = 'Existing' where id = ${enrollment}
    returning student_id as id`);
  const id = Number(row?.id);
  const ctx = school.context();
  if (isPlanned)
    await ctx.db.transaction().execute((db) => makePlan({ ...ctx, db }, id, prices.place.academicYearId, {}));
  return id;
}
const ask = (studentId: number, discountId: number, reason = '') =>
  accountant.call(concessionApi.request, {
    studentId,
    discountId,
    academicYearId: prices.place.academicYearId,
    effectiveFrom: `${prices.year}-04-01`,
    effectiveTo: '',
    reason,
  });
/** What is charged for tuition in each month, in rupees. */
async function tuition(studentId: number) {
  const rows = await school.sql(`select due.net from fee_due due join fee_account account on account.id = due.account_id
    where account.student_id = ${studentId} and fee_head_id = ${prices.heads.Tuition} order by due.seq`);
  return rows.map(({ net }) => Number(net) / 100);
}
const balance = async (studentId: number) => {
  const [row] = await school.sql(`select balance from fee_account where student_id = ${studentId}`);
  return Number(row?.balance) / 100;
};

test('B3.5 a concession that ends leaves the earlier instalments as they were billed', async () => {
  const student = await child('Ira');
  expect(await tuition(student)).toEqual(Array(12).fill(5000));
  const { id } = await ask(student, await discount());
  expect(await tuition(student)).toEqual(Array(12).fill(4000));
  expect(await balance(student)).toBe(72_000);
  await accountant.call(concessionApi.end, { id, version: 1, lastDay: `${prices.year}-05-20`, reason: 'Left the job' });
  expect(await tuition(student)).toEqual([4000, 4000, ...Array(10).fill(5000)]);
  await accountant.call(concessionApi.end, { id, version: 2, lastDay: `${prices.year}-03-31`, reason: '' });
  expect(await tuition(student)).toEqual(Array(12).fill(5000));
  expect(await balance(student)).toBe(84_000);
  const kinds = await school.sql(`select change.kind, change.total from fee_plan_change change
    join fee_plan plan on plan.id = change.plan_id join fee_account account on account.id = plan.account_id
    where account.student_id = ${student} order by change.id`);
  expect(kinds.map(({ kind, total }) => [kind, Number(total) / 100])).toEqual([
    ['Made', 84_000],
    ['Concession', -12_000],
    ['Concession', 10_000],
    ['Concession', 2000],
  ]);
});

test('B3.11 the effect is computed when a request is read, and a decision on another effect is refused as stale', async () => {
  const student = await child('Dev');
  const { id } = await ask(student, await discount({ needsApproval: true, priority: 60 }), 'First of the grade');
  const [row] = await school.sql(`select id from approval where fee_concession_id = ${id}`);
  const read = () => principal.call(approvalApi.read, { id: Number(row?.id) });
  const effect = async () => (await read()).effect.map(({ values }) => values);
  expect(await effect()).toEqual([{ change: '₹12,000.00', net: '₹72,000.00' }]);
  expect(await tuition(student)).toEqual(Array(12).fill(5000));

  const { version, seen } = await read();
  await ask(student, await discount({ percent: 1000, priority: 10 }));
  const decide = (body: object) =>
    principal.send({
      method: 'POST',
      url: `/api/approval/${row?.id}/decide`,
      body: { version, outcome: 'Approved', remark: '', ...body },
    });
  expect((await decide({ seen })).json.error.code).toBe('stale');
  expect(await effect()).toEqual([{ change: '₹10,800.00', net: '₹67,200.00' }]);
  expect((await decide({ seen: (await read()).seen })).status).toBe(200);
  expect(await tuition(student)).toEqual(Array(12).fill(3600));
});

test('B3.12 a draft is tried on a student: each step is shown, and nothing is stored', async () => {
  const student = await child('Om', { isPlanned: false });
  await ask(student, await discount({ name: 'Staff', priority: 1, stackGroup: 'A' }));
  const before = await school.sql('select count(*) as n from fee_concession');
  const tryOut = (over: object) =>
    accountant.call(tryOutApi.tryOut, {
      ...draft({ name: 'Sibling', percent: 1000, priority: 2, stackGroup: 'B', ...over }),
      studentId: student,
      yearId: prices.place.academicYearId,
      discountId: null,
    });
  const { dues, ...sums } = await tryOut({});
  expect(sums).toEqual({ charged: 8_400_000, net: 6_720_000, takenOff: 480_000 });
  const first = dues.find(({ head }) => head === 'Tuition');
  expect(first).toMatchObject({
    charged: 500_000,
    steps: [
      { discount: 'Staff', amount: 100_000, left: 400_000, limits: [] },
      { discount: 'Sibling', amount: 40_000, left: 360_000, limits: [] },
    ],
    net: 360_000,
  });
  const inGroup = await tryOut({ stackGroup: 'A' });
  expect(inGroup.takenOff).toBe(0);
  expect(inGroup.dues.find(({ head }) => head === 'Tuition')?.steps[1]).toMatchObject({ limits: ['group'] });
  expect((await tryOut({ percent: 9000 })).dues.find(({ head }) => head === 'Tuition')).toMatchObject({
    steps: [{}, { amount: 150_000, limits: ['cap'] }],
    net: 250_000,
  });
  expect(await school.sql('select count(*) as n from fee_concession')).toEqual(before);
  const stranger = await school.person({ role: 'Staff', sets: ['accountant'], branchIds: [await otherBranch()] });
  await expect(
    stranger.call(tryOutApi.tryOut, {
      ...draft(),
      studentId: student,
      yearId: prices.place.academicYearId,
      discountId: null,
    }),
  ).rejects.toMatchObject({ fields: { studentId: { id: 'The student is not enrolled in this academic year.' } } });
});

const otherBranch = async () => (await plant(school, branchMaster)).id;
