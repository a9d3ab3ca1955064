import writeExcelFile from 'write-excel-file/node';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { TableKind } from '#kit/contract/served-file.ts';
import type { UserContext } from './context.ts';
import { csvOf } from './csv.ts';
import { dayAt } from './day.ts';
import { makePaper } from './paper.ts';

type Cell = string | number | null;

export interface Table {
  /** The file's, without its ending. */
  name: string;
  /** What it is called on paper, and what it is about. */
  title: string;
  facts?: [name: string, value: string][];
  heads: readonly string[];
  rows: readonly Cell[][];
}

/** What is longer is looked for in a spreadsheet; setting it would take half a minute and more. */
const mostPrinted = 500;

/**
 * A table as a file people keep: CSV, a workbook whose first row stays in sight, or a paper with the school's head. Throws
 * `conflict` for a paper of more than 500 rows.
 */
export async function tableFile(ctx: UserContext, { name, title, facts = [], heads, rows }: Table, as: TableKind) {
  switch (as) {
    case 'csv':
      return { mediaType: 'text/csv', name: `${name}.csv`, bytes: csvOf(heads, rows) };
    case 'xlsx':
      return {
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        name: `${name}.xlsx`,
        bytes: await workbookOf(heads, rows),
      };
    case 'pdf':
      if (rows.length > mostPrinted)
        throw new AppError(
          'conflict',
          `These are more than ${mostPrinted} rows. Narrow the list, or take it for Excel.`,
        );
      return {
        mediaType: 'application/pdf',
        name: `${name}.pdf`,
        bytes: await makePaper({
          ...{ head: await ctx.readPaperHead(ctx), title, facts },
          table: printed(heads, rows),
          made: `Printed on ${showDate(dayAt(ctx.now()))} by ${ctx.user.name}`,
          signatures: [],
        }),
      };
  }
}

const workbookOf = (heads: readonly string[], rows: readonly Cell[][]) =>
  writeExcelFile([heads.map((value) => ({ value, fontWeight: 'bold' as const })), ...rows], {
    stickyRowsCount: 1,
    columns: heads.map(() => ({ width: 20 })),
  }).toBuffer();

const day = /^\d{4}-\d{2}-\d{2}$/;
const printedCell = (cell: Cell) => (typeof cell === 'string' && day.test(cell) ? showDate(cell) : String(cell ?? ''));

/** Days as people read them, and columns as wide as what stands in them, though long texts are folded. */
function printed(heads: readonly string[], given: readonly Cell[][]) {
  const rows = given.map((row) => row.map(printedCell));
  const widths = heads.map((head, column) => {
    const longest = Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0));
    return Math.min(Math.max(longest, 4), 30) + 2;
  });
  return { heads: [...heads], widths, rows };
}
