import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { type EnrolmentChange, enrolmentHook } from '#features/student/contract/hooks.ts';
import { ask } from '#kit/server/hook.ts';
import { approve } from '#testing/approving.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { isSoak } from '#testing/soak.ts';
import { enroll } from '#testing/students.ts';
import { discountApi } from '../../contract/discount.ts';
import { price } from '../../contract/plan/plan-price.ts';
import { planApi } from '../../contract/plan.ts';
import { readConceded } from '../discount/conceded.ts';
import { allocationRuns } from './allocation.ts';
import { readDayRules } from './make-plans.ts';
import { planRuns } from './plan-routes.ts';
import { differ, standingDues } from './post.ts';
import { readPrices } from './read-prices.ts';
import { factsOf, readPlans } from './stored-plans.ts';

const [acts, most] = isSoak ? [3000, 60] : [120, 8];

interface Child {
  student: number;
  enrollment: number;
  /** What the hook keeps of an enrolment that ended; undefined while the child is here. */
  kept: object | undefined;
}

let school: School;
let prices: Prices;
let accountant: Person;
let principal: Person;
let discounts: number[];
/** The published prices of each grade: a new version replaces them. */
let published: { gradeId: number; structureId: number }[];
const children: Child[] = [];
let today = 0;

beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Kiran', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
  const [first] = await school.sql(`select min(id) as id from fee_structure`);
  published = [{ gradeId: prices.place.gradeId, structureId: Number(first?.id) }];
  for (const tuition of [66_001, 52_799]) {
    const gradeId = (await plant(school, gradeMaster)).id;
    published.push({ gradeId, structureId: await prices.publish({ gradeId, tuition, term: 21_001 }) });
  }
  discounts = [];
  for (const over of [
    { percent: 2000, stackGroup: 'A', maxAmount: 700_000 },
    { percent: 1000, stackGroup: 'B', priority: 20 },
    { percent: 4000, stackGroup: 'C', priority: 30, needsApproval: true },
    {
      valueKind: 'Fixed amount',
      percent: null,
      amount: 500_000,
      heads: 'Some heads',
      priority: 40,
      stackGroup: 'D',
      headIds: [prices.heads.Tuition],
    },
  ])
    discounts.push((await accountant.call(discountApi.create, { ...discount, ...named(), ...over } as never)).id);
  setDay();
});
afterAll(() => school.close());

const discount = {
  valueKind: 'Percent',
  percent: 2000,
  amount: null,
  heads: 'All heads with concessions',
  headIds: [],
  eligibility: 'Any student',
  categoryIds: [],
  thirdPercent: null,
  fourthPercent: null,
  stackGroup: '',
  priority: 50,
  maxAmount: null,
  needsApproval: false,
  approvalAbove: null,
  academicYearId: null,
};
let names = 0;
const named = () => ({ name: `Discount ${++names}`, code: `D${names}` });

/** Numbers that look random and are the same in each run. */
let state = 45;
function draw(below: number) {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
}
const one = <Of>(some: readonly Of[]): Of | undefined => some[draw(some.length)];
/** A day of the year; the first is 0. */
const dayOf = (at: number) => new Date(Date.UTC(prices.year, 3, 1 + at)).toISOString().slice(0, 10);
function setDay() {
  school.clock.now = new Date(`${dayOf(today)}T06:00:00Z`);
}
const later = () => dayOf(today + draw(364 - today));
const send = (url: string, body: object, who = accountant) => who.send({ method: 'POST', url: `/api${url}`, body });
const countOf = async (table: string) =>
  Number((await school.sql(`select count(*)::integer as count from ${table}`))[0]?.count);

/** Previews an act, which must store nothing; confirms it, and works on its run. Returns how many change. */
async function confirm(
  act: (more: object) => Promise<{ changed: number; confirmToken: string | null; runId: number | null }>,
  runs: Parameters<typeof finishRun>[1],
) {
  const before = await countOf('fee_ledger_entry');
  const { changed, confirmToken } = await act({});
  expect(await countOf('fee_ledger_entry')).toBe(before);
  if (confirmToken === null) return 0;
  const { runId } = await act({ confirmToken });
  await finishRun(school.services, runs, Number(runId));
  const left = await school.sql(`select status, reason from run_row where run_id = ${runId} and status <> 'Done'`);
  expect(left).toEqual([]);
  return changed;
}

const allocate = (ids: readonly number[]) =>
  confirm(
    (more) =>
      accountant.call(planApi.allocate, {
        selection: { ids, isAll: false, query: {} },
        past: 'As scheduled',
        pastDay: '',
        ...more,
      } as never),
    allocationRuns,
  );

/** A child joins, on the first day of the year or later, and gets a plan. */
async function join() {
  if (children.length >= most) return again();
  const at = draw(2) === 0 ? 0 : draw(today + 1);
  const gradeId = one(published)?.gradeId ?? 0;
  const enrollment = await enroll(school, { ...prices.place, gradeId }, `Child${children.length}`, {
    joinedOn: dayOf(at),
  });
  const [row] = await school.sql(`update student_enrollment
    set admission_type = '${draw(2) === 0 ? 'New' : 'Existing'}' where id = ${enrollment} returning student_id as id`);
  children.push({ student: Number(row?.id), enrollment, kept: undefined });
  expect(await allocate([enrollment])).toBe(1);
}

/** Students who are here and have plans get none again. */
async function again() {
  const before = await countOf('fee_ledger_entry');
  const here = await school.sql(`select enrollment.id from student_enrollment enrollment
    join fee_account account on account.student_id = enrollment.student_id
    join fee_plan plan on plan.account_id = account.id and plan.status = 'Active' and plan.left_on is null`);
  if (here.length === 0) return;
  expect(await allocate(here.map(({ id }) => Number(id)))).toBe(0);
  expect(await countOf('fee_ledger_entry')).toBe(before);
}

/** A concession is asked for, and approved by a second person where its discount needs that. */
async function concede() {
  const child = one(children);
  const from = later();
  const { status, json } = await send('/fee/concession', {
    studentId: child?.student,
    discountId: one(discounts),
    academicYearId: prices.place.academicYearId,
    effectiveFrom: from,
    effectiveTo: draw(3) === 0 ? dayOf(363) : '',
    reason: 'Asked',
  });
  if (status === 409 || status === 422) return;
  expect(status).toBe(200);
  const [approval] = await school.sql(
    `select id from approval where fee_concession_id = ${json.id} and status = 'Pending'`,
  );
  if (!approval) return;
  const { version, seen } = await principal.call(approvalApi.read, { id: Number(approval.id) });
  const decision = { version, seen, outcome: one(['Approved', 'Rejected']), remark: 'Seen' };
  expect((await send(`/approval/${approval.id}/decide`, decision, principal)).status).toBe(200);
}

async function endConcession() {
  const found = one(await school.sql(`select id, version from fee_concession where status = 'Approved' order by id`));
  if (!found) return;
  const { status } = await send(`/fee/concession/${found.id}/end`, {
    version: found.version,
    lastDay: later(),
    reason: 'No longer',
  });
  expect([200, 409, 422]).toContain(status);
}

/** A new version of a grade’s prices is published, and plans take it from a day on. */
async function reprice() {
  const own = one(published);
  if (!own) return;
  await school.sql(`update fee_structure set status = 'Superseded' where id = ${own.structureId}`);
  own.structureId = await prices.publish({
    gradeId: own.gradeId,
    tuition: 40_000 + draw(40_000),
    term: 12_000 + draw(12_000),
    replaces: own.structureId,
    name: `Version ${own.structureId}`,
  });
  const body = { structureId: own.structureId, effectiveFrom: later() };
  const paid = `select id, gross, pro_rata, concession from fee_due where plan_id is not null and paid > 0 order by id`;
  const before = await school.sql(paid);
  await confirm((more) => accountant.call(planApi.reprice, { ...body, ...more } as never), planRuns);
  // A due on which something is paid keeps its price.
  expect(await school.sql(paid)).toEqual(before);
}

async function change({ student, enrollment, kept }: Child, kind: EnrolmentChange['kind'], day: string) {
  return school.services.db.transaction().execute(async (db) => {
    const answers = await ask({ ...school.context(), db }, enrolmentHook, [
      {
        studentId: student,
        enrollmentId: enrollment,
        yearId: prices.place.academicYearId,
        kind,
        day,
        ...(kept && { kept: { fee: kept } }),
      },
    ]);
    return answers.find(({ by }) => by === 'fee')?.output.kept?.[enrollment] as object | undefined;
  });
}

/** Leaves, or comes back as if nothing had happened. */
async function leave() {
  const child = one(children);
  if (!child) return;
  const day = later();
  await school.sql(`update student_enrollment set
      status = '${child.kept ? 'Active' : 'Left'}', left_on = ${child.kept ? 'null' : `'${day}'`}
    where id = ${child.enrollment}`);
  const kept = await change(child, child.kept ? 'back' : 'left', day);
  child.kept = child.kept ? undefined : kept;
}

async function regrade() {
  const child = one(children.filter(({ kept }) => !kept));
  if (!child) return;
  await school.sql(
    `update student_enrollment set grade_id = ${one(published)?.gradeId} where id = ${child.enrollment}`,
  );
  await change(child, 'regraded', later());
}

/** Pays some of the oldest dues, the last of them perhaps in part. */
async function pay() {
  const child = one(children);
  const dues = await school.sql(`select due.account_id, due.id, receipt_series_id, net - paid as owed from fee_due due
    join fee_account account on account.id = due.account_id
    where account.student_id = ${child?.student ?? 0} and paid < net order by due_on, due.id limit ${1 + draw(6)}`);
  const [first] = dues;
  if (!first) return;
  const on = dues.map(({ id, owed }, at) => ({
    due: Number(id),
    amount: at === dues.length - 1 ? 1 + draw(Number(owed)) : Number(owed),
  }));
  await receive(school, {
    account: Number(first.account_id),
    series: Number(first.receipt_series_id),
    day: dayOf(today),
    on,
  });
}

/** A plan on which nothing is paid is withdrawn, and another one is made. */
async function withdraw() {
  const child = one(children.filter(({ kept }) => !kept));
  const [plan] = await school.sql(`select plan.id, plan.version from fee_plan plan
    join fee_account account on account.id = plan.account_id
    where student_id = ${child?.student ?? 0} and plan.status = 'Active' and left_on is null`);
  if (!plan || !child) return;
  const { status, json } = await send(`/fee/plan/${plan.id}/withdraw`, { version: plan.version, reason: 'Wrong' });
  if (status === 409) return;
  expect(status).toBe(200);
  if (json.isAsked) await approve(school, principal);
  const [left] = await school.sql(`select sum(net)::integer as net from fee_due where plan_id = ${plan.id}`);
  expect(left?.net).toBe(0);
  await allocate([child.enrollment]);
}

async function sleep() {
  today = Math.min(330, today + draw(20));
  setDay();
}

/** Dues whose head was charged the whole year at one price: their amounts total the annual amount. */
let wholeYears = 0;

async function expectWhole(what: string) {
  const [sums] = await school.sql(`select
    (select count(*)::integer from fee_account account where
      balance <> coalesce((select sum(amount) from fee_ledger_entry where account_id = account.id), 0)
      or balance <> coalesce((select sum(net - paid) from fee_due where account_id = account.id), 0)
        - coalesce((select sum(amount) from fee_advance where account_id = account.id), 0)) as accounts,
    (select count(*)::integer from fee_due where net < 0 or paid > net or concession > gross - pro_rata) as below,
    (select count(*)::integer from fee_due due where
      gross - pro_rata <> coalesce((select sum(amount) from fee_ledger_entry
        where due_id = due.id and kind in ('Charge', 'Pro-rata')), 0)
      or concession <> coalesce((select -sum(amount) from fee_ledger_entry
        where due_id = due.id and kind = 'Concession'), 0)) as "otherPlan",
    (select count(*)::integer from (select from fee_plan where status = 'Active' and left_on is null
      group by account_id, academic_year_id having count(*) > 1) as twice) as twice,
    (select count(*)::integer from (select plan_id from fee_due where fee_head_id = ${prices.heads.Tuition}
      group by plan_id having 2 * sum(concession) > sum(gross - pro_rata)) as beyond) as "beyondCap",
    (select count(*)::integer from (select from fee_ledger_entry entry
      join fee_concession own on own.id = entry.concession_id join fee_discount discount on discount.id = own.discount_id
      group by own.student_id, discount.id having -sum(entry.amount) > max(max_amount)) as beyond) as "beyondMost"`);
  expect([what, sums]).toEqual([what, { accounts: 0, below: 0, otherPlan: 0, twice: 0, beyondCap: 0, beyondMost: 0 }]);
  const whole = await school.sql(`select plan.id, stage.fee_head_id, line.annual::bigint as annual,
      (select sum(gross - pro_rata)::bigint from fee_due due where due.plan_id = plan.id
        and due.fee_head_id = stage.fee_head_id) as charged
    from fee_plan plan join fee_plan_stage stage on stage.plan_id = plan.id and stage.from_month = 0
    join fee_structure_line line on line.structure_id = stage.structure_id and line.fee_head_id = stage.fee_head_id
    where plan.status = 'Active' and joined_on = '${dayOf(0)}' and left_on is null
      and not exists (select from fee_plan_stage other where other.plan_id = plan.id
        and other.fee_head_id = stage.fee_head_id and other.from_month > 0)`);
  expect(whole.filter(({ annual, charged }) => annual !== charged)).toEqual([]);
  wholeYears += whole.length;
}

/** The stored facts give the stored dues: pricing them again changes nothing. */
async function expectPriced() {
  const ctx = school.context();
  const year = await readPrices(ctx, prices.place.academicYearId);
  const plans = await readPlans(ctx, sql`plan.status = 'Active'`, false);
  const rules = await readDayRules(ctx);
  const students = plans.map(({ studentId }) => studentId);
  const conceded = await readConceded(ctx, year, students);
  const standing = await standingDues(
    ctx,
    plans.map(({ planId }) => planId),
  );
  for (const plan of plans) {
    const { entries } = differ(price(factsOf(year, plan, rules, conceded)), standing.get(plan.planId) ?? []);
    expect([plan.planId, entries]).toEqual([plan.planId, []]);
  }
}

test(`B4.22 after each of ${acts} random acts on fee plans the instalments, limits, dues and ledger agree`, async () => {
  const possible = [
    join,
    join,
    again,
    concede,
    concede,
    endConcession,
    reprice,
    leave,
    regrade,
    pay,
    pay,
    withdraw,
    sleep,
  ];
  const done = new Map<string, number>();
  for (let turn = 0; turn < acts; turn++) {
    const act = turn < 3 ? join : (one(possible) ?? join);
    await act();
    done.set(act.name, (done.get(act.name) ?? 0) + 1);
    await expectWhole(`${turn} ${act.name}`);
    if (turn % 10 === 9) await expectPriced();
  }
  expect(done.size).toBe(new Set(possible).size);
  expect(wholeYears).toBeGreaterThan(acts);
});
