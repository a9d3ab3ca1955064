import { sql } from 'kysely';
import { oneTimeForNew, type PricedPlace } from '#features/fee-price/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { ReceiptPaper } from '../contract/receipt.ts';
import { applyAdvance } from './apply-advance.ts';
import { firstSeries } from './receipt-drafts.ts';
import { printReceipts, type ReceiptDraft } from './receipts.ts';
import { type Money, namedPayer, takeMoney } from './take-money.ts';

interface AdmissionFee extends Pick<Money, 'amount' | 'mode' | 'reference' | 'paidOn' | 'backReason' | 'remark'> {
  child: { name: string; inquiryNo: string; grade: string };
  payer: { name: string; mobile: string };
  place: Omit<PricedPlace, 'admissionType'> & { yearId: number };
}

/**
 * Takes the fee of an application, which is locked after the cashier’s day: an advance of the applicant in each receipt series,
 * first for the one-time fees of admission, with its receipts.
 */
export async function recordAdmissionFee(
  ctx: UserContext,
  inquiryId: number,
  { child, payer: adult, place, ...how }: AdmissionFee,
): Promise<{ id: number; receipts: ReceiptPaper[] }> {
  const accountId = await lockApplicant(ctx, inquiryId);
  const drafts = await draftsOf(ctx, { accountId, amount: how.amount, child, place });
  const { id, receiptIds } = await takeMoney(ctx, {
    ...how,
    payer: namedPayer(adult.name, adult.mobile),
    to: { applicant: { inquiryNo: child.inquiryNo, drafts } },
  });
  return { id, receipts: await printReceipts(ctx, receiptIds) };
}

async function lockApplicant({ db }: UserContext, inquiryId: number): Promise<number> {
  await sql`insert into fee_account (inquiry_id) values (${inquiryId}) on conflict do nothing`.execute(db);
  const { rows } = await sql<{
    id: number;
  }>`select id from fee_account where inquiry_id = ${inquiryId} for update`.execute(db);
  return rows[0]?.id ?? 0;
}

/** The receipts by series: the one-time fees of the place as far as the amount reaches, and the rest for admission. */
async function draftsOf(
  ctx: UserContext,
  { accountId, amount, child, place }: Pick<AdmissionFee, 'amount' | 'child' | 'place'> & { accountId: number },
): Promise<ReceiptDraft[]> {
  let left = amount;
  const parts = (await oneTimeForNew(ctx, place)).flatMap(({ name, receiptSeriesId, amount: due }) => {
    const paid = Math.min(left, due);
    left -= paid;
    return paid > 0 ? [{ receiptSeriesId, head: name, due, paid }] : [];
  });
  if (left > 0) {
    const { rows } = await sql<{ name: string; receiptSeriesId: number }>`
      select name, receipt_series_id as "receiptSeriesId" from fee_head where category = 'Admission' and is_active
      order by id limit 1`.execute(ctx.db);
    const [head = { name: 'Advance', receiptSeriesId: await firstSeries(ctx) }] = rows;
    parts.push({ ...head, head: head.name, due: 0, paid: left });
  }
  return [...Map.groupBy(parts, ({ receiptSeriesId }) => receiptSeriesId)].map(([receiptSeriesId, own]) => ({
    accountId,
    receiptSeriesId,
    branchId: place.branchId,
    student: { name: child.name, grNo: '', applicationNo: child.inquiryNo, place: child.grade, rollNo: '' },
    parts: own.map(({ head, due, paid }) => ({ dueId: null, head, label: '', dueOn: '', due, paid })),
    notes: [],
  }));
}

/** The account of an applicant becomes that of the student. Called before the plan is made. */
export async function adoptAccount(
  { db }: Pick<UserContext, 'db'>,
  inquiryId: number,
  studentId: number,
): Promise<void> {
  const { rows } = await sql<{ id: number; hasOther: boolean }>`
    select id, exists (select from fee_account where student_id = ${studentId}) as "hasOther"
    from fee_account where inquiry_id = ${inquiryId} for update`.execute(db);
  const [own] = rows;
  if (!own) return;
  if (own.hasOther) await moveAdvance(db, own.id, studentId);
  else await sql`update fee_account set student_id = ${studentId} where id = ${own.id}`.execute(db);
}

/** A student who comes back has an account already, and gets the advance of the applicant. */
export async function moveAdvance(db: UserContext['db'], from: number, studentId: number) {
  await sql`select from fee_account where student_id = ${studentId} for update`.execute(db);
  await sql`insert into fee_ledger_entry (account_id, receipt_series_id, kind, entry_date, due_on, amount)
    select line.account, receipt_series_id, 'Transfer', school_now()::date, school_now()::date, line.amount
    from fee_advance advance join fee_account student on student.student_id = ${studentId}
    cross join lateral (values (${from}::integer, advance.amount), (student.id, -advance.amount)) as line (account, amount)
    where advance.account_id = ${from} and advance.amount > 0`.execute(db);
}

/** What was paid at admission pays the one-time fees of the plan, which was made since. */
export async function payFromAdmission(ctx: UserContext, studentId: number): Promise<void> {
  const { rows } = await sql<{ id: number; dues: number[] }>`
    select account.id, array_agg(due.id) as dues from fee_account account join fee_due due on due.account_id = account.id
    join fee_frequency frequency on frequency.id = due.frequency_id and frequency.kind = 'One-time'
    where account.student_id = ${studentId} group by account.id`.execute(ctx.db);
  for (const { id, dues } of rows)
    await applyAdvance(ctx, [id], { on: '9999-12-31', isLater: true, dueIds: new Set(dues) });
}
