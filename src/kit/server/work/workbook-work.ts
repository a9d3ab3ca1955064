// Runs in a child process: makes a workbook of a table with a fixed first row.
import { deserialize } from 'node:v8';
import writeExcelFile, { type Feature, type Image, type SheetData } from 'write-excel-file/node';
import { mostImported } from '#kit/contract/import-limits.ts';
import type { Sheet, SheetColumn } from '#kit/server/list/table-file.ts';
import { serve } from './serve.ts';

type Columns = readonly SheetColumn[];
/** The library does not export this type. */
type FileContent = Image['content'];

serve(async (sent) => {
  const { heads, rows, columns } = deserialize(sent) as Sheet;
  const bold = heads.map((value) => ({ value, fontWeight: 'bold' as const }));
  const body = columns ? formatted(columns, rows) : rows;
  const features = columns ? [columnFormats(columns)] : [];
  const widths = heads.map(() => ({ width: 20 }));
  const data: SheetData = [bold, ...body.map((row) => [...row])];
  const book = writeExcelFile(data, { stickyRowsCount: 1, columns: widths }, { features });
  return { bytes: await book.toBuffer() };
});

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
