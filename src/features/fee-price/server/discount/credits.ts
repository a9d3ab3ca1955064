import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

/** A credit or write-off of a due. */
export interface Credit {
  kind: 'Credit' | 'Write-off';
  adjustmentId: number | null;
  /** What was granted, and how much of it is in the ledger. */
  granted: number;
  standing: number;
  /** The entry of what stands; null where nothing does. */
  entryId: number | null;
}

/** The credits and write-offs of dues, by due, the oldest first. */
export async function readCredits({ db }: Pick<Context, 'db'>, dueIds: readonly number[]) {
  const { rows } = await sql<Credit & { dueId: number }>`
    select coalesce(entry.due_id, granted.due_id) as "dueId", coalesce(entry.kind, granted.kind) as kind,
      coalesce(entry.adjustment_id, granted.id) as "adjustmentId", coalesce(granted.amount, -entry.amount) as granted,
      coalesce(-entry.amount, 0) as standing, entry.id as "entryId"
    from (select * from fee_ledger_entry own where due_id = any(${dueIds}::integer[]) and kind in ('Credit', 'Write-off')
        and amount < 0 and not exists (select from fee_ledger_entry undoing where undoing.reverses_id = own.id)) as entry
    full join (select * from fee_adjustment where due_id = any(${dueIds}::integer[]) and status = 'Done'
        and kind in ('Credit', 'Write-off')) as granted on granted.id = entry.adjustment_id
    order by coalesce(entry.adjustment_id, granted.id) nulls first, entry.id`.execute(db);
  return Map.groupBy(rows, ({ dueId }) => dueId);
}

/**
 * The entries after which the credits of a due take off what was granted, but no more than the due charges (`room`). The
 * latest one gives way first. An entry never changes: it is reversed, and what fits is posted.
 */
export function refit(credits: readonly Credit[], room: number) {
  let left = room;
  return credits.flatMap(({ kind, adjustmentId, granted, standing, entryId }) => {
    const fits = Math.min(granted, left);
    left -= fits;
    if (fits === standing) return [];
    const undone = entryId === null ? [] : [{ kind, adjustmentId, amount: standing, reversesId: entryId }];
    const posted = fits === 0 ? [] : [{ kind, adjustmentId, amount: -fits, reversesId: null }];
    return [...undone, ...posted];
  });
}
