import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

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
  const rows = entries.map((entry) => ({
    account_id: entry.accountId,
    due_id: entry.dueId,
    receipt_series_id: entry.receiptSeriesId,
    academic_year_id: entry.academicYearId ?? null,
    kind: entry.kind,
    entry_date: entry.day,
    due_on: entry.dueOn,
    amount: entry.amount,
    receipt_id: entry.receiptId ?? null,
    reverses_id: entry.reversesId ?? null,
    change_id: entry.changeId ?? null,
  }));
  const columns = sql`account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on, amount, receipt_id,
    reverses_id, change_id`;
  await sql`insert into fee_ledger_entry (${columns})
    select ${columns} from jsonb_populate_recordset(null::fee_ledger_entry, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  );
}
