import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workOnRun } from '#kit/server/job/runs.ts';
import type { Person } from '#testing/browser.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { makePlan, previewPlan } from '../../api.ts';
import { frequencyApi } from '../../contract/frequency.ts';
import { planApi, planList } from '../../contract/plan.ts';
import { skipsHolidays } from '../settings.ts';
import { allocationRuns } from './allocation.ts';
import { readChildren } from './children.ts';
import { oneTimeForNew } from './doors.ts';
import { type Plannable, type Proposed, propose, readDayRules, storePlans } from './make-plans.ts';
import { readPrices } from './read-prices.ts';

let school: School;
let prices: Prices;
let accountant: Person;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  // The first due day of the year has not passed.
  school.clock.now = new Date(`${prices.year}-04-05T06:00:00Z`);
});
afterAll(() => school.close());

const child = (name: string, more: { joinedOn?: string } = {}) => enroll(school, prices.place, name, more);
const rows = (ids: readonly number[]) => ({ selection: { ids, isAll: false, query: {} } });
const preview = (ids: readonly number[], more: object = {}, who = accountant) =>
  who.call(planApi.allocate, { past: '', pastDay: '', ...rows(ids), ...more } as never);
/** Previews, confirms and works on the run. */
async function allocate(ids: readonly number[], more: object = {}) {
  const { confirmToken } = await preview(ids, more);
  const { runId } = await preview(ids, { ...more, confirmToken });
  await finishRun(school.services, allocationRuns, Number(runId));
  return school.sql(`select subject_id, status, reason from run_row where run_id = ${runId} order by subject_id`);
}
const planned = (enrollments: readonly number[]) =>
  school.sql(`select enrollment.id, account.balance, (select sum(net) from fee_due where account_id = account.id) as net,
      (select sum(amount) from fee_ledger_entry where account_id = account.id) as entries,
      (select count(*)::integer from fee_plan where account_id = account.id) as plans
    from student_enrollment enrollment join fee_account account on account.student_id = enrollment.student_id
    where enrollment.id in (${enrollments}) order by enrollment.id`);

test('B4.1 selected students get plans whose dues, ledger and balance agree, and a second allocation skips them all', async () => {
  const ids = [await child('Asha'), await child('Bela'), await child('Chirag')];
  const shown = await preview(ids);
  expect(shown).toMatchObject({ changed: 3, skippedCount: 0, total: 3 * 9_900_000, past: { count: 0 } });
  expect(shown.rows[0]).toMatchObject({
    gross: 9_900_000,
    proRata: 0,
    net: 9_900_000,
    firstDue: `${prices.year}-04-10`,
  });
  expect(await school.sql('select from fee_plan')).toEqual([]);

  expect((await allocate(ids)).map(({ status }) => status)).toEqual(['Done', 'Done', 'Done']);
  for (const row of await planned(ids))
    expect(row).toMatchObject({ balance: 9_900_000, net: '9900000', entries: '9900000', plans: 1 });
  const again = await preview(ids);
  expect(again).toMatchObject({ changed: 0, skippedCount: 3, confirmToken: null });
  expect(again.skipped.map(({ reason }) => reason.id)).toEqual(Array(3).fill('Has a fee plan already.'));
  const { rows: listed } = await accountant.call(planList.api.list, { tab: 'planned' } as never);
  expect(listed.map(({ net, balance }) => [net, balance])).toEqual(Array(3).fill([9_900_000, 9_900_000]));
});

test('B4.4 existing students do not pay what only new students do, and a joiner pays from the month of joining', async () => {
  const ids = [await child('Old'), await child('New', { joinedOn: `${prices.year}-09-12` })];
  await school.sql(`update student_enrollment set admission_type = 'Existing' where id = ${ids[0]}`);
  await allocate(ids);
  expect((await planned(ids)).map(({ net }) => net)).toEqual(['8400000', '6650000']);
  const [first] = await school.sql(`select min(due_on)::text as day from fee_due due join fee_account account
    on account.id = due.account_id join student_enrollment own on own.student_id = account.student_id
    where own.id = ${ids[1]}`);
  // Ten days after joining: the dues of the year's first day were before that.
  expect(first?.day).toBe(`${prices.year}-09-22`);
});

test('W31 where due days move off holidays, a due of Sunday 10 April is due on Monday, and earlier plans keep their days', async () => {
  const [before, after] = [await child('Before'), await child('After')];
  await allocate([before]);
  await school.sql(`insert into setting (key, value) values ('${skipsHolidays.key}', 'true')`);
  expect((await preview([after])).rows[0]?.firstDue).toBe(`${prices.year}-04-11`);
  expect((await accountant.call(frequencyApi.daysOff, {})).days).toContain(`${prices.year}-04-10`);
  await allocate([after]);
  await school.sql(`delete from setting where key = '${skipsHolidays.key}'`);
  const firstDays = await school.sql(`select min(due_on)::text as day from fee_due due join fee_account account
    on account.id = due.account_id join student_enrollment own on own.student_id = account.student_id
    where own.id in (${before}, ${after}) group by own.id order by own.id`);
  expect(firstDays).toEqual([{ day: `${prices.year}-04-10` }, { day: `${prices.year}-04-11` }]);
  expect((await accountant.call(frequencyApi.daysOff, {})).days).toEqual([]);
});

test('past instalments need an answer, which says when they are due or from when fines count', async () => {
  school.clock.now = new Date(`${prices.year}-06-01T06:00:00Z`);
  const [one, other] = [await child('Late'), await child('Later')];
  const url = `/api${planApi.allocate.path}`;
  const { status, json } = await accountant.send({
    method: 'POST',
    url,
    body: { past: '', pastDay: '', ...rows([one]) },
  });
  expect([status, json.error.fields]).toEqual([
    422,
    { past: '6 instalments of ₹35,500.00 are past. Choose when they are due.' },
  ]);
  const day = `${prices.year}-06-20`;
  await allocate([one], { past: 'Due on a day', pastDay: day });
  await allocate([other], { past: 'As scheduled, fines from a chosen day', pastDay: day });
  const days = (enrollment: number) =>
    school.sql(`select due_on::text, fine_from::text from fee_due due join fee_account account
      on account.id = due.account_id join student_enrollment own on own.student_id = account.student_id
      where own.id = ${enrollment} order by due_on, due.id limit 1`);
  expect(await days(one)).toEqual([{ due_on: `${prices.year}-06-10`, fine_from: null }]);
  expect(await days(other)).toEqual([{ due_on: `${prices.year}-04-10`, fine_from: day }]);
  school.clock.now = new Date(`${prices.year}-04-05T06:00:00Z`);
});

test('B4.5 one student who cannot get a plan does not stop the others, and says why', async () => {
  const ids = [await child('Dev'), await child('Esha'), await child('Farid')];
  const { confirmToken } = await preview(ids);
  const { runId } = await preview(ids, { confirmToken });
  await school.sql(`update student_enrollment set status = 'Left', left_on = joined_on where id = ${ids[1]}`);
  await finishRun(school.services, allocationRuns, Number(runId));
  const results = await school.sql(`select status, reason ->> 'id' as reason from run_row where run_id = ${runId}
    order by subject_id`);
  expect(results).toEqual([
    { status: 'Done', reason: null },
    { status: 'Skipped', reason: 'Has left, or moved to another enrolment.' },
    { status: 'Done', reason: null },
  ]);
});

test('a student whose amount changed since the preview is skipped with both amounts', async () => {
  const id = await child('Gita');
  const { confirmToken } = await preview([id]);
  const { runId } = await preview([id], { confirmToken });
  await school.sql(`update student_enrollment set admission_type = 'Existing' where id = ${id}`);
  await finishRun(school.services, allocationRuns, Number(runId));
  const [{ status, reason } = {}] = await school.sql(`select status, reason -> 'values' as reason from run_row
    where run_id = ${runId}`);
  expect([status, reason]).toEqual(['Skipped', { now: '₹84,000.00', before: '₹99,000.00' }]);
});

test('two allocations of the same students at once make one plan each', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, (_, at) => child(`Twin${at}`)));
  const start = async () => {
    const { confirmToken } = await preview(ids);
    return Number((await preview(ids, { confirmToken })).runId);
  };
  const runs = [await start(), await start()];
  await Promise.all(runs.map((run) => finishRun(school.services, allocationRuns, run)));
  expect((await planned(ids)).map(({ plans, net }) => [plans, net])).toEqual(Array(6).fill([1, '9900000']));
  const counts = await school.sql(`select status, count(*)::integer from run_row where run_id in (${runs})
    group by status order by status`);
  expect(counts).toEqual([
    { status: 'Done', count: 6 },
    { status: 'Skipped', count: 6 },
  ]);
});

test('B4.20 an allocation whose connection is cut goes on with the rest, and no student gets two plans', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, (_, at) => child(`Cut${at}`)));
  const { confirmToken } = await preview(ids);
  const { runId } = await preview(ids, { confirmToken });
  const { act } = allocationRuns['fee.allocate'];
  let batches = 0;
  const cut = {
    'fee.allocate': {
      most: 2,
      act: async (...given: Parameters<typeof act>) => {
        const done = await act(...given);
        if (++batches === 2) {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(given[0].db);
          await school.sql(`select pg_terminate_backend(${rows[0]?.pid})`);
        }
        return done;
      },
    },
  };
  await expect(workOnRun(school.services, cut, Number(runId))).rejects.toThrow();
  expect(await planned(ids)).toHaveLength(2);
  await finishRun(school.services, allocationRuns, Number(runId));
  expect((await planned(ids)).map(({ plans, net }) => [plans, net])).toEqual(Array(6).fill([1, '9900000']));
});

test('B3.21 discounts of a new plan are given with it, or asked for where they need approval', async () => {
  const [percent, asked] =
    await school.sql(`insert into fee_discount (name, code, value_kind, percent, all_heads, eligibility,
      priority, needs_approval)
    values ('Merit', 'MER', 'Percent', 1000, true, 'Any student', 10, false),
      ('Special', 'SPE', 'Percent', 2000, true, 'Any student', 20, true) returning id`);
  const [student] = await school.sql(
    `select student_id as id from student_enrollment where id = ${await child('Given')}`,
  );
  const { services } = school;
  const user = await services.findRights(services, accountant.id, 'Staff');
  const ctx = { ...school.context(), ...(user && { user }) };
  const made = await ctx.db.transaction().execute((db) =>
    makePlan({ ...ctx, db }, Number(student?.id), prices.place.academicYearId, {
      discountIds: [Number(percent?.id), Number(asked?.id)],
    }),
  );
  // A tenth of the tuition fee, which alone takes concessions.
  expect(made).toMatchObject({ net: 9_900_000 - 600_000 });
  expect(
    await school.sql(`select status, percent from fee_concession where student_id = ${student?.id} order by id`),
  ).toEqual([
    { status: 'Approved', percent: 1000 },
    { status: 'Requested', percent: 2000 },
  ]);
});

test('the most specific prices count: of the category, then of the kind of student', async () => {
  const [category] = await school.sql(
    `select id from academic_lookup where kind = 'Student category' order by id limit 1`,
  );
  await prices.publish({ category: Number(category?.id), tuition: 30_000 });
  await prices.publish({ admissionType: 'New students', tuition: 72_000 });
  const ids = [await child('Hina'), await child('Isha'), await child('Jay')];
  await school.sql(`update student set category_id = ${category?.id}
    where id = (select student_id from student_enrollment where id = ${ids[0]})`);
  await school.sql(`update student_enrollment set admission_type = 'Existing' where id = ${ids[2]}`);
  const { rows: shown } = await preview(ids);
  expect(shown.map(({ net }) => net)).toEqual([6_900_000, 11_100_000, 8_400_000]);
  await school.sql(`alter table fee_structure disable trigger user; alter table fee_structure_grade disable trigger user;
    delete from fee_structure where name like 'Special%';
    alter table fee_structure enable trigger user; alter table fee_structure_grade enable trigger user`);
});

test('an accountant of another branch makes no plan here', async () => {
  const id = await child('Kavya');
  const [other] = await school.sql(`insert into academic_branch (name, code) values ('Elsewhere', 'ELS') returning id`);
  const stranger = await school.person({ role: 'Staff', sets: ['accountant'], branchIds: [Number(other?.id)] });
  const { status } = await stranger.send({
    method: 'POST',
    url: `/api${planApi.allocate.path}`,
    body: { past: '', pastDay: '', ...rows([id]) },
  });
  expect(status).toBe(409);
});

test('other features preview a plan for a child that is not added yet, and make it for one that is', async () => {
  const ctx = school.context();
  const place = {
    ...prices.place,
    yearId: prices.place.academicYearId,
    categoryId: null,
    admissionType: 'New' as const,
  };
  const shown = await previewPlan(ctx, { ...place, joinedOn: `${prices.year}-04-01` });
  expect(shown).toMatchObject({ total: 9_900_000, structure: { name: 'Prices' } });
  expect(shown.dues[0]).toEqual({ dueOn: `${prices.year}-04-10`, net: 3_050_000 });
  // Who joins in September has nothing to pay before that.
  const joinedOn = `${prices.year}-09-20`;
  const late = await previewPlan(ctx, { ...place, joinedOn });
  expect(late.dues.map(({ dueOn }) => dueOn)).toEqual(late.dues.map(({ dueOn }) => dueOn).sort());
  expect(late.dues[0]?.dueOn).toBe(`${prices.year}-09-30`);
  expect((await oneTimeForNew(ctx, place)).map(({ name, amount }) => [name, amount])).toEqual([
    ['Admission', 1_000_000],
    ['Deposit', 500_000],
  ]);
  expect(await previewPlan(ctx, { ...place, gradeId: 0, joinedOn: `${prices.year}-04-01` })).toMatchObject({
    total: 0,
  });

  const enrollment = await child('Lila');
  const [{ student_id: student } = {}] = await school.sql(
    `select student_id from student_enrollment where id = ${enrollment}`,
  );
  const make = () =>
    school.services.db
      .transaction()
      .execute((db) => makePlan({ ...ctx, db }, Number(student), place.yearId, { actor: 'Test' }));
  expect(await make()).toMatchObject({ net: 9_900_000 });
  expect(await make()).toMatchObject({ reason: { id: 'Has a fee plan already.' } });
  const [owed] = await school.sql(`select sum(net)::integer as net, min(due_on)::text as since,
      sum(net) filter (where due_on <= '${prices.year}-05-10')::integer as due
    from fee_due join fee_account account on account.id = fee_due.account_id where account.student_id = ${student}`);
  expect(owed).toEqual({ net: 9_900_000, due: 3_550_000, since: `${prices.year}-04-10` });
});

test('a child that gets a plan while an allocation is at work is skipped, and the others have theirs', async () => {
  const [one, two] = [await enroll(school, prices.place, 'Meanwhile'), await enroll(school, prices.place, 'Usual')];
  const ids = [one, two];
  const own = sql<boolean>`enrollment.id = any(${ids}::integer[])`;
  const ctx = school.context();
  const children = await readChildren(ctx, own);
  const yearId = prices.place.academicYearId;
  const world = await readPrices(ctx, yearId);
  const rules = await readDayRules(ctx);
  const proposed = children.map((child) => propose(world, child, rules, { ofStudent: new Map(), cap: 5000 }));
  const by = { staffId: null, runId: null };
  const store = (some: readonly Proposed[]) =>
    school.services.db
      .transaction()
      .execute((db) => storePlans({ ...ctx, db }, world, some as Plannable[], { rules, past: undefined, by }));
  await store(proposed.slice(0, 1));
  expect([...(await store(proposed)).keys()]).toEqual([two]);
});
