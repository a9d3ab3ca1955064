import { CsvError, parse } from 'csv-parse/sync';
import { unzipSync, zipSync } from 'fflate';
import readWorkbook from 'read-excel-file/universal';
import type { TableColumns } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import {
  importBytes,
  longestCell,
  longestHeading,
  mostHeadings,
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
import { hiddenSheets, showCells } from './shown-cells.ts';

/** A non-empty row of a file, and the line it ends on. */
export interface FileRow {
  line: number;
  cells: string[];
  /** The places of cells that are days in the workbook, and need no reading. */
  days?: number[];
}

/** A file whose headings are matched with columns. */
export interface Table {
  heads: string[];
  /** The field of each column; null for one that is left out. */
  names: (string | null)[];
  rows: FileRow[];
}

export const refuse = (message: Text) => fieldRefusal('file', message);

const noTable = text`Choose an Excel file (.xlsx) or a CSV UTF-8 file.`;

const notThis = (kind: Text) => text`This is ${{ kind }}. Open it and save it as .xlsx.`;

/** What a file is by its content, where it is no table of text: programs and portals also name web pages .xls. */
function otherText(file: string): Text | undefined {
  const start = file.slice(0, 2000).trimStart().toLowerCase();
  if (start.startsWith('%pdf')) return text`a PDF file`;
  if (start.startsWith('\u00d0\u00cf') || file.startsWith('\ufffd\ufffd\u0011')) return text`an old Excel file (.xls)`;
  if (/^<(!doctype html|html|head|body|table|meta|style)/.test(start)) return text`a web page with a table`;
  if (/^<\?xml/.test(start)) return text`an XML file`;
  if (/^(mime-version|from:|content-type):/.test(start)) return text`a web page in an archive (.mht)`;
  return /^[[{]\s*["[{]/.test(start) ? text`a file of a program (JSON)` : undefined;
}

/** What an archive is that has no workbook. */
function otherArchive(parts: Readonly<Record<string, Uint8Array>>, names: readonly string[]): Text | undefined {
  if (parts['xl/workbook.xml'] || names.some((name) => /^xl\/workbook/.test(name))) return undefined;
  if (names.includes('content.xml')) return text`a LibreOffice file (.ods)`;
  if (names.some((name) => name.endsWith('.iwa'))) return text`a Numbers file`;
  if (names.some((name) => name.startsWith('word/'))) return text`a Word file (.docx)`;
  return names.length > 0 ? text`an archive without a workbook` : undefined;
}

/** The table of an imported file; errors name the sheet where a workbook shows several. */
export async function readFileTable(file: string, known: TableColumns): Promise<Table> {
  const { rows, sheet, sheets } = await openFile(file, { known });
  try {
    return readTable(known, rows);
  } catch (error) {
    throw sheets.length > 1 && error instanceof AppError ? ofSheet(sheet, error) : error;
  }
}

const ofSheet = (sheet: string, { code, text: words, fields, data }: AppError) =>
  new AppError(code, words, {
    fields: { ...fields, ...(fields.file && { file: text`Sheet “${{ sheet }}”: ${{ message: fields.file }}` }) },
    data,
  });

/** A sheet with rows; a CSV file is one without a name. */
interface SheetName {
  name: string;
  isHidden: boolean;
  rows: number;
}

export interface OpenedFile {
  rows: FileRow[];
  /** The name of the sheet that is read, and the sheets with rows. */
  sheet: string;
  sheets: SheetName[];
}

interface Opening {
  known?: TableColumns | undefined;
  /** The name of the sheet to read; by default the first visible one that has most of the headings. */
  wanted?: string | undefined;
  /** The rows in which headings are looked for. */
  first?: number;
}

/** Parses an imported file: a sheet of a workbook, or CSV. */
export async function openFile(file: string, opening: Opening = {}): Promise<OpenedFile> {
  const isWorkbook = file.startsWith(workbookMark);
  const other = isWorkbook ? undefined : otherText(file);
  if (other) throw refuse(notThis(other));
  if (file.startsWith('PK\u0003\u0004')) throw refuse(noTable);
  if (!isStorable(file) || file.includes('\ufffd')) throw refuse(noTable);
  const bytes = isWorkbook ? Buffer.from(file.slice(workbookMark.length), 'base64') : Buffer.from(file);
  if (bytes.length > importBytes) throw refuse(tooLargeMessage);
  const { rows, count, sheet, sheets } = isWorkbook
    ? await readSheet(bytes, opening)
    : ofCsv(parseRows(file, mostImported + 1 + (opening.first ?? 0), opening.known));
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  if (count < 2) {
    const refusal = refuse(text`This file has no rows. Add rows below the headings.`);
    throw visible.length > 1 ? ofSheet(sheet, refusal) : refusal;
  }
  if (count - 1 > mostImported + (opening.first ?? 0))
    throw refuse(text`This file has ${{ rows: count - 1 }} rows. Import at most ${{ most: mostImported }} at a time.`);
  const long = rows.find(({ cells }) => cells.some((cell) => cell.length > longestCell));
  if (long)
    throw refuse(
      text`Line ${{ line: long.line }} has a text that is too long. Use at most ${{ most: longestCell }} characters.`,
    );
  return { rows: rows.map(({ cells, ...row }) => ({ ...row, cells: withoutEnd(cells) })), sheet, sheets };
}

const ofCsv = ({ rows, count }: { rows: FileRow[]; count: number }) => ({
  rows,
  count,
  sheet: '',
  sheets: [{ name: '', isHidden: false, rows: count }],
});

/** The non-empty rows of a workbook's sheet. A formula counts by its stored value. */
async function readSheet(bytes: Buffer, { known, wanted, first }: Opening): Promise<OpenedFile & { count: number }> {
  let unpacked = 0;
  let hidden = new Set<string>();
  const names: string[] = [];
  const read = async () => {
    const parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.push(name);
        if (!/\.(xml|rels)$/.test(name)) return false;
        unpacked += originalSize;
        return unpacked <= unpackedBytes;
      },
    });
    if (unpacked > unpackedBytes || Object.values(parts).some(hasLongPart)) throw refuse(tooMuchMessage);
    const other = otherArchive(parts, names);
    if (other) throw refuse(notThis(other));
    hidden = hiddenSheets(parts);
    showCells(parts);
    // Packed without compression: the library unpacks large parts in a thread, which this process may not start.
    return readWorkbook(zipSync(parts, { level: 0 }).buffer as ArrayBuffer, { trim: false });
  };
  const all = await read().catch((error) => {
    throw error instanceof AppError ? error : refuse(uploadMessages.damaged);
  });
  const visible = all.filter(({ sheet }) => !hidden.has(sheet));
  const scores = visible.map(({ data }) =>
    Math.max(0, ...data.slice(0, first ?? mostTitles).map((row) => score(known, row.map(cellText)))),
  );
  const sheet =
    all.find(({ sheet: name }) => name === wanted) ?? visible[Math.max(0, scores.indexOf(Math.max(0, ...scores)))];
  let characters = 0;
  const rows: FileRow[] = [];
  for (const [index, row] of (sheet?.data ?? []).entries()) {
    const cells = withoutEnd(row.map(cellText));
    if (cells.length === 0) continue;
    for (const cell of cells) characters += cell.length;
    // A workbook stores a text once and repeats it without end.
    if (characters > unpackedBytes) throw refuse(tooMuchMessage);
    const days = row.flatMap((cell, place) => ((cell as unknown) instanceof Date ? [place] : []));
    rows.push({ line: index + 1, cells, ...(days.length > 0 && { days }) });
  }
  if (!rows.every(({ cells }) => cells.every(isStorable))) throw refuse(uploadMessages.damaged);
  const sheets = all
    .filter(({ data }) => data.length > 0)
    .map(({ sheet: name, data }) => ({ name, isHidden: hidden.has(name), rows: data.length }));
  return { rows, count: rows.length, sheet: sheet?.sheet ?? '', sheets };
}

/** No cell is longer in XML: 32,767 characters, each written as an entity. */
const longestPart = 200_000;

/** Whether a tag with its text is so long that the library, which reads in chunks, would read it again and again. */
function hasLongPart(xml: Uint8Array): boolean {
  for (let at = 0; at < xml.length; ) {
    const next = xml.indexOf(60, at + 1);
    const end = next < 0 ? xml.length : next;
    if (end - at > longestPart) return true;
    at = end;
  }
  return false;
}

/** A workbook's cell as a CSV file has it: a day as DD-MM-YYYY, a number without grouping. */
function cellText(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10).split('-').reverse().join('-');
  if (typeof cell === 'boolean') return cell ? 'Yes' : 'No';
  return String(cell ?? '');
}

/** Titles of a school stand above the headings. */
const mostTitles = 10;
const firstRows = <Row>(rows: readonly Row[]) => rows.slice(0, mostTitles);

/** How many cells of a row are headings of columns. */
function score(known: TableColumns | undefined, cells: readonly string[]): number {
  const columns = Object.values(known?.columns ?? {});
  const words = new Set([
    ...columns.flatMap(({ label, alsoNamed = [] }) => [english(label), ...alsoNamed].map(bare)),
    ...(known?.whole?.alsoNamed.map(bare) ?? []),
  ]);
  return new Set(cells.map((cell) => bare(plain(cell))).filter((cell) => words.has(cell))).size;
}

/**
 * Finds the columns by the first of the first rows of a file that has most headings. Throws `invalid` with the errors
 * of the file.
 */
function readTable(known: TableColumns, all: FileRow[]): Table {
  const scores = firstRows(all).map(({ cells }) => score(known, cells));
  const [head, ...rows] = all.slice(Math.max(0, scores.indexOf(Math.max(0, ...scores))));
  const heads = head?.cells ?? [];
  refuseHeads(heads);
  // A merged heading leaves empty headings after it.
  const isEmpty = (index: number) => rows.every(({ cells }) => (cells[index] ?? '').trim() === '');
  const names = namesOf(known, heads, isEmpty);
  const wide = rows.find(({ cells }) => cells.length > names.length);
  if (wide) throw refuse(text`Line ${{ line: wide.line }} can’t be read. Check its commas and quotation marks.`);
  return { heads, names, rows };
}

/** Refuses more or longer headings than a table may have. */
export function refuseHeads(heads: readonly string[]): void {
  if (heads.length > mostHeadings)
    throw refuse(text`This file has ${{ columns: heads.length }} columns. Use at most ${{ most: mostHeadings }}.`);
  const long = heads.findIndex((head) => head.length > longestHeading);
  if (long >= 0)
    throw refuse(
      text`The heading of column ${{ column: long + 1 }} is too long. Use at most ${{ most: longestHeading }} characters.`,
    );
}

/** Removes the empty cells that spreadsheets leave at the end of a row. */
const withoutEnd = (cells: string[]) => cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);

/** The non-empty rows of a CSV file, and the line each ends on. Throws `invalid` for unbalanced quotes. */
export const readRows = (file: string): FileRow[] => parseRows(file, Number.POSITIVE_INFINITY).rows;

/**
 * The character between cells, of which spreadsheets put another where the comma is the decimal separator: the one that
 * parts one of the first rows into most headings, or else the first one that its first row has.
 */
function delimiterOf(file: string, known: TableColumns | undefined): string {
  const lines = file.slice(0, mostHeadings * longestHeading).split(/\r?\n|\r/);
  const marks = [',', ';', '\t', '|'];
  const scores = marks.map((mark) => Math.max(...firstRows(lines).map((line) => score(known, line.split(mark)))));
  const most = Math.max(...scores);
  const best = marks.filter((_, index) => scores[index] === most);
  return best.find((mark) => lines[0]?.includes(mark)) ?? best[0] ?? ',';
}

interface Parsed {
  rows: FileRow[];
  count: number;
}

/**
 * The rows of a CSV file. A lone quotation mark, as in "5" ruler", is read as a character: where the file cannot be parsed
 * otherwise, or where a quoted cell swallows whole rows.
 */
function parseRows(file: string, most: number, known?: TableColumns): Parsed {
  const delimiter = delimiterOf(file, known);
  try {
    const parsed = parseCsv(file, delimiter, most, '"');
    const width = Math.max(0, ...firstRows(parsed.rows).map(({ cells }) => cells.length));
    const isSwallowed = parsed.rows.some(({ cells }) =>
      cells.some(
        (cell) => cell.includes('\n') && cell.split('\n').some((line) => line.split(delimiter).length >= width),
      ),
    );
    return isSwallowed && width > 1 ? parseCsv(file, delimiter, most, null) : parsed;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const plain = parseCsv(file, delimiter, most, null);
    const [head] = plain.rows;
    const isTable = head && head.cells.length > 1 && plain.rows.every(({ cells }) => cells.length <= head.cells.length);
    if (isTable && !plain.rows.some(({ cells }) => cells.some((cell) => /^"[^"]*"$/.test(cell)))) return plain;
    throw refuse(text`Line ${{ line: String(error.lines) }} can’t be read. Check its commas and quotation marks.`);
  }
}

/** Counts all non-empty rows and keeps the first `most`, since a million short rows take much memory. */
function parseCsv(file: string, delimiter: string, most: number, quote: '"' | null): Parsed {
  // For each row of another length the library makes an error, most of whose cost is its stack.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const rows: FileRow[] = [];
    let count = 0;
    parse(file, {
      bom: true,
      delimiter,
      quote,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }) => {
        // Spreadsheets leave rows of separators at the end of a table.
        if (cells.some((cell) => cell.trim() !== '') && ++count <= most) rows.push({ line: lines, cells });
        return null;
      },
    });
    return { rows, count };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The fields named by the heads of a file; null for a column that is left out. */
function namesOf(
  { columns, needed }: TableColumns,
  heads: string[],
  isEmpty: (index: number) => boolean,
): (string | null)[] {
  const all = Object.entries(columns).map(([name, column]) => ({ name, ...column, label: english(column.label) }));
  const byLabel = new Map(all.map(({ name, label }) => [plain(label), name]));
  const isLeftOut = (head: string) => plain(head) === plain(english(reasonsHead));
  const names = heads.map((head) => (isLeftOut(head) ? null : (byLabel.get(plain(head)) ?? null)));
  // A column's own heading goes before another usual one: of "Mobile number" and "Phone" the second is asked about.
  const found = new Set(names);
  const byWords = Map.groupBy(
    all.flatMap(({ name, label, alsoNamed = [] }) => [label, ...alsoNamed].map((words) => ({ name, words }))),
    ({ words }) => bare(words),
  );
  for (const [index, head] of heads.entries()) {
    if (names[index] || isLeftOut(head) || bare(head) === '') continue;
    const other = byWords.get(bare(head))?.find(({ name }) => !found.has(name));
    if (!other) continue;
    names[index] = other.name;
    found.add(other.name);
  }
  const labelsOf = (names: { label: string }[]) => names.map(({ label }) => label);
  const unknown = heads.filter(
    (head, index) => !names[index] && !isLeftOut(head) && !(head.trim() === '' && isEmpty(index)),
  );
  if (unknown[0] !== undefined) {
    const message = text`Unknown column “${{ head: shortened(unknown[0]) }}”. Use these columns: ${{ all: labelsOf(all).join(', ') }}.`;
    throw refuse(message);
  }
  const twice = heads.find((_, index) => names[index] && names.indexOf(names[index]) !== index);
  if (twice) throw refuse(text`The column “${{ head: shortened(twice) }}” appears twice.`);
  const missing = all.filter(({ name }) => needed.includes(name) && !found.has(name));
  if (missing.length > 0) throw refuse(text`The column “${{ heads: labelsOf(missing).join(', ') }}” is missing.`);
  return names;
}

export const shortened = (head: string) => head.trim().slice(0, 60);

/** Its letters and digits alone: "E-mail ID" as "emailid". */
export const bare = (text: string) => sameText(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');

export const plain = (text: string) => {
  const words = sameText(text);
  return words.endsWith(neededMark) ? words.slice(0, -neededMark.length).trim() : words;
};
