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
let cheaper: number;
beforeAll(async () => {
  school = await openSchool();
  await school.person({ role: 'Staff', sets: ['accountant'] });
  await school.person({ role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-01T06:00:00Z`);
  cheaper = (await plant(school, gradeMaster)).id;
  await prices.publish({ gradeId: cheaper, tuition: 60_000, term: 4000 });
});
afterAll(() => school.close());

async function planned(name: string) {
  const enrollment = await enroll(school, prices.place, name);
  const [row] = await school.sql(`select student_id from student_enrollment where id = ${enrollment}`);
  const student = Number(row?.student_id);
  const ctx = school.context();
  await school.services.db
    .transaction()
    .execute((db) => makePlan({ ...ctx, db }, student, prices.place.academicYearId, { actor: 'Test' }));
  return { student, enrollment };
}
type Child = Awaited<ReturnType<typeof planned>>;

const change = ({ student, enrollment }: Child, kind: EnrolmentChange['kind'], day: string, kept?: object) =>
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

/** The due of a head that falls due on a day. */
async function dueOf({ student }: Child, head: number, day: string) {
  const [due] = await school.sql(`select due.id, account_id, receipt_series_id from fee_due due
    join fee_account account on account.id = due.account_id
    where student_id = ${student} and fee_head_id = ${head} and due_on = '${prices.year}-${day}'`);
  return { id: Number(due?.id), account: Number(due?.account_id), series: Number(due?.receipt_series_id) };
}
type Due = Awaited<ReturnType<typeof dueOf>>;

/** An approved credit, in rupees. */
const credit = (due: Due, amount: number) =>
  school.sql(`with granted as (
      insert into fee_adjustment (account_id, kind, due_id, amount, reason, status, asked_by, done_on)
      values (${due.account}, 'Credit', ${due.id}, ${amount * 100}, 'Agreed', 'Done', (select min(id) from staff),
        '${prices.year}-04-01') returning *),
    decided as (insert into approval (kind, fee_adjustment_id, title, requested_by, requested_at, status, decided_by, decided_at)
      select 'fee.adjustment', id, '{"id":"Credit"}', asked_by, now(), 'Approved', (select max(id) from staff), now() from granted)
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount, adjustment_id)
    select account_id, due_id, ${due.series}, kind, done_on, done_on, -amount, id from granted`);
const pay = (due: Due, amount: number) =>
  receive(school, {
    account: due.account,
    series: due.series,
    day: `${prices.year}-04-01`,
    on: [{ due: due.id, amount: amount * 100 }],
  });
/** Rupees of a due, and the advance of its account, whose balance is the sum of its entries. */
async function state({ id, account }: Due) {
  const [row] = await school.sql(`select (gross - pro_rata - concession)::integer / 100 as charged,
      adjusted::integer / 100 as adjusted, net::integer / 100 as net, paid::integer / 100 as paid,
      coalesce((select sum(amount)::integer / 100 from fee_advance where account_id = ${account}), 0) as advance,
      (select balance from fee_account where id = ${account})
        = (select sum(amount) from fee_ledger_entry where account_id = ${account}) as "isSum"
    from fee_due where id = ${id}`);
  const { isSum, ...rest } = row as Record<string, unknown>;
  expect(isSum).toBe(true);
  return rest;
}

test('W44 a credit stays where the lowered due has room for it, and what was paid beyond becomes advance', async () => {
  const child = await planned('Asha');
  const due = await dueOf(child, prices.heads.Term, '10-10');
  await credit(due, 1000);
  await pay(due, 3500);
  const { words } = await change(child, 'left', '11-12');
  expect(words?.slice(1)).toEqual([
    '₹1,500.00 already paid becomes advance.',
    // Tuition of the months before is due.
    '₹1,500.00 of advance pays remaining dues.',
  ]);
  expect(await state(due)).toEqual({ charged: 3000, adjusted: -1000, net: 2000, paid: 2000, advance: 0 });
});

test('B4.21 a credit beyond a lowered due is cut to what the due charges, and applies again when the change is undone', async () => {
  const child = await planned('Bela');
  const [december, term] = [
    await dueOf(child, prices.heads.Tuition, '12-10'),
    await dueOf(child, prices.heads.Term, '10-10'),
  ];
  await credit(december, 2000);
  await credit(december, 1000);
  await credit(term, 3500);
  await pay(term, 1000);
  const { words, kept } = await change(child, 'left', '11-12');
  expect(words?.slice(1)).toEqual([
    '₹3,500.00 of credits no longer applies.',
    '₹1,000.00 already paid becomes advance.',
    '₹1,000.00 of advance pays remaining dues.',
  ]);
  expect(await state(december)).toMatchObject({ charged: 0, adjusted: 0, net: 0 });
  expect(await state(term)).toEqual({ charged: 3000, adjusted: -3000, net: 0, paid: 0, advance: 0 });
  expect((await change(child, 'back', '11-12', kept)).words?.slice(1)).toEqual(['₹3,500.00 of credits applies again.']);
  expect(await state(december)).toMatchObject({ charged: 5000, adjusted: -3000, net: 2000 });
  expect(await state(term)).toEqual({ charged: 4500, adjusted: -3500, net: 1000, paid: 0, advance: 0 });
});

test('B4.21 of two credits the later one gives way in a cheaper grade', async () => {
  const child = await planned('Chirag');
  const due = await dueOf(child, prices.heads.Term, '10-10');
  await credit(due, 600);
  await credit(due, 900);
  await school.sql(`update student_enrollment set grade_id = ${cheaper} where id = ${child.enrollment}`);
  await change(child, 'regraded', '08-01');
  expect(await state(due)).toMatchObject({ charged: 1000, adjusted: -1000, net: 0 });
  const standing = await school.sql(`select -amount::integer / 100 as amount from fee_ledger_entry own
    where due_id = ${due.id} and kind = 'Credit' and amount < 0
      and not exists (select from fee_ledger_entry where reverses_id = own.id) order by adjustment_id`);
  expect(standing).toEqual([{ amount: 600 }, { amount: 400 }]);
});
