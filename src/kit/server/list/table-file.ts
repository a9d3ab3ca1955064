import { serialize } from 'node:v8';
import { isDay, showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { SheetKind, TableKind } from '#kit/contract/served-file.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { csvFile } from '#kit/server/csv-file.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { sheet } from '#kit/server/paper/paper.ts';
import { openPool } from '#kit/server/work/pool.ts';
import { type Caller, openQueue } from '#kit/server/work/queue.ts';

export type Cell = string | number | null;

/** The rows of an exported file, and its titles. */
export interface Table {
  /** The file's name, without its ending. */
  name: string;
  /** The title of the paper, and its facts. */
  title: Text;
  facts?: [name: Text, value: string][];
  heads: readonly Text[];
  rows: readonly Cell[][];
}

const megabyte = 1024 * 1024;
const tooMuch = text`This list is too long. Filter it first.`;

/** A workbook of 10,000 rows takes a processor for a second or two. */
const makeWorkbook = openPool({
  program: new URL('../work/workbook-work.ts', import.meta.url),
  queue: openQueue(1, 20, 'workbook'),
  seconds: 60,
  memory: 900 * megabyte,
  result: 64 * megabyte,
  jobs: 1,

  broken: tooMuch,
  tooLarge: tooMuch,
});

/** Exports a table: as CSV, as a workbook with a fixed first row, or as a paper with the school's head. */
export async function tableFile(ctx: UserContext, { name, title, facts = [], heads, rows }: Table, as: TableKind) {
  switch (as) {
    case 'csv':
    case 'xlsx':
      return sheetFile(ctx, { name, title: english(title), heads: heads.map(english), rows }, as);
    case 'pdf':
      return {
        mediaType: 'application/pdf',
        name: `${name}.pdf`,
        bytes: await ctx.makePaper(
          sheet,
          {
            head: await ctx.readPaperHead(ctx),
            title,
            facts,
            table: { heads: [...heads], rows: rows.map((row) => row.map(printed)) },
            made: text`Printed on ${{ day: showDate(toLocalDate(ctx.now())) }} by ${{ by: ctx.user.name }}`,
            signatures: [],
          },
          ctx.caller,
        ),
      };
  }
}

/** The titles and rows of a workbook's sheet. A cell that is a day, YYYY-MM-DD, becomes a date of the workbook. */
export interface Sheet {
  /** The name of the sheet; that of the file by default. */
  title?: string;
  heads: readonly string[];
  rows: readonly Cell[][];
  /** The columns of a sheet to be filled in; of another one each cell has its own format. */
  columns?: readonly SheetColumn[];
}

/** How a spreadsheet takes what is typed into a column: text stays as typed. */
export interface SheetColumn {
  kind: 'text' | 'date' | 'number';
  /** Offered in each cell. */
  choices?: readonly string[];
}

/** A table as CSV or as a workbook. Throws `conflict` for one that is too long. */
export async function sheetFile(
  { caller }: Pick<UserContext, 'caller'>,
  { name, ...sheet }: Sheet & { name: string },
  as: SheetKind,
) {
  if (as === 'csv')
    return { mediaType: 'text/csv', name: `${name}.csv`, bytes: await csvFile(sheet.heads, sheet.rows) };
  return {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    name: `${name}.xlsx`,
    bytes: await workbookOf({ title: name, ...sheet }, caller),
  };
}

async function workbookOf(table: Sheet, caller: Caller) {
  const made = await makeWorkbook(() => serialize(table), caller);
  if ('refused' in made) throw new AppError('conflict', made.refused);
  return made.bytes;
}

/** Dates in the form people write. */
const printed = (cell: Cell) => (isDay(cell) ? showDate(cell) : String(cell ?? ''));
