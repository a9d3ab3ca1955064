import { readDay } from '#kit/contract/day.ts';
import type { TableColumns } from '#kit/contract/endpoint.ts';
import { mostHeadings, type SkipReason } from '#kit/contract/import-limits.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import { headMatcher } from './match-columns.ts';
import { bare, type FileRow, plain, refuseHeads } from './read-table.ts';

/** Titles of a file stand above its headings. */
export const mostTitles = 30;
export const longestShown = 60;

/** A sheet in parts: above its headings, the headings, and the rows below. */
export interface Parts {
  heads: string[];
  headLine: number;
  rows: FileRow[];
  skipped: (FileRow & { why: SkipReason })[];
}

const totals = new Set(['total', 'grandtotal', 'subtotal', 'totals', 'કુલ', 'कुल']);
const wide = 5;

/** Finds the headings, and the rows below them that are no entries. */
export function partsOf(known: TableColumns, all: FileRow[], plan: ImportPlan | undefined): Parts {
  const { from, at, head } = headsAt(known, all, headAt(known, all, plan?.headLine));
  let width = 0;
  for (const { cells } of all.slice(at)) width = Math.max(width, cells.length);
  // Cells without a heading are a column too.
  const heads = Array.from({ length: Math.min(width, mostHeadings + 1) }, (_, index) => head[index] ?? '');
  refuseHeads(heads);
  const kept = new Set(plan?.kept);
  const own = ((all[at] as FileRow).cells ?? []).map(plain).join('\n');
  const columns = heads.filter((cell) => cell.trim() !== '').length;
  const parts: Parts = { heads, headLine: (all[at] as FileRow).line, rows: [], skipped: [] };
  for (const row of all.slice(0, from)) parts.skipped.push({ ...row, why: 'title' });
  for (const row of all.slice(at + 1)) {
    const why = kept.has(row.line) ? undefined : skipReasonOf(row, own, columns);
    if (why) parts.skipped.push({ ...row, why });
    else parts.rows.push(row);
  }
  return parts;
}

/**
 * The headings of a row, with those of the row above or below where two rows are one heading: "Father" over "Name" and
 * "Mobile" makes "Father Name" and "Father Mobile".
 */
function headsAt(known: TableColumns, all: readonly FileRow[], at: number) {
  const cellsAt = (place: number) => all[place]?.cells ?? [];
  const from = [at, at - 1].find((place) => isOver(known, cellsAt(place), cellsAt(place + 1)));
  if (from === undefined) return { from: at, at, head: cellsAt(at) };
  const [upper, lower] = [cellsAt(from), cellsAt(from + 1)];
  const is = headingTest(known);
  let over = '';
  const head = Array.from({ length: Math.max(upper.length, lower.length) }, (_, index) => {
    const [own, below] = [(upper[index] ?? '').trim(), (lower[index] ?? '').trim()];
    over = own || over;
    const both = `${over} ${below}`.trim();
    return below === '' ? own : is(both) || !is(below) ? both : below;
  });
  return { from, at: from + 1, head };
}

function headingTest(known: TableColumns) {
  const match = headMatcher(known);
  return (words: string) => words.length <= longestShown && match(words) !== undefined;
}

/** Whether a row of headings spans those of the row below: a word over an empty neighbour makes one of them whole. */
function isOver(known: TableColumns, upper: readonly string[], lower: readonly string[]): boolean {
  const is = headingTest(known);
  const below = lower.flatMap((cell, index) => (cell.trim() === '' ? [] : [{ index, cell: cell.trim() }]));
  const overOf = (index: number) => (upper.slice(0, index + 1).findLast((one) => one.trim() !== '') ?? '').trim();
  const isWhole = ({ index, cell }: (typeof below)[number]) => overOf(index) !== '' && is(`${overOf(index)} ${cell}`);
  return (
    below.length > 1 &&
    below.every((one) => is(one.cell) || isWhole(one)) &&
    below.some((one) => (upper[one.index] ?? '').trim() === '' && isWhole(one))
  );
}

function skipReasonOf({ cells }: FileRow, heads: string, columns: number): SkipReason | undefined {
  const filled = cells.filter((cell) => cell.trim() !== '');
  if (totals.has(bare(filled[0] ?? ''))) return 'total';
  if (cells.map(plain).join('\n') === heads) return 'heading';
  return filled.length === 1 && columns >= wide ? 'single' : undefined;
}

/** Whether a row has a day in a cell, as entries have, and headings of registers. */
const hasDay = ({ cells }: FileRow) => cells.some((cell) => cell.length <= longestShown && readDay(cell) !== undefined);

/**
 * The place of the row with most headings among the first rows: one word of a row with a day, such as “Cr”, is no heading.
 * Without any, the first of the fullest rows without a day, where other rows have days; else the first row with several cells.
 */
function headAt(known: TableColumns, all: readonly FileRow[], line: number | undefined): number {
  const chosen = line === undefined ? -1 : all.findIndex((row) => row.line === line);
  if (chosen >= 0) return chosen;
  const match = headMatcher(known);
  const first = all.slice(0, mostTitles);
  const scores = first.map((row) => {
    const best = new Map<string, number>();
    for (const cell of row.cells) {
      const found = cell.length > longestShown ? undefined : match(cell);
      if (found) best.set(found.name, Math.max(found.score, best.get(found.name) ?? 0));
    }
    return best.size === 1 && hasDay(row) ? 0 : [...best.values()].reduce((sum, score) => sum + score, 0);
  });
  const most = Math.max(0, ...scores);
  if (most > 0) return scores.indexOf(most);
  const filled = first.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length);
  const withDays = first.map(hasDay);
  const fullest = Math.max(...filled.filter((_, at) => !withDays[at]));
  if (withDays.includes(true) && fullest > 1)
    return filled.findIndex((count, at) => count === fullest && !withDays[at]);
  return Math.max(
    0,
    filled.findIndex((count) => count > 1),
  );
}
