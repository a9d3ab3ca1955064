import { sql } from 'kysely';
import {
  actorOf,
  allowsFact,
  askReliefs,
  changePlans,
  type KeptPlan,
  lockAccountsOf,
  readFree,
  renewFamilies,
} from '#features/fee-price/api.ts';
import { reliefDone } from '#features/fee-price/contract/hooks.ts';
import { type EnrolmentChange, enrolmentHook } from '#features/student/contract/hooks.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { type Leaver, type Settled, settleLeavers, undoSettlement } from './leaving.ts';

/** Leaving, moving and coming back change what is owed by exactly the difference. Stored leavings keep the word `fee`. */
export const changeFees = answer(enrolmentHook, { by: 'fee', step: 9, lock: lockAccountsOf }, async (ctx, changes) => {
  const planned = await changePlans(ctx, changes);
  const settled = await settleAccounts(ctx, changes, planned.kept);
  await renewFamilies(
    ctx,
    changes.map(({ studentId }) => studentId),
  );
  const receipts = await receiptsOf(ctx, changes);
  return {
    texts: [...planned.texts, ...settled.texts],
    blocks: [],
    basis: [...planned.basis, settled.basis, receipts],
    kept: planned.kept,
    each: [
      ...planned.each,
      ...receipts.map(({ studentId, receiptNo, amount }) => ({
        studentId,
        text: text`Receipt ${{ number: receiptNo }}, ${{ amount: showMoney(amount) }}`,
        isBlock: true as const,
      })),
    ],
  };
});

/** The receipts that paid dues of the year of an enrolment that is cancelled. */
async function receiptsOf({ db }: ActingContext, changes: readonly EnrolmentChange[]) {
  const cancelled = changes.filter(({ kind, neverJoined }) => kind === 'cancelled' && !neverJoined);
  if (cancelled.length === 0) return [];
  const { rows } = await sql<{ studentId: number; receiptNo: string; amount: number }>`
    select account.student_id as "studentId", receipt.receipt_no as "receiptNo", receipt.amount
    from jsonb_to_recordset(${JSON.stringify(cancelled)}::jsonb) as asked ("studentId" integer, "yearId" integer)
    join fee_account account on account.student_id = asked."studentId"
    join fee_receipt receipt on receipt.account_id = account.id
    join fee_payment payment on payment.id = receipt.payment_id and payment.ended_as is null
    where exists (select from fee_ledger_entry entry join fee_due due on due.id = entry.due_id
      where entry.receipt_id = receipt.id and due.academic_year_id = asked."yearId")
    order by receipt.id`.execute(db);
  return rows;
}

/** Accounts are settled on leaving, and a leaving that is undone takes that back. `kept` gets the settlement of each enrolment. */
async function settleAccounts(ctx: ActingContext, changes: readonly EnrolmentChange[], kept: Record<number, KeptPlan>) {
  const back = changes.flatMap(({ kind, kept: own }) => (kind === 'back' ? [(own?.fee ?? {}) as KeptPlan] : []));
  const undone = [
    ...back.flatMap(({ changeId }) => changeId ?? []),
    ...(await changesOfReliefs(
      ctx,
      back.flatMap(({ reliefId }) => reliefId ?? []),
    )),
  ];
  if (undone.length > 0) await undoSettlement(ctx, undone);
  const gone = changes.filter(({ kind }) => kind === 'left');
  if (gone.length === 0) return { texts: [], basis: [] };
  const held = await holdDeposits(ctx, gone, kept);
  const left = gone.filter(({ enrollmentId }) => kept[enrollmentId]?.reliefId === undefined);
  const leavers = await readLeavers(ctx, left, kept);
  const settled = await settleLeavers(ctx, leavers);
  return { texts: [...wordsOfSettlement(settled), ...held], basis: [settled] };
}

/** The changes that followed from requests that a second person approved. */
async function changesOfReliefs({ db }: ActingContext, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select change_id as id from fee_relief
    where id = any(${ids}::integer[]) and change_id is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Deposits of students whose leaving may not lower fees at once wait for a second person, and so does their settlement. */
async function holdDeposits(
  ctx: ActingContext,
  left: readonly EnrolmentChange[],
  kept: Record<number, KeptPlan>,
): Promise<Text[]> {
  const free = await readFree(ctx);
  const waiting = left.filter(
    ({ day, enrollmentId }) => !allowsFact(free, day) && kept[enrollmentId]?.reliefId === undefined,
  );
  if (waiting.length === 0) return [];
  const { rows } = await sql<{ planId: number; studentId: number; yearId: number; lowers: number }>`
    select distinct on (account.student_id) plan.id as "planId", account.student_id as "studentId",
      plan.academic_year_id as "yearId", deposit.amount as lowers
    from fee_account account join fee_plan plan on plan.account_id = account.id
    join lateral (select sum(net)::bigint as amount from fee_due due join fee_head head on head.id = due.fee_head_id
      where due.account_id = account.id and due.is_refundable and net > 0) as deposit on deposit.amount > 0
    where account.student_id = any(${waiting.map(({ studentId }) => studentId)}::integer[])
    order by account.student_id, plan.id desc`.execute(ctx.db);
  const reliefs = rows.flatMap(({ lowers, ...plan }) => {
    const own = waiting.find(({ studentId }) => studentId === plan.studentId);
    return own
      ? [{ plan, kind: 'Left' as const, facts: {}, effectiveFrom: own.day, lowers, reason: '', settles: true }]
      : [];
  });
  const asked = await askReliefs(ctx, reliefs);
  for (const { planId, studentId } of rows) {
    const own = waiting.find((one) => one.studentId === studentId);
    const reliefId = asked.get(planId);
    if (own && reliefId) kept[own.enrollmentId] = { planId: null, ...kept[own.enrollmentId], reliefId };
  }
  return rows.map(({ lowers }) => text`${{ amount: showMoney(lowers) }} of deposits waits for a second person.`);
}

/** The account of a student is settled once a second person has approved the leaving. */
export const settleRelief = answer(reliefDone, { by: 'fee', step: 9 }, async (ctx, leaver) => {
  await settleLeavers(ctx, [leaver]);
  return undefined;
});

/** The accounts of students who leave. One without a plan of the year gets a change of its latest plan, so that it can be undone. */
async function readLeavers(
  ctx: ActingContext,
  left: readonly EnrolmentChange[],
  kept: Record<number, KeptPlan>,
): Promise<Leaver[]> {
  const without = left.filter(({ enrollmentId }) => kept[enrollmentId]?.changeId === undefined);
  const { rows: made } = await sql<{ id: number; studentId: number }>`
    with latest as (select distinct on (account.student_id) plan.id, account.student_id, own.day
      from jsonb_to_recordset(${JSON.stringify(without)}::jsonb) as own ("studentId" integer, day date)
      join fee_account account on account.student_id = own."studentId"
      join fee_plan plan on plan.account_id = account.id order by account.student_id, plan.id desc),
    made as (insert into fee_plan_change (plan_id, kind, effective_from, staff_id, authority)
      select id, 'Left', day, ${actorOf(ctx)?.staffId ?? null}, 'Fact' from latest returning id, plan_id)
    select made.id, latest.student_id as "studentId" from made join latest on latest.id = made.plan_id`.execute(ctx.db);
  for (const { enrollmentId, studentId } of without) {
    const change = made.find((one) => one.studentId === studentId);
    if (change) kept[enrollmentId] = { planId: null, ...kept[enrollmentId], changeId: change.id };
  }
  const { rows: accounts } = await sql<{ id: number; studentId: number }>`
    select id, student_id as "studentId" from fee_account
    where student_id = any(${left.map(({ studentId }) => studentId)}::integer[]) order by id`.execute(ctx.db);
  return accounts.flatMap(({ id, studentId }) => {
    const own = left.filter((one) => one.studentId === studentId).toSorted((one, other) => one.yearId - other.yearId);
    const [first] = own;
    if (!first) return [];
    return [{ accountId: id, day: first.day, changeId: kept[first.enrollmentId]?.changeId ?? null }];
  });
}

function wordsOfSettlement({ fines, deposits, applied, refundable }: Settled): Text[] {
  return [
    ...(fines > 0 ? [text`Late fines to the last day: ${{ amount: showMoney(fines) }}.`] : []),
    ...(deposits > 0 ? [text`${{ amount: showMoney(deposits) }} of deposits becomes advance.`] : []),
    ...(applied > 0 ? [text`${{ amount: showMoney(applied) }} of advance pays remaining dues.`] : []),
    ...(refundable > 0 ? [text`${{ amount: showMoney(refundable) }} can be refunded.`] : []),
  ];
}
