import type { SheetChange } from '#kit/browser/ui/GridSheet.tsx';
import { readMoney, typedMoney } from '#kit/contract/money.ts';
import type { PriceRow } from '../contract/price-grid.ts';

/** Amounts of a year as they are typed, by row and fee head; only those that differ from what is saved. */
export type Typed = Readonly<Record<string, string>>;

/** Whether a typed amount is none; an empty one takes the head out. */
export const isWrong = (typed: string): boolean => typed !== '' && !((readMoney(typed) ?? 0) > 0);

const lineOf = ({ lines }: PriceRow, head: number) => lines.find(({ feeHeadId }) => feeHeadId === head);

/** How many months of the year a head is charged for. */
export const monthsOf = (row: PriceRow, head: number): number => lineOf(row, head)?.months ?? 12;

/** Paise of a year: typed or saved, null for none; the text where it is wrong. */
export function priceIn(typed: Typed, row: PriceRow, head: number): number | string | null {
  const own = typed[`${row.key} ${head}`];
  if (own === undefined) return lineOf(row, head)?.annual ?? null;
  return own === '' ? null : isWrong(own) ? own : (readMoney(own) ?? null);
}

/** What is typed once these cells have changed; amounts of a month are those of all its months. */
export function writeInto(
  typed: Typed,
  changes: readonly SheetChange[],
  rows: ReadonlyMap<string, PriceRow>,
  isMonthly: boolean,
): Typed {
  const next: Record<string, string> = { ...typed };
  for (const { row: key, column, text } of changes) {
    const row = rows.get(key);
    if (!row) continue;
    const paise = readMoney(text);
    const annual = paise && isMonthly ? paise * monthsOf(row, Number(column)) : paise;
    const saved = lineOf(row, Number(column))?.annual;
    if (text === '' ? saved === undefined : annual === saved) delete next[`${key} ${column}`];
    else next[`${key} ${column}`] = annual ? typedMoney(annual) : text;
  }
  return next;
}

/** The year’s total of a row; undefined while an amount of it is wrong. */
export function totalOf(typed: Typed, row: PriceRow): number | undefined {
  const heads = new Set([
    ...row.lines.map(({ feeHeadId }) => feeHeadId),
    ...Object.keys(typed).flatMap((cell) => {
      const [key, head] = cell.split(' ');
      return key === row.key ? [Number(head)] : [];
    }),
  ]);
  const prices = [...heads].map((head) => priceIn(typed, row, head));
  if (prices.some((price) => typeof price === 'string')) return undefined;
  return prices.reduce<number>((sum, price) => sum + Number(price ?? 0), 0);
}

/** The rows with changed amounts, as the server takes them. */
export const rowsToSave = (typed: Typed, rows: readonly PriceRow[]) =>
  rows.flatMap((row) => {
    const cells = Object.entries(typed).flatMap(([cell, text]) => {
      const [key, head] = cell.split(' ');
      const seen = lineOf(row, Number(head))?.annual ?? null;
      // What somebody else saved meanwhile is no change any more.
      if (key !== row.key || isWrong(text) || (readMoney(text) ?? null) === seen) return [];
      return [{ feeHeadId: Number(head), annual: readMoney(text) ?? null, seen }];
    });
    return cells.length > 0 ? [{ id: row.id, version: row.version, cells }] : [];
  });
