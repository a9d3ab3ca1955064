import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { studentRecordApi } from '#features/student/contract/record.ts';
import { showDate } from '#kit/contract/day.ts';
import { showMoney, showRupees } from '#kit/contract/money.ts';
import type { CardAnswer } from '#kit/contract/served-card.ts';
import { english, verbatim } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { makePlan } from '../../api.ts';
import { concessionApi } from '../../contract/concession.ts';
import { planApi } from '../../contract/plan.ts';
import { structureApi } from '../../contract/structure.ts';
import { planRuns } from './plan-routes.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let office: Person;
let principal: Person;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ role: 'Staff', sets: ['accountant'] });
  office = await school.person({ role: 'Staff', sets: ['office'] });
  principal = await school.person({ role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-01T06:00:00Z`);
});
afterAll(() => school.close());

async function planned(name: string): Promise<{ student: number; plan: number }> {
  const enrollment = await enroll(school, prices.place, name);
  const [row] = await school.sql(`select student_id from student_enrollment where id = ${enrollment}`);
  const student = Number(row?.student_id);
  const ctx = school.context();
  const made = await school.services.db
    .transaction()
    .execute((db) => makePlan({ ...ctx, db }, student, prices.place.academicYearId, { actor: 'Test' }));
  return { student, plan: 'planId' in made ? made.planId : 0 };
}
const read = (student: number, who = accountant) => who.call(planApi.read, { id: student, yearId: '' });
const sum = (dues: readonly { net: number }[]) => dues.reduce((total, { net }) => total + net, 0);
const act = (url: string, body: object, who = accountant) => who.send({ method: 'POST', url: `/api${url}`, body });
/** Pays a part of the due of a head on a day. Returns the receipt. */
async function pay(student: number, head: number, dueOn: string, amount: number) {
  const [due] = await school.sql(`select due.account_id, due.id, receipt_series_id from fee_due due
    join fee_account account on account.id = due.account_id
    where student_id = ${student} and fee_head_id = ${head} and due_on = '${dueOn}'`);
  const [account, series] = [Number(due?.account_id), Number(due?.receipt_series_id)];
  return receive(school, { account, series, day: dueOn, on: [{ due: Number(due?.id), amount }] });
}

test('the plan shows dues with their entries and changes to its readers, and lets accountants act', async () => {
  const { student } = await planned('Asha');
  const found = await read(student);
  expect(found).toMatchObject({ leftOn: '', may: { change: true }, changes: [{ kind: 'Made', total: 9_900_000 }] });
  expect(sum(found.dues)).toBe(9_900_000);
  expect(found.dues[0]?.entries).toMatchObject([{ kind: 'Charge', amount: found.dues[0]?.net }]);
  expect((await read(student, office)).may.change).toBe(false);
  const nurse = await school.person({ role: 'Staff', sets: ['nurse'] });
  expect((await nurse.send({ url: `/api/fee/plan/${student}` })).status).toBe(403);
  const [elsewhere] = await school.sql(
    `insert into academic_branch (name, code) values ('Elsewhere', 'ELS') returning id`,
  );
  const stranger = await school.person({ role: 'Staff', sets: ['accountant'], branchIds: [Number(elsewhere?.id)] });
  expect((await stranger.send({ url: `/api/fee/plan/${student}` })).status).toBe(404);
});

test('a plan with a payment is withdrawn once a second person has seen what becomes an advance, and then another can be made', async () => {
  const { student, plan } = await planned('Bela');
  const url = `/fee/plan/${plan}/withdraw`;
  await pay(student, prices.heads.Tuition, `${prices.year}-04-10`, 100_000);
  const waiting = async () => {
    const [own] = await school.sql(`select id, version from approval where status = 'Pending' and kind = 'fee.relief'`);
    const { effect, seen } = (await principal.send({ url: `/api/approval/${own?.id}` })).json;
    const decision = { version: own?.version, seen, outcome: 'Approved', remark: '' };
    return { effect, approve: () => act(`/approval/${own?.id}/decide`, decision, principal) };
  };
  expect((await act(url, { version: 1, reason: 'Wrong grade' })).json).toEqual({ isAsked: true });
  const first = await waiting();
  expect(first.effect.map(english)).toEqual(['₹99,000.00 less is owed.', '₹1,000.00 already paid becomes advance.']);
  // More is paid after the principal has looked.
  await pay(student, prices.heads.Tuition, `${prices.year}-05-10`, 50_000);
  expect((await first.approve()).status).toBe(409);
  expect((await (await waiting()).approve()).status).toBe(200);
  expect(
    await school.sql(`select sum(advance.amount)::integer as advance from fee_advance advance
      join fee_account account on account.id = advance.account_id where student_id = ${student}`),
  ).toEqual([{ advance: 150_000 }]);
  expect((await read(student)).planId).toBeNull();
  const [account] = await school.sql(`select balance from fee_account where student_id = ${student}`);
  expect(account?.balance).toBe(-150_000);
  expect((await act(url, { version: 3, reason: 'Again' })).status).toBe(404);
});

test('what is unpaid on a due day moves to a later one, in the dues and in the ledger', async () => {
  const { student, plan } = await planned('Chirag');
  const url = `/fee/plan/${plan}/due-day`;
  const [dueOn, newDay] = [`${prices.year}-05-10`, `${prices.year}-05-24`];
  const earlier = await act(url, { version: 1, dueOn, newDay: `${prices.year}-05-01`, reason: 'Asked' });
  expect(earlier.json.error.fields).toEqual({ newDay: 'Choose a later day.' });
  expect((await act(url, { version: 1, dueOn, newDay, reason: 'Asked' })).status).toBe(200);
  const { dues, changes } = await read(student);
  expect(dues.filter((due) => due.dueOn === dueOn)).toEqual([]);
  expect(dues.find((due) => due.dueOn === newDay)).toMatchObject({ net: 500_000, head: 'Tuition' });
  expect(changes[0]).toMatchObject({ kind: 'Due day', reason: 'Asked', total: 0 });
  const by = async (day: string) =>
    (
      await school.sql(`select sum(amount)::integer as due from fee_ledger_entry entry join fee_account account
      on account.id = entry.account_id where student_id = ${student} and entry.due_on <= '${day}'`)
    )[0]?.due;
  expect([await by(dueOn), await by(newDay)]).toEqual([3_050_000, 3_550_000]);
});

test('an optional head is charged from the month of its choice, and ends with the month before it is given up', async () => {
  await school.sql(`alter table fee_structure_line disable trigger user;
    with head as (insert into fee_head (name, short_name, category, frequency_id, applies_to, pro_rata, is_optional, priority,
        receipt_series_id) select 'Judo', 'JUDO', 'Activity', frequency_id, 'All students', 'Month', true, 50,
        receipt_series_id from fee_head where id = ${prices.heads.Tuition} returning id, frequency_id)
    insert into fee_structure_line (structure_id, fee_head_id, annual, frequency_id)
      select structure.id, head.id, 1200000, frequency_id from head, fee_structure structure;
    alter table fee_structure_line enable trigger user`);
  const { student, plan } = await planned('Dev');
  const found = await read(student);
  expect([sum(found.dues), found.options]).toEqual([9_900_000, [expect.objectContaining({ isChosen: false })]]);
  const feeHeadId = found.options[0]?.feeHeadId;
  const choose = (version: number, isChosen: boolean, day: string) =>
    act(`/fee/plan/${plan}/option`, { version, feeHeadId, isChosen, effectiveFrom: `${prices.year}-${day}` });
  expect((await choose(1, true, '08-03')).status).toBe(200);
  expect(sum((await read(student)).dues)).toBe(9_900_000 + 8 * 100_000);
  expect((await choose(2, false, '11-03')).status).toBe(200);
  expect(sum((await read(student)).dues)).toBe(9_900_000 + 3 * 100_000);
  expect((await choose(2, true, '12-01')).status).toBe(409);
  await school.sql(`alter table fee_structure_line disable trigger user;
    delete from fee_structure_line where fee_head_id = ${feeHeadId};
    alter table fee_structure_line enable trigger user`);
});

test('B4.16 new prices from 1 October leave October, which is paid, and change the five months after it', async () => {
  const { student } = await planned('Esha');
  await pay(student, prices.heads.Tuition, `${prices.year}-10-10`, 1);
  const old = await school.sql(`select id from fee_structure where name = 'Prices'`);
  await school.sql(`update fee_structure set status = 'Superseded' where id = ${old[0]?.id}`);
  const structureId = await prices.publish({ tuition: 66_500, name: 'Dearer', replaces: Number(old[0]?.id) });
  const body = { structureId, effectiveFrom: `${prices.year}-10-01` };
  const preview = (more: object = {}) => accountant.call(planApi.reprice, { ...body, ...more } as never);
  const shown = await preview();
  expect(shown.kept).toEqual({ count: 1, amount: 500_000 });
  const { runId } = await preview({ confirmToken: shown.confirmToken });
  await finishRun(school.services, planRuns, Number(runId));
  const { dues, changes } = await read(student);
  const tuition = dues.filter(({ head }) => head === 'Tuition').map(({ net }) => net / 100);
  expect(tuition).toEqual([...Array(7).fill(5000), ...Array(5).fill(5541)]);
  expect(changes[0]).toMatchObject({ kind: 'Prices', total: 5 * 54_100 });
  // All plans have these prices now.
  expect(await preview()).toMatchObject({ changed: 0, confirmToken: null });
});

test('B4.19 a version with other instalments than fee plans have is not published', async () => {
  const [published] = await school.sql(`select structure_id as id from fee_plan_stage stage
    join fee_structure structure on structure.id = structure_id and structure.status = 'Published' limit 1`);
  const found = await accountant.call(structureApi.read, { id: Number(published?.id) });
  const version = await accountant.call(structureApi.renew, { id: found.id, version: found.version });
  const validFrom = `${prices.year}-12-01`;
  const publish = (day = validFrom) =>
    act(`/fee/structure/${version.id}/publish`, { version: version.version, validFrom: day });
  await school.sql(`update fee_structure_line set months = 4 where structure_id = ${version.id}
    and fee_head_id = ${prices.heads.Tuition}`);
  const refused = await publish();
  expect([refused.status, refused.json.error.message]).toEqual([
    409,
    'Fee plans of the year have the instalments of Tuition. They change from the next year on.',
  ]);
  await school.sql(`update fee_structure_line set months = null where structure_id = ${version.id}`);
  for (const day of ['', `${prices.year}-03-31`])
    expect(Object.keys((await publish(day)).json.error.fields)).toEqual(['validFrom']);
  expect((await publish()).status).toBe(200);
});

test('MC13 plans are priced again at a version from its first day, and not from an earlier one', async () => {
  const [old] = await school.sql(`select structure_id as id from fee_plan_stage stage
    join fee_structure structure on structure.id = structure_id and structure.status = 'Published' limit 1`);
  await school.sql(`update fee_structure set status = 'Superseded' where id = ${old?.id}`);
  const validFrom = `${prices.year}-12-01`;
  const structureId = await prices.publish({ tuition: 50_000, name: 'Cheaper', replaces: Number(old?.id), validFrom });
  const reprice = (from: string) => act('/fee/reprice', { structureId, effectiveFrom: `${prices.year}-${from}` });
  expect((await reprice('06-01')).json.error.fields).toEqual({
    effectiveFrom: `These prices are valid from 1 Dec ${prices.year}.`,
  });
  expect((await reprice('12-01')).status).toBe(200);
});

test('B4.17 a concession that is granted or ended changes the plan by exactly its amount', async () => {
  const { student } = await planned('Farid');
  const before = sum((await read(student)).dues);
  const [discount] =
    await school.sql(`insert into fee_discount (name, code, value_kind, percent, all_heads, eligibility,
      priority, needs_approval) values ('Staff', 'STAFF', 'Percent', 2000, true, 'Any student', 1, false) returning id`);
  // Facts suggest it, so that no second person decides.
  await school.sql(`insert into fee_concession (student_id, academic_year_id, discount_id, source, percent, effective_from,
      effective_to, status) values (${student}, ${prices.place.academicYearId}, ${discount?.id}, 'Suggested', 2000,
      '${prices.year}-04-01', '${prices.year + 1}-03-31', 'Suggested')`);
  const { id } = await accountant.call(concessionApi.request, {
    studentId: student,
    discountId: Number(discount?.id),
    academicYearId: prices.place.academicYearId,
    effectiveFrom: `${prices.year}-04-01`,
    effectiveTo: '',
    reason: 'Mother teaches here',
  } as never);
  const tuition = (dues: Awaited<ReturnType<typeof read>>['dues']) =>
    dues.filter(({ head }) => head === 'Tuition').reduce((total, { gross }) => total + gross, 0);
  const { dues, changes } = await read(student);
  const fifth = tuition(dues) / 5;
  expect(sum(dues)).toBe(before - fifth);
  expect(changes[0]).toMatchObject({ kind: 'Concession', total: -fifth });
  const end = { version: 1, lastDay: `${prices.year}-09-30`, reason: 'Left the staff' };
  expect((await act(`/fee/concession/${id}/end`, end)).status).toBe(200);
  expect(sum((await read(student)).dues)).toBe(before - fifth / 2);
});

test('a granted concession is relief with its reason, the person who asked and the one who granted it', async () => {
  const { student } = await planned('Gauri');
  const [discount] =
    await school.sql(`insert into fee_discount (name, code, value_kind, percent, all_heads, eligibility,
      priority, needs_approval) values ('Merit', 'MERIT', 'Percent', 1000, true, 'Any student', 2, true) returning id`);
  const asker = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  const decider = await school.person({ name: 'Nilesh', role: 'Staff', sets: ['financeApprover'] });
  const { id } = await asker.call(concessionApi.request, {
    studentId: student,
    discountId: Number(discount?.id),
    academicYearId: prices.place.academicYearId,
    effectiveFrom: `${prices.year}-04-01`,
    effectiveTo: '',
    reason: 'First of the grade',
  } as never);
  const [request] = await school.sql(`select id from approval where fee_concession_id = ${id}`);
  const { version, seen } = await decider.call(approvalApi.read, { id: Number(request?.id) });
  const decision = { version, seen, outcome: 'Approved', remark: '' };
  expect((await act(`/approval/${request?.id}/decide`, decision, decider)).status).toBe(200);
  const day = `${prices.year}-04-01`;
  const { json } = await accountant.send({ url: `/api/fee/report?kind=Relief&from=${day}&to=${day}` });
  const rows: { studentId: number; cells: unknown[] }[] = json.rows;
  expect(rows.find(({ studentId }) => studentId === student)?.cells.slice(4, 9)).toEqual([
    'Concession',
    'Decided',
    'First of the grade',
    'Farida',
    'Nilesh',
  ]);
});

test('the record lists the instalments of the year, those paid at its start and those far ahead as one row each', async () => {
  const { student, plan } = await planned('Instalments');
  const card = async () => (await accountant.send({ url: `/api/student/${student}/card/fee` })).json as CardAnswer;
  const rowsOf = async () => (await card()).table?.rows.map((cells) => cells.map((cell) => english(cell))) ?? [];
  const dues =
    await school.sql(`select due_on::text as day, sum(net)::bigint as net from fee_due where plan_id = ${plan}
    group by due_on order by due_on`);
  const before = await rowsOf();
  const shown = dues.slice(0, 4).map(({ day, net }) => [showDate(String(day)), showMoney(Number(net))]);
  expect(before.slice(0, 4).map(([day, , amount]) => [day, amount])).toEqual(shown);
  expect(before).toHaveLength(Math.min(dues.length, 5));
  expect(before[0]?.[1]).toBe('Not due yet');
  // Whatever is shown as one row, the rows add up to the year.
  const total = (rows: string[][]) =>
    rows.reduce((sum, [, , amount]) => sum + Number(amount?.replace(/[^0-9]/g, '')), 0);
  const year = dues.reduce((sum, { net }) => sum + Number(net), 0);
  expect(total(before)).toBe(year);
  for (const { day } of dues.slice(0, 2))
    for (const due of await school.sql(`select id, account_id, receipt_series_id as series, net - paid as left from fee_due
      where plan_id = ${plan} and due_on = '${day}'`))
      await receive(school, {
        account: Number(due.account_id),
        series: Number(due.series),
        day: String(day),
        on: [{ due: Number(due.id), amount: Number(due.left) }],
      });
  const after = await rowsOf();
  expect(after[0]?.slice(0, 2)).toEqual([`Until ${showDate(String(dues[1]?.day))}`, 'Paid']);
  expect(total(after)).toBe(year);
});

test('the record sums nine late months in a row of their own, and says of none of them that it is not due yet', async () => {
  const { student, plan } = await planned('Late');
  school.clock.now = new Date(`${prices.year}-12-20T06:00:00Z`);
  const sums =
    await school.sql(`select due_on <= '${prices.year}-12-20' as late, count(distinct due_on)::integer as days,
    max(due_on)::text as last, sum(net)::bigint as net from fee_due where plan_id = ${plan} group by 1 order by 1 desc`);
  expect(sums.map(({ late, days }) => [late, days])).toEqual([
    [true, 9],
    [false, 3],
  ]);
  const { table } = (await accountant.send({ url: `/api/student/${student}/card/fee` })).json as CardAnswer;
  const rows = table?.rows.map((cells) => cells.map((cell) => english(cell))) ?? [];
  const late = showMoney(Number(sums[0]?.net));
  expect(rows[0]).toEqual([`Until ${showDate(String(sums[0]?.last))}`, `${late} late`, late]);
  expect(rows.slice(1).map(([, state]) => state)).toEqual(['Not due yet', 'Not due yet', 'Not due yet']);
  school.clock.now = new Date(`${prices.year}-04-01T06:00:00Z`);
});

test('the record has the plan of today’s year although that of the next year is made already', async () => {
  const { student, plan } = await planned('Next year');
  const label = async () =>
    ((await accountant.send({ url: `/api/student/${student}/card/fee` })).json as CardAnswer).facts.map(({ label }) =>
      english(label),
    );
  const next = `${prices.year + 1}-${prices.year + 2}`;
  await school.sql(`with year as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      values ('${next}', '${prices.year + 1}-04-01', '${prices.year + 2}-03-31', '${prices.year + 1}-06-01') returning id)
    insert into fee_plan (account_id, academic_year_id, joined_on)
    select account_id, year.id, '${prices.year + 1}-04-01' from fee_plan, year where fee_plan.id = ${plan}`);
  expect(await label()).toContain(`Fees of ${prices.year}-${prices.year + 1}`);
  school.clock.now = new Date(`${prices.year + 1}-04-01T06:00:00Z`);
  expect(await label()).toContain(`Fees of ${next}`);
  school.clock.now = new Date(`${prices.year}-04-01T06:00:00Z`);
});

test('the strip of a child tells what is due on all accounts, not only on the latest plan, and since when', async () => {
  const { student } = await planned('Dues');
  const { dues } = await read(student);
  const today = `${prices.year}-04-01`;
  const own = dues.filter(({ dueOn }) => dueOn <= today).reduce((total, { net, paid }) => total + net - paid, 0);
  await school.sql(`with due as (
      insert into fee_due (account_id, kind, receipt_series_id, gst_rate, label, due_on)
      select account.id, 'Bounce', min(due.receipt_series_id), 0, 'Bounced cheque', '${today}'::date - 12
      from fee_account account join fee_due due on due.account_id = account.id
      where account.student_id = ${student} group by account.id
      returning id, account_id, receipt_series_id, due_on)
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount)
    select account_id, id, receipt_series_id, 'Debit', due_on, due_on, 50000 from due`);
  const strip = await accountant.call(studentRecordApi.today, { id: student });
  const shown = strip.find(({ label }) => label.id === 'Dues');
  expect(shown).toMatchObject({ value: verbatim(showRupees(own + 50_000)), isLate: true });
  expect(english(shown?.detail ?? verbatim(''))).toBe('12 days late');
  const { json } = await accountant.send({ url: `/api/student/${student}/card/fee` });
  expect(json.facts[0].label).toMatchObject({ id: 'Due now' });
  expect(english(json.facts[0].value)).toBe(
    `${showMoney(own + 50_000)}, including ${showMoney(50_000)} outside the fee plan`,
  );
});
