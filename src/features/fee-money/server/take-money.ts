import { sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockAccounts, postEntries } from '#features/fee-price/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { stale } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { cashLimit, cashRefusal, paymentMessages } from '../contract/payment.ts';
import { paymentNo } from '../contract/receipt.ts';
import { spread } from '../contract/spread.ts';
import { dayClosed, lockDay } from './day.ts';
import { type CounterChild, readCounterChildren } from './family.ts';
import { fineEntries, finesTouched, storeFineDues } from './post-fines.ts';
import { readPayable } from './read-dues.ts';
import { draftsOf, type Line } from './receipt-drafts.ts';
import { sendReceipts } from './receipt-message.ts';
import { issueReceipts, type ReceiptDraft } from './receipts.ts';
import { backDays } from './settings.ts';

/** A child for whom money is taken. */
interface Paying {
  studentId: number;
  /** The account as the user read it. */
  version?: number;
  /** What the payer wants to pay of each line; the oldest first where no child names lines. */
  lines?: readonly { key: string; amount: number | null }[];
}

/** A payment: mode, dates, payer and children. */
export interface Money {
  payer: PaymentPayer;
  /** Also those that the counter itself does not take, such as Cheque. */
  mode: string;
  amount: number;
  reference: string;
  paidOn: string;
  /** The day on which the money is proved to have reached the school; that of the payment where it is left out. */
  valueOn?: string;
  backReason: string;
  remark: string;
  to: /** Money in the account of one receipt series pays the dues of that series alone, and is advance there. */
    | { children: readonly Paying[]; seriesId?: number }
    /** What each child gets of moved money; the accounts are locked. */
    | { shares: readonly Share[] }
    | { applicant: { inquiryNo: string; drafts: readonly ReceiptDraft[] } }
    | { unplaced: readonly ReceiptDraft[] };
  /** The payment that ended so that this one stands for its money; it was counted with that one. */
  moved?: { paymentId: number; receipts: string; by: { staffId: number; name: string } };
}

/** What a child gets of money that is moved. */
export interface Share {
  studentId: number;
  amount: number;
}

/**
 * The one way in which money is taken: locks the cashier’s day and the accounts, stores the payment with its fines, receipts
 * and entries, and notes it. An applicant’s account is locked by the caller, after the day.
 */
export async function takeMoney(ctx: UserContext, money: Money) {
  const { moved } = money;
  if (!moved) await refuseDate(ctx, money);
  const dayId = moved ? null : await lockDay(ctx, money.paidOn);
  const to = await resolve(ctx, money);
  if (moved) for (const { notes } of to.drafts) notes.push(text`Moved from receipt ${{ numbers: moved.receipts }}.`);
  const cashKeys = money.mode === 'Cash' ? await cashKeysOf(ctx, money.payer, to.studentIds) : [];
  await refuseLimits(ctx, money, cashKeys);
  const id = await insertPayment(ctx, money, { dayId, cashKeys });
  const { payer, paidOn, amount, mode, reference } = money;
  const facts = {
    id,
    paidOn,
    receivedFrom: payer.shown,
    mode,
    reference,
    amount,
    collectedBy: moved?.by.name ?? ctx.user.name,
  };
  const receipts = await issueReceipts(ctx, facts, to.drafts);
  await postEntries(ctx, [
    ...to.fines,
    ...to.drafts.flatMap((draft, at) =>
      draft.parts.map(({ dueId, paid }) => ({
        accountId: draft.accountId,
        dueId,
        receiptSeriesId: draft.receiptSeriesId,
        academicYearId: null,
        kind: 'Receipt' as const,
        day: paidOn,
        dueOn: paidOn,
        amount: -paid,
        receiptId: receipts[at]?.id ?? 0,
      })),
    ),
  ]);
  if (to.studentIds.length > 0)
    await sendReceipts(ctx, id, { guardianId: payer.guardianId, studentIds: to.studentIds });
  await audit(ctx, {
    action: 'fee-payment.taken',
    entity: 'fee_payment',
    entityId: id,
    version: 1,
    details: {
      Payment: paymentNo(id),
      Amount: showMoney(amount),
      Mode: mode,
      Receipts: receipts.map(({ issued }) => issued.receiptNo).join(', '),
      Date: paidOn,
      ...(money.backReason && { 'Reason for the earlier date': money.backReason }),
      ...('applicant' in money.to && { Inquiry: money.to.applicant.inquiryNo }),
      ...(moved && { 'Moved from': moved.receipts }),
    },
  });
  return {
    id,
    paymentNo: paymentNo(id),
    receiptIds: receipts.map((receipt) => receipt.id),
    advance: to.drafts
      .flatMap((draft) => draft.parts)
      .reduce((sum, { dueId, paid }) => sum + (dueId === null ? paid : 0), 0),
  };
}

/** The receipts that the money becomes, and the fines that it posts. */
async function resolve(ctx: UserContext, { to, amount, paidOn, valueOn = paidOn }: Money) {
  if ('applicant' in to) return { drafts: to.applicant.drafts, fines: [], studentIds: [] };
  if ('unplaced' in to) return { drafts: to.unplaced, fines: [], studentIds: [] };
  if ('shares' in to) return resolveShares(ctx, to.shares, { paidOn, valueOn });
  const studentIds = to.children.map(({ studentId }) => studentId);
  const before = await readCounterChildren(ctx, studentIds, paidOn);
  if (before.length !== studentIds.length || before.some(({ isElsewhere }) => isElsewhere))
    throw new AppError('not_found', notFoundMessage);
  await lockAccounts(ctx, studentIds);
  const children = await readCounterChildren(ctx, studentIds, paidOn);
  for (const { studentId, version: seen } of to.children)
    if (seen !== undefined && children.find((one) => one.studentId === studentId)?.version !== seen) throw stale();
  const accountIds = children.flatMap(({ accountId }) => accountId ?? []);
  const { lines, fines } = await readPayable(ctx, accountIds, valueOn);
  const isChosen = to.children.some((child) => child.lines !== undefined);
  const { seriesId } = to;
  const open = [...lines.values()]
    .flat()
    .filter(({ receiptSeriesId }) => seriesId === undefined || receiptSeriesId === seriesId);
  const parts = isChosen ? partsOf(to.children, children, lines) : spread(amount, open).parts;
  const touched = finesTouched(fines, parts);
  const fineDues = await storeFineDues(ctx, touched);
  return {
    drafts: await draftsOf(ctx, { amount, paidOn }, { children, lines, parts, fineDues, seriesId }),
    fines: fineEntries(touched, fineDues, paidOn),
    studentIds,
  };
}

/** Each share pays the oldest dues of its child, with late fines as of the value day. */
async function resolveShares(
  ctx: UserContext,
  shares: readonly Share[],
  { paidOn, valueOn }: { paidOn: string; valueOn: string },
) {
  const studentIds = shares.map(({ studentId }) => studentId);
  const children = await readCounterChildren(ctx, studentIds, paidOn);
  const accountIds = children.flatMap(({ accountId }) => accountId ?? []);
  const { lines, fines } = await readPayable(ctx, accountIds, valueOn);
  const own = children.map((child) => {
    const amount = shares.find(({ studentId }) => studentId === child.studentId)?.amount ?? 0;
    const owed = lines.get(child.accountId ?? 0) ?? [];
    return { child, amount, owed, parts: spread(amount, owed).parts };
  });
  const touched = finesTouched(fines, new Map(own.flatMap(({ parts }) => [...parts])));
  const fineDues = await storeFineDues(ctx, touched);
  const drafts: ReceiptDraft[] = [];
  // The children of one payment.
  for (const { child, amount, owed, parts } of own) {
    const known = { children: [child], lines: new Map([[child.accountId ?? 0, owed]]), parts, fineDues };
    drafts.push(...(await draftsOf(ctx, { amount, paidOn }, known)));
  }
  return { drafts, fines: fineEntries(touched, fineDues, paidOn), studentIds };
}

/** Splits the amount over the lines, at most what each owes now; the rest is advance. */
function partsOf(
  asked: readonly Paying[],
  children: readonly CounterChild[],
  lines: ReadonlyMap<number, readonly Line[]>,
) {
  return new Map(
    asked.flatMap(({ studentId, lines: wanted = [] }) => {
      const child = children.find((one) => one.studentId === studentId);
      const own = lines.get(child?.accountId ?? 0) ?? [];
      return wanted.map(({ key, amount }) => {
        const line = own.find((one) => one.key === key);
        if (!line || amount === null || amount > line.owed) throw stale();
        return [key, amount] as const;
      });
    }),
  );
}

/** Not in the future, and back only a few days with a reason. Days and books that are closed are the database's refusals. */
async function refuseDate(ctx: UserContext, { paidOn, backReason }: Money) {
  const today = toLocalDate(ctx.now());
  if (paidOn > today) throw fieldRefusal('paidOn', paymentMessages.future);
  const { rows } = await sql<{ day: string | null }>`select fee_closed_until() as day`.execute(ctx.db);
  const closedUntil = rows[0]?.day;
  if (closedUntil && paidOn <= closedUntil)
    throw fieldRefusal('paidOn', text`The books are closed until ${{ day: showDate(closedUntil) }}.`);
  if (paidOn === today) return;
  const days = await readSetting(ctx, backDays);
  const first = addDays(today, -days);
  if (paidOn < first) throw fieldRefusal('paidOn', text`Choose ${{ day: showDate(first) }} or a later day.`);
  if (backReason === '') throw fieldRefusal('backReason', paymentMessages.backReason);
}

export interface PaymentPayer {
  guardianId: number | null;
  name: string;
  mobile: string;
  key: string;
  shown: string;
}

/** A payer who is no guardian here, identified by mobile number, else by name. */
export const namedPayer = (name: string, mobile: string): PaymentPayer => ({
  guardianId: null,
  name,
  mobile,
  key: mobile === '' ? `n ${name.toLowerCase()}` : `m ${mobile}`,
  shown: name,
});

/** Under which cash of a day counts together: the family of each child, and the payer’s mobile number. */
async function cashKeysOf({ db }: UserContext, { mobile, key }: PaymentPayer, studentIds: readonly number[]) {
  const { rows } = await sql<{ family: number }>`select distinct family_id as family from student
    where id = any(${studentIds}::integer[])`.execute(db);
  const keys = [...rows.map(({ family }) => `f ${family}`), ...(mobile === '' ? [] : [`m ${mobile}`])];
  return keys.length > 0 ? keys : [key];
}

async function insertPayment(
  ctx: UserContext,
  money: Money,
  { dayId, cashKeys }: { dayId: number | null; cashKeys: readonly string[] },
) {
  const { payer, moved } = money;
  const { id } = await ctx.db
    .insertInto('fee_payment')
    .values({
      day_id: dayId,
      staff_id: moved?.by.staffId ?? ctx.user.staffId,
      reissue_of: moved?.paymentId ?? null,
      paid_on: money.paidOn,
      value_on: money.valueOn ?? money.paidOn,
      payer_guardian_id: payer.guardianId,
      payer_name: payer.name,
      payer_mobile: payer.mobile,
      payer_key: payer.key,
      cash_keys: [...cashKeys],
      mode: money.mode,
      amount: money.amount,
      reference: money.mode === 'Cash' ? '' : money.reference,
      remark: money.remark,
      back_reason: money.backReason,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refusalOfRace);
  return id;
}

/** What another payment made impossible at the same moment. */
function refusalOfRace(error: unknown): never {
  const { constraint = '' } = error as { constraint?: string };
  const message = refusals[constraint];
  throw message ? new AppError('conflict', message) : error;
}
const refusals: Readonly<Record<string, Text>> = {
  fee_cash_day_limit: text`With this payment, cash from this family or mobile number would reach ₹2,00,000 today.`,
  fee_payment_reference_once: text`This reference is used on another receipt.`,
  fee_payment_card_once: text`This reference is used on another receipt.`,
  fee_books_closed: text`The books of this day are closed.`,
  fee_day_closed: dayClosed,
};

/** In words, what the database would refuse: too much cash of a payer in a day, and a reference that is used. */
async function refuseLimits(
  ctx: UserContext,
  { mode, amount, reference, paidOn, valueOn = paidOn, moved }: Money,
  cashKeys: readonly string[],
) {
  if (mode === 'Cash') {
    const { rows } = await sql<{ amount: number }>`select coalesce(max(amount), 0)::bigint as amount from fee_cash_day
      where payer_key = any(${cashKeys}::text[]) and day = ${valueOn}::date`.execute(ctx.db);
    const taken = rows[0]?.amount ?? 0;
    if (taken + amount < cashLimit) return;
    throw moved ? new AppError('conflict', cashRefusal(taken)) : fieldRefusal('amount', cashRefusal(taken));
  }
  // Its reference is that of the payment that ended.
  if (moved) return;
  // Letters that look alike would make another reference of the same one.
  if (/(?![A-Za-z])\p{L}/u.test(reference)) throw fieldRefusal('reference', paymentMessages.letters);
  const { rows } = await sql<{ numbers: string; day: string; names: string; isReached: boolean }>`
    select string_agg(receipt.receipt_no, ', ' order by receipt.id) as numbers, payment.paid_on as day,
      coalesce(string_agg(distinct student.name, ', '), '') as names,
      bool_and(${inScope(ctx.user, feeWriters, { branch: sql`receipt.branch_id` })}) as "isReached"
    from fee_payment payment join fee_receipt receipt on receipt.payment_id = payment.id
    join fee_account account on account.id = receipt.account_id left join student on student.id = account.student_id
    where payment.reference_key = upper(regexp_replace(${reference}, '[^A-Za-z0-9]', '', 'g')) and payment.ended_as is null
      and case when ${mode} = 'Card' then payment.mode = 'Card' and payment.paid_on = ${paidOn}::date
        else payment.mode in ('UPI', 'Bank transfer', 'Net banking') end
    group by payment.id order by payment.id limit 1`.execute(ctx.db);
  const [used] = rows;
  if (used) throw fieldRefusal('reference', usedOn(used));
}

/** Which payment has the reference, and the ways out; of another branch only its numbers. */
const usedOn = ({
  numbers,
  day,
  names,
  isReached,
}: {
  numbers: string;
  day: string;
  names: string;
  isReached: boolean;
}) =>
  !isReached
    ? text`Reference used on receipt ${{ numbers }} of ${{ day: showDate(day) }}, in another branch. Ask there to move the money.`
    : names === ''
      ? text`Reference used on receipt ${{ numbers }} of ${{ day: showDate(day) }}, which is in Unplaced. Place it with the children there.`
      : text`Reference used on receipt ${{ numbers }} of ${{ day: showDate(day) }} for ${{ names }}. One transfer for several children is one payment: cancel that one and take it once for all of them, or move its money.`;
