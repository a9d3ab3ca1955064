import { CsvError, parse } from 'csv-parse/sync';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { mostImported } from '#kit/contract/import-limits.ts';
import { isStorable } from '#kit/contract/storable.ts';
import { english, type Text, text } from '#kit/contract/text.ts';

/** A non-empty row of a file, and the line it ends on. */
export interface FileRow {
  line: number;
  cells: string[];
}

/** A row of a file: its line, and its cells by field name. */
export interface TableRow {
  line: number;
  cells: Record<string, string>;
}

/** The columns that a file may have, and those that it must have, by field name. */
export interface Columns {
  columns: readonly (readonly [name: string, label: Text, ...unknown[]])[];
  needed: readonly string[];
}

const refuse = (message: Text) => fieldRefusal('file', message);

/** Parses an imported CSV file: its heads and at most 5,000 rows. Throws `invalid` with the errors of the file. */
export function readFile(file: string): FileRow[] {
  if (['PK\u0003\u0004', '\u00d0\u00cf', '%PDF'].some((start) => file.startsWith(start)))
    throw refuse(text`This is not a CSV UTF-8 file. In Excel, choose Save As, then CSV UTF-8.`);
  if (!isStorable(file) || file.includes('\ufffd'))
    throw refuse(text`This is not a CSV UTF-8 file. In Excel, choose Save As, then CSV UTF-8.`);
  const { rows, count } = parseRows(file, mostImported + 1);
  if (count < 2) throw refuse(text`This file has no rows. Add rows below the headings.`);
  if (count - 1 > mostImported)
    throw refuse(text`This file has ${{ rows: count - 1 }} rows. Import at most ${{ mostImported }} at a time.`);
  return rows.map(({ line, cells }) => ({ line, cells: withoutEnd(cells) }));
}

/** Finds the columns by the first row of a file. Throws `invalid` with the errors of the file. */
export function readTable(known: Columns, [head, ...rows]: FileRow[]): TableRow[] {
  if (!head) throw refuse(text`This file has no rows. Add rows below the headings.`);
  const names = namesOf(known, head.cells);
  return rows.map(({ line, cells }) => {
    if (cells.length > names.length)
      throw refuse(text`Line ${{ line }} can’t be read. Check its commas and quotation marks.`);
    return { line, cells: Object.fromEntries(names.map((name, index) => [name, (cells[index] ?? '').trim()])) };
  });
}

/** Removes the empty cells that spreadsheets leave at the end of a row. */
const withoutEnd = (cells: string[]) => cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);

/** The non-empty rows of a CSV file, and the line each ends on. Throws `invalid` for unbalanced quotes. */
export const readRows = (file: string): FileRow[] => parseRows(file, Number.POSITIVE_INFINITY).rows;

/** Counts all non-empty rows and keeps the first `most`, since a million short ones take much memory. */
function parseRows(file: string, most: number): { rows: FileRow[]; count: number } {
  const [first = ''] = file.split(/\r?\n/, 1);
  // Where the comma is the decimal separator, spreadsheets put another character between cells.
  const delimiter = [',', ';', '\t'].find((mark) => first.includes(mark)) ?? ',';
  try {
    const rows: FileRow[] = [];
    let count = 0;
    parse(file, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }) => {
        // Spreadsheets leave rows of separators at the end of a table.
        if (cells.some((cell) => cell.trim() !== '') && ++count <= most) rows.push({ line: lines, cells });
        return null;
      },
    });
    return { rows, count };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refuse(text`Line ${{ line: String(error.lines) }} can’t be read. Check its commas and quotation marks.`);
  }
}

/** The fields named by the heads of a file. */
function namesOf({ columns, needed }: Columns, heads: string[]): string[] {
  const plain = (text: string) => text.trim().toLowerCase();
  const all = columns.map(([, label]) => english(label)).join(', ');
  const names = heads.map((head) => {
    const found = columns.find(([, label]) => plain(english(label)) === plain(head));
    if (!found)
      throw refuse(text`Unknown column “${{ head: head.trim().slice(0, 60) }}”. Use these columns: ${{ all }}.`);
    return found[0];
  });
  const twice = heads.find((_, index) => names.indexOf(names[index] ?? '') !== index);
  if (twice) throw refuse(text`The column “${{ head: twice.trim() }}” appears twice.`);
  const missing = columns.filter(([name]) => needed.includes(name) && !names.includes(name));
  if (missing.length > 0)
    throw refuse(text`The column “${{ heads: missing.map(([, label]) => english(label)).join(', ') }}” is missing.`);
  return names;
}
