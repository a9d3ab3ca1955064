import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { UserContext } from '#kit/server/context.ts';
import { audit } from '#kit/server/security/audit.ts';
import { lineMessages } from '../contract/line.ts';

/**
 * The one open line that has a whole reference and its amount, of an account of the series. Users with a limit to branches see
 * no line.
 */
export async function findLine(
  { db, user }: UserContext,
  { referenceKey, amount, seriesId }: { referenceKey: string; amount: number; seriesId: number },
): Promise<{ id: number; day: string } | undefined> {
  const { rows } = await sql<{ id: number; day: string }>`
    select line.id, line.day::text as day from bank_line line
    join fee_bank_account account on account.id = line.bank_account_id and account.receipt_series_id = ${seriesId}
    where line.state = 'Open' and line.credit = ${amount} and line.tokens @> array[${referenceKey}::text]
      and ${user.scope.branches.length === 0} limit 2`.execute(db);
  return rows.length === 1 ? rows[0] : undefined;
}

/** Says that a payment taken from a line is what the line is of. Throws `conflict` where it is of something else by now. */
export async function matchWith(ctx: UserContext, lineId: number, paymentId: number) {
  const { rows } = await sql<{ narration: string; credit: number; version: number }>`
    update bank_line set state = 'Matched', payment_id = ${paymentId}, matched_by = ${ctx.user.staffId},
      matched_at = ${ctx.now()}, version = version + 1
    where id = ${lineId} and state = 'Open' returning narration, credit, version`.execute(ctx.db);
  const [line] = rows;
  if (!line) throw new AppError('conflict', lineMessages.open);
  await audit(ctx, {
    action: 'bank-line.matched',
    entity: 'bank_line',
    entityId: lineId,
    version: line.version,
    details: { Line: line.narration.slice(0, 120), Amount: showMoney(line.credit) },
  });
}
