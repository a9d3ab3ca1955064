import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { financialYearOf } from '#kit/contract/numbering.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { insertRows, insertTogether } from '#kit/server/database/bulk.ts';
import { drawNumbers, refusingRepeat } from '#kit/server/database/numbering.ts';
import { amountInWords } from '../contract/amount-in-words.ts';
import { type IssuedReceipt, paymentNo, type ReceiptPaper } from '../contract/receipt.ts';
import { realisation } from './message-words.ts';

/** What one receipt of a payment pays. */
export interface ReceiptDraft {
  accountId: number;
  receiptSeriesId: number;
  branchId: number;
  /** An applicant has the number of the application instead of a GR number. */
  student: { name: string; grNo: string; applicationNo?: string; place: string; rollNo: string };
  parts: { dueId: number | null; head: string; label: string; dueOn: string; due: number; paid: number }[];
  /** What the student still owes. */
  notes: IssuedReceipt['notes'];
}

interface PaymentFacts {
  id: number;
  paidOn: string;
  receivedFrom: string;
  mode: string;
  reference: string;
  amount: number;
  collectedBy: string;
}

interface Numbered {
  school: IssuedReceipt['school'];
  heading: string;
  number: string;
  /** The other receipts of the payment. */
  others: readonly string[];
}

/** A receipt as it is printed and kept. */
const issuedReceipt = (
  { id, paidOn, receivedFrom, mode, reference, amount, collectedBy }: PaymentFacts,
  draft: ReceiptDraft,
  { school, heading, number, others }: Numbered,
): IssuedReceipt => ({
  receiptNo: number,
  paymentNo: paymentNo(id),
  school,
  heading,
  date: paidOn,
  student: draft.student.name,
  grNo: draft.student.grNo,
  ...(draft.student.applicationNo && { applicationNo: draft.student.applicationNo }),
  place: draft.student.place,
  rollNo: draft.student.rollNo,
  receivedFrom,
  mode,
  reference,
  lines: draft.parts.map(({ head, label, dueOn, due, paid }) => ({ head, label, dueOn, due, paid })),
  total: totalOf(draft),
  inWords: amountInWords(totalOf(draft)),
  notes: [
    ...draft.notes,
    ...(mode === 'Cheque' || mode === 'Demand draft' ? [realisation] : []),
    others.length > 0
      ? text`Payment ${{ number: paymentNo(id) }}, ${{ amount: showMoney(amount) }} in all, with ${{ others: others.join(', ') }}.`
      : text`Payment ${{ number: paymentNo(id) }}.`,
    text`Collected by ${{ name: collectedBy }}, ${{ day: showDate(paidOn) }}.`,
  ],
});

/** A cheque counts as paid at once, and a bounce takes that back. */
const totalOf = ({ parts }: ReceiptDraft) => parts.reduce((sum, { paid }) => sum + paid, 0);

/**
 * Draws the numbers of a payment's receipts and stores them, and returns their ids in the order of the drafts. The series
 * stay locked until the transaction ends, so it comes last.
 */
export async function issueReceipts(ctx: UserContext, payment: PaymentFacts, drafts: readonly ReceiptDraft[]) {
  const { db } = ctx;
  const numbers = await drawAll(ctx, payment.paidOn, drafts);
  const school = await headOf(ctx);
  const { rows: series } = await sql<{ id: number; heading: string }>`select id, heading from fee_receipt_series
    where id = any(${drafts.map(({ receiptSeriesId }) => receiptSeriesId)}::integer[])`.execute(db);
  const all = numbers.map(({ number }) => number);
  const issued = drafts.map((draft, at) =>
    issuedReceipt(payment, draft, {
      school,
      heading: series.find(({ id }) => id === draft.receiptSeriesId)?.heading ?? '',
      number: all[at] ?? '',
      others: all.filter((_, other) => other !== at),
    }),
  );
  const rows = drafts.map((draft, at) => ({
    paymentId: payment.id,
    receiptDate: payment.paidOn,
    accountId: draft.accountId,
    receiptSeriesId: draft.receiptSeriesId,
    branchId: draft.branchId,
    numberSeriesId: numbers[at]?.seriesId ?? 0,
    numberPeriod: numbers[at]?.period ?? '',
    numberValue: numbers[at]?.value ?? 0,
    receiptNo: all[at] ?? '',
    amount: totalOf(draft),
    issuedAs: issued[at] as never,
  }));
  const made = await insertTogether(db, 'fee_receipt', rows, ['id', 'receipt_no']).catch(
    refusingRepeat('fee_receipt_no', all[0] ?? ''),
  );
  const idOf = new Map(made.map(({ id, receipt_no }) => [receipt_no, id]));
  return issued.map((one, at) => ({ id: idOf.get(all[at] ?? '') ?? 0, issued: one }));
}

/** The numbers of receipts, several of one series in a row, the series in ascending order. */
async function drawAll(ctx: UserContext, day: string, drafts: readonly ReceiptDraft[]) {
  const { db } = ctx;
  const school = await db.selectFrom('academic_school').select('financial_year_month').executeTakeFirst();
  const financialYear = financialYearOf(day, school?.financial_year_month ?? 4);
  const { rows: places } = await sql<{ at: number; seriesId: number; code: string; branchId: number | null }>`
    select asked.at - 1 as at, series.id as "seriesId", series.code, series.branch_id as "branchId"
    from unnest(${drafts.map(({ receiptSeriesId }) => receiptSeriesId)}::integer[],
      ${drafts.map(({ branchId }) => branchId)}::integer[]) with ordinality as asked (receipts, branch, at)
    cross join lateral (select id, code, branch_id from number_series where code = 'fee-receipt-' || asked.receipts
      and (branch_id is null or branch_id = asked.branch) order by branch_id nulls last limit 1) as series
    order by series.code, series.id, at`.execute(db);
  const { rows: current } = await sql<{ name: string }>`
    select name from academic_year where id = academic_year_on(${day}::date)`.execute(db);
  const years = { academicYear: current[0]?.name ?? '', financialYear };
  const drawn: ({ number: string; period: string; value: number; seriesId: number } | undefined)[] = [];
  for (const [seriesId, own] of Map.groupBy(places, (place) => place.seriesId)) {
    const [first] = own;
    if (!first) continue;
    const numbers = await drawNumbers(db, { code: first.code, branchId: first.branchId }, years, own.length);
    own.forEach(({ at }, index) => {
      const number = numbers[index];
      if (number) drawn[at] = { ...number, seriesId };
    });
  }
  return drawn.filter((one) => one !== undefined);
}

async function headOf(ctx: Context) {
  const { name, lines } = await ctx.readPaperHead(ctx);
  return { name, lines };
}

/** Notes that receipts are printed, and returns how each is printed now: the first print is the original. */
export async function printReceipts(ctx: UserContext, receiptIds: readonly number[]): Promise<ReceiptPaper[]> {
  await insertRows(
    ctx.db,
    'fee_receipt_print',
    receiptIds.map((receipt_id) => ({ receipt_id, staff_id: ctx.user.staffId })),
  );
  return readPapers(ctx, receiptIds);
}

/** Receipts as they were printed last. */
export async function readPapers({ db }: Pick<Context, 'db'>, receiptIds: readonly number[]): Promise<ReceiptPaper[]> {
  const { rows } = await sql<{
    id: number;
    issued: IssuedReceipt;
    prints: number;
    isCancelled: boolean;
    amount: number;
  }>`
    select receipt.id, payment.amount, issued_as as issued, payment.ended_as is not null as "isCancelled",
      (select count(*)::integer from fee_receipt_print where receipt_id = receipt.id) as prints
    from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
    where receipt.id = any(${receiptIds}::integer[]) order by receipt.id`.execute(db);
  return rows.map(({ id, issued, prints, isCancelled, amount }) => ({
    ...issued,
    id,
    copy: prints <= 1 ? text`Original` : text`Duplicate ${{ number: prints - 1 }}`,
    isCancelled,
    payment: { amount, inWords: amountInWords(amount) },
  }));
}
