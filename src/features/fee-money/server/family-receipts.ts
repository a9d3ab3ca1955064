import { sql } from 'kysely';
import { accountsOf } from '#features/fee-price/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { Context } from '#kit/server/context.ts';
import { sheet } from '#kit/server/paper/paper.ts';
import { receiptSheet } from './receipt-sheet.ts';
import { readPapers } from './receipts.ts';

interface FamilyReceipt {
  id: number;
  studentId: number;
  receiptNo: string;
  day: string;
  amount: number;
  mode: 'Cash' | 'UPI' | 'Card' | 'Bank transfer' | 'Net banking' | 'Cheque' | 'Demand draft';
  /** '' for one that counts. */
  ended: '' | 'Cancelled' | 'Bounced';
  /** Whether this guardian may have it as a PDF. */
  hasFile: boolean;
}

/** The latest receipts of a child on the family page. */
const most = 8;

/** Whether an adult of the child has a restriction: then each reads of the own money alone. */
export const isRestricted = sql<boolean>`exists (select from student_guardian bond where bond.student_id = account.student_id
  and (bond.is_barred or bond.restriction <> ''))`;

/**
 * Whether a guardian may read a paper with this payment: who paid it may, and where no adult of the child has a restriction
 * also for the payment of another adult of the household, or of a person who is only a name.
 */
export const mayRead = (
  guardianId: number,
) => sql<boolean>`coalesce(guardian_now(payment.payer_guardian_id) = ${guardianId}
  or (not ${isRestricted} and (payment.payer_guardian_id is null or exists (select from student_household household
    where household.student_id = account.student_id and household.guardian_id = guardian_now(payment.payer_guardian_id)))), false)`;

/** Whether a guardian may have a receipt as a PDF, which names the payer. */
const hasFile = (guardianId: number) => sql<boolean>`(payment.ended_as is null and payment.payer_guardian_id is not null
  and ${mayRead(guardianId)})`;

/** The latest receipts of children: number, day, amount and mode. One whose money was moved is shown by that which followed. */
export async function familyReceipts(
  { db }: Pick<Context, 'db'>,
  guardianId: number,
  studentIds: readonly number[],
): Promise<FamilyReceipt[]> {
  const { rows } = await sql<FamilyReceipt>`
    select receipt.id, receipt.student_id as "studentId", receipt.receipt_no as "receiptNo", receipt.receipt_date::text as day,
      receipt.amount, receipt.mode, receipt.ended, receipt.has_file as "hasFile"
    from unnest(${[...studentIds]}::integer[]) as child (id)
    cross join lateral (
      select receipt.id, account.student_id, receipt.receipt_no, receipt.receipt_date, receipt.amount, payment.mode,
        coalesce(payment.ended_as, '') as ended, ${hasFile(guardianId)} as has_file
      from ${accountsOf(sql`child.id`)} account join fee_receipt receipt on receipt.account_id = account.id
      join fee_payment payment on payment.id = receipt.payment_id
      where payment.ended_as is distinct from 'Reissued'
      order by receipt.receipt_date desc, receipt.id desc limit ${most}) as receipt
    order by child.id, receipt.receipt_date desc, receipt.id desc`.execute(db);
  return rows;
}

/** A receipt as a PDF for a guardian, of children of whom the guardian sees everything. Throws `not_found`. */
export async function familyReceiptFile(ctx: Context, guardianId: number, studentIds: readonly number[], id: number) {
  const { rows } = await sql`select from unnest(${[...studentIds]}::integer[]) as child (id)
    cross join lateral ${accountsOf(sql`child.id`)} account join fee_receipt receipt on receipt.account_id = account.id
    join fee_payment payment on payment.id = receipt.payment_id
    where receipt.id = ${id} and ${hasFile(guardianId)}`.execute(ctx.db);
  const [paper] = rows.length > 0 ? await readPapers(ctx, [id]) : [];
  if (!paper) throw new AppError('not_found', notFoundMessage);
  const language = await ctx.languages.ofReader(ctx, guardianId);
  const bytes = await ctx.makePaper(sheet, receiptSheet(await ctx.readPaperHead(ctx), paper, language), ctx.caller);
  return { mediaType: 'application/pdf', name: `${paper.receiptNo.replaceAll('/', '-')}.pdf`, bytes };
}
