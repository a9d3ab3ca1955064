import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { familyReceipts, statementYears } from '#features/fee-money/api.ts';
import { accountApi } from '#features/fee-money/contract/account.ts';
import { correctionApi } from '#features/fee-money/contract/correction.ts';
import { paymentApi } from '#features/fee-money/contract/payment.ts';
import { planApi } from '#features/fee-price/contract/plan.ts';
import { english } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { approve } from '#testing/approving.ts';
import { miscounted } from '#testing/attendance-counts.ts';
import type { Person } from '#testing/browser.ts';
import { digestsOf } from '#testing/digests.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { enroll } from '#testing/students.ts';
import { openSection } from '#testing/teachers.ts';
import { mergeApi } from '../../contract/merge.ts';
import { studentRecordApi } from '../../contract/record.ts';

let school: School;
let office: Person;
let principal: Person;
let prices: Prices;
let sections: [number, number];
const today = toLocalDate(new Date());
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  principal = await school.person({ name: 'Kokila', sets: ['principal'] });
  prices = await openPrices(school);
  const { branchId } = prices.place;
  sections = [await openSection(school, { branchId }), await openSection(school, { branchId })];
  await school.sql(`insert into academic_calendar_day (academic_year_id, day, kind, name)
    select year.id, day::date, 'Working day', 'Test' from academic_year year,
      generate_series(current_date - 60, current_date - 1, '1 day') as day
    where current_date between starts_on and ends_on and day::date >= starts_on`);
  // Of each section a register of each of the last days.
  await school.sql(`insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day,
      taken_by, taken_at, locks_at)
    select academic_year_id, branch_id, program_id, grade_id, id, day::date, ${office.staffId}, now(), now() + interval '1 day'
    from academic_section, generate_series(current_date - 50, current_date - 1, '1 day') as day
    where id in (${sections.join()})`);
});
// Whatever a merge moves, the kept counts are those of the marks.
afterEach(async () => expect(await miscounted(school)).toEqual([]));
afterAll(() => school.close());

const count = async (statement: string) => Number((await school.sql(`select count(*) as n from ${statement}`))[0]?.n);

/** A child with a fee plan, who sits in a section this year. */
async function child(name: string, section: number, grNo: string): Promise<number> {
  const id = await plannedChild(school, prices, name);
  await school.sql(`
    insert into student_gr_spent (branch_id, gr_no, reason, spent_by) select branch_id, gr_no, 'Test', 'Test' from student
      where id = ${id};
    update student set gr_no = '${grNo}' where id = ${id};
    with enrolled as (
      insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
      select ${id}, year.id, section.branch_id, section.program_id, section.grade_id, 'New', year.starts_on
      from academic_section section join academic_year year on year.id = section.academic_year_id
      where section.id = ${section} returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
      effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${section}, joined_on from enrolled`);
  return id;
}
/** Marks of days before today: `P` by default. */
const mark = (id: number, section: number, from: number, to: number, code = 'P') =>
  school.sql(`insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id)
    select register.id, ${id}, academic_year_id, day, half, (select id from attendance_code where code = '${code}')
    from attendance_register register where section_id = ${section} and day between current_date - ${to} and current_date - ${from}`);
const account = async (id: number) =>
  Number((await school.sql(`select id from fee_account where student_id = ${id}`))[0]?.id);
const series = async () => Number((await school.sql('select min(id) as id from fee_receipt_series'))[0]?.id);
const dueOf = async (id: number) =>
  Number(
    (
      await school.sql(`select id from fee_due where account_id = ${await account(id)} and net >= 500000
    order by due_on, id limit 1`)
    )[0]?.id,
  );

/** What the school has taken in, as its day books add it up. */
const books =
  'select count(*)::integer as n, sum(amount)::integer as sum from fee_ledger_entry where receipt_id is not null';

const input = (keptId: number, retiredId: number, over: Record<string, unknown> = {}) => ({
  keptId,
  retiredId,
  taken: [],
  marks: 'Kept record' as const,
  exceptions: [],
  isOneChild: true,
  reason: 'Entered twice',
  ...over,
});
const tokenOf = async (person: Person, given: ReturnType<typeof input>) => {
  const preview = await person.call(mergeApi.merge, given);
  expect(preview.blocks.map(english)).toEqual([]);
  return { ...given, confirmToken: preview.confirmToken ?? '' };
};
const sumsOf = ({ sums }: { sums: { label: { id: string }; kept: number; retired: number; after: number }[] }) =>
  Object.fromEntries(sums.map(({ label, kept, retired, after }) => [label.id, [kept, retired, after]]));

test('Q1.6 two records with marks and receipts become one: each day counts once, receipts stay, one plan is left', async () => {
  const [a, b] = sections;
  const kept = await child('Aadhya', a, '1722');
  const other = await child('Aadhya', b, '2007');
  const mother = await raise(school, [kept], { firstName: 'Priya', mobile: '5550201465' }, { relation: 'Mother' });
  const father = await raise(school, [other], { firstName: 'Ramesh', mobile: '5550201466' });
  await mark(kept, a, 1, 40);
  await mark(other, b, 4, 34);
  await mark(other, b, 1, 3, 'A');
  await mark(other, b, 41, 46);
  const day = `${prices.year}-04-01`;
  for (const [id, amount] of [
    [kept, 500_000],
    [other, 415_000],
  ] as const)
    await receive(school, {
      account: await account(id),
      series: await series(),
      day,
      on: [{ due: await dueOf(id), amount }],
    });
  const receipts = await school.sql(
    'select id, receipt_no, amount, issued_as, account_id from fee_receipt order by id',
  );
  const [ledger] = await school.sql(books);

  // What the office prepares names the sums, and changes nothing.
  const before = (await digestsOf(school)).filter(({ name }) => name !== 'attempt');
  const choices = { marks: 'Present wins', exceptions: [`${addDays(today, -2)} 1`] };
  const asked = await tokenOf(office, input(kept, other, choices));
  expect((await digestsOf(school)).filter(({ name }) => name !== 'attempt')).toEqual(before);
  const preview = await office.call(mergeApi.merge, input(kept, other, choices));
  expect(preview.isAsked).toBe(true);
  expect(preview.collisions.map(({ key, chosen }) => [key, chosen])).toEqual([
    [`${addDays(today, -3)} 1`, 'kept'],
    [`${addDays(today, -2)} 1`, 'retired'],
    [`${addDays(today, -1)} 1`, 'kept'],
  ]);
  expect(sumsOf(preview)).toMatchObject({
    'Days marked': [40, 40, 46],
    Paid: [500_000, 415_000, 915_000],
    Fees: [9_900_000, 0, 9_900_000],
    Advance: [0, 415_000, 0],
  });
  await office.call(mergeApi.merge, asked);
  expect(await count(`student where merged_into_id is not null`)).toBe(0);
  await expect(office.call(mergeApi.merge, input(kept, other, choices))).rejects.toMatchObject({ code: 'conflict' });

  await approve(school, principal);
  expect(await school.sql(`select merged_into_id from student where id = ${other}`)).toEqual([
    { merged_into_id: kept },
  ]);
  expect(await count(`attendance_counted where student_id = ${kept}`)).toBe(46);
  expect(await count(`attendance_counted where student_id = ${other}`)).toBe(0);
  expect(
    await school.sql(`select mark.day::text, code.code from attendance_mark mark join attendance_code code on code.id = code_id
      where student_id = ${kept} and mark.day >= current_date - 3 order by day`),
  ).toEqual([
    { day: addDays(today, -3), code: 'P' },
    { day: addDays(today, -2), code: 'A' },
    { day: addDays(today, -1), code: 'P' },
  ]);
  expect(await school.sql('select id, receipt_no, amount, issued_as, account_id from fee_receipt order by id')).toEqual(
    receipts,
  );
  expect(await school.sql(books)).toEqual([ledger]);
  expect(
    await count(`fee_plan plan join fee_account account on account.id = plan.account_id
    where plan.status = 'Active' and account.student_id in (${kept}, ${other})`),
  ).toBe(1);
  expect(
    await school.sql(`select sum(paid)::integer as paid from fee_due where account_id = ${await account(kept)}`),
  ).toEqual([{ paid: 915_000 }]);
  expect(
    await school.sql(
      `select guardian_id, is_primary from student_guardian where student_id = ${kept} order by guardian_id`,
    ),
  ).toEqual([
    { guardian_id: mother, is_primary: true },
    { guardian_id: father, is_primary: false },
  ]);
  // The seat of the other record is free.
  expect(await count(`student_section where section_id = ${b}`)).toBe(0);
  expect(await school.sql(`select status from student_enrollment where student_id = ${other}`)).toEqual([
    { status: 'Cancelled' },
    { status: 'Cancelled' },
  ]);
});

test('Q1.6 the old number leads to the kept record for ever, and the ended record is in no list', async () => {
  const [kept, other] = (
    await school.sql(`select id, merged_into_id from student where gr_no in ('1722', '2007') order by gr_no`)
  ).map(({ id }) => Number(id)) as [number, number];
  expect(await office.call(studentRecordApi.read, { id: other })).toMatchObject({ id: kept, mergedFrom: '2007' });
  expect(await office.call(studentRecordApi.read, { id: kept })).toMatchObject({ id: kept, mergedFrom: '' });
  const { json } = await office.send({ url: '/api/search?search=2007' });
  expect(JSON.stringify(json)).toContain(`student/student-list/${kept}`);
  expect(JSON.stringify(json)).not.toContain(`student/student-list/${other}`);
  const { json: list } = await office.send({ url: '/api/student?tab=all&search=Aadhya' });
  expect(list.rows.map(({ id }: { id: number }) => id)).toEqual([kept]);
  const { json: byNumber } = await office.send({ url: '/api/student?tab=all&search=2007' });
  expect(byNumber.rows.map(({ id }: { id: number }) => id)).toEqual([kept]);
});

test('Q1.7 a paid due without a plan ends with its record: the sums count it, and the counter leads to the kept record', async () => {
  const cashier = await school.person({ name: 'Farida', sets: ['accountant'] });
  const kept = await child('Urvi', sections[0], '1741');
  const enrolled = await enroll(school, prices.place, 'Urvi', { grNo: '2041' });
  const [added] = await school.sql(`select student_id as id from student_enrollment where id = ${enrolled}`);
  const other = Number(added?.id);
  const day = toLocalDate(school.context().now());
  const lost = { kind: 'Debit', dueId: null, fromSeriesId: null, toSeriesId: null, reason: 'Lost book' } as const;
  await cashier.call(correctionApi.correct, {
    ...lost,
    studentId: other,
    feeHeadId: prices.heads.Term,
    dueOn: day,
    amount: 80_000,
  } as never);
  const pay = async () => {
    const { children, today } = await cashier.call(paymentApi.dues, { studentId: other, on: '' });
    const [own] = children;
    return {
      ...{
        payerGuardianId: null,
        payerName: 'Nikhil',
        payerMobile: '',
        mode: 'Cash',
        reference: '',
        backReason: '',
        remark: '',
      },
      ...{ paidOn: today, amount: 1_080_000 },
      children: [
        {
          studentId: other,
          version: own?.version ?? 0,
          lines: own?.lines.map(({ key }) => ({ key, amount: 80_000 })) ?? [],
        },
      ],
    } as never;
  };
  const again = await pay();
  const taken = await cashier.call(paymentApi.take, again);
  const preview = await principal.call(mergeApi.merge, input(kept, other));
  expect(sumsOf(preview)).toMatchObject({
    Fees: [9_900_000, 80_000, 9_980_000],
    Paid: [0, 1_080_000, 1_080_000],
    Owed: [9_900_000, 0, 8_900_000],
  });
  await principal.call(mergeApi.merge, await tokenOf(principal, input(kept, other)));

  const found = async (search: string) =>
    (await cashier.call(paymentApi.find, { search })).families.flatMap(({ children }) =>
      children.map(({ studentId }) => studentId),
    );
  expect(await found('2041')).toEqual([kept]);
  expect(await found(String(taken.papers[0]?.receiptNo))).toEqual([kept]);
  await expect(pay()).rejects.toMatchObject({ code: 'not_found' });
  await expect(cashier.call(paymentApi.take, again)).rejects.toMatchObject({
    code: expect.stringMatching(/stale|conflict|not_found/),
  });
});

test('Q1.7 the account of the kept record has the receipts of both, and an adult with a restriction sees only their own', async () => {
  const cashier = await school.person({ name: 'Ila', sets: ['accountant'] });
  const kept = await child('Tara', sections[0], '1742');
  const other = await child('Tara', sections[1], '2042');
  const mother = await raise(school, [kept], { firstName: 'Usha', mobile: '5550201467' }, { relation: 'Mother' });
  const father = await raise(school, [other], { firstName: 'Mohan', mobile: '5550201468' });
  const paid = async (id: number, payer: number, amount: number) => {
    const on = [{ due: await dueOf(id), amount }];
    await receive(school, { account: await account(id), series: await series(), day: `${prices.year}-04-02`, on });
    const [receipt] =
      await school.sql(`update fee_payment payment set payer_guardian_id = ${payer} from fee_receipt receipt
      where receipt.id = (select max(id) from fee_receipt) and payment.id = receipt.payment_id returning receipt.id, receipt_no`);
    return receipt as { id: number; receipt_no: string };
  };
  const first = await paid(kept, mother, 300_000);
  const second = await paid(other, father, 200_000);
  await principal.call(mergeApi.merge, await tokenOf(principal, input(kept, other)));

  const numbers = (receipts: { receiptNo: string }[]) => receipts.map(({ receiptNo }) => receiptNo).sort();
  const both = [first.receipt_no, second.receipt_no].sort();
  const on = `${prices.year + 1}-03-31`;
  for (const id of [kept, other]) {
    const found = await cashier.call(accountApi.read, { id });
    expect([found.studentId, found.grNo, numbers(found.receipts)]).toEqual([kept, '1742', both]);
    const { rows, balance } = await cashier.call(accountApi.statement, { id, on });
    expect(new Set(rows.flatMap(({ receiptId }) => receiptId ?? []))).toEqual(new Set([first.id, second.id]));
    expect(balance).toBe(found.balance);
  }
  const { json } = await cashier.send({ url: `/api/search?search=${encodeURIComponent(second.receipt_no)}` });
  expect(JSON.stringify(json)).toContain(`student-wise-fees-structure/${kept}?part=receipts`);

  const then = () => new Date(`${prices.year}-04-12T06:00:00Z`);
  const ctx = { ...school.context(), db: school.services.db, now: then };
  const seen = async (guardian: number) => {
    const files = (await familyReceipts(ctx, guardian, [kept])).filter(({ hasFile }) => hasFile);
    const years = await statementYears(ctx, guardian, kept);
    return [numbers(files), years.filter(({ until }) => until.startsWith(String(prices.year))).length];
  };
  expect(await seen(mother)).toEqual([both, 1]);
  expect(await seen(father)).toEqual([both, 1]);
  await school.sql(`update student_guardian set restriction = 'Not at the same time' where student_id = ${kept}
    and guardian_id = ${father}`);
  expect(await seen(mother)).toEqual([[first.receipt_no], 0]);
  expect(await seen(father)).toEqual([[second.receipt_no], 0]);
});

test('Q1.7 a late fine that the advance of the other record makes due is said before the merge', async () => {
  const kept = await child('Uma', sections[0], '1743');
  const other = await child('Uma', sections[1], '2043');
  const [rule] = await school.sql(`insert into fee_fine_rule (name) values ('Late') returning id`);
  await school.sql(`insert into fee_fine_version (rule_id, effective_from, kind, amount, grace_days, max_amount)
    values (${rule?.id}, '2020-01-01', 'Per day', 2000, 5, 50000)`);
  await school.sql(`update fee_head set fine_rule_id = ${rule?.id} where id = ${prices.heads.Term}`);
  const cashier = await school.person({ name: 'Gita', sets: ['accountant'] });
  const late = { kind: 'Debit', dueId: null, fromSeriesId: null, toSeriesId: null, reason: 'Camp' } as const;
  await cashier.call(correctionApi.correct, {
    ...late,
    studentId: kept,
    feeHeadId: prices.heads.Term,
    dueOn: addDays(today, -15),
    amount: 80_000,
  } as never);
  await school.sql(`update fee_head set fine_rule_id = null where id = ${prices.heads.Term}`);
  const on = [{ due: null, amount: 100_000 }];
  await receive(school, { account: await account(other), series: await series(), day: `${prices.year}-04-02`, on });
  const preview = await principal.call(mergeApi.merge, input(kept, other));
  expect(preview.texts.map(english)).toContain('Late fines of ₹200.00 until today are charged on these dues.');
  expect(sumsOf(preview)).toMatchObject({
    Fees: [9_980_000, 0, 10_000_000],
    Owed: [9_980_000, 0, 9_900_000],
  });
});

test('Q1.6 the whole number of a merged record is found before numbers that begin with it', async () => {
  await school.sql(`with added as (
      insert into student (first_name, last_name, gender, birth_date, branch_id, gr_no, admitted_on)
      select 'Veda', 'Shah', gender, birth_date, branch_id, '2042' || at, current_date
      from student, generate_series(10, 40) as at where gr_no = '1742' returning id)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select added.id, academic_year_id, own.branch_id, program_id, grade_id, 'New', joined_on from added, student_enrollment own
    join student on student.id = own.student_id and student.gr_no = '1742'
    where own.academic_year_id = ${prices.place.academicYearId}`);
  const { json } = await office.send({ url: '/api/search?search=2042' });
  expect(json[0].hits[0].note.id).toContain('was merged into');
  expect(json[0].hits.length).toBeGreaterThan(1);
});

test('Q1.8 a leaver of a closed year and the same child under a new number: the closed year goes over as it is, and the child is back', async () => {
  const idOf = async (statement: string) => Number((await school.sql(statement))[0]?.id);
  const yearId = await idOf(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
    values ('2023-24', '2023-06-01', '2024-05-31', '2023-06-01') returning id`);
  const { branchId, programId, gradeId } = prices.place;
  const old =
    await idOf(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    values (${yearId}, ${branchId}, ${gradeId}, ${programId}, 'Old', 40, 'English') returning id`);
  const leaver = await seat(school, old, 'Zoya', { grNo: '318' });
  await school.sql(`update student_section set effective_to = '2024-04-30' where student_id = ${leaver};
    update student_enrollment set status = 'Left', left_on = '2024-04-30' where student_id = ${leaver};
    insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
      select student_id, id, left_on, (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Meena'
      from student_enrollment where student_id = ${leaver};
    update academic_year set status = 'Closed' where id = ${yearId}`);
  const here = await child('Zoya', sections[0], '2018');
  const inYear = `student_section where section_id = ${old}`;
  expect(await count(inYear)).toBe(1);
  await principal.call(mergeApi.merge, await tokenOf(principal, input(here, leaver)));
  expect(await count(inYear)).toBe(1);
  expect(
    await school.sql(`select own.student_id, enrollment.status, enrollment.left_on::text from student_section own
      join student_enrollment enrollment on enrollment.id = own.enrollment_id where section_id = ${old}`),
  ).toEqual([{ student_id: here, status: 'Left', left_on: '2024-04-30' }]);
  const [leaving] = await school.sql(`select student_id, readmitted_on > last_day as "isBack" from student_leaving
    where student_id in (${leaver}, ${here})`);
  expect(leaving).toEqual({ student_id: here, isBack: true });
  expect(await school.sql(`select left_on from student where id = ${here}`)).toEqual([{ left_on: null }]);
  expect(await office.call(studentRecordApi.read, { id: leaver })).toMatchObject({ id: here, mergedFrom: '318' });
  // A closed year takes no other change.
  await expect(
    school.sql(`update student_enrollment set status = 'Active', left_on = null where academic_year_id = ${yearId}`),
  ).rejects.toThrow('the academic year is closed');
});

test('Q1.9 what stands in the way is named: a fee plan, two Aadhaar numbers, the record itself', async () => {
  const one = await child('Tara', sections[0], '1801');
  const two = await child('Tara', sections[1], '1802');
  const blocks = async () => (await decider.call(mergeApi.merge, input(one, two))).blocks.map(english);
  let decider = principal;
  await receive(school, {
    account: await account(two),
    series: await series(),
    day: `${prices.year}-04-01`,
    on: [{ due: null, amount: 200_000 }],
  });
  expect(await blocks()).toEqual([]);
  // Months of the plan have passed: fees fall only once a second person approves.
  school.clock.now = new Date(`${prices.year}-11-10T06:00:00Z`);
  decider = await school.person({ sets: ['principal'] });
  expect(await blocks()).toEqual([
    `GR 1802 has a fee plan of ${prices.year}-${prices.year + 1}. Withdraw it first, so that its payments become an advance.`,
  ]);
  const [plan] = await school.sql(`select id, version from fee_plan where account_id = ${await account(two)}`);
  const accountant = await school.person({ sets: ['accountant'] });
  const ids = { id: Number(plan?.id), version: Number(plan?.version) };
  await accountant.call(planApi.withdraw, { ...ids, reason: 'Entered twice' });
  await approve(school, decider);
  expect(await blocks()).toEqual([]);
  school.clock.now = undefined;
  decider = principal;
  await school.sql(
    `update student set aadhaar = '\\x01', aadhaar_hash = sha256(convert_to(id::text, 'UTF8')) where id in (${one}, ${two})`,
  );
  expect(await blocks()).toEqual(['Two Aadhaar numbers are two children. Correct the wrong number first.']);
  await school.sql(`update student set aadhaar = null, aadhaar_hash = null where id in (${one}, ${two})`);
  await expect(principal.call(mergeApi.merge, input(one, one))).rejects.toMatchObject({ code: 'invalid' });
});

test('Q1.7 money of another receipt series pays the dues of that series alone: 12,600 of the first stay, 1,500 that are open are paid, and 2,650 are its advance', async () => {
  const deposits = Number(
    (await school.sql(`insert into fee_receipt_series (name, short_name) values ('Deposits', 'DEP') returning id`))[0]
      ?.id,
  );
  await school.sql(`update fee_head set receipt_series_id = ${deposits} where id = ${prices.heads.Deposit}`);
  const kept = await child('Veda', sections[0], '1711');
  const other = await child('Veda', sections[1], '2011');
  await school.sql(`update fee_head set receipt_series_id = ${await series()} where id = ${prices.heads.Deposit}`);
  const depositOf = async (id: number) =>
    Number(
      (
        await school.sql(
          `select id from fee_due where account_id = ${await account(id)} and receipt_series_id = ${deposits}`,
        )
      )[0]?.id,
    );
  const day = `${prices.year}-04-01`;
  const tuition = await school.sql(`select id from fee_due where account_id = ${await account(kept)} and net = 500000
    and receipt_series_id = ${await series()} order by due_on, id limit 3`);
  await receive(school, {
    account: await account(kept),
    series: await series(),
    day,
    on: [500_000, 500_000, 260_000].map((amount, at) => ({ due: Number(tuition[at]?.id), amount })),
  });
  // Of the deposit of 5,000 the kept record owes 1,500.
  for (const [id, amount] of [
    [kept, 350_000],
    [other, 415_000],
  ] as const)
    await receive(school, {
      account: await account(id),
      series: deposits,
      day,
      on: [{ due: await depositOf(id), amount }],
    });
  const [ledger] = await school.sql(books);
  const preview = await principal.call(mergeApi.merge, input(kept, other));
  expect(sumsOf(preview)).toMatchObject({
    Paid: [1_610_000, 415_000, 2_025_000],
    Advance: [0, 415_000, 265_000],
  });
  await principal.call(mergeApi.merge, await tokenOf(principal, input(kept, other)));
  const paid = `select receipt_series_id as series, sum(paid)::integer as paid from fee_due
    where account_id = ${await account(kept)} group by 1 order by 1`;
  expect(await school.sql(paid)).toEqual([
    { series: await series(), paid: 1_260_000 },
    { series: deposits, paid: 350_000 + 150_000 },
  ]);
  expect(
    await school.sql(`select receipt_series_id as series, amount::integer from fee_advance
      where account_id in (${await account(kept)}, ${await account(other)}) and amount > 0`),
  ).toEqual([{ series: deposits, amount: 265_000 }]);
  expect(await school.sql(books)).toEqual([ledger]);
});

test('Q1.9 a cheque at the bank, an open refund and an open correction stand in the way, and a preview writes nothing', async () => {
  const one = await child('Wafa', sections[0], '1821');
  const two = await child('Wafa', sections[1], '1822');
  const blocks = async () => (await principal.call(mergeApi.merge, input(one, two))).blocks.map(english);
  const dump = async () => (await digestsOf(school)).filter(({ name }) => name !== 'attempt');
  const day = `${prices.year}-04-01`;
  await receive(school, {
    account: await account(two),
    series: await series(),
    day,
    on: [{ due: null, amount: 200_000 }],
  });
  expect(await blocks()).toEqual([]);
  const [cheque] =
    await school.sql(`insert into fee_cheque (student_id, kind, number, bank, dated_on, amount, payer_name,
      status, received_on, received_by)
    select ${two}, 'Cheque', '700321', 'Bank of Surat', '${day}', 100000, 'A parent', 'Held', '${day}', min(id) from staff
    returning id`);
  const [refund] =
    await school.sql(`insert into fee_refund (account_id, receipt_series_id, amount, reason, mode, payee, asked_by)
    select ${await account(two)}, ${await series()}, 50000, 'Paid twice', 'Cheque', 'A parent', min(id) from staff returning id`);
  await school.sql(`with asked as (
      insert into student_correction (student_id, field, old_value, new_value, old_stored, new_stored, kind, reason, is_printed,
        status, asked_by, asked_at)
      values (${one}, 'birthPlace', 'Suart', 'Surat', 'Suart', 'Surat', 'Clerical mistake', 'Typed wrongly', true, 'Asked',
        'Meena', now()) returning id)
    insert into approval (kind, student_correction_id, student_id, title, requested_by, requested_at)
    select 'student.correction', id, ${one}, '{"id": "Correct the birth place"}', ${office.staffId}, now() from asked`);
  const before = await dump();
  expect(await blocks()).toEqual(['Correct the birth place, Wafa Shah: waits for a decision. Decide it first.']);
  expect(await dump()).toEqual(before);
  await school.sql(`update approval set status = 'Rejected', remark = 'Look again', decided_by = ${principal.staffId}, decided_at = now()
      where student_id = ${one}`);
  expect(await blocks()).toEqual([
    'Cheque 700321 of Wafa Shah is still open. Mark it cleared or bounced first.',
    'A refund of ₹500.00 is open. Pay it or withdraw it first.',
  ]);
  await school.sql(`update fee_cheque set status = 'Returned', ended_on = '${day}', reason = 'Given back' where id = ${cheque?.id};
    update fee_refund set status = 'Withdrawn' where id = ${refund?.id}`);
  expect(await blocks()).toEqual([]);
});

test('Q1.11 rows go to another student along a merge alone, and a merge is decided once', async () => {
  const one = await child('Uma', sections[0], '1901');
  const two = await child('Uma', sections[1], '1902');
  await mark(two, sections[1], 1, 1);
  for (const table of ['attendance_mark', 'student_enrollment', 'fee_account'])
    await expect(school.sql(`update ${table} set student_id = ${one} where student_id = ${two}`)).rejects.toThrow(
      'rows move by a merge alone',
    );
  await expect(school.sql(`update student set merged_into_id = ${one} where id = ${two}`)).rejects.toThrow(
    'a record ends by a merge alone',
  );
});

test('Q1.11 every key to a student, an adult or an enrolment is named by one feature, and what moves is guarded', async () => {
  const keys = await school.sql(`select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid in ('student'::regclass, 'guardian'::regclass, 'student_enrollment'::regclass) order by 1`);
  const named = school.services.merges.map(({ table }) => table);
  expect(named.filter((table, at) => named.indexOf(table) !== at)).toEqual([]);
  expect(keys.map(({ name }) => name).filter((table) => !named.includes(String(table)))).toEqual([]);
  const guarded = (
    await school.sql(`select tgrelid::regclass::text as name from pg_trigger where tgname = 'only_by_merge'`)
  ).map(({ name }) => String(name));
  const moving = school.services.merges.filter(({ how }) => how === 'moves').map(({ table }) => table);
  expect(moving.filter((table) => !guarded.includes(table))).toEqual([]);
});
