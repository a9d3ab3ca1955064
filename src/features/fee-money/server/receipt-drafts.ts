import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney, showPercent } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { halfOfGst } from '../contract/gst.ts';
import type { CounterChild } from './family.ts';
import type { readPayable } from './read-dues.ts';
import type { ReceiptDraft } from './receipts.ts';

export type Line =
  ReturnType<Awaited<ReturnType<typeof readPayable>>['lines']['get']> extends (infer One)[] | undefined ? One : never;

interface Known {
  children: readonly CounterChild[];
  lines: ReadonlyMap<number, readonly Line[]>;
  /** What each line is paid, by its key. */
  parts: ReadonlyMap<string, number>;
  /** The due to which each fine is posted, by its key. */
  fineDues: ReadonlyMap<string, number>;
  /** The series in which the rest is advance, where the money lies in its account. */
  seriesId?: number | undefined;
}

/** The receipts of an amount that children pay on a day, by child and series; what no line takes is advance. */
export async function draftsOf(
  ctx: UserContext,
  { amount, paidOn }: { amount: number; paidOn: string },
  { children, lines, parts, fineDues, seriesId }: Known,
): Promise<ReceiptDraft[]> {
  const drafts = children.flatMap((child): ReceiptDraft[] => {
    const own = lines.get(child.accountId ?? 0) ?? [];
    const paid = own.flatMap((line) => {
      const amount = parts.get(line.key) ?? 0;
      if (amount === 0) return [];
      const dueId = line.isFine ? (fineDues.get(line.key) ?? line.dueId) : line.dueId;
      return [{ line, dueId, amount }];
    });
    return [...Map.groupBy(paid, ({ line }) => line.receiptSeriesId)].map(([receiptSeriesId, some]) => ({
      ...ofChild(child, receiptSeriesId),
      parts: some.map(({ line, dueId, amount }) => ({
        dueId,
        head: line.isFine ? 'Late fine' : line.head,
        label: line.isFine ? daysOf(line) : line.label,
        dueOn: line.dueOn,
        due: line.owed,
        paid: amount,
      })),
      notes: [...gstNotes(some), ...stillOwed(own, parts, paidOn)],
    }));
  });
  const left = amount - [...parts.values()].reduce((sum, part) => sum + part, 0);
  if (left === 0) return drafts;
  const next = [...lines].flatMap(([accountId, own]) =>
    own.filter(({ key, owed }) => (parts.get(key) ?? 0) < owed).map((line) => ({ ...line, accountId })),
  );
  const [first] = next
    .filter(({ receiptSeriesId }) => seriesId === undefined || receiptSeriesId === seriesId)
    .toSorted((one, other) => one.dueOn.localeCompare(other.dueOn));
  const child = children.find(({ accountId }) => accountId === first?.accountId) ?? children[0];
  if (!child) return drafts;
  const receiptSeriesId = first?.receiptSeriesId ?? seriesId ?? (await seriesOfAdvance(ctx, child.accountId));
  const advance = { dueId: null, head: 'Advance', label: '', dueOn: '', due: 0, paid: left };
  const same = drafts.find((one) => one.accountId === child.accountId && one.receiptSeriesId === receiptSeriesId);
  if (same) same.parts.push(advance);
  else drafts.push({ ...ofChild(child, receiptSeriesId), parts: [advance], notes: [] });
  return drafts;
}

/** The days that a late fine counts, in English as all that a receipt keeps. */
const daysOf = ({ days }: Line) => (days === 0 ? '' : days === 1 ? '1 day' : `${days} days`);

/** The tax that the paid parts contain, by rate: fees include it. */
function gstNotes(some: readonly { line: { gstRate: number; paid: number }; amount: number }[]): Text[] {
  const taxed = some.filter(({ line }) => line.gstRate > 0);
  return [...Map.groupBy(taxed, ({ line }) => line.gstRate)].map(([rate, own]) => {
    const half = own.reduce((sum, { line, amount }) => sum + halfOfGst(line.paid, amount, rate), 0);
    const paid = own.reduce((sum, { amount }) => sum + amount, 0);
    return text`Includes GST of ${{ rate: showPercent(rate) }}: taxable ${{ taxable: showMoney(paid - 2 * half) }}, CGST ${{ cgst: showMoney(half) }}, SGST ${{ sgst: showMoney(half) }}.`;
  });
}

const ofChild = (child: CounterChild, receiptSeriesId: number) => ({
  accountId: child.accountId ?? 0,
  receiptSeriesId,
  branchId: child.branchId,
  student: { name: child.name, grNo: child.grNo, place: child.place, rollNo: child.rollNo },
});

/** Where the advance of a child goes who owes nothing: to the series of the last due of a plan, or else that of tuition. */
async function seriesOfAdvance(ctx: UserContext, accountId: number | null) {
  const { rows } = await sql<{ id: number | null }>`select coalesce(
      (select receipt_series_id from fee_due where account_id = ${accountId} and kind = 'Plan' order by due_on desc, id desc limit 1),
      (select receipt_series_id from fee_head where category = 'Tuition' and is_active order by priority, id limit 1)) as id`.execute(
    ctx.db,
  );
  return rows[0]?.id ?? (await firstSeries(ctx));
}

export async function firstSeries({ db }: UserContext) {
  const { id } = await db
    .selectFrom('fee_receipt_series')
    .where('is_active', '=', true)
    .orderBy('id')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow(() => new AppError('conflict', text`Add a receipt series in Fee Master first.`));
  return id;
}

/** What a child still owes after the payment, and what is due next. */
function stillOwed(lines: readonly Line[], parts: ReadonlyMap<string, number>, on: string): Text[] {
  const left = lines
    .map((line) => ({ ...line, left: line.owed - (parts.get(line.key) ?? 0) }))
    .filter((line) => line.left > 0);
  const now = left.filter(({ dueOn }) => dueOn <= on).reduce((sum, line) => sum + line.left, 0);
  const [first] = left.filter(({ dueOn }) => dueOn > on);
  const next = left.filter(({ dueOn }) => dueOn === first?.dueOn).reduce((sum, line) => sum + line.left, 0);
  return [
    ...(now > 0 ? [text`Still due today: ${{ amount: showMoney(now) }}.`] : []),
    ...(first ? [text`Next: ${{ amount: showMoney(next) }} on ${{ day: showDate(first.dueOn) }}.`] : []),
  ];
}
