import { type MoneyEntry, postEntries } from '#features/fee-price/api.ts';
import type { Context } from '#kit/server/context.ts';
import { insertTogether } from '#kit/server/database/bulk.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { fineKey, type OwedFine, readFines } from './read-dues.ts';

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
  const rows = await insertTogether(
    db,
    'fee_due',
    added.map(({ accountId, academicYearId, receiptSeriesId, fineOf, ruleId }) => ({
      accountId,
      academicYearId,
      kind: 'Fine',
      receiptSeriesId,
      gstRate: 0,
      label: 'Late fine',
      dueOn: fineOf,
      fineRuleId: ruleId,
      fineOf,
    })),
    ['id', 'account_id', 'fine_rule_id', 'fine_of'],
  );
  for (const { id, account_id: accountId, fine_rule_id: ruleId, fine_of: fineOf } of rows)
    dueOf.set(fineKey({ accountId, ruleId: Number(ruleId), fineOf: String(fineOf) }), id);
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
