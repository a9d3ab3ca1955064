import { sql } from 'kysely';
import { type MoneyEntry, postEntries } from '#features/fee-price/api.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type OwedFine, readFines } from './read-dues.ts';

/** The fines that these parts post: of dues that they pay, and those that they pay themselves. */
export const finesTouched = (fines: readonly OwedFine[], parts: ReadonlyMap<string, number>) =>
  fines.filter(
    ({ key, dueIds, accrued }) => accrued > 0 && (parts.has(key) || dueIds.some((id) => parts.has(`due ${id}`))),
  );

/** The dues to which fines are posted; a due that is missing is added. Returns the due of each fine by its key. */
export async function storeFineDues({ db }: Pick<Context, 'db'>, fines: readonly OwedFine[]) {
  const dueOf = new Map(fines.flatMap(({ key, dueId }) => (dueId === null ? [] : [[key, dueId] as const])));
  const added = fines.filter(({ dueId }) => dueId === null);
  if (added.length === 0) return dueOf;
  const { rows } = await sql<{ id: number; accountId: number; ruleId: number; fineOf: string }>`
    insert into fee_due (account_id, academic_year_id, kind, receipt_series_id, gst_rate, label, due_on, fine_rule_id, fine_of)
    select account_id, academic_year_id, 'Fine', receipt_series_id, 0, label, due_on, fine_rule_id, fine_of
    from jsonb_populate_recordset(null::fee_due, ${JSON.stringify(
      added.map(({ accountId, academicYearId, receiptSeriesId, fineOf, ruleId }) => ({
        account_id: accountId,
        academic_year_id: academicYearId,
        receipt_series_id: receiptSeriesId,
        label: 'Late fine',
        due_on: fineOf,
        fine_rule_id: ruleId,
        fine_of: fineOf,
      })),
    )}::jsonb)
    returning id, account_id as "accountId", fine_rule_id as "ruleId", fine_of as "fineOf"`.execute(db);
  for (const fine of added) {
    const row = rows.find(
      (one) => one.accountId === fine.accountId && one.ruleId === fine.ruleId && one.fineOf === fine.fineOf,
    );
    if (row) dueOf.set(fine.key, row.id);
  }
  return dueOf;
}

/** The entries that post what of fines is not posted yet, on their dues. */
export const fineEntries = (fines: readonly OwedFine[], dues: ReadonlyMap<string, number>, day: string): MoneyEntry[] =>
  fines.map(({ accountId, accrued, key, receiptSeriesId, academicYearId }) => ({
    accountId,
    dueId: dues.get(key) ?? null,
    receiptSeriesId,
    academicYearId,
    kind: 'Fine',
    day,
    dueOn: day,
    amount: accrued,
  }));

/** Posts the late fines of accounts up to a day. The accounts are locked. Returns how many, and what they come to. */
export async function postFines(ctx: Pick<Context, 'db' | 'now'>, accountIds: readonly number[], until: string) {
  const owed = (await readFines(ctx, accountIds, until)).filter(({ accrued }) => accrued > 0);
  const dues = await storeFineDues(ctx, owed);
  await postEntries(ctx, fineEntries(owed, dues, toLocalDate(ctx.now())));
  return { count: owed.length, amount: owed.reduce((sum, { accrued }) => sum + accrued, 0) };
}
