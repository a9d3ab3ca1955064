import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalList } from '#features/approval/contract/approval.ts';
import { makePlan } from '#features/fee-price/api.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { english, type Text } from '#kit/contract/text.ts';
import { approve } from '#testing/approving.ts';
import { miscounted } from '#testing/attendance-counts.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAtCommit } from '#testing/failing.ts';
import { plant } from '#testing/masters.ts';
import { receive } from '#testing/payments.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise } from '#testing/seated.ts';
import { openTurning, type Turning } from '#testing/turning.ts';
import { correctResultApi } from '../../contract/correct-result.ts';
import { studentRecordApi } from '../../contract/record.ts';
import { resultList } from '../../contract/result.ts';
import { turnApi } from '../../contract/turn.ts';
import { unexplainedList } from '../../contract/unexplained.ts';
import { turnRuns } from './turn.ts';

let school: School;
let admin: Person;
let office: Person;
let principal: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
  office = await school.person({ name: 'Hansa', sets: ['office'] });
  principal = await school.person({ name: 'Bharti', sets: ['principal'] });
});
afterAll(() => school.close());

const words = (texts: readonly unknown[]) => texts.map((text) => english(text as Text));

interface Stage extends Turning {
  turnId: number;
  /** Of the first child: the student, the old enrolment, and the sections of the new year. */
  child: number;
  old: number;
  sectionOf: (grade: string, letter: string) => Promise<number>;
}

/** Two years of which the first was turned, with three children of Grade Five who sit in Grade Six. It is 12 Jun. */
async function openStage({ detains = false, retests = false } = {}): Promise<Stage> {
  school.clock.now = undefined;
  const here = await openTurning(school, [
    { name: 'Five', children: 3, next: 'Six', sections: { A: 10, B: 10 } },
    { name: 'Six', children: 0, sections: { A: 10 } },
  ]);
  const [old = 0] = await here.enrolmentsOf('Five');
  if (detains)
    await school.sql(`insert into student_result (enrollment_id, academic_year_id, decision, reason, source, decided_by)
      values (${old}, ${here.fromYearId}, 'Detain', 'Below 35 %', 'Hand', 'Hansa')`);
  if (retests)
    await school.sql(`insert into student_result (enrollment_id, academic_year_id, decision, reason, source, decided_by)
      values (${old}, ${here.fromYearId}, 'Re-test', 'Mathematics', 'Hand', 'Hansa')`);
  const body = { id: here.fromYearId, keeps: 'Balanced' as const };
  const { confirmToken } = await admin.call(turnApi.start, body);
  const { runId } = await admin.call(turnApi.start, { ...body, confirmToken: confirmToken ?? '' });
  await finishRun(school.services, turnRuns, Number(runId));
  const [turn] = (await admin.call(turnApi.read, body)).turns;
  const [own] = await school.sql(`select student_id as id from student_enrollment where id = ${old}`);
  school.clock.now = new Date(Date.parse(`${here.nextStart}T06:00:00Z`) + 11 * 86_400_000);
  const sectionOf = async (grade: string, letter: string) => {
    const [row] = await school.sql(`select id from academic_section where academic_year_id = ${here.toYearId}
      and grade_id = ${here.idOf(grade)} and name = '${letter}'`);
    return Number(row?.id);
  };
  return { ...here, turnId: turn?.id ?? 0, old, child: Number(own?.id), sectionOf };
}

/** Yearly prices of the two grades in the new year, of one head by the month; the child gets its plan. */
async function openFees({ toYearId, branchId, programId, idOf, child }: Stage, prices: Record<string, number>) {
  const idIn = async (statement: string) => Number((await school.sql(statement))[0]?.id);
  const name = `Fees ${toYearId}`;
  const series = await idIn(
    `insert into fee_receipt_series (name, short_name) values ('${name}', 'F${toYearId}') returning id`,
  );
  const frequency = await idIn(`with made as (insert into fee_frequency (name, code, kind, is_equal)
      values ('${name}', 'F${toYearId}', 'Annual', true) returning id)
    insert into fee_frequency_row (frequency_id, seq, label, from_month, months, due_month, due_day)
      select id, 1, 'Year', 0, 12, 0, 10 from made returning frequency_id as id`);
  const head = await idIn(`insert into fee_head (name, short_name, category, frequency_id, applies_to, pro_rata,
      is_discountable, priority, is_refundable, receipt_series_id)
    values ('${name}', '${name}', 'Tuition', ${frequency}, 'All students', 'Month', false, 10, false, ${series}) returning id`);
  for (const [grade, annual] of Object.entries(prices))
    await school.sql(`with made as (insert into fee_structure (name, academic_year_id, branch_id, program_id,
        admission_type, edited_by) values ('${name} ${grade}', ${toYearId}, ${branchId}, ${programId}, 'All students',
        (select max(id) from staff)) returning *),
      grade as (insert into fee_structure_grade (structure_id, grade_id, academic_year_id, branch_id, program_id,
        category_key, admission_type, status)
        select id, ${idOf(grade)}, academic_year_id, branch_id, program_id, category_key, admission_type, status from made)
      insert into fee_structure_line (structure_id, fee_head_id, annual, frequency_id)
        select id, ${head}, ${annual * 100}, ${frequency} from made;
      update fee_structure set status = 'Published', published_by = edited_by, published_at = now()
        where name = '${name} ${grade}'`);
  const ctx = school.context();
  await ctx.db.transaction().execute((db) => makePlan({ ...ctx, db }, child, toYearId, {}));
  const [due] = await school.sql(`select due.id, account.id as account from fee_due due
    join fee_account account on account.id = due.account_id where account.student_id = ${child}`);
  const balance = async () =>
    Number((await school.sql(`select balance from fee_account where student_id = ${child}`))[0]?.balance);
  const pay = (rupees: number) =>
    receive(school, {
      account: Number(due?.account),
      series,
      day: toDay(),
      on: [{ due: Number(due?.id), amount: rupees * 100 }],
    });
  return { balance, pay };
}
const toDay = () => (school.clock.now ?? new Date()).toISOString().slice(0, 10);

/** Registers of ten school days of a section of the new year, the child present in each. */
async function openMarks({ child, toYearId }: Stage, section: number) {
  await school.sql(`
    insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, taken_at, locks_at)
      select section.academic_year_id, branch_id, program_id, section.grade_id, section.id, own.day, now(), now()
      from academic_section section join academic_year year on year.id = section.academic_year_id
      cross join lateral (select day from academic_school_days(year.id, year.starts_on, year.ends_on) own
        where own.grade_id = section.grade_id and own.work = 2 order by day limit 10) own
      where section.id = ${section};
    insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
      select id, ${child}, ${toYearId}, day, half, (select id from attendance_code where code = 'P')
      from attendance_register where section_id = ${section}`);
}

/** The days of the child that the June months of sections count. */
async function daysIn(here: Stage, sections: readonly number[]) {
  const days = [];
  for (const section of sections) {
    const url = `/api/attendance/month?sectionId=${section}&month=${here.nextStart.slice(0, 7)}`;
    const month = (await principal.send({ url })).json;
    days.push(
      month.children.find(({ studentId }: { studentId: number }) => studentId === here.child)?.totals.days ?? 0,
    );
  }
  return days;
}

const bodyOf = ({ fromYearId }: Stage, sectionId: number | null, more = {}) => ({
  ...{ yearId: fromYearId, to: 'Detained', from: '', sectionId, reason: 'Failed the re-test', ...more },
});
const send = (by: Person, { child }: Stage, body: object) =>
  by.send({ method: 'POST', url: `/api/student/${child}/result`, body });
/** Looks at what follows, and corrects the result. */
async function correct(by: Person, here: Stage, body: object) {
  const preview = await send(by, here, body);
  if (preview.status !== 200) return preview;
  const applied = await send(by, here, { ...body, confirmToken: preview.json.confirmToken });
  expect(applied.status).toBe(200);
  return preview;
}
const stored = ({ child, toYearId, old }: Stage) =>
  school.sql(`select (select status from student_enrollment where id = ${old}) as result, own.grade_id as grade,
      own.status, own.joined_on as first, own.left_on as last, section_id as section
    from student_enrollment own left join student_section on enrollment_id = own.id
    where own.student_id = ${child} and own.academic_year_id = ${toYearId} order by own.joined_on`);
const rowsIn = async ({ fromYearId, child }: Stage) =>
  (await admin.call(resultList.api.list, { yearId: String(fromYearId) } as never)).rows.filter(
    ({ studentId }) => studentId === child,
  );

test('U1.8 a result is corrected in one act after a re-test: place, marks, fees and the list of the year follow', async () => {
  const here = await openStage();
  const [old, next] = [await here.sectionOf('Six', 'A'), await here.sectionOf('Five', 'B')];
  const fees = await openFees(here, { Five: 5000, Six: 6000 });
  await fees.pay(5500);
  await openMarks(here, old);
  expect([await daysIn(here, [old, next]), await fees.balance()]).toEqual([[10, 0], 50_000]);
  await raise(school, [here.child], { firstName: 'Meena', mobile: '9825000077' });
  await school.sql(`update student_guardian set receives_messages = true where student_id = ${here.child}`);

  const before = await stored(here);
  const { json: preview } = await send(office, here, bodyOf(here, next));
  expect(preview).toMatchObject({
    was: expect.stringMatching(/^Six \d+, A$/),
    becomes: expect.stringMatching(/^Five \d+, B$/),
  });
  expect(words(preview.also)).toEqual([
    'Fees of the year fall by ₹1,000.00 to ₹5,000.00.',
    '₹500.00 already paid becomes advance.',
    expect.stringMatching(
      /^10 marks from 1 Jun \d+ on: taken in Six \d+, A\. They count once, in the month of Five \d+, B\.$/,
    ),
  ]);
  expect(await stored(here)).toEqual(before);
  const confirmed = { ...bodyOf(here, next), confirmToken: preview.confirmToken };
  // The whole act or nothing of it.
  const contents = await contentsOf(school);
  expect((await failingAtCommit(school, () => send(office, here, confirmed))).status).toBe(500);
  expect(await contentsOf(school)).toEqual(contents);
  // Two at once are one.
  const answers = await Promise.all([office, principal].map((by) => send(by, here, confirmed)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await stored(here)).toEqual([
    {
      result: 'Detained',
      grade: here.idOf('Five'),
      status: 'Active',
      first: here.nextStart,
      last: null,
      section: next,
    },
  ]);
  expect(await daysIn(here, [old, next])).toEqual([0, 10]);
  expect([await fees.balance(), await miscounted(school)]).toEqual([-50_000, []]);
  expect(await rowsIn(here)).toEqual([
    expect.objectContaining({ standing: 'Detained', leadsTo: expect.stringMatching(/^Five/) }),
  ]);
  expect((await send(office, here, confirmed)).json.error.message).toMatch(/ is Detained already\.$/);
  const acts =
    await school.sql(`select action, details from audit where entity = 'student' and entity_id = ${here.child}
    and action like 'result%'`);
  expect(acts).toEqual([
    {
      action: 'result.corrected',
      details: expect.objectContaining({ Result: 'Promoted → Detained', Reason: 'Failed the re-test' }),
    },
  ]);
  const told = await school.sql(`select recipient from outbox where template = 'year-end.result'`);
  expect(told).toEqual([{ recipient: '9825000077' }]);
  // The day of the clock.
  await school.sql(`update student_result_change set applied_at = '${toDay()}' where enrollment_id = ${here.old}`);
  const { events } = (
    await principal.send({
      url: `/api/report/student/${here.child}/timeline?kind=result`,
    })
  ).json;
  expect(words((events ?? []).map(({ what }: { what: Text }) => what))).toEqual([
    expect.stringMatching(/^Result of .+ corrected: Detained$/),
  ]);
});

test('U1.8 of a closed year the office asks and the principal corrects the result, once', async () => {
  const here = await openStage();
  const next = await here.sectionOf('Five', 'B');
  await openMarks(here, await here.sectionOf('Six', 'A'));
  await school.sql(`update academic_year set status = 'Closed', closed_at = '1950-07-12T06:00:00Z', closed_by = 'Test'
    where id = ${here.fromYearId}`);
  // No other write of the row, and none without a correction of the same transaction.
  const refused = { constraint: 'academic_year_is_closed' };
  await expect(
    school.sql(`update student_enrollment set status = 'Detained' where id = ${here.old}`),
  ).rejects.toMatchObject(refused);
  const wrongly = (more: string) =>
    school.sql(`with made as (insert into student_result_change (enrollment_id, from_status, to_status, reason,
        effective_from, made_by, applied_at)
        values (${here.old}, 'Promoted', 'Detained', 'Test', '${here.nextStart}', 'Test', school_now()) returning enrollment_id)
      update student_enrollment set status = 'Detained'${more} from made where id = enrollment_id`);
  await expect(wrongly(`, joined_on = joined_on + 1`)).rejects.toMatchObject(refused);

  const body = bodyOf(here, next);
  const before = await stored(here);
  const { json: asked } = await correct(office, here, body);
  expect([asked.needsSecond, words(asked.also)]).toEqual([true, [expect.stringMatching(/^10 marks from 1 Jun/)]]);
  expect(await stored(here)).toEqual(before);
  const { result } = await office.call(correctResultApi.read, { id: here.child });
  expect(result).toMatchObject({ to: 'Detained', needsSecond: true, isAsked: true });
  expect((await send(principal, here, body)).json.error.message).toBe(
    'A correction of this result is waiting for the principal already.',
  );
  const [request] = await school.sql(`select id from approval where kind = 'student.result'`);
  expect((await office.send({ url: `/api/approval/${request?.id}` })).json.may).toMatchObject({ decide: false });
  const { json: shown } = await principal.send({ url: `/api/approval/${request?.id}` });
  expect(words(shown.effect)).toEqual(words(asked.also));
  await approve(school, principal);
  expect(await stored(here)).toEqual([
    {
      result: 'Detained',
      grade: here.idOf('Five'),
      status: 'Active',
      first: here.nextStart,
      last: null,
      section: next,
    },
  ]);
  expect(await rowsIn(here)).toEqual([expect.objectContaining({ standing: 'Detained' })]);
  const acts = await school.sql(`select action from audit where entity = 'student' and entity_id = ${here.child}
    and action like 'result%' order by id`);
  expect(acts.map(({ action }) => action)).toEqual(['result.correction-asked', 'result.corrected']);
  // The principal corrects it back without a request.
  const back = await correct(principal, here, bodyOf(here, null, { to: 'Promoted', reason: 'Passed after all' }));
  expect(back.json.needsSecond).toBe(false);
  expect(await stored(here)).toMatchObject([{ result: 'Promoted', grade: here.idOf('Six'), section: null }]);
});

test('a request to correct a result that was rejected leaves everything as it is, and can be made again', async () => {
  const here = await openStage();
  await school.sql(`update academic_year set status = 'Closed', closed_at = '1950-07-12T06:00:00Z', closed_by = 'Test'
    where id = ${here.fromYearId}`);
  const body = bodyOf(here, await here.sectionOf('Five', 'B'));
  await correct(office, here, body);
  const [request] = await school.sql(`select max(id) as id from approval where kind = 'student.result'`);
  const url = `/api/approval/${request?.id}`;
  const { version, seen } = (await principal.send({ url })).json;
  await principal.send({
    method: 'POST',
    url: `${url}/decide`,
    body: { version, seen, outcome: 'Rejected', remark: 'No' },
  });
  expect(await stored(here)).toMatchObject([{ result: 'Promoted', grade: here.idOf('Six') }]);
  await correct(office, here, body);
  expect((await office.call(correctResultApi.read, { id: here.child })).result).toMatchObject({ isAsked: true });
});

test('a detained child who passes the re-test later moves from that day, and the earlier enrolment is kept', async () => {
  const here = await openStage({ detains: true });
  const [old] = await stored(here);
  expect(old).toMatchObject({ result: 'Detained', grade: here.idOf('Five') });
  await openMarks(here, Number(old?.section));
  const [from, next] = [toDay(), await here.sectionOf('Six', 'A')];
  await correct(admin, here, bodyOf(here, next, { to: 'Promoted', from, reason: 'Passed the re-test' }));
  expect(await stored(here)).toEqual([
    { ...old, result: 'Promoted', status: 'Transferred', last: expect.any(String) },
    { result: 'Promoted', grade: here.idOf('Six'), status: 'Active', first: from, last: null, section: next },
  ]);
  // The marks of the days before count in the old section, and none twice.
  const days = await daysIn(here, [Number(old?.section), next]);
  expect([days[0] + days[1], await miscounted(school)]).toEqual([10, []]);
  expect(await rowsIn(here)).toEqual([
    expect.objectContaining({ standing: 'Promoted', leadsTo: expect.stringMatching(/^Six/) }),
  ]);
  const head = await office.call(studentRecordApi.read, { id: here.child });
  expect(head.section).toMatch(/^Six \d+, A$/);
});

test('a result is corrected within the year after it, to a section of the right grade, and for a child in reach', async () => {
  const here = await openStage();
  const elsewhere = await school.person({ sets: ['office'], branchIds: [(await plant(school, branchMaster)).id] });
  const teacher = await school.person({ sets: [] });
  const next = await here.sectionOf('Five', 'B');
  const refused = async (by: Person, more: object, sectionId: number | null = next) => {
    const { status, json } = await send(by, here, bodyOf(here, sectionId, more));
    return [status, json.error.fields ? Object.keys(json.error.fields) : json.error.code];
  };
  expect(await refused(elsewhere, {})).toEqual([404, 'not_found']);
  expect(await refused(teacher, {})).toEqual([403, 'forbidden']);
  expect(await refused(office, { yearId: here.toYearId + 1000 })).toEqual([409, 'conflict']);
  expect(await refused(office, { from: here.start })).toEqual([422, ['from']]);
  expect(await refused(office, {}, await here.sectionOf('Six', 'A'))).toEqual([422, ['sectionId']]);
  expect(await refused(office, { reason: '' })).toEqual([422, ['reason']]);
  expect(await refused(office, { to: 'Promoted' })).toEqual([409, 'conflict']);
  await school.sql(`update academic_section set capacity = 1 where id = ${next};
    update student_enrollment set status = 'Active' where false`);
  const [, second = 0] = await here.enrolmentsOf('Five');
  const [other] = await school.sql(`select student_id as id from student_enrollment where id = ${second}`);
  await correct(office, { ...here, child: Number(other?.id) }, bodyOf(here, next));
  expect(await refused(office, {})).toEqual([422, ['sectionId']]);
  // What changed between the preview and the press makes it stale.
  const free = bodyOf(here, null);
  const { json } = await send(office, here, free);
  await school.sql(`update student set version = version + 1 where id = ${here.child}`);
  const late = await send(office, here, { ...free, confirmToken: json.confirmToken });
  expect(late.json.error.code).toBe('stale');
  // So does the closing of the year: the principal decides now.
  const { json: open } = await send(office, here, free);
  expect(open.needsSecond).toBe(false);
  await school.sql(`update academic_year set status = 'Closed', closed_at = '1950-07-12T06:00:00Z', closed_by = 'Test'
    where id = ${here.fromYearId}`);
  const closed = await send(office, here, { ...free, confirmToken: open.confirmToken });
  expect(closed.json.error.code).toBe('stale');
});

test('a principal asks for the own child, and decides on any other', async () => {
  const here = await openStage();
  await school.sql(`update academic_year set status = 'Closed', closed_at = '1950-07-12T06:00:00Z', closed_by = 'Test'
    where id = ${here.fromYearId}`);
  await raise(school, [here.child], { firstName: 'Dinesh', mobile: '9825000078' });
  const parent = await school.person({ name: 'Dinesh', sets: ['principal'] });
  const needs = async () => (await parent.call(correctResultApi.read, { id: here.child })).result?.needsSecond;
  expect(await needs()).toBe(false);
  await school.sql(`update guardian set staff_id = ${parent.staffId} where first_name = 'Dinesh'`);
  expect(await needs()).toBe(true);
  expect((await correct(parent, here, bodyOf(here, null))).json.needsSecond).toBe(true);
  expect(await stored(here)).toMatchObject([{ result: 'Promoted' }]);
});

test('a request that no longer fits is refused with the name of the child, and keeps the year of its class open', async () => {
  const here = await openStage();
  await school.sql(`update academic_year set status = 'Closed', closed_at = '1950-07-12T06:00:00Z', closed_by = 'Test'
    where id = ${here.fromYearId}`);
  const section = await here.sectionOf('Five', 'B');
  await correct(office, here, bodyOf(here, section));
  const waiting = await principal.call(approvalList.api.list, { tab: 'forMe', yearId: String(here.toYearId) });
  expect(waiting.total).toBe(1);
  const [request] = await school.sql(`select max(id) as id from approval where kind = 'student.result'`);
  const url = `/api/approval/${request?.id}`;
  const read = async () => (await principal.send({ url })).json;
  const decide = ({ version, seen }: { version: number; seen: string }) =>
    principal.send({ method: 'POST', url: `${url}/decide`, body: { version, seen, outcome: 'Approved', remark: '' } });
  const before = await read();
  await school.sql(`update academic_section set is_active = false where id = ${section}`);
  const { status, json } = await decide(await read());
  expect([status, json.error.fields ?? {}]).toEqual([409, {}]);
  expect(json.error.message).toMatch(/^.+: Choose a section of Five/);
  // What changes the effect makes what the principal read stale.
  await school.sql(`update academic_section set is_active = true, capacity = capacity - 1 where id = ${section}`);
  expect((await decide(before)).json.error.code).toBe('stale');
});

test('the re-test of the last class leads to no grade: the dialog says so, and a crafted request names the way', async () => {
  const here = await openStage({ detains: true });
  await school.sql(`update academic_grade set next_grade_id = null where id = ${here.idOf('Five')}`);
  const { result } = await office.call(correctResultApi.read, { id: here.child });
  expect(result).toMatchObject({ to: 'Promoted', leadsTo: '', sections: [] });
  const { status, json } = await send(office, here, bodyOf(here, null, { to: 'Promoted' }));
  expect([status, json.error.fields ?? {}]).toEqual([409, {}]);
  expect(json.error.message).toMatch(/Use Leave… of the record/);
});

test('a turn is undone with a child whose result was corrected, and names one who has marks', async () => {
  const here = await openStage();
  await correct(office, here, bodyOf(here, await here.sectionOf('Five', 'B')));
  const body = { id: here.turnId, gradeId: null };
  const shown = await admin.call(turnApi.undo, body);
  expect(shown.children.map(({ id, result }) => [id === here.child, result])).toContainEqual([true, 'Detained']);
  await admin.call(turnApi.undo, { ...body, confirmToken: shown.confirmToken ?? '' });
  expect(await stored(here)).toMatchObject([{ result: 'Active', status: 'Cancelled', section: null }]);
  // The next turn keeps what the correction decided.
  const decided = await school.sql(`select decision, reason from student_result where enrollment_id = ${here.old}`);
  expect(decided).toEqual([{ decision: 'Detain', reason: 'Failed the re-test' }]);
});

test('a turn that is undone ends the requests to correct its results', async () => {
  const here = await openStage();
  const close = (status: string, rest: string) =>
    school.sql(`update academic_year set status = '${status}', ${rest} where id = ${here.fromYearId}`);
  await close('Closed', `closed_at = '1950-07-12T06:00:00Z', closed_by = 'Test'`);
  await correct(office, here, bodyOf(here, null));
  await close('Open', 'closed_at = null, closed_by = null');
  const body = { id: here.turnId, gradeId: null };
  const shown = await admin.call(turnApi.undo, body);
  await admin.call(turnApi.undo, { ...body, confirmToken: shown.confirmToken ?? '' });
  const [asked] = await school.sql(`select outcome, approval.status from student_result_change own
    join approval on student_result_change_id = own.id where enrollment_id = ${here.old}`);
  expect(asked).toEqual({ outcome: 'Withdrawn', status: 'Withdrawn' });
});

test('a child who passed the re-test remains in its class, and the re-test is open no longer, also in a closed year', async () => {
  const here = await openStage({ retests: true });
  const listed = async () =>
    (await office.call(unexplainedList.api.list, { why: 'Re-test open' })).rows.map(({ id }) => id);
  const before = await stored(here);
  const { result } = await office.call(correctResultApi.read, { id: here.child });
  expect(result?.isRetest).toBe(true);
  expect(await listed()).toEqual([here.child]);
  const word = result?.was ?? 'Promoted';
  await school.sql(`update academic_year set status = 'Closed', closed_at = '1950-07-12T06:00:00Z', closed_by = 'Test'
    where id = ${here.fromYearId}`);
  const confirm = (body: object) =>
    office.send({
      method: 'POST',
      url: `/api/student/${here.child}/result/confirm`,
      body: { yearId: here.fromYearId, reason: 'Passed the re-test', ...body },
    });
  // The user saw another word.
  expect((await confirm({ result: result?.to })).status).toBe(409);
  const answers = await Promise.all([confirm({ result: word }), confirm({ result: word })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await stored(here)).toEqual(before);
  expect(await listed()).toEqual([]);
  const acts = await school.sql(`select action from audit where entity = 'student' and entity_id = ${here.child}
    and action like 'result%'`);
  expect(acts).toEqual([{ action: 'result.confirmed' }]);
});

test('the re-test of a year that is not over is not missing yet', async () => {
  const here = await openStage({ retests: true });
  const listed = async () => (await office.call(unexplainedList.api.list, { why: 'Re-test open' })).total;
  expect(await listed()).toBe(1);
  school.clock.now = new Date(Date.parse(`${here.nextStart}T06:00:00Z`) - 5 * 86_400_000);
  expect(await listed()).toBe(0);
});
