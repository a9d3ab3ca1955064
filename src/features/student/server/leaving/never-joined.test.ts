import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { makePlan } from '#features/fee-price/api.ts';
import { showMoney } from '#kit/contract/money.ts';
import { english, type Text } from '#kit/contract/text.ts';
import { approve } from '#testing/approving.ts';
import { miscounted } from '#testing/attendance-counts.ts';
import type { Person } from '#testing/browser.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { enroll } from '#testing/students.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { leavingApi } from '../../contract/leaving.ts';
import { studentList } from '../../contract/list.ts';
import { neverJoinedApi } from '../../contract/never-joined.ts';
import { studentRecordApi } from '../../contract/record.ts';

let school: School;
let office: Person;
let local: Person;
let prices: Prices;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office'] });
  local = await school.person({ sets: ['office'], branchIds: [1] });
  prices = await openPrices(school);
});
afterAll(() => school.close());

const words = (texts: readonly unknown[]) => texts.map((text) => english(text as Text));
const reason = 'Never came';
async function cancel(id: number, by = office) {
  const preview = await by.call(neverJoinedApi.cancel, { id, reason });
  await by.call(neverJoinedApi.cancel, { id, reason, confirmToken: preview.confirmToken ?? undefined });
  return words(preview.ends);
}
async function undo(id: number, by = office) {
  const preview = await by.call(neverJoinedApi.undo, { id, reason: 'Came today' });
  await by.call(neverJoinedApi.undo, { id, reason: 'Came today', confirmToken: preview.confirmToken ?? undefined });
  return words(preview.returns);
}

/** A section of 2019-20 of thirty children with 14 registers: fifteen absences, and a child absent on every day. */
async function openRegisters() {
  const section = await openSection(school, { day: `date '2019-07-01'` });
  await teach(school, await school.person(), { sectionId: section });
  const child = await seat(school, section, 'Aarav');
  const others: number[] = [];
  for (let index = 1; index < 30; index++) others.push(await seat(school, section, `Child${index}`));
  await school.sql(`update student_section set roll_no = 7 where student_id = ${child}`);
  await school.sql(`
    insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, taken_at, locks_at)
      select section.academic_year_id, branch_id, program_id, section.grade_id, section.id, own.day, now(),
        now() - interval '1 minute'
      from academic_section section join academic_year year on year.id = section.academic_year_id
      cross join lateral (select day from academic_school_days(year.id, year.starts_on, year.ends_on) own
        where own.grade_id = section.grade_id and own.work = 2 order by day limit 14) own
      where section.id = ${section};
    insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
      select register.id, student, academic_year_id, day, half, (select id from attendance_code where code =
        case when student = ${child} or student = ${others[0]} or (student = ${others[1]} and day = (
          select min(day) from attendance_register)) then 'A' else 'P' end)
      from attendance_register register, unnest('{${[child, ...others].join(',')}}'::integer[]) as student
      where section_id = ${section}`);
  return { section, child, here: others[2] ?? 0 };
}

test('U1.15 a child who never joined counts in no attendance, is no leaver and keeps the GR number, and an undo restores it', async () => {
  const { section, child, here } = await openRegisters();
  school.clock.now = new Date('2019-06-28T06:00:00Z');
  const month = async () =>
    (await office.send({ url: `/api/attendance/month?sectionId=${section}&month=2019-06` })).json;
  const row = async () =>
    (
      await school.sql(`select status, cancelled_as, section_id, roll_no from student_enrollment own
      left join student_section on enrollment_id = own.id where own.student_id = ${child}`)
    )[0];
  const before = { percent: (await month()).perMille, row: await row() };
  expect(before).toEqual({
    percent: 931,
    row: { status: 'Active', cancelled_as: null, section_id: section, roll_no: 7 },
  });
  const present = await office.call(neverJoinedApi.cancel, { id: here, reason });
  expect([present.isApplied, present.confirmToken, words(present.blocks)]).toEqual([
    false,
    null,
    [expect.stringMatching(/^The student was marked as here on .* Jun 2019\. Enter the last day instead\.$/)],
  ]);
  const may = async () => (await local.call(leavingApi.leavings, { id: child })).may;
  expect(await may()).toMatchObject({ neverJoined: true, undoNeverJoined: false });
  expect(await cancel(child, local)).toContain('14 marks no longer count.');
  expect(await may()).toMatchObject({ neverJoined: false, undoNeverJoined: true });
  expect([(await month()).perMille, await miscounted(school)]).toEqual([963, []]);
  expect(await row()).toMatchObject({ status: 'Cancelled', cancelled_as: 'No-show', section_id: null });
  // Month and register still show the marks, as marks that count nowhere.
  const shown = async () => {
    const { children } = (await office.send({ url: `/api/attendance/month?sectionId=${section}&month=2019-06` })).json;
    const sheet = (await office.send({ url: `/api/attendance/register?sectionId=${section}&day=2019-06-03` })).json;
    const own = ({ studentId }: { studentId: number }) => studentId === child;
    const line = children.find(own);
    const marks = line?.marks.flatMap((codes: string[] | null) => codes ?? []).filter((code: string) => code === 'A');
    const named = (rows: { studentId: number; isNeverJoined: boolean }[]) =>
      rows.filter(({ isNeverJoined }) => isNeverJoined).map(({ studentId }) => studentId);
    return { marks: marks.length, days: line?.totals.days, month: named(children), sheet: named(sheet.children) };
  };
  expect(await shown()).toEqual({ marks: 14, days: 0, month: [child], sheet: [child] });
  const head = await local.call(studentRecordApi.read, { id: child });
  expect([head.status, head.section]).toEqual(['Never joined', '']);
  const counts = await office.call(studentList.api.counts, {});
  expect(counts.left?.total).toBe(0);
  expect(await undo(child, local)).toEqual([
    expect.stringContaining('2019-20'),
    expect.stringContaining('from 1 Jun 2019'),
  ]);
  expect({ percent: (await month()).perMille, row: await row() }).toEqual(before);
  expect(await shown()).toEqual({ marks: 14, days: 14, month: [], sheet: [] });
  expect(await miscounted(school)).toEqual([]);
  const acts = await school.sql(
    `select action from audit where entity = 'student' and entity_id = ${child} order by id`,
  );
  expect(acts.map(({ action }) => action)).toEqual(['student.never-joined', 'student.never-joined-undone']);
});

test('U1.15 the plan of a child who never joined is withdrawn, what was paid becomes advance, and an undo charges it again', async () => {
  school.clock.now = new Date(`${prices.year}-04-20T06:00:00Z`);
  const accountant = await school.person({ sets: ['accountant', 'office', 'principal'] });
  const enrollment = await enroll(school, prices.place, 'Bela');
  const [own] = await school.sql(`select student_id as id from student_enrollment where id = ${enrollment}`);
  const id = Number(own?.id);
  const ctx = school.context();
  await ctx.db.transaction().execute((db) => makePlan({ ...ctx, db }, id, prices.place.academicYearId, {}));
  const balance = async () =>
    Number((await school.sql(`select balance from fee_account where student_id = ${id}`))[0]?.balance);
  expect(await balance()).toBe(9_900_000);
  expect(await cancel(id, accountant)).toContain('Fees of the year fall by ₹99,000.00 to ₹0.00.');
  expect(await balance()).toBe(0);
  expect(await undo(id, accountant)).toContain('Fees of the year rise by ₹99,000.00 to ₹99,000.00.');
  const [due] = await school.sql(`select due.account_id as account, due.id, receipt_series_id as series from fee_due due
    join fee_account account on account.id = due.account_id where student_id = ${id} order by due_on, due.id limit 1`);
  await receive(school, {
    account: Number(due?.account),
    series: Number(due?.series),
    day: `${prices.year}-04-12`,
    on: [{ due: Number(due?.id), amount: 100_000 }],
  });
  expect(await cancel(id, accountant)).toEqual([
    expect.stringMatching(/: cancelled$/),
    '₹99,000.00 less once a second person approves.',
  ]);
  await approve(school, await school.person({ sets: ['principal'] }));
  expect(await balance()).toBe(-100_000);
  expect(await undo(id, accountant)).toContain('Fees of the year rise by ₹99,000.00 to ₹99,000.00.');
  expect(await balance()).toBe(9_800_000);
});

test('U1.15 a child of a closed year, with a last day or without an enrolment is refused in words that say what to do', async () => {
  const refused = async (id: number) =>
    (await office.send({ method: 'POST', url: `/api/student/${id}/never-joined`, body: { reason } })).json.error
      .message;
  const section = await openSection(school, { day: `date '2018-07-01'` });
  const [left, closed] = [await seat(school, section, 'Chand'), await seat(school, section, 'Dev')];
  await school.sql(`update student_section set effective_to = '2018-09-01' where student_id = ${left};
    update student_enrollment set status = 'Left', left_on = '2018-09-01' where student_id = ${left};
    insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
      select ${left}, id, '2018-09-01', (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Asha'
      from student_enrollment where student_id = ${left}`);
  expect(await refused(left)).toBe('The student has a last day. Undo the leaving first.');
  await school.sql(`update academic_year set status = 'Closed', closed_at = '2019-06-12T06:00:00Z'
    where id = (select academic_year_id from academic_section where id = ${section})`);
  expect(await refused(closed)).toBe('2018-19 was closed on 12 Jun 2019. An Admin can reopen it.');
  const undone = await office.send({
    method: 'POST',
    url: `/api/student/${closed}/never-joined/undo`,
    body: { reason },
  });
  expect(undone.json.error.message).toBe('The student has joined, or is enrolled again. Reload the page.');
});

test('U1.15 of a child who never joined the school keeps what its setting says, and an undo charges the rest again', async () => {
  school.clock.now = new Date(`${prices.year}-04-20T06:00:00Z`);
  const accountant = await school.person({ sets: ['accountant', 'office', 'principal'] });
  const principal = await school.person({ sets: ['principal'] });
  const enrollment = await enroll(school, prices.place, 'Chitra');
  const [own] = await school.sql(`select student_id as id from student_enrollment where id = ${enrollment}`);
  const id = Number(own?.id);
  const ctx = school.context();
  await ctx.db.transaction().execute((db) => makePlan({ ...ctx, db }, id, prices.place.academicYearId, {}));
  const balance = async () =>
    Number((await school.sql(`select balance from fee_account where student_id = ${id}`))[0]?.balance);
  const dueOf = async (category: string) => {
    const [due] =
      await school.sql(`select due.account_id as account, due.id, due.receipt_series_id as series from fee_due due
      join fee_account account on account.id = due.account_id join fee_head head on head.id = due.fee_head_id
      where student_id = ${id} and head.category = '${category}' order by due_on, due.id limit 1`);
    return due;
  };
  const pay = async (category: string, amount: number) => {
    const due = await dueOf(category);
    await receive(school, {
      account: Number(due?.account),
      series: Number(due?.series),
      day: `${prices.year}-04-12`,
      on: [{ due: Number(due?.id), amount }],
    });
  };
  const demanded = async () =>
    Number(
      (
        await school.sql(`select coalesce(sum(net), 0) as net from fee_due due
          join fee_account account on account.id = due.account_id where student_id = ${id}`)
      )[0]?.net,
    );
  const keep = (keeps: string) =>
    school.sql(`insert into setting (key, value) values ('year.no-show-keeps', '"${keeps}"')
      on conflict (key) do update set value = excluded.value`);
  // Nothing was paid: nothing is demanded, whatever the setting.
  for (const keeps of ['Admission fee', 'Admission fee and deposit']) {
    await keep(keeps);
    await cancel(id);
    expect([await demanded(), await balance()]).toEqual([0, 0]);
    await undo(id);
    expect(await balance()).toBe(9_900_000);
  }
  // ₹4,000 of an admission fee of ₹10,000 was paid, and all of the deposit of ₹5,000.
  await pay('Admission', 400_000);
  await pay('Deposit', 500_000);
  let all = 9_000_000;
  for (const [keeps, kept, advance, heads] of [
    ['Admission fee', 400_000, 500_000, 'Admission'],
    ['Admission fee and deposit', 900_000, 0, 'Admission, Deposit'],
    ['Nothing', 0, 900_000, ''],
  ] as const) {
    await keep(keeps);
    expect(await balance()).toBe(all);
    await cancel(id, accountant);
    const [asked] = await school.sql(`select max(id) as id from approval where status = 'Pending'`);
    const { effect } = await principal.call(approvalApi.read, { id: Number(asked?.id) });
    expect(words(effect).slice(1)).toEqual([
      ...(advance > 0 ? [`${showMoney(advance)} already paid becomes advance.`] : []),
      ...(kept > 0 ? [`The school keeps ${showMoney(kept)}, already paid for: ${heads}.`] : []),
    ]);
    await approve(school, principal);
    expect([keeps, await demanded(), await balance()]).toEqual([keeps, kept, 0 - advance]);
    await undo(id, accountant);
    all = await balance();
    expect(all).toBe(9_000_000);
  }
});
