import { sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readSetting } from '#kit/server/settings.ts';
import type { WhereMoney } from '../contract/move.ts';
import { cancelMinutes } from './settings.ts';

/** A payment with receipts in the user's branches alone. Throws `not_found`. */
export async function requirePayment(ctx: UserContext, id: number) {
  const { rows } = await sql<{
    staffId: number;
    paidOn: string;
    takenAt: Date;
    version: number;
    endedAs: string | null;
    branchId: number;
    studentId: number | null;
    amount: number;
    mode: string;
    receiptIds: number[];
    isOpen: boolean;
    isMoved: boolean;
    isUnplaced: boolean;
    isAsked: boolean;
    names: string;
  }>`
    select payment.staff_id as "staffId", payment.paid_on as "paidOn", payment.created_at as "takenAt", payment.version, payment.ended_as as "endedAs",
      min(receipt.branch_id) as "branchId", min(account.student_id) as "studentId", payment.amount, payment.mode,
      coalesce(day.status = 'Open', false) as "isOpen", payment.reissue_of is not null as "isMoved",
      bool_or(account.unplaced_note is not null) as "isUnplaced",
      exists (select from approval where fee_payment_id = payment.id and status = 'Pending')
        or exists (select from fee_reissue where payment_id = payment.id and status = 'Asked') as "isAsked",
      jsonb_agg(receipt.id order by receipt.id) as "receiptIds", string_agg(receipt.receipt_no, ', ' order by receipt.id) as names
    from fee_payment payment
    left join fee_day day on day.id = payment.day_id
    join fee_receipt receipt on receipt.payment_id = payment.id
    join fee_account account on account.id = receipt.account_id
    where payment.id = ${id} group by payment.id, day.id
    having bool_and(${inScope(ctx.user, feeWriters, { branch: sql`receipt.branch_id` })})`.execute(ctx.db);
  const [found] = rows;
  if (!found) throw new AppError('not_found', notFoundMessage);
  return found;
}

type Found = Awaited<ReturnType<typeof requirePayment>>;

/** A payment in the user’s drawer, while it is open. */
export const isInOwnDrawer = (ctx: UserContext, { staffId, paidOn, isOpen, isMoved }: Found) =>
  staffId === ctx.user.staffId && paidOn === toLocalDate(ctx.now()) && isOpen && !isMoved;

/** Whether the user cancels it alone: in the own open drawer, within minutes. A moved payment was decided before. */
export async function isOwnAndFresh(ctx: UserContext, found: Found): Promise<boolean> {
  const age = ctx.now().getTime() - found.takenAt.getTime();
  return isInOwnDrawer(ctx, found) && age <= (await readSetting(ctx, cancelMinutes)) * 60_000;
}

/** Where the money of a payment can be: only cash of the own open drawer is given back. */
export const answersFor = (ctx: UserContext, found: Found): WhereMoney[] => [
  ...(found.mode === 'Cash' && isInOwnDrawer(ctx, found) ? (['Given back now'] as const) : []),
  'It never came',
  ...(found.isUnplaced ? [] : (['The school still has it'] as const)),
];
