import { sql } from 'kysely';
import { lockAccounts } from '#features/fee-price/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { ChequeState } from '../contract/cheque.ts';
import { type Cheque, cheques, detailsOf, isTooOld, unpaid } from './cheque.ts';
import { lockDay } from './day.ts';
import { payOldest } from './pay-oldest.ts';

/** The students of cheques, by cheque: whose receipts it paid last, or else the one it was taken for. */
async function studentsByCheque({ db }: UserContext, rows: readonly Cheque[]): Promise<Map<number, number[]>> {
  const { rows: paid } = await sql<{ paymentId: number; ids: number[] }>`
    select receipt.payment_id as "paymentId", array_agg(distinct account.student_id order by account.student_id) as ids
    from fee_receipt receipt join fee_account account on account.id = receipt.account_id
    where receipt.payment_id = any(${rows.flatMap(({ paymentId }) => paymentId ?? [])}::integer[])
      and account.student_id is not null group by 1`.execute(db);
  const byPayment = new Map(paid.map(({ paymentId, ids }) => [paymentId, ids]));
  return new Map(rows.map(({ id, paymentId, studentId }) => [id, byPayment.get(paymentId ?? 0) ?? [studentId]]));
}

const read = (ctx: UserContext, ids: readonly number[]) =>
  cheques(ctx)
    .where('own.id', 'in', [...ids])
    .orderBy('own.id')
    .execute();

/** Cheques that the user reaches, locked after their accounts; refuses one in another state, by its number. */
async function lockCheques(ctx: UserContext, ids: readonly number[], from: readonly ChequeState[]) {
  const found = await read(ctx, ids);
  if (found.length !== new Set(ids).size) throw new AppError('not_found', notFoundMessage);
  if (from.includes('Held') && found.some(({ status }) => unpaid.includes(status))) await lockDay(ctx);
  const students = await studentsByCheque(ctx, found);
  await lockAccounts(ctx, [...new Set([...students.values()].flat())]);
  await sql`select from fee_cheque where id = any(${[...ids]}::integer[]) order by id for update`.execute(ctx.db);
  const rows = await read(ctx, ids);
  const other = rows.find(({ status }) => !from.includes(status));
  if (other)
    throw new AppError('conflict', text`Cheque ${{ number: other.number }} is not to be deposited or cleared now.`);
  return { rows, students };
}

/**
 * Deposits cheques on one slip, all or none. One that was held or bounced becomes a payment of today. Returns their total
 * in paise.
 */
export async function depositCheques(ctx: UserContext, ids: readonly number[], slipNo: string) {
  const { rows, students } = await lockCheques(ctx, ids, ['Received', ...unpaid]);
  const today = toLocalDate(ctx.now());
  for (const { number, datedOn } of rows) {
    if (datedOn > today)
      throw new AppError(
        'conflict',
        text`Cheque ${{ number }} can’t be deposited before ${{ day: showDate(datedOn, today) }}.`,
      );
    if (isTooOld(datedOn, today)) throw new AppError('conflict', text`Cheque ${{ number }} is older than 3 months.`);
  }
  const payments = new Map(rows.map(({ id, paymentId }) => [id, paymentId]));
  // Each of these is a payment of its own, with its receipts.
  for (const row of rows)
    if (unpaid.includes(row.status)) {
      const paying = { ...row, studentIds: students.get(row.id) ?? [], reference: row.number, mode: row.kind };
      payments.set(row.id, await payOldest(ctx, paying));
    }
  await sql`update fee_cheque own set status = 'Deposited', deposited_on = ${today}::date, slip_no = ${slipNo},
      ended_on = null, payment_id = made.payment, version = version + 1
    from unnest(${[...payments.keys()]}::integer[], ${[...payments.values()]}::integer[]) as made (id, payment)
    where own.id = made.id`.execute(ctx.db);
  await auditAll(
    ctx,
    rows.map((row) => ({
      action: 'fee-cheque.deposited',
      entity: 'fee_cheque',
      entityId: row.id,
      version: row.version + 1,
      details: { ...detailsOf(row), 'Slip number': slipNo },
    })),
  );
  return { amount: rows.reduce((sum, { amount }) => sum + amount, 0), numbers: rows.map(({ number }) => number) };
}

/** Marks deposited cheques as cleared; those that bounced before are left as they are. */
export async function clearCheques(ctx: UserContext, ids: readonly number[]): Promise<number> {
  const { rows } = await lockCheques(ctx, ids, ['Deposited', 'Cleared', 'Bounced', 'Returned']);
  const deposited = rows.filter(({ status }) => status === 'Deposited');
  await sql`update fee_cheque set status = 'Cleared', ended_on = ${toLocalDate(ctx.now())}::date, version = version + 1
    where id = any(${deposited.map(({ id }) => id)}::integer[])`.execute(ctx.db);
  await auditAll(
    ctx,
    deposited.map((row) => ({
      action: 'fee-cheque.cleared',
      entity: 'fee_cheque',
      entityId: row.id,
      version: row.version + 1,
      details: detailsOf(row),
    })),
  );
  return deposited.length;
}
