import { sql } from 'kysely';
import { type MoneyEntry, postEntries } from '#features/fee-price/api.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { applyAdvance } from './apply-advance.ts';
import { entriesOf } from './end-payment.ts';
import { postFines } from './post-fines.ts';

type Acting = Pick<Context, 'db' | 'now'>;

/** A student who leaves, and the change of the plan that entries of the settlement belong to. */
export interface Leaver {
  accountId: number;
  day: string;
  changeId: number | null;
}

/** What a settlement came to for all its students. */
export interface Settled {
  fines: number;
  deposits: number;
  applied: number;
  refundable: number;
}

/**
 * Settles accounts on leaving: late fines to the last day are posted, deposits are returned to the advance, and advance pays
 * what is still owed in its receipt series. The accounts are locked.
 */
export async function settleLeavers(ctx: Acting, leavers: readonly Leaver[]): Promise<Settled> {
  const today = toLocalDate(ctx.now());
  const ids = accountsOf(leavers);
  const days = [...Map.groupBy(leavers, ({ day }) => [day, today].sort()[0] ?? today)];
  let fines = 0;
  for (const [day, own] of days) fines += (await postFines(ctx, accountsOf(own), day)).amount;
  const deposits = await returnDeposits(ctx, leavers, today);
  let applied = 0;
  for (const [day, own] of days)
    for (const amount of (await applyAdvance(ctx, accountsOf(own), { on: day, isLater: true })).values())
      applied += amount;
  const { rows } = await sql<{ amount: number }>`select coalesce(sum(amount - held), 0)::bigint as amount
    from fee_advance where account_id = any(${ids}::integer[])`.execute(ctx.db);
  return { fines, deposits, applied, refundable: rows[0]?.amount ?? 0 };
}

const accountsOf = (leavers: readonly Leaver[]) => leavers.map(({ accountId }) => accountId);

/** Deposits are no longer charged; what was paid on them is advance. Returns what was paid. */
async function returnDeposits(ctx: Acting, leavers: readonly Leaver[], today: string): Promise<number> {
  const changeOf = new Map(leavers.map(({ accountId, changeId }) => [accountId, changeId]));
  const { rows } = await sql<{
    id: number;
    accountId: number;
    receiptSeriesId: number;
    academicYearId: number | null;
    dueOn: string;
    net: number;
    paid: number;
  }>`
    select due.id, account_id as "accountId", due.receipt_series_id as "receiptSeriesId", academic_year_id as "academicYearId",
      due_on as "dueOn", net, paid
    from fee_due due join fee_head head on head.id = due.fee_head_id
    where account_id = any(${[...changeOf.keys()]}::integer[]) and due.is_refundable and net > 0 order by due.id`.execute(
    ctx.db,
  );
  await postEntries(
    ctx,
    rows.flatMap((due): MoneyEntry[] => {
      const changeId = changeOf.get(due.accountId) ?? null;
      const own = { ...due, dueId: due.id, changeId, day: today };
      return [
        { ...own, kind: 'Credit', dueOn: due.dueOn > today ? due.dueOn : today, amount: -due.net },
        ...(due.paid > 0
          ? entriesOf(due.accountId, { ...own, amount: -due.paid }, today).map((entry) => ({ ...entry, changeId }))
          : []),
      ];
    }),
  );
  return rows.reduce((sum, { paid }) => sum + paid, 0);
}

/**
 * Undoes a settlement: deposits are charged again, and what it moved to the advance returns to its dues as far as it is still
 * there. What was refunded stays owed. The accounts are locked, and their plans charge again.
 */
export async function undoSettlement(ctx: Acting, changeIds: readonly number[]): Promise<void> {
  const today = toLocalDate(ctx.now());
  const { rows } = await sql<{
    id: number;
    accountId: number;
    dueId: number | null;
    receiptSeriesId: number;
    academicYearId: number | null;
    kind: 'Credit' | 'Applied';
    amount: number;
    changeId: number;
    dueOn: string;
    /** Of an entry of a due: the entry of the advance that belongs to it. */
    pairId: number | null;
  }>`
    select entry.id, entry.account_id as "accountId", due_id as "dueId", entry.receipt_series_id as "receiptSeriesId",
      entry.academic_year_id as "academicYearId", entry.kind, entry.amount, change_id as "changeId", entry.due_on as "dueOn",
      (select min(other.id) from fee_ledger_entry other where other.change_id = entry.change_id and other.id > entry.id
        and other.account_id = entry.account_id and other.due_id is null and other.kind = 'Applied'
        and other.receipt_series_id = entry.receipt_series_id and other.amount = -entry.amount) as "pairId"
    from fee_ledger_entry entry left join fee_due due on due.id = entry.due_id
    where change_id = any(${changeIds}::integer[]) and entry.kind in ('Credit', 'Applied') and adjustment_id is null
      and reverses_id is null
      and not exists (select from fee_ledger_entry undone where undone.reverses_id = entry.id)
    order by due.due_on, entry.id`.execute(ctx.db);
  const reversal = ({ id, changeId, dueId, accountId, receiptSeriesId, academicYearId, kind, amount, dueOn }: Row) => ({
    ...{ accountId, dueId, receiptSeriesId, academicYearId, kind, changeId, day: today },
    dueOn: dueOn > today ? dueOn : today,
    amount: -amount,
    reversesId: id,
  });
  type Row = (typeof rows)[number];
  await postEntries(ctx, rows.filter(({ kind }) => kind === 'Credit').map(reversal));
  const { rows: advances } = await sql<{ accountId: number; receiptSeriesId: number; free: number }>`
    select account_id as "accountId", receipt_series_id as "receiptSeriesId", amount - held as free from fee_advance
    where account_id = any(${rows.map(({ accountId }) => accountId)}::integer[])`.execute(ctx.db);
  const { rows: dues } = await sql<{ id: number; room: number }>`select id, net - paid as room from fee_due
    where id = any(${rows.flatMap(({ dueId }) => dueId ?? [])}::integer[])`.execute(ctx.db);
  const rooms = new Map(dues.map(({ id, room }) => [id, room]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const used = new Set<number>();
  await postEntries(
    ctx,
    rows.flatMap((row): MoneyEntry[] => {
      const { accountId, dueId, receiptSeriesId, amount } = row;
      if (row.kind !== 'Applied' || dueId === null || amount < 0) return [];
      const advance = advances.find((one) => one.accountId === accountId && one.receiptSeriesId === receiptSeriesId);
      const part = Math.min(amount, advance?.free ?? 0, rooms.get(dueId) ?? 0);
      if (!advance || part <= 0) return [];
      advance.free -= part;
      rooms.set(dueId, (rooms.get(dueId) ?? 0) - part);
      const pair = row.pairId === null || used.has(row.pairId) ? undefined : byId.get(row.pairId);
      if (part < amount || !pair) return entriesOf(accountId, { dueId, receiptSeriesId, amount: part }, today);
      used.add(pair.id);
      return [reversal(row), reversal(pair)];
    }),
  );
}
