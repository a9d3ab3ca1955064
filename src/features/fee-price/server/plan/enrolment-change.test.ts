import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { type EnrolmentChange, enrolmentHook } from '#features/student/contract/hooks.ts';
import { ask } from '#kit/server/hook.ts';
import { plant } from '#testing/masters.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { makePlan } from '../../api.ts';

let school: School;
let prices: Prices;
let dearer: number;
let cheaper: number;
beforeAll(async () => {
  school = await openSchool();
  await school.person({ role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-01T06:00:00Z`);
  dearer = (await plant(school, gradeMaster)).id;
  cheaper = (await plant(school, gradeMaster)).id;
  await prices.publish({ gradeId: dearer, tuition: 66_000, term: 21_000 });
  await prices.publish({ gradeId: cheaper, tuition: 52_800 });
});
afterAll(() => school.close());

interface Planned {
  student: number;
  enrollment: number;
}
async function planned(name: string, discounts: readonly number[] = []): Promise<Planned> {
  const enrollment = await enroll(school, prices.place, name);
  const [row] = await school.sql(`select student_id from student_enrollment where id = ${enrollment}`);
  const student = Number(row?.student_id);
  for (const percent of discounts)
    await school.sql(`with made as (insert into fee_discount (name, code, value_kind, percent, all_heads, eligibility, stack_group,
        priority, needs_approval)
      values ('${name} ${percent}', '${name} ${percent}', 'Percent', ${percent}, true, 'Any student', 'Group ${percent}', 10, false)
      returning id)
      insert into fee_concession (student_id, academic_year_id, discount_id, source, percent, effective_from, effective_to, status, requested_by)
      select ${student}, year.id, made.id, 'Asked', ${percent}, starts_on, ends_on, 'Approved', (select min(id) from staff) from made, academic_year year
      where year.id = ${prices.place.academicYearId}`);
  const ctx = school.context();
  await school.services.db
    .transaction()
    .execute((db) => makePlan({ ...ctx, db }, student, prices.place.academicYearId, { actor: 'Test' }));
  return { student, enrollment };
}

/** Asks the hook as an act of the student feature does. */
const change = ({ student, enrollment }: Planned, kind: EnrolmentChange['kind'], day: string, kept?: object) =>
  school.services.db.transaction().execute(async (db) => {
    const answers = await ask({ ...school.context(), db }, enrolmentHook, [
      {
        studentId: student,
        enrollmentId: enrollment,
        yearId: prices.place.academicYearId,
        kind,
        day: `${prices.year}-${day}`,
        ...(kept ? { kept: { fee: kept } } : {}),
      },
    ]);
    const own = answers.find(({ by }) => by === 'fee')?.output;
    return {
      words: own?.texts.map(({ id, values }) => id.replace(/\{(\w+)\}/g, (_, name) => String(values?.[name]))),
      kept: own?.kept?.[enrollment] as object | undefined,
    };
  });
/** Pays every due until a month’s tenth. */
async function pay({ student }: Planned, until: string) {
  const dues = await school.sql(`select due.account_id, due.id, receipt_series_id, net - paid as amount from fee_due due
    join fee_account account on account.id = due.account_id
    where account.student_id = ${student} and due_on <= '${until}' and paid < net`);
  const [first] = dues;
  const [account, series] = [Number(first?.account_id), Number(first?.receipt_series_id)];
  const on = dues.map(({ id, amount }) => ({ due: Number(id), amount: Number(amount) }));
  await receive(school, { account, series, day: until, on });
}
const sums = async ({ student }: Planned) => {
  const [row] = await school.sql(`select balance::integer / 100 as balance,
      (select sum(amount)::integer / 100 from fee_ledger_entry where account_id = account.id) as entries,
      (select sum(net)::integer / 100 from fee_due where account_id = account.id) as net,
      (select sum(net - paid)::integer / 100 from fee_due where account_id = account.id)
        - coalesce((select sum(amount)::integer / 100 from fee_advance where account_id = account.id), 0) as owed,
      coalesce((select sum(amount)::integer / 100 from fee_advance where account_id = account.id), 0) as advance
    from fee_account account where student_id = ${student}`);
  const { entries, owed, ...rest } = row as Record<string, number>;
  // The ledger is the account, and the account its dues less its advance.
  expect([entries, owed]).toEqual([rest.balance, rest.balance]);
  return rest;
};
const toGrade = ({ enrollment }: Planned, grade: number) =>
  school.sql(`update student_enrollment set grade_id = ${grade} where id = ${enrollment}`);

test('B5.19 leaving on 12 November charges until November, returns the deposit, and the rest can be refunded', async () => {
  const child = await planned('Asha');
  await pay(child, `${prices.year}-12-10`);
  expect(await sums(child)).toMatchObject({ net: 99_000, balance: 19_500 });
  const { words, kept } = await change(child, 'left', '11-12');
  expect(words).toEqual([
    'Fees of the year fall by ₹26,000.00 to ₹73,000.00.',
    '₹6,500.00 already paid becomes advance.',
    '₹5,000.00 of deposits becomes advance.',
    '₹11,500.00 can be refunded.',
  ]);
  expect(await sums(child)).toMatchObject({ net: 68_000, advance: 11_500, balance: -11_500 });
  // W36: undone, everything is as it was before.
  expect((await change(child, 'back', '11-12', kept)).words).toEqual([
    'Fees of the year rise by ₹26,000.00 to ₹99,000.00.',
  ]);
  expect(await sums(child)).toMatchObject({ net: 99_000, advance: 0, balance: 19_500 });
  expect(await owedBy(child)).toEqual(laterDues);
});

/** What is owed after everything to December is paid: January to March of tuition, and the last term. */
const laterDues = [5000, 4500, 5000, 5000];
/** What is not paid on each due, in the order of the due days. */
const owedBy = async ({ student }: Planned) =>
  (
    await school.sql(`select ((net - paid) / 100)::integer as owed from fee_due due join fee_account account
      on account.id = due.account_id where account.student_id = ${student} and paid < net order by due_on, fee_head_id`)
  ).map(({ owed }) => owed);

test('W36 after a refund, a leaving that is undone owes what was refunded', async () => {
  const child = await planned('Anil');
  await pay(child, `${prices.year}-12-10`);
  const { kept } = await change(child, 'left', '11-12');
  const staff = (await school.sql('select min(id) as id from staff'))[0]?.id;
  const decider = (await school.person({ role: 'Staff', sets: ['principal'] })).staffId;
  await school.sql(`with asked as (insert into fee_refund (account_id, receipt_series_id, amount, reason, mode, payee, asked_by)
      select account_id, receipt_series_id, amount, 'Left', 'Cheque', 'Father', ${staff} from fee_advance
      where account_id = (select id from fee_account where student_id = ${child.student}) returning id)
    insert into approval (kind, fee_refund_id, title, requested_by, requested_at, status, decided_by, decided_at)
    select 'fee.refund', id, '{"id":"Refund"}', ${staff}, now(), 'Approved', ${decider}, now() from asked`);
  await school.sql(
    `update fee_refund set status = 'Paid', refund_no = 'T-1', paid_on = '${prices.year}-11-12' where payee = 'Father'`,
  );
  await school.sql(`insert into fee_ledger_entry (account_id, receipt_series_id, kind, entry_date, due_on, amount, refund_id)
    select account_id, receipt_series_id, 'Refund', paid_on, paid_on, amount, id from fee_refund where payee = 'Father'`);
  expect(await sums(child)).toMatchObject({ balance: 0, advance: 0 });
  await change(child, 'back', '11-12', kept);
  expect(await sums(child)).toMatchObject({ net: 99_000, advance: 0, balance: 31_000 });
  // The deposit of April, a third of the third term, December, and what is due later.
  expect((await owedBy(child)).toSorted((one, other) => Number(one) - Number(other))).toEqual(
    [5000, 1500, 5000, ...laterDues].toSorted((one, other) => one - other),
  );
});

test('W35 a leaver with concessions of 20 % and 10 % gets back December at the lower price, a part of the term and the deposit', async () => {
  const child = await planned('Amar', [2000, 1000]);
  await pay(child, `${prices.year}-12-10`);
  const { words } = await change(child, 'left', '11-12');
  expect(words?.at(-1)).toBe('₹10,100.00 can be refunded.');
  expect(await sums(child)).toMatchObject({ advance: 3600 + 1500 + 5000, balance: -10_100 });
});

test('B5.19 advance pays what a student who leaves still owes, and what is left owed stays', async () => {
  const child = await planned('Arun');
  await pay(child, `${prices.year}-10-10`);
  const { words } = await change(child, 'left', '11-12');
  expect(words).toEqual([
    'Fees of the year fall by ₹26,000.00 to ₹73,000.00.',
    '₹1,500.00 already paid becomes advance.',
    '₹5,000.00 of deposits becomes advance.',
    '₹5,000.00 of advance pays remaining dues.',
    '₹1,500.00 can be refunded.',
  ]);
  expect(await sums(child)).toMatchObject({ net: 68_000, balance: -1500 });
  expect(await owedBy(child)).toEqual([]);
});

test('B4.12 a change of grade on 12 and on 18 October posts exactly the difference', async () => {
  const [early, late] = [await planned('Bela'), await planned('Chirag')];
  for (const child of [early, late]) await toGrade(child, dearer);
  expect((await change(early, 'regraded', '10-12')).words).toEqual([
    'Fees of the year rise by ₹4,500.00 to ₹1,03,500.00.',
  ]);
  expect((await change(late, 'regraded', '10-18')).words).toEqual([
    'Fees of the year rise by ₹3,750.00 to ₹1,02,750.00.',
  ]);
  await sums(early);
  const terms = await school.sql(`select net::integer / 100 as net from fee_due due join fee_account account
      on account.id = due.account_id
    where account.student_id = ${late.student} and fee_head_id = ${prices.heads.Term} order by seq`);
  expect(terms.map(({ net }) => net)).toEqual([4500, 4500, 5000, 5250]);
  // Asked again with the same facts it posts nothing.
  expect((await change(late, 'regraded', '10-18')).words).toEqual([]);
  expect(
    (
      await school.sql(`select from fee_plan_change change join fee_plan plan on plan.id = change.plan_id
    join fee_account account on account.id = plan.account_id where account.student_id = ${late.student}`)
    ).length,
  ).toBe(2);
});

test('B4.12 in a cheaper grade what was paid beyond the new price becomes advance', async () => {
  const child = await planned('Dev');
  await pay(child, `${prices.year}-12-10`);
  await toGrade(child, cheaper);
  expect((await change(child, 'regraded', '10-12')).words).toEqual([
    'Fees of the year fall by ₹3,600.00 to ₹95,400.00.',
    '₹1,800.00 already paid becomes advance.',
  ]);
  expect(await sums(child)).toMatchObject({ net: 95_400, advance: 1800 });
});

test('B4.15 another category takes its own prices from the next month on, and a move without other prices changes nothing', async () => {
  const [category] = await school.sql(
    `select id from academic_lookup where kind = 'Student category' order by id limit 1`,
  );
  await prices.publish({ category: Number(category?.id), tuition: 30_000 });
  const child = await planned('Esha');
  expect((await change(child, 'moved', '08-20')).words).toEqual([]);
  await school.sql(`update student set category_id = ${category?.id} where id = ${child.student}`);
  expect((await change(child, 'category', '08-20')).words).toEqual([
    'Fees of the year fall by ₹17,500.00 to ₹81,500.00.',
  ]);
});

test('B4.15 an enrolment that never took effect owes nothing, and owes all again when that is undone', async () => {
  const child = await planned('Farid');
  const { words, kept } = await change(child, 'cancelled', '04-01');
  expect(words).toEqual(['Fees of the year fall by ₹99,000.00 to ₹0.00.']);
  expect(await sums(child)).toMatchObject({ net: 0, balance: 0 });
  await change(child, 'back', '04-01', kept);
  expect(await sums(child)).toMatchObject({ net: 99_000, balance: 99_000 });
});

test('a student who joins is named as one without a plan, once the year has prices', async () => {
  const enrollment = await enroll(school, prices.place, 'Gita');
  const [row] = await school.sql(`select student_id from student_enrollment where id = ${enrollment}`);
  const { words } = await change({ student: Number(row?.student_id), enrollment }, 'joined', '04-01');
  expect(words).toEqual([expect.stringContaining('no fee plan yet')]);
});

test('MC16 a returned deposit is due again on readmission as an existing student, an admission fee is not', async () => {
  const child = await planned('Ravi');
  await pay(child, `${prices.year}-12-10`);
  await change(child, 'left', '11-12');
  await school.sql(`update student_enrollment set admission_type = 'Existing' where id = ${child.enrollment}`);
  // The head is no longer refundable: the due was when it was made.
  await school.sql(`update fee_head set is_refundable = false where id = ${prices.heads.Deposit}`);
  const ctx = school.context();
  const { student } = child;
  await school.services.db
    .transaction()
    .execute((db) => makePlan({ ...ctx, db }, student, prices.place.academicYearId, { actor: 'Test' }));
  const again = await school.sql(`select head.name, due.net::integer as net, due.is_refundable from fee_due due
    join fee_head head on head.id = due.fee_head_id join fee_account account on account.id = due.account_id
    where account.student_id = ${student} and head.name in ('Deposit', 'Admission') order by due.id`);
  expect(again).toEqual([
    { name: 'Admission', net: 1_000_000, is_refundable: false },
    { name: 'Deposit', net: 0, is_refundable: true },
    { name: 'Deposit', net: 500_000, is_refundable: false },
  ]);
  await school.sql(`update fee_head set is_refundable = true where id = ${prices.heads.Deposit}`);
});
