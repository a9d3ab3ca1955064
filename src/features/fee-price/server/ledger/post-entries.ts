import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { fromCamelRow } from '#kit/server/database/row-map.ts';

/** An entry of money in the ledger. A positive amount is owed more. */
export interface MoneyEntry {
  accountId: number;
  /** Null for the advance of the series. */
  dueId: number | null;
  receiptSeriesId: number;
  academicYearId?: number | null;
  kind:
    | 'Receipt'
    | 'Applied'
    | 'Fine'
    | 'Refund'
    | 'Waiver'
    | 'Opening'
    | 'Debit'
    | 'Credit'
    | 'Write-off'
    | 'Transfer';
  day: string;
  dueOn: string;
  amount: number;
  receiptId?: number | null;
  reversesId?: number | null;
  /** The change of a plan that the entry follows from. */
  changeId?: number | null;
}

/** Adds entries in one statement, so that the checks of dues and advances see the finished act. */
export async function postEntries({ db }: Pick<Context, 'db'>, entries: readonly MoneyEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => fromCamelRow({ ...entry, entryDate: entry.day }));
  const columns = sql`account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on, amount, receipt_id,
    reverses_id, change_id`;
  await sql`insert into fee_ledger_entry (${columns})
    select ${columns} from jsonb_populate_recordset(null::fee_ledger_entry, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  );
}
