import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import { endNotices } from '#kit/server/messages/notifications.ts';
import { notes } from './contract/day.ts';
import { openNextShift } from './server/cashier-day.ts';
import { bounce, clear, deposit, giveBack, take } from './server/cheque.ts';
import { correct } from './server/correction.ts';
import { payOldest } from './server/pay-oldest.ts';
import { ask } from './server/refund.ts';
import { askReissue } from './server/reissue.ts';
import { reissueApproval } from './server/reissue-approval.ts';
import { takeUnplaced } from './server/unplaced.ts';

/** Mode and rupees of the payments of each of the last days. */
const payments = [
  ['Cash', 5000],
  ['UPI', 7500],
  ['Cash', 12_500],
  ['Bank transfer', 21_000],
  ['UPI', 4800],
  ['Card', 9600],
  ['Cash', 60_000],
] as const;

/** The date on a cheque, in days from that of the demo, and what became of it. */
const cheques = [
  [7, ''],
  [21, ''],
  [35, ''],
  [-3, ''],
  [-4, ''],
  [-5, 'Deposited'],
  [-6, 'Deposited'],
  [-7, 'Cleared'],
  [-8, 'Cleared'],
  [-9, 'Bounced'],
  [-10, 'Deposited again'],
  [-11, 'Returned'],
] as const;

/** Money of the last school days: payments, cheques in each state, closed days, corrections and a refund that wait. */
export async function seedMoney(outside: Context, { today }: SeedPlan) {
  const { db } = outside;
  const { rows: cashiers } = await sql<{ id: number; staffId: number; name: string }>`
    select account.id, staff.id as "staffId", staff.name from sign_in_account account
    join staff on staff.id = account.staff_id where 'accountant' = any(sets) order by cardinality(sets), account.id limit 1`.execute(
    db,
  );
  const [cashier] = cashiers;
  const { rows: students } = await sql<{ id: number; payer: string }>`
    select account.student_id as id, coalesce((select name from student_contact where student_id = account.student_id limit 1),
      'A parent') as payer
    from fee_account account join fee_plan plan on plan.account_id = account.id
    order by exists (select from fee_due due where due.account_id = account.id and paid < net and due_on <= ${today}::date) desc,
      account.id limit 40`.execute(db);
  if (!cashier || students.length < 40) return;
  const user = {
    ...cashier,
    role: 'Staff',
    sets: ['accountant'],
    scope: { branches: [], sections: [] },
    session: 0,
    confirmedFor: 0,
  };
  /** An act of the cashier on a day, in its own transaction. */
  const on = <Done>(day: string, act: (ctx: UserContext) => Promise<Done> | Done): Promise<Done> =>
    db
      .transaction()
      .execute(async (tx) =>
        act({ ...outside, db: tx, user, now: () => new Date(`${day}T06:30:00Z`) } as unknown as UserContext),
      );
  const days = [-3, -2, -1].map((by) => addDays(today, by));
  let next = 0;
  const takeSome = async (day: string) => {
    for (const [mode, rupees] of payments) {
      const { id: studentId, payer } = students[next++ % 28] ?? { id: 0, payer: '' };
      const reference = mode === 'Cash' ? '' : `${day.replaceAll('-', '')}${100 + next}`;
      await on(day, (ctx) => payOldest(ctx, { studentIds: [studentId], amount: rupees * 100, mode, reference, payer }));
    }
  };
  for (const day of days) await takeSome(day);
  for (const [place, [by, end]] of cheques.entries()) {
    const { id: studentId, payer: payerName } = students[28 + place] ?? { id: 0, payer: '' };
    const [first = today, second = today, third = today] = days;
    const number = String(412_300 + 7 * place);
    const { id, status } = await on(first, (ctx) =>
      take(ctx, {
        studentId,
        kind: 'Cheque',
        number,
        bank: place % 2 === 0 ? 'State Bank of India' : 'Bank of Baroda',
        datedOn: addDays(today, by),
        amount: 750_000 + 50_000 * place,
        payerName,
      }),
    );
    if (end === '' || status === 'Held') continue;
    await on(second, (ctx) => deposit(ctx, { id, version: 1, slipNo: '00718' }));
    if (end === 'Cleared') await on(third, (ctx) => clear(ctx, { id, version: 2 }));
    if (end === 'Deposited' || end === 'Cleared') continue;
    await on(third, (ctx) => bounce(ctx, { id, version: 2, reason: 'Insufficient funds', charge: 30_000 }));
    if (end === 'Deposited again') await on(third, (ctx) => deposit(ctx, { id, version: 3, slipNo: '00721' }));
    if (end === 'Returned') await on(third, (ctx) => giveBack(ctx, { id, version: 3, reason: 'Paid by transfer' }));
  }
  const lastDay = days.at(-1) ?? today;
  for (const day of days) await on(day, (ctx) => closeDay(ctx, day, day === days[1] ? 50 : 0));
  // A family came after the cash had been counted: a second shift of the last day.
  const late = students[0];
  if (late) {
    await on(lastDay, openNextShift);
    const { id, payer } = late;
    await on(lastDay, (ctx) =>
      payOldest(ctx, { studentIds: [id], amount: 350_000, mode: 'Cash', reference: '', payer }),
    );
    await on(lastDay, (ctx) => closeDay(ctx, lastDay));
  }
  await takeSome(today);
  await seedMoves(on, { today, before: days[2] ?? today }, students);
  const { rows: dues } = await sql<{ id: number }>`select due.id from fee_due due join fee_account account
    on account.id = due.account_id where account.student_id = ${students[30]?.id} and paid < net order by due_on limit 1`.execute(
    db,
  );
  const empty = { dueId: null, feeHeadId: null, dueOn: '', fromSeriesId: null, toSeriesId: null };
  await on(today, (ctx) =>
    correct(ctx, {
      ...empty,
      studentId: students[30]?.id ?? 0,
      kind: 'Credit',
      dueId: dues[0]?.id ?? 0,
      amount: 20_000,
      reason: 'Was charged for a month of illness',
    }),
  );
  const { rows: free } = await sql<{ studentId: number; receiptSeriesId: number; amount: number }>`
    select student_id as "studentId", receipt_series_id as "receiptSeriesId", amount from fee_advance advance
    join fee_account account on account.id = advance.account_id where amount > 0 and student_id is not null order by account.id limit 1`.execute(
    db,
  );
  for (const advance of free)
    await on(today, (ctx) =>
      ask(ctx, {
        ...advance,
        mode: 'Bank transfer',
        payee: students.find(({ id }) => id === advance.studentId)?.payer ?? 'A parent',
        reason: 'Paid too much by mistake',
      }),
    );
}

/** Change that a closed shift leaves in the drawer, in rupees. */
const change = 2000;

type Acting = <Done>(day: string, act: (ctx: UserContext) => Promise<Done> | Done) => Promise<Done>;

/** A sum without a child that is open and one that is placed, and a payment that was moved to another child. */
async function seedMoves(
  on: Acting,
  { today, before }: { today: string; before: string },
  students: readonly { id: number; payer: string }[],
) {
  const [to, placed] = [students[37], students[38]].map((one) => one?.id ?? 0);
  const { branchId, receiptSeriesId } = await on(today, async ({ db }) => {
    const { rows } = await sql<{ branchId: number; receiptSeriesId: number }>`select
      (select branch_id from student where id = ${placed}) as "branchId",
      (select min(id) from fee_receipt_series where is_active) as "receiptSeriesId"`.execute(db);
    return rows[0] ?? { branchId: 0, receiptSeriesId: 0 };
  });
  const sum = { payerMobile: '', branchId, receiptSeriesId, mode: 'UPI' as const };
  const take = (amount: number, reference: string, payerName: string, note: string) =>
    on(today, (ctx) => takeUnplaced(ctx, { ...sum, amount, reference, payerName, note }));
  await take(450_000, '533109120718', 'Devang Mehta', 'UPI without a name of a child');
  const { id: account } = await take(300_000, '533109120726', 'Rekha Solanki', 'Said she pays for her niece');
  const { paid, amount, unplaced } = await on(today, async ({ db }) => {
    const { rows } = await sql<{ paid: number; amount: number; unplaced: number }>`
      select id as paid, amount, (select payment_id from fee_receipt where account_id = ${account}) as unplaced
      from fee_payment where paid_on = ${before}::date and mode = 'UPI' and ended_as is null order by id limit 1`.execute(
      db,
    );
    return rows[0] ?? { paid: 0, amount: 0, unplaced: 0 };
  });
  const reason = 'The receipt was for the wrong child';
  const asked = [
    { paymentId: paid, kind: 'Move' as const, children: [{ studentId: to ?? 0, amount }], reason },
    {
      paymentId: unplaced,
      kind: 'Place' as const,
      children: [{ studentId: placed ?? 0, amount: 300_000 }],
      reason: 'She called',
    },
  ];
  for (const one of asked) {
    await on(today, (ctx) => askReissue(ctx, one));
    await on(today, async (ctx) => {
      const { rows } = await sql<{
        id: number;
        subject: number;
      }>`update approval set status = 'Approved', decided_at = ${ctx.now()},
          decided_by = (select staff_id from sign_in_account where 'principal' = any(sets) and staff_id <> ${ctx.user.staffId}
            order by id limit 1), version = version + 1
        where fee_reissue_id = (select max(id) from fee_reissue where status = 'Asked')
        returning id, fee_reissue_id as subject`.execute(ctx.db);
      await reissueApproval.decide(
        ctx,
        rows.map(({ subject }) => subject),
        'Approved',
        '',
      );
      await endNotices(
        ctx,
        rows.map(({ id }) => `approval ${id}`),
      );
    });
  }
}

/** Counts the drawer in the largest notes, so many rupees short, takes all but the change to the bank and closes the shift. */
async function closeDay({ db, user, now }: UserContext, day: string, short = 0) {
  const { rows } = await sql<{ id: number; expected: number }>`
    select id, opening_cash + fee_cash_of(id) as expected from fee_day
    where staff_id = ${user.staffId} and day = ${day} and status = 'Open'`.execute(db);
  const [drawer] = rows;
  if (!drawer) return;
  const counted = Number(BigInt(drawer.expected) / 100n) - short;
  let left = counted;
  const counts = notes.flatMap((note) => {
    const rest = left % note;
    const pieces = (left - rest) / note;
    left = rest;
    return pieces > 0 ? [{ note, pieces }] : [];
  });
  await sql`insert into fee_day_count (day_id, note, pieces) select ${drawer.id}, note, pieces
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as input (note smallint, pieces integer)`.execute(db);
  const banked = Math.max(0, counted - change) * 100;
  await sql`update fee_day set status = 'Closed', reason = ${short > 0 ? 'Gave too much change' : ''}, banked = ${banked},
      slip_no = ${banked > 0 ? `007${day.slice(-2)}` : ''},
      closed_by = ${user.staffId}, closed_at = ${now()}, version = version + 1 where id = ${drawer.id}`.execute(db);
}
