import { sql } from 'kysely';
import { requestApproval } from '#features/approval/api.ts';
import { householdsOf } from '#features/student/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { verbatim } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { moveMessages, totalOf, totalRefusal } from '../contract/move.ts';
import { paymentNo } from '../contract/receipt.ts';
import { endPayments, hasEnded } from './end-payment.ts';
import { readCounterChildren } from './family.ts';
import { isOwnAndFresh, requirePayment } from './own-payment.ts';
import type { ReceiptDraft } from './receipts.ts';
import { type Share, takeMoney } from './take-money.ts';

export interface Asked {
  paymentId: number;
  /** The one that was read. */
  version?: number;
  /** Unplaced: to an account without a child, whose note is the reason. */
  kind: 'Move' | 'Unplaced' | 'Place';
  children: readonly { studentId: number; amount: number | null }[];
  reason: string;
}

/** The students and accounts that receipts of a payment stand for. */
export const standsFor = async ({ db }: Pick<Context, 'db'>, paymentIds: readonly number[]) =>
  (
    await sql<{ paymentId: number; accountId: number; studentId: number | null; name: string; amount: number }>`
      select receipt.payment_id as "paymentId", account.id as "accountId", account.student_id as "studentId",
        coalesce(student.name, account.unplaced_note, '') as name, sum(receipt.amount)::bigint as amount
      from fee_receipt receipt join fee_account account on account.id = receipt.account_id
      left join student on student.id = account.student_id
      where receipt.payment_id = any(${paymentIds}::integer[]) group by 1, account.id, student.id order by min(receipt.id)`.execute(
      db,
    )
  ).rows;

/** Applications, then the accounts of payments and of the students who get their money, by id; missing accounts are added. */
export async function lockMoved(
  { db }: Pick<Context, 'db'>,
  paymentIds: readonly number[],
  studentIds: readonly number[],
): Promise<void> {
  await sql`insert into fee_account (student_id) select id from unnest(${studentIds}::integer[]) as id
    on conflict do nothing`.execute(db);
  await sql`select id from admission_inquiry where id in (select inquiry_id from fee_receipt receipt
    join fee_account account on account.id = receipt.account_id and account.student_id is null
    where payment_id = any(${paymentIds}::integer[])) order by id for update`.execute(db);
  await sql`select id from fee_account where id in (select account_id from fee_receipt
      where payment_id = any(${paymentIds}::integer[])) or student_id = any(${studentIds}::integer[])
    order by id for update`.execute(db);
}

/** Whether one adult may meet all these children. */
async function isOneHousehold(ctx: UserContext, studentIds: readonly number[]) {
  const households = await householdsOf(ctx, { studentIds });
  return households.some((own) => studentIds.every((id) => own.studentIds.includes(id)));
}

/**
 * Moves a payment: at once where its cashier may cancel it alone and its children are of one household, else once a second
 * person approves. Unplaced money always waits.
 */
export async function askReissue(ctx: UserContext, asked: Asked): Promise<{ isAsked: boolean }> {
  const { paymentId, kind, reason } = asked;
  const found = await requirePayment(ctx, paymentId);
  const to = asked.children.map(({ studentId, amount }) => ({ studentId, amount: amount ?? 0 }));
  const toIds = to.map(({ studentId }) => studentId);
  const children = await readCounterChildren(ctx, toIds);
  if (children.length < toIds.length || children.some(({ isElsewhere }) => isElsewhere))
    throw fieldRefusal('children', moveMessages.elsewhere);
  if (kind !== 'Unplaced' && totalOf(to) !== found.amount) throw fieldRefusal('children', totalRefusal(found.amount));
  const from = await standsFor(ctx, [paymentId]);
  const fromIds = from.flatMap(({ studentId }) => studentId ?? []);
  const isAlone =
    kind !== 'Place' &&
    (await isOwnAndFresh(ctx, found)) &&
    (kind === 'Unplaced' ||
      (fromIds.length === from.length && (await isOneHousehold(ctx, [...new Set([...fromIds, ...toIds])]))));
  await lockMoved(ctx, [paymentId], toIds);
  const payment = await requirePayment(ctx, paymentId);
  requireVersion(payment, asked.version);
  if (payment.endedAs !== null) throw new AppError('conflict', hasEnded);
  if (payment.isAsked) throw new AppError('conflict', moveMessages.waits);
  const stands = new Map(from.map(({ studentId, amount }) => [studentId, amount]));
  if (kind === 'Move' && stands.size === to.length && to.every((one) => stands.get(one.studentId) === one.amount))
    throw fieldRefusal('children', moveMessages.same);
  const { id } = await ctx.db
    .insertInto('fee_reissue')
    .values({
      payment_id: paymentId,
      kind,
      input: JSON.stringify(to),
      reason,
      asked_by: ctx.user.staffId,
      asked_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (isAlone) {
    await reissue(ctx, { id, paymentId, kind, input: to, reason, by: ctx.user });
    return { isAsked: false };
  }
  const branches = new Set([payment.branchId, ...children.map(({ branchId }) => branchId)]);
  await requestApproval(ctx, {
    kind: 'fee.reissue',
    subjectId: id,
    branchId: branches.size === 1 ? payment.branchId : null,
    studentId: toIds[0] ?? payment.studentId,
    title: verbatim(`${paymentNo(paymentId)}: ${payment.names}`.slice(0, 200)),
    amount: payment.amount,
    reason,
  });
  return { isAsked: true };
}

export interface Reissue {
  id: number;
  paymentId: number;
  kind: Asked['kind'];
  input: readonly Share[];
  reason: string;
  /** Who asked: the new receipts name this person. */
  by: { staffId: number; name: string };
}

/** The money of a payment whose accounts are locked is taken again for others, with the same mode, reference and value day. */
export async function reissue(ctx: UserContext, { id, paymentId, kind, input, reason, by }: Reissue): Promise<void> {
  const { db } = ctx;
  const { rows } = await sql<{
    mode: string;
    amount: number;
    reference: string;
    valueOn: string;
    guardianId: number | null;
    name: string;
    mobile: string;
    key: string;
    shown: string;
    receipts: string;
  }>`
    select mode, payment.amount, reference, value_on as "valueOn", guardian_now(payer_guardian_id) as "guardianId", payer_name as name,
      payer_mobile as mobile, payer_key as key, coalesce(min(receipt.issued_as ->> 'receivedFrom'), payer_name) as shown,
      string_agg(receipt.receipt_no, ', ' order by receipt.id) as receipts
    from fee_payment payment join fee_receipt receipt on receipt.payment_id = payment.id
    where payment.id = ${paymentId} group by payment.id`.execute(db);
  const [payment] = rows;
  if (!payment) throw new AppError('conflict', hasEnded);
  const { mode, amount, reference, valueOn, receipts, ...payer } = payment;
  const ending = {
    id: paymentId,
    reason,
    ...(kind === 'Unplaced' && { money: 'The school still has it' as const }),
  };
  const to =
    kind === 'Unplaced' ? { unplaced: await unplacedDrafts(ctx, paymentId, reason) } : ({ shares: input } as const);
  // The family learns of it once the money stands elsewhere.
  await endPayments(ctx, [ending], { as: 'Reissued', staffId: ctx.user.staffId });
  const taken = await takeMoney(ctx, {
    payer,
    mode,
    amount,
    reference,
    valueOn,
    paidOn: toLocalDate(ctx.now()),
    backReason: '',
    remark: '',
    to,
    moved: { paymentId, receipts, by },
  });
  await sql`update fee_cheque set payment_id = ${taken.id}, version = version + 1 where payment_id = ${paymentId}`.execute(
    db,
  );
  await sql`update fee_reissue set status = 'Done', new_payment_id = ${taken.id}, version = version + 1
    where id = ${id}`.execute(db);
  await audit(ctx, {
    action:
      kind === 'Unplaced' ? 'fee-payment.unplaced' : kind === 'Place' ? 'fee-unplaced.placed' : 'fee-payment.moved',
    entity: 'fee_payment',
    entityId: paymentId,
    details: {
      Payment: paymentNo(paymentId),
      'New payment': paymentNo(taken.id),
      Amount: showMoney(amount),
      Reason: reason,
    },
  });
}

/** An account without a child for the money of a payment, with a receipt in each of its series. */
async function unplacedDrafts({ db }: UserContext, paymentId: number, note: string): Promise<ReceiptDraft[]> {
  const { rows } = await sql<{ accountId: number; receiptSeriesId: number; branchId: number; amount: number }>`
    with first as (select receipt.account_id, receipt.branch_id from fee_receipt receipt
        where payment_id = ${paymentId} order by id limit 1),
      made as (insert into fee_account (unplaced_note, unplaced_of, branch_id)
        select ${note}, case when account.unplaced_note is null then account.id else account.unplaced_of end, first.branch_id
        from first join fee_account account on account.id = first.account_id returning id, branch_id)
    select made.id as "accountId", receipt_series_id as "receiptSeriesId", made.branch_id as "branchId",
      sum(receipt.amount)::bigint as amount
    from fee_receipt receipt cross join made where payment_id = ${paymentId} group by 1, 2, 3 order by 2`.execute(db);
  return rows.map(({ amount, ...draft }) => unplacedDraft(draft, amount));
}

/** A receipt without a child: all of it is advance of the account. */
export const unplacedDraft = (
  to: Pick<ReceiptDraft, 'accountId' | 'receiptSeriesId' | 'branchId'>,
  amount: number,
): ReceiptDraft => ({
  ...to,
  student: { name: '', grNo: '', place: '', rollNo: '' },
  parts: [{ dueId: null, head: 'Not placed yet', label: '', dueOn: '', due: 0, paid: amount }],
  notes: [],
});
