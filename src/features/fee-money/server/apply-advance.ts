import { sql } from 'kysely';
import { type MoneyEntry, postEntries } from '#features/fee-price/api.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { entriesOf } from './end-payment.ts';
import { fineEntries, finesTouched, storeFineDues } from './post-fines.ts';
import { readPayable } from './read-dues.ts';

interface Which {
  /** The day for which late fines count. */
  on: string;
  /** Also what is due later than that day. */
  isLater: boolean;
  /** Only these dues. */
  dueIds?: ReadonlySet<number>;
}

/**
 * Advance pays what is owed in its receipt series, the oldest first, but for what refunds have asked for. The accounts are locked.
 * Returns what was paid, by account.
 */
export async function applyAdvance(
  ctx: Pick<Context, 'db' | 'now'>,
  accountIds: readonly number[],
  { on, isLater, dueIds }: Which,
): Promise<Map<number, number>> {
  const today = toLocalDate(ctx.now());
  const { rows: advances } = await sql<{ accountId: number; receiptSeriesId: number; free: number }>`
    select account_id as "accountId", receipt_series_id as "receiptSeriesId", (amount - held)::bigint as free from fee_advance
    where account_id = any(${accountIds}::integer[]) and amount > held`.execute(ctx.db);
  const byAccount = Map.groupBy(advances, ({ accountId }) => accountId);
  const { lines, fines } = await readPayable(ctx, [...byAccount.keys()], on);
  const parts = new Map<string, number>();
  const moves: { accountId: number; key: string; dueId: number | null; receiptSeriesId: number; amount: number }[] = [];
  for (const [accountId, own] of byAccount)
    for (const { key, dueId, receiptSeriesId, owed, isDue } of lines.get(accountId) ?? []) {
      const advance = own.find((one) => one.receiptSeriesId === receiptSeriesId);
      const isWanted = (isDue || isLater) && (!dueIds || (dueId !== null && dueIds.has(dueId)));
      const amount = isWanted ? Math.min(owed, advance?.free ?? 0) : 0;
      if (!advance || amount === 0) continue;
      advance.free -= amount;
      parts.set(key, amount);
      moves.push({ accountId, key, dueId, receiptSeriesId, amount });
    }
  const touched = finesTouched(fines, parts);
  const fineDues = await storeFineDues(ctx, touched);
  await postEntries(ctx, [
    ...fineEntries(touched, fineDues, today),
    ...moves.flatMap(({ accountId, key, dueId, ...move }): MoneyEntry[] =>
      entriesOf(accountId, { ...move, dueId: dueId ?? fineDues.get(key) ?? 0 }, today),
    ),
  ]);
  return new Map(
    [...Map.groupBy(moves, ({ accountId }) => accountId)].map(([accountId, own]) => [
      accountId,
      own.reduce((sum, { amount }) => sum + amount, 0),
    ]),
  );
}
