// Runs in a child process: makes a workbook of a table with a fixed first row.
import { deserialize } from 'node:v8';
import writeExcelFile, { type Feature, type Image, type SheetData } from 'write-excel-file/node';
import { isDay } from '#kit/contract/day.ts';
import { mostImported } from '#kit/contract/import-limits.ts';
import type { Cell, Sheet, SheetColumn } from '#kit/server/list/table-file.ts';
import { serve } from './serve.ts';

type Columns = readonly SheetColumn[];
/** The library does not export this type. */
type FileContent = Image['content'];

serve(async (sent) => {
  const { title = '', heads, rows, columns } = deserialize(sent) as Sheet;
  const bold = heads.map((value) => ({ value, fontWeight: 'bold' as const }));
  const body = columns ? formatted(columns, rows) : rows.map((row) => row.map(written));
  // The filter is put before the choices, as the format of a workbook wants it.
  const features = [...(columns ? [columnFormats(columns)] : []), filterRow(heads.length, body.length)];
  const data: SheetData = [bold, ...body.map((row) => [...row])];
  const book = writeExcelFile(
    data,
    { stickyRowsCount: 1, sheet: sheetName(title), columns: widthsOf(heads, rows) },
    { features },
  );
  return { bytes: await book.toBuffer() };
});

/** What spreadsheets take as the name of a sheet: at most 31 characters, and none of those that formulas need. */
function sheetName(title: string): string {
  const plain = title
    .replaceAll(/[[\]:*?/\\']/g, ' ')
    .trim()
    .slice(0, 31)
    .trim();
  return plain.charAt(0).toUpperCase() + plain.slice(1) || 'Sheet1';
}

/** A day as a date that a spreadsheet can sort and count with; other cells as they are. */
const written = (cell: Cell) =>
  isDay(cell) ? { type: Date, value: new Date(`${cell}T00:00:00Z`), format: formats.date.format } : cell;

const measured = 200;

/** Columns as wide as the longest of their first values. */
const widthsOf = (heads: readonly string[], rows: readonly Cell[][]) =>
  heads.map((head, index) => {
    const longest = rows.slice(0, measured).map((row) => String(row[index] ?? '').length);
    return { width: Math.min(40, Math.max(8, head.length + 4, ...longest.map((length) => length + 2))) };
  });

/** Arrows in the first row by which a spreadsheet filters and sorts. */
const filterRow = (columns: number, rows: number): Feature<FileContent> => ({
  files: {
    transform: {
      'xl/worksheets/sheet{id}.xml': {
        transform: (sheet) =>
          sheet.replace('</sheetData>', `</sheetData><autoFilter ref="A1:${letterOf(columns)}${rows + 1}"/>`),
      },
    },
  },
});

/** 1 is A, 27 is AA. */
const letterOf = (column: number): string =>
  column > 26
    ? letterOf(Math.floor((column - 1) / 26)) + letterOf(((column - 1) % 26) + 1)
    : String.fromCharCode(64 + column);

const formats = {
  text: { type: String, format: '@' },
  date: { type: Date, format: 'dd-mm-yyyy' },
  number: { type: Number, format: 'General' },
};

/** The rows with a format in every cell, and at least one row. */
const formatted = (columns: Columns, rows: Sheet['rows']) =>
  (rows.length > 0 ? rows : [[]]).map((row) =>
    columns.map(({ kind }, index) => ({ ...formats[kind], value: row[index] ?? undefined })),
  );

/** Gives each whole column the format of its second cell, and its choices. */
const columnFormats = (columns: Columns): Feature<FileContent> => ({
  files: {
    transform: {
      'xl/worksheets/sheet{id}.xml': {
        transform: (sheet) => {
          const cells = [...sheet.matchAll(/<c r="([A-Z]+)2" s="(\d+)"/g)].map(([, letters = '', style = '']) => ({
            letters,
            style,
          }));
          const lists = cells.flatMap(({ letters }, index) => choicesOf(columns[index], letters));
          const validations = `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`;
          return sheet
            .replaceAll(/<col min="(\d+)"/g, (col, number) => `${col} style="${cells[number - 1]?.style ?? 0}"`)
            .replace('</sheetData>', `</sheetData>${lists.length > 0 ? validations : ''}`);
        },
      },
    },
  },
});

/** A workbook holds a list of choices in at most 255 characters, between commas. */
function choicesOf({ choices = [] }: SheetColumn = { kind: 'text' }, letters: string): string[] {
  const list = choices.join(',');
  if (list === '' || list.length > 255 || /[,"&<]/.test(choices.join(''))) return [];
  const range = `${letters}2:${letters}${mostImported + 1}`;
  return [
    `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${range}"><formula1>"${list}"</formula1></dataValidation>`,
  ];
}
