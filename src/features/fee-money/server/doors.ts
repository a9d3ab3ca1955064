import { sql } from 'kysely';
import { runningFines } from '#features/fee-price/contract/hooks.ts';
import { leavingCheck, settlementCheck } from '#features/student/contract/hooks.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import { readFines, readPayable } from './read-dues.ts';

type Reading = Pick<Context, 'db'>;

const accountsOf = async ({ db }: Reading, studentIds: readonly number[]) =>
  (
    await sql<{ id: number; version: number; studentId: number; name: string }>`
      select account.id, account.version, student.id as "studentId", student.name from student join fee_account account on account.student_id = student.id
      where student.id = any(${studentIds}::integer[]) order by student.id`.execute(db)
  ).rows;

interface FamilyDues {
  studentId: number;
  name: string;
  /** By due day, the oldest first; fines as of today stand on the due day that was missed. */
  dues: { dueOn: string; what: string; isFine: boolean; owed: number; isDue: boolean }[];
}

/** What the accounts of children can pay today. */
export async function payableOf(ctx: Pick<Context, 'db' | 'now'>, studentIds: readonly number[]) {
  const accounts = await accountsOf(ctx, studentIds);
  const { lines } = await readPayable(
    ctx,
    accounts.map(({ id }) => id),
    toLocalDate(ctx.now()),
  );
  return accounts.map((account) => ({ ...account, lines: lines.get(account.id) ?? [] }));
}

export type Payable = Awaited<ReturnType<typeof payableOf>>;

/** What a family sees of its children’s fees: no reasons of concessions. */
export const familyDues = (payable: Payable): FamilyDues[] =>
  payable.map(({ studentId, name, lines }) => ({
    studentId,
    name,
    dues: lines.map(({ dueOn, head, label, isFine, owed, isDue }) => ({
      dueOn,
      what: [head, label].filter(Boolean).join(', '),
      isFine,
      owed,
      isDue,
    })),
  }));

/** The days by which children still owe something; a fine grows on the day that was missed. */
export async function familyDueDays(
  { db }: Reading,
  studentIds: readonly number[],
  { from, to }: { from: string; to: string },
) {
  const { rows } = await sql<{ studentId: number; dueOn: string }>`
    select account.student_id as "studentId", due.due_on::text as "dueOn"
    from fee_account account join fee_due due on due.account_id = account.id
    where account.student_id = any(${[...studentIds]}::integer[]) and due.paid < due.net and due.kind <> 'Fine'
      and due.due_on between ${from}::date and ${to}::date
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

/** The late fines that a student's account owes today and that are not charged yet. */
export const finesRunning = answer(runningFines, { by: 'fee', step: 9 }, async (ctx, studentId) => {
  const accounts = await accountsOf(ctx, [studentId]);
  const fines = await readFines(
    ctx,
    accounts.map(({ id }) => id),
    toLocalDate(ctx.now()),
  );
  return fines.reduce((sum, { accrued }) => sum + accrued, 0);
});

/** Students who leave owe what is due by their last day: by receipt series, and fines. */
export const owedOnLeaving = answer(leavingCheck, { by: 'fee', step: 9 }, async (ctx, { studentIds, day }) => {
  const accounts = await accountsOf(ctx, studentIds);
  const ids = accounts.map(({ id }) => id);
  const { rows } = await sql<{ accountId: number; series: string; due: number }>`
    select due.account_id as "accountId", series.name as series, sum(net - paid)::bigint as due
    from fee_due due join fee_receipt_series series on series.id = due.receipt_series_id
    where account_id = any(${ids}::integer[]) and paid < net and due_on <= ${day}::date
    group by 1, series.id order by series.id`.execute(ctx.db);
  const fines = await readFines(ctx, ids, day);
  return new Map(
    accounts.map(({ id, studentId }) => {
      const fine = fines.reduce((sum, { accountId, accrued }) => sum + (accountId === id ? accrued : 0), 0);
      const texts: Text[] = rows
        .filter(({ accountId }) => accountId === id)
        .map(({ series, due }) => text`${{ series }}: ${{ amount: showMoney(due) }} not paid`);
      if (fine > 0) texts.push(text`Late fines: ${{ amount: showMoney(fine) }}`);
      return [studentId, texts];
    }),
  );
});

/** How many accounts `settleLeavers` charges late fines to, and of how many it returns the deposit. */
export const settledOnLeaving = answer(settlementCheck, { by: 'fee', step: 9 }, async (ctx, { studentIds, day }) => {
  const ids = (await accountsOf(ctx, studentIds)).map(({ id }) => id);
  const today = toLocalDate(ctx.now());
  const fines = await readFines(ctx, ids, [day, today].sort()[0] ?? today);
  const fined = new Set(fines.filter(({ accrued }) => accrued > 0).map(({ accountId }) => accountId)).size;
  const { rows } = await sql<{ count: number }>`select count(distinct account_id)::integer as count from fee_due
    where account_id = any(${ids}::integer[]) and is_refundable and net > 0`.execute(ctx.db);
  const deposits = rows[0]?.count ?? 0;
  return [
    ...(fined > 0 ? [text`Students who leave and get their late fines charged: ${{ fined }}`] : []),
    ...(deposits > 0 ? [text`Students who leave and whose deposit becomes advance: ${{ deposits }}`] : []),
  ];
});
