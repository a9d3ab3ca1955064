import { sql } from 'kysely';
import { lockAccounts, postEntries } from '#features/fee-price/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { showMoney, showPercent } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { halfOfGst } from '../contract/gst.ts';
import { cashLimit, cashRefusal, type paymentApi, paymentMessages } from '../contract/payment.ts';
import { paymentNo } from '../contract/receipt.ts';
import { dayClosed, lockDay } from './day.ts';
import { type CounterChild, familyOf, payersOf, readCounterChildren } from './family.ts';
import { fineEntries, finesTouched, storeFineDues } from './post-fines.ts';
import { type OwedFine, readPayable } from './read-dues.ts';
import { sendReceipts } from './receipt-message.ts';
import { issueReceipts, printReceipts, type ReceiptDraft } from './receipts.ts';
import { backDays } from './settings.ts';

type Asked = Parameters<Handler<typeof paymentApi.take>>[1];
/** How and when money was paid. */
export interface PaymentAct extends Pick<Asked, 'amount' | 'reference' | 'paidOn' | 'backReason' | 'remark'> {
  /** Also those that the counter itself does not take, such as Cheque. */
  mode: string;
}
type Line =
  ReturnType<Awaited<ReturnType<typeof readPayable>>['lines']['get']> extends (infer One)[] | undefined ? One : never;

/** Takes a payment for the children of a family: one receipt for each child and receipt series. */
export const take: Handler<typeof paymentApi.take> = async (ctx, asked) => {
  await refuseDate(ctx, asked);
  const dayId = await lockDay(ctx, asked.paidOn);
  const studentIds = asked.children.map(({ studentId }) => studentId);
  const payer = await payerOf(ctx, asked, studentIds);
  const before = await readCounterChildren(ctx, studentIds);
  if (before.length !== new Set(studentIds).size || before.some(({ isElsewhere }) => isElsewhere))
    throw new AppError('not_found', notFoundMessage);
  await refuseOtherFamilies(ctx, studentIds);
  const accounts = await lockAccounts(ctx, studentIds);
  const children = await readCounterChildren(ctx, studentIds);
  for (const { studentId, version } of children)
    if (asked.children.find((one) => one.studentId === studentId)?.version !== version)
      throw new AppError('stale', staleMessage);
  const accountIds = [...accounts.values()];
  const { lines, fines } = await readPayable(ctx, accountIds, asked.paidOn);
  const parts = partsOf(asked, children, lines);
  const touched = finesTouched(fines, parts);
  const fineDues = await storeFineDues(ctx, touched);
  const drafts = await draftsOf(ctx, asked, { children, lines, parts, fines, fineDues });
  await refuseLimits(ctx, asked, payer);
  const payment = await insertPayment(ctx, asked, payer, dayId);
  const receipts = await issueReceipts(
    ctx,
    { ...payment, receivedFrom: payer.shown, collectedBy: ctx.user.name, ...asked, amount: asked.amount ?? 0 },
    drafts,
  );
  const today = asked.paidOn;
  await postEntries(ctx, [
    ...fineEntries(touched, fineDues, today),
    ...drafts.flatMap((draft, at) =>
      draft.parts.map(({ dueId, paid }) => ({
        accountId: draft.accountId,
        dueId,
        receiptSeriesId: draft.receiptSeriesId,
        academicYearId: null,
        kind: 'Receipt' as const,
        day: today,
        dueOn: today,
        amount: -paid,
        receiptId: receipts[at]?.id ?? 0,
      })),
    ),
  ]);
  await sendReceipts(ctx, payment.id, { guardianId: payer.guardianId, studentIds });
  await audit(ctx, {
    action: 'fee-payment.taken',
    entity: 'fee_payment',
    entityId: payment.id,
    version: 1,
    details: {
      Amount: showMoney(asked.amount ?? 0),
      Mode: asked.mode,
      Receipts: receipts.map(({ issued }) => issued.receiptNo).join(', '),
      Date: asked.paidOn,
      ...(asked.backReason && { 'Reason for the earlier date': asked.backReason }),
    },
  });
  return {
    id: payment.id,
    paymentNo: paymentNo(payment.id),
    advance: drafts
      .flatMap((draft) => draft.parts)
      .reduce((sum, { dueId, paid }) => sum + (dueId === null ? paid : 0), 0),
    papers: await printReceipts(
      ctx,
      receipts.map(({ id }) => id),
    ),
  };
};

/** Not in the future, and back only a few days with a reason. Days and books that are closed are the database's refusals. */
export async function refuseDate(ctx: UserContext, { paidOn, backReason }: PaymentAct) {
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

/** A guardian of the family, or else a person with a name. */
async function payerOf(ctx: UserContext, asked: Asked, studentIds: readonly number[]): Promise<PaymentPayer> {
  if (asked.payerGuardianId === null) {
    return namedPayer(asked.payerName, asked.payerMobile);
  }
  const [first = 0] = studentIds;
  const payers = await payersOf(ctx, await familyOf(ctx, first));
  const payer = payers.find(({ guardianId }) => guardianId === asked.payerGuardianId);
  if (!payer) throw fieldRefusal('payerGuardianId', text`Choose one from the list.`);
  const { guardianId, name, mobile, relation } = payer;
  return {
    guardianId,
    name,
    mobile,
    key: `g ${guardianId}`,
    shown: relation ? `${name} (${relation.toLowerCase()})` : name,
  };
}

/** A payer who is no guardian of the school: known by the mobile number, or else by the name. */
export const namedPayer = (name: string, mobile: string): PaymentPayer => ({
  guardianId: null,
  name,
  mobile,
  key: mobile === '' ? `n ${name.toLowerCase()}` : `m ${mobile}`,
  shown: name,
});

/** A payment is for one family. */
async function refuseOtherFamilies(ctx: UserContext, studentIds: readonly number[]) {
  const family = new Set(await familyOf(ctx, studentIds[0] ?? 0));
  if (studentIds.some((id) => !family.has(id))) throw new AppError('not_found', notFoundMessage);
}

/** What each line gets, checked against what is owed now; the rest is advance. */
function partsOf(asked: Asked, children: readonly CounterChild[], lines: ReadonlyMap<number, readonly Line[]>) {
  return new Map(
    asked.children.flatMap(({ studentId, lines: wanted }) => {
      const child = children.find((one) => one.studentId === studentId);
      const own = lines.get(child?.accountId ?? 0) ?? [];
      return wanted.map(({ key, amount }) => {
        const line = own.find((one) => one.key === key);
        if (!line || amount === null || amount > line.owed) throw new AppError('stale', staleMessage);
        return [key, amount] as const;
      });
    }),
  );
}

interface Known {
  children: readonly CounterChild[];
  lines: ReadonlyMap<number, readonly Line[]>;
  parts: ReadonlyMap<string, number>;
  fines: readonly OwedFine[];
  fineDues: ReadonlyMap<string, number>;
}

/** The receipts of a payment, by child and series. */
async function draftsOf(
  ctx: UserContext,
  asked: Asked,
  { children, lines, parts, fineDues }: Known,
): Promise<ReceiptDraft[]> {
  const drafts = children.flatMap((child): ReceiptDraft[] => {
    const own = lines.get(child.accountId ?? 0) ?? [];
    const paid = own.flatMap((line) => {
      const amount = parts.get(line.key) ?? 0;
      if (amount === 0) return [];
      const dueId = line.isFine ? (fineDues.get(line.key) ?? line.dueId) : line.dueId;
      return [{ line, dueId, amount }];
    });
    return [...Map.groupBy(paid, ({ line }) => line.receiptSeriesId)].map(([receiptSeriesId, some]) => ({
      ...ofChild(child, receiptSeriesId),
      parts: some.map(({ line, dueId, amount }) => ({
        dueId,
        head: line.isFine ? 'Late fine' : line.head,
        label: line.isFine ? '' : line.label,
        dueOn: line.dueOn,
        due: line.owed,
        paid: amount,
      })),
      notes: [...gstNotes(some), ...stillOwed(own, parts, asked.paidOn)],
    }));
  });
  const left = (asked.amount ?? 0) - [...parts.values()].reduce((sum, part) => sum + part, 0);
  if (left === 0) return drafts;
  const next = [...lines].flatMap(([accountId, own]) =>
    own.filter(({ key, owed }) => (parts.get(key) ?? 0) < owed).map((line) => ({ ...line, accountId })),
  );
  const [first] = next.toSorted((one, other) => one.dueOn.localeCompare(other.dueOn));
  const child = children.find(({ accountId }) => accountId === first?.accountId) ?? children[0];
  if (!child) return drafts;
  const receiptSeriesId = first?.receiptSeriesId ?? (await firstSeries(ctx));
  const advance = { dueId: null, head: 'Advance', label: '', dueOn: '', due: 0, paid: left };
  const same = drafts.find((one) => one.accountId === child.accountId && one.receiptSeriesId === receiptSeriesId);
  if (same) same.parts.push(advance);
  else drafts.push({ ...ofChild(child, receiptSeriesId), parts: [advance], notes: [] });
  return drafts;
}

/** The tax that the paid parts contain, by rate: fees include it. */
function gstNotes(some: readonly { line: { gstRate: number; paid: number }; amount: number }[]): Text[] {
  const taxed = some.filter(({ line }) => line.gstRate > 0);
  return [...Map.groupBy(taxed, ({ line }) => line.gstRate)].map(([rate, own]) => {
    const half = own.reduce((sum, { line, amount }) => sum + halfOfGst(line.paid, amount, rate), 0);
    const paid = own.reduce((sum, { amount }) => sum + amount, 0);
    return text`Includes GST of ${{ rate: showPercent(rate) }}: taxable ${{ taxable: showMoney(paid - 2 * half) }}, CGST ${{ cgst: showMoney(half) }}, SGST ${{ sgst: showMoney(half) }}.`;
  });
}

const ofChild = (child: CounterChild, receiptSeriesId: number) => ({
  accountId: child.accountId ?? 0,
  receiptSeriesId,
  branchId: child.branchId,
  student: { name: child.name, grNo: child.grNo, place: child.place, rollNo: child.rollNo },
});

export async function firstSeries({ db }: UserContext) {
  const { id } = await db
    .selectFrom('fee_receipt_series')
    .where('is_active', '=', true)
    .orderBy('id')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow(() => new AppError('conflict', text`Add a receipt series in Fee Master first.`));
  return id;
}

/** What a child still owes after the payment, and what is due next. */
function stillOwed(lines: readonly Line[], parts: ReadonlyMap<string, number>, on: string): Text[] {
  const left = lines
    .map((line) => ({ ...line, left: line.owed - (parts.get(line.key) ?? 0) }))
    .filter((line) => line.left > 0);
  const now = left.filter(({ dueOn }) => dueOn <= on).reduce((sum, line) => sum + line.left, 0);
  const [first] = left.filter(({ dueOn }) => dueOn > on);
  const next = left.filter(({ dueOn }) => dueOn === first?.dueOn).reduce((sum, line) => sum + line.left, 0);
  return [
    ...(now > 0 ? [text`Still due today: ${{ amount: showMoney(now) }}.`] : []),
    ...(first ? [text`Next: ${{ amount: showMoney(next) }} on ${{ day: showDate(first.dueOn) }}.`] : []),
  ];
}

export async function insertPayment(ctx: UserContext, asked: PaymentAct, payer: PaymentPayer, dayId: number) {
  const { id } = await ctx.db
    .insertInto('fee_payment')
    .values({
      day_id: dayId,
      staff_id: ctx.user.staffId,
      paid_on: asked.paidOn,
      payer_guardian_id: payer.guardianId,
      payer_name: payer.name,
      payer_mobile: payer.mobile,
      payer_key: payer.key,
      mode: asked.mode,
      amount: asked.amount ?? 0,
      reference: asked.mode === 'Cash' ? '' : asked.reference,
      remark: asked.remark,
      back_reason: asked.backReason,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refusalOfRace);
  return { id, paidOn: asked.paidOn };
}

/** What another payment made impossible at the same moment. */
function refusalOfRace(error: unknown): never {
  const { constraint = '' } = error as { constraint?: string };
  const message = refusals[constraint];
  throw message ? new AppError('conflict', message) : error;
}
const refusals: Readonly<Record<string, Text>> = {
  fee_cash_day_limit: text`With this payment, cash from this payer would reach ₹2,00,000 today.`,
  fee_payment_reference_once: text`This reference is used on another receipt.`,
  fee_payment_card_once: text`This reference is used on another receipt.`,
  fee_books_closed: text`The books of this day are closed.`,
  fee_day_closed: dayClosed,
};

/** In words, what the database would refuse: too much cash of a payer in a day, and a reference that is used. */
export async function refuseLimits(
  ctx: UserContext,
  { mode, amount, reference, paidOn }: PaymentAct,
  { key }: PaymentPayer,
) {
  if (mode === 'Cash') {
    const { rows } = await sql<{ amount: number }>`select amount from fee_cash_day
      where payer_key = ${key} and day = ${paidOn}::date`.execute(ctx.db);
    const taken = rows[0]?.amount ?? 0;
    if (taken + (amount ?? 0) >= cashLimit) throw fieldRefusal('amount', cashRefusal(taken));
    return;
  }
  const { rows } = await sql<{ receiptNo: string }>`
    select receipt.receipt_no as "receiptNo" from fee_payment payment join fee_receipt receipt on receipt.payment_id = payment.id
    where payment.reference_key = upper(regexp_replace(${reference}, '[^A-Za-z0-9]', '', 'g')) and payment.ended_as is null
      and case when ${mode} = 'Card' then payment.mode = 'Card' and payment.paid_on = ${paidOn}::date
        else payment.mode in ('UPI', 'Bank transfer', 'Net banking') end
    order by receipt.id limit 1`.execute(ctx.db);
  const [used] = rows;
  if (used) throw fieldRefusal('reference', usedOn(used.receiptNo));
}

const usedOn = (number: string) => text`Reference used on receipt ${{ number }}.`;
