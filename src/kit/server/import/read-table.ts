import { CsvError, parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import readWorkbook from 'read-excel-file/universal';
import { AppError, fieldRefusal, problemMessage } from '#kit/contract/errors.ts';
import {
  importBytes,
  mostImported,
  neededMark,
  reasonsHead,
  tooLargeMessage,
  tooMuchMessage,
  unpackedBytes,
  workbookMark,
} from '#kit/contract/import-limits.ts';
import { isStorable } from '#kit/contract/storable.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import { uploadMessages } from '#kit/contract/uploads.ts';

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
  columns: readonly (readonly [name: string, label: Text, field?: { alsoNamed?: readonly string[] }])[];
  needed: readonly string[];
}

/** The user's matches: the label of a column by a head of the file, or '' to leave it out. */
type Matched = Readonly<Record<string, string>>;

const refuse = (message: Text) => fieldRefusal('file', message);

const noTable = text`Choose an Excel file (.xlsx) or a CSV UTF-8 file.`;

/**
 * Parses an imported file, the first sheet of a workbook or CSV: its heads and all its rows. Throws `invalid` with
 * the errors of the file.
 */
export async function readFile(file: string): Promise<FileRow[]> {
  const isWorkbook = file.startsWith(workbookMark);
  if (['PK\u0003\u0004', '\u00d0\u00cf', '%PDF'].some((start) => file.startsWith(start))) throw refuse(noTable);
  if (!isStorable(file) || file.includes('\ufffd')) throw refuse(noTable);
  const bytes = isWorkbook ? Buffer.from(file.slice(workbookMark.length), 'base64') : Buffer.from(file);
  if (bytes.length > importBytes) throw refuse(tooLargeMessage);
  const { rows, count } = isWorkbook ? await readSheet(bytes) : parseRows(file, mostImported + 1);
  if (count < 2) throw refuse(text`This file has no rows. Add rows below the headings.`);
  if (count - 1 > mostImported)
    throw refuse(text`This file has ${{ rows: count - 1 }} rows. Import at most ${{ mostImported }} at a time.`);
  return rows.map(({ line, cells }) => ({ line, cells: withoutEnd(cells) }));
}

/** The non-empty rows of a workbook's first sheet. A formula counts by its stored value. */
async function readSheet(bytes: Buffer): Promise<{ rows: FileRow[]; count: number }> {
  let unpacked = 0;
  const read = async () => {
    unzipSync(bytes, {
      filter: ({ originalSize }) => {
        unpacked += originalSize;
        return false;
      },
    });
    return unpacked > unpackedBytes ? [] : readWorkbook(new Blob([new Uint8Array(bytes)]), { trim: false });
  };
  const [sheet] = await read().catch(() => {
    throw refuse(uploadMessages.damaged);
  });
  if (unpacked > unpackedBytes) throw refuse(tooMuchMessage);
  const rows = (sheet?.data ?? [])
    .map((cells, index) => ({ line: index + 1, cells: cells.map(cellText) }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (!rows.every(({ cells }) => cells.every(isStorable))) throw refuse(uploadMessages.damaged);
  return { rows, count: rows.length };
}

/** A workbook's cell as a CSV file has it: a day as DD-MM-YYYY, a number without grouping. */
function cellText(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10).split('-').reverse().join('-');
  if (typeof cell === 'boolean') return cell ? 'Yes' : 'No';
  return String(cell ?? '');
}

/**
 * Finds the columns by the first row of a file, and by the user's matches. Throws `invalid` with the errors of the file;
 * for heads that fit no column the data of the error has these heads, and the labels of the columns that were found.
 */
export function readTable(known: Columns, [head, ...rows]: FileRow[], matched: Matched = {}): TableRow[] {
  if (!head) throw refuse(text`This file has no rows. Add rows below the headings.`);
  const names = namesOf(known, head.cells, matched);
  return rows.map(({ line, cells }) => {
    if (cells.length > names.length)
      throw refuse(text`Line ${{ line }} can’t be read. Check its commas and quotation marks.`);
    const named = names.flatMap((name, index) => (name ? [[name, (cells[index] ?? '').trim()]] : []));
    return { line, cells: Object.fromEntries(named) };
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

/** The fields named by the heads of a file; undefined for a column that is left out. */
function namesOf({ columns, needed }: Columns, heads: string[], matched: Matched): (string | undefined)[] {
  const all = columns.map(([, label]) => english(label)).join(', ');
  const findColumn = (head: string) => columns.find(([, label]) => plain(english(label)) === plain(head))?.[0];
  const isLeftOut = (head: string) => matched[head] === '' || plain(head) === plain(english(reasonsHead));
  const names = heads.map((head) => (isLeftOut(head) ? undefined : findColumn(matched[head] ?? head)));
  // A column's own heading goes before another usual one: of "Mobile number" and "Phone" the second is asked about.
  for (const [index, head] of heads.entries())
    if (!names[index] && matched[head] === undefined && !isLeftOut(head))
      names[index] = columns.find((column) => !names.includes(column[0]) && isAlsoNamed(column, head))?.[0];
  const unknown = heads.filter((head, index) => !names[index] && !isLeftOut(head));
  if (unknown[0] !== undefined) {
    const message = text`Unknown column “${{ head: unknown[0].trim().slice(0, 60) }}”. Use these columns: ${{ all }}.`;
    const found = columns.filter(([name]) => names.includes(name)).map(([, label]) => english(label));
    throw new AppError('invalid', problemMessage, { fields: { file: message }, data: { heads: unknown, found } });
  }
  const twice = heads.find((_, index) => names[index] && names.indexOf(names[index]) !== index);
  if (twice) throw refuse(text`The column “${{ head: twice.trim() }}” appears twice.`);
  const missing = columns.filter(([name]) => needed.includes(name) && !names.includes(name));
  if (missing.length > 0)
    throw refuse(text`The column “${{ heads: missing.map(([, label]) => english(label)).join(', ') }}” is missing.`);
  return names;
}

function isAlsoNamed([, label, field]: Columns['columns'][number], head: string): boolean {
  const words = bare(head);
  return words !== '' && [english(label), ...(field?.alsoNamed ?? [])].some((name) => bare(name) === words);
}

/** Its letters and digits alone: "E-mail ID" as "emailid". */
const bare = (text: string) => sameText(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');

const plain = (text: string) => {
  const words = sameText(text);
  return words.endsWith(neededMark) ? words.slice(0, -neededMark.length).trim() : words;
};
