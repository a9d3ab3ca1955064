import { sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { sheet } from '#kit/server/paper/paper.ts';
import { mostShifts } from '../contract/day.ts';
import type { WhereMoney } from '../contract/move.ts';
import { paymentApi, type TakenPayment } from '../contract/payment.ts';
import { paymentNo } from '../contract/receipt.ts';
import { cancelPayment } from './cancel-payment.ts';
import { findFamilies, payersOf, payingWith, readCounterChildren } from './family.ts';
import { requirePayment } from './own-payment.ts';
import { take } from './payment.ts';
import { readPayable } from './read-dues.ts';
import { receiptSheet } from './receipt-sheet.ts';
import { printReceipts, readPapers } from './receipts.ts';

const find: Handler<typeof paymentApi.find> = async (ctx, { search }) => ({
  families: await findFamilies(ctx, search),
});

const dues: Handler<typeof paymentApi.dues> = async (ctx, { studentId, guardianId, on: day }) => {
  const today = toLocalDate(ctx.now());
  const on = day || today;
  const family = await readCounterChildren(ctx, await payingWith(ctx, studentId, guardianId), on);
  const asked = family.find((child) => child.studentId === studentId);
  if (!asked || asked.isElsewhere) throw new AppError('not_found', notFoundMessage);
  const accountIds = family.flatMap(({ accountId, isElsewhere }) =>
    accountId === null || isElsewhere ? [] : [accountId],
  );
  const { lines } = await readPayable(ctx, accountIds, on);
  const { rows: advances } = await sql<{ accountId: number; amount: number }>`
    select account_id as "accountId", sum(amount)::bigint as amount from fee_advance
    where account_id = any(${accountIds}::integer[]) group by 1`.execute(ctx.db);
  const { rows: receipts } = await sql<{ accountId: number; id: number }>`
    select account_id as "accountId", max(id) as id from fee_receipt
    where account_id = any(${accountIds}::integer[]) group by 1`.execute(ctx.db);
  const own = family.filter(({ isElsewhere }) => !isElsewhere).map((child) => child.studentId);
  const cheque = await ctx.db
    .selectFrom('fee_cheque')
    .where('student_id', 'in', own)
    .select('bank')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return {
    on,
    today,
    children: family.map(({ accountId, isElsewhere, ...child }) => ({
      ...child,
      ...(isElsewhere && { place: '', grNo: '', net: 0, paid: 0 }),
      isElsewhere,
      lines: isElsewhere ? [] : (lines.get(accountId ?? 0) ?? []),
      advance: advances.find((one) => one.accountId === accountId)?.amount ?? 0,
      lastReceiptId: receipts.find((one) => one.accountId === accountId)?.id ?? 0,
    })),
    payers: await payersOf(ctx, own),
    lastBank: cheque?.bank ?? '',
  };
};

const today: Handler<typeof paymentApi.today> = async (ctx) => {
  const day = toLocalDate(ctx.now());
  const { rows } = await sql<Omit<TakenPayment, 'paymentNo' | 'at'> & { at: Date }>`
    select payment.id, payment.created_at as at,
      coalesce(string_agg(distinct student.name, ', '), nullif(payment.payer_name, ''), max(account.unplaced_note), '') as names,
      count(distinct receipt.account_id)::integer as children, payment.mode, payment.amount,
      coalesce(payment.ended_as, '') as "endedAs", payment.version
    from fee_payment payment
    left join fee_receipt receipt on receipt.payment_id = payment.id
    left join fee_account account on account.id = receipt.account_id
    left join student on student.id = account.student_id
    where payment.staff_id = ${ctx.user.staffId} and payment.paid_on = ${day}::date
    group by payment.id order by payment.id desc limit 8`.execute(ctx.db);
  const { rows: sums } = await sql<{ receipts: number; amount: number }>`
    select count(*)::integer as receipts, coalesce(sum(receipt.amount), 0)::bigint as amount
    from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
    where payment.staff_id = ${ctx.user.staffId} and payment.paid_on = ${day}::date and payment.ended_as is null`.execute(
    ctx.db,
  );
  const [sum = { receipts: 0, amount: 0 }] = sums;
  const shift = await ctx.db
    .selectFrom('fee_day')
    .where('staff_id', '=', ctx.user.staffId)
    .where('day', '=', day)
    .select(['shift', 'closed_at'])
    .orderBy('shift', 'desc')
    .executeTakeFirst();
  return {
    ...sum,
    isClosed: shift?.closed_at != null,
    closedAt: shift?.closed_at?.toISOString() ?? '',
    mayOpenShift: shift?.closed_at != null && shift.shift < mostShifts,
    nextShift: (shift?.shift ?? 0) + 1,
    payments: rows.map(({ at, ...payment }) => ({
      ...payment,
      paymentNo: paymentNo(payment.id),
      at: at.toISOString(),
    })),
  };
};

const print: Handler<typeof paymentApi.print> = async (ctx, { id }) => {
  const { receiptIds } = await requirePayment(ctx, id);
  return { papers: await printReceipts(ctx, receiptIds) };
};

const cancel: Handler<typeof paymentApi.cancel> = (ctx, asked) =>
  cancelPayment(ctx, { ...asked, money: asked.money as WhereMoney });

/** A receipt in the branches that the user reads. Throws `not_found`. */
async function requireReceipt(ctx: UserContext, id: number) {
  const { rows } = await sql`select from fee_receipt where id = ${id}
    and ${inScope(ctx.user, feeReaders, { branch: sql`branch_id` })}`.execute(ctx.db);
  const [paper] = rows.length > 0 ? await readPapers(ctx, [id]) : [];
  if (!paper) throw new AppError('not_found', notFoundMessage);
  return paper;
}

const receipt: Handler<typeof paymentApi.receipt> = async (ctx, { id }) => ({ paper: await requireReceipt(ctx, id) });

const file: Handler<typeof paymentApi.file> = async (ctx, { id }) => {
  const paper = await requireReceipt(ctx, id);
  const bytes = await ctx.makePaper(sheet, receiptSheet(await ctx.readPaperHead(ctx), paper), ctx.caller);
  return { mediaType: 'application/pdf', name: `${paper.receiptNo.replaceAll('/', '-')}.pdf`, bytes };
};

export default routes(paymentApi, { find, dues, today, take, print, cancel, receipt, file });
