import type { TableColumns } from '#kit/contract/endpoint.ts';
import { editKey, mostImported, mostWords, type SkipReason } from '#kit/contract/import-limits.ts';
import type { ColumnPlan, DayOrder, ImportPlan } from '#kit/contract/import-plan.ts';
import { splitLetter } from '#kit/contract/letter-pair.ts';
import { english, text } from '#kit/contract/text.ts';
import { cleanCode, sameText } from '#kit/contract/typed.ts';
import { hasTitle, splitName, withoutTitles } from '#kit/contract/whole-name.ts';
import { proposeColumns, proposeOrder } from './match-columns.ts';
import { type FileRow, openFile, refuse, shortened, type Table } from './read-table.ts';
import { longestShown, mostTitles, type Parts, partsOf } from './sheet-parts.ts';

const mostShown = 30;
const mostSkippedShown = 100;

export interface PlannedTable extends Table {
  /** The headings of the file, by the places of the plan's columns. */
  fileHeads?: string[];
  /** The columns of the file as they are, where they are asked for. */
  own?: { heads: string[]; rows: FileRow[] };
}

/** What a file holds for the user's decisions, before the words of its cells are looked up. */
export interface FileStage {
  sheets: { name: string; isHidden: boolean; rows: number }[];
  sheet: string;
  headLine: number;
  first: { line: number; cells: string[] }[];
  rows: number;
  skipped: { line: number; cells: string; why: SkipReason }[];
  columns: { head: string; samples: string[]; plan: ColumnPlan | null }[];
  words: { field: string; words: { word: string; count: number }[]; hasMore: boolean }[];
  dates: { field: string; example: string; proposal: DayOrder | null; isMixed: boolean }[];
}

const opening = (known: TableColumns, plan: ImportPlan | undefined) => ({
  known,
  wanted: plan?.sheet,
  first: mostTitles,
});

/** The rows of a file by the user's plan. */
export async function readPlanned(
  file: string,
  known: TableColumns,
  plan: ImportPlan,
  keepsOwn: boolean,
): Promise<PlannedTable> {
  const { rows } = await openFile(file, opening(known, plan));
  const parts = partsOf(known, rows, plan);
  if (parts.rows.length > mostImported)
    throw refuse(
      text`This file has ${{ rows: parts.rows.length }} rows. Import at most ${{ most: mostImported }} at a time.`,
    );
  return planned(known, parts, plan, keepsOwn);
}

/** What a file holds, with the plan's columns or proposed columns. */
export async function readStage(file: string, known: TableColumns, plan: ImportPlan | undefined): Promise<FileStage> {
  const { rows, sheet, sheets } = await openFile(file, opening(known, plan));
  const parts = partsOf(known, rows, plan);
  const { heads, headLine } = parts;
  const columns = columnsOf(known, parts, plan);
  const stage = {
    sheets,
    sheet,
    headLine,
    first: rows.slice(0, mostShown).map(({ line, cells }) => ({ line, cells: cells.slice(0, 40).map(shownCell) })),
    rows: parts.rows.length,
    skipped: parts.skipped
      .slice(0, mostSkippedShown)
      .map(({ line, cells, why }) => ({ line, why, cells: shownCell(cells.filter(Boolean).join(' · ')) })),
    columns: heads.map((head, index) => ({
      head: shownCell(head),
      samples: samplesOf(parts.rows, index, 2).map(shownCell),
      plan: columns[index] ?? null,
    })),
  };
  const decided = planOf(columns, plan);
  const table = planned(known, parts, { ...decided, values: {}, dates: {} }, false);
  return { ...stage, words: wordsOf(known, table), dates: datesOf(known, parts, decided, plan) };
}

const shownCell = (cell: string) => cell.trim().slice(0, longestShown);

const planOf = (columns: readonly (ColumnPlan | null)[], plan: ImportPlan | undefined): ImportPlan => ({
  fileName: '',
  same: {},
  values: {},
  creates: {},
  dates: {},
  edits: {},
  answers: {},
  alike: {},
  kept: [],
  mode: 'all',
  ...plan,
  columns: Object.fromEntries(columns.flatMap((one, index) => (one ? [[String(index), one]] : []))),
});

/** The first filled cells of a column. */
function samplesOf(rows: readonly FileRow[], index: number, most: number): string[] {
  const samples: string[] = [];
  for (const { cells } of rows) {
    const cell = (cells[index] ?? '').trim();
    if (cell !== '' && !samples.includes(cell)) samples.push(cell);
    if (samples.length === most) break;
  }
  return samples;
}

const mostCompared = 200;

function columnsOf(known: TableColumns, { heads, rows }: Parts, plan: ImportPlan | undefined) {
  if (plan && Object.keys(plan.columns).length > 0) return heads.map((_, index) => plan.columns[String(index)] ?? null);
  const proposed = proposeColumns(
    known,
    heads,
    heads.map((_, index) => samplesOf(rows, index, 20)),
  );
  const compared = rows.slice(0, mostCompared);
  const of = (index: number) => compared.map(({ cells }) => cells[index] ?? '');
  const elder = proposed.findIndex((one) => one && one.to === known.whole?.elder);
  return proposed.map((one, index) => {
    if (!one || known.columns[one.to]?.kind !== 'text') return one;
    const names = one.order || /name|father|mother/i.test(heads[index] ?? '') ? of(index) : [];
    const takesTitles = names.some(hasTitle);
    return {
      ...one,
      ...(one.order &&
        one.order !== 'First Middle' && { order: proposeOrder(names.map(withoutTitles), elder < 0 ? [] : of(elder)) }),
      ...(takesTitles && { takesTitles }),
    };
  });
}

/** A column of the table: the file's own, a part of a name, or a value for all rows. */
interface Column {
  name: string | null;
  head: string;
  /** The column of the file whose cell it is. */
  place?: number;
  /** The file lacks it. */
  isAdded?: boolean;
  read: (row: FileRow) => string;
}

function planned(known: TableColumns, { heads, rows }: Parts, plan: ImportPlan, keepsOwn: boolean): PlannedTable {
  const columns: Column[] = heads.flatMap((head, index): Column[] => {
    const own = plan.columns[String(index)];
    const cellOf = ({ cells }: FileRow) => cells[index] ?? '';
    const isKnown = own && Object.hasOwn(known.columns, own.to);
    if (!own || !isKnown) return [{ name: null, head, place: index, read: cellOf }];
    const clean = own.takesTitles ? (row: FileRow) => withoutTitles(cellOf(row)) : cellOf;
    const order = own.order;
    if (own.to === known.pair?.[0] && isPaired(known, plan, rows, cellOf)) {
      const [first, second] = known.pair;
      return [
        { name: first, head, place: index, read: (row) => splitLetter(cellOf(row))?.[0] ?? cellOf(row) },
        { name: second, head: labelOf(known, second), read: (row) => splitLetter(cellOf(row))?.[1] ?? '' },
      ];
    }
    if (!order || !known.whole)
      return [{ name: own.to, head, place: index, read: dated(known, plan, own.to, index, clean) }];
    const { parts } = known.whole;
    const named = order === 'First Middle' ? parts.slice(0, 2) : parts;
    return named.map((name, place) => ({
      name,
      head: place === 0 ? head : labelOf(known, name),
      read: (row) => splitName(clean(row), order, parts.length)[place] ?? '',
    }));
  });
  const names = columns.map(({ name }) => name);
  const twice = columns.find(({ name }, index) => name && names.indexOf(name) !== index);
  if (twice) throw refuse(text`Two columns are matched with “${{ head: shortened(labelOf(known, twice.name)) }}”.`);
  const edits = editsOf(plan);
  const added = new Set([...Object.keys(plan.same), ...edits.names].filter((name) => !names.includes(name)));
  for (const name of added)
    if (Object.hasOwn(known.columns, name))
      columns.push({ name, head: labelOf(known, name), isAdded: true, read: () => sameFor(known, plan, name) });
  const own: FileRow[] = [];
  const read: FileRow[] = [];
  for (const row of rows) {
    const cells = cellsOf(columns, row, plan, edits.of.get(row.line));
    if (!cells) continue;
    read.push({ line: row.line, cells });
    if (keepsOwn) own.push({ line: row.line, cells: ownCells(columns, row, heads.length, edits.of.get(row.line)) });
  }
  const table = {
    heads: columns.map(({ head }) => head),
    names: columns.map(({ name }) => name),
    rows: read,
    fileHeads: heads,
  };
  const ownHeads = [...heads, ...columns.filter(isAdded).map(({ head }) => head)];
  return keepsOwn ? { ...table, own: { heads: ownHeads, rows: own } } : table;
}

/** Whether a column holds both parts of a pair: some cells have two, and the second one has no column of its own. */
function isPaired(
  { pair }: TableColumns,
  plan: ImportPlan,
  rows: readonly FileRow[],
  cellOf: (row: FileRow) => string,
) {
  if (!pair || plan.same[pair[1]] || Object.values(plan.columns).some(({ to }) => to === pair[1])) return false;
  return rows.some((row) => splitLetter(cellOf(row)) !== undefined);
}

/** The label of a field. */
function labelOf({ columns }: TableColumns, name: string | null): string {
  const label = columns[name ?? '']?.label;
  return label ? english(label) : '';
}

/** The corrected cells by line, and the fields that have any. */
function editsOf({ edits }: ImportPlan) {
  const of = new Map<number, Map<string, string>>();
  const names = new Set<string>();
  for (const [key, value] of Object.entries(edits)) {
    const line = Number.parseInt(key, 10);
    const name = key.slice(editKey(line, '').length);
    const row = of.get(line) ?? new Map<string, string>();
    of.set(line, row.set(name, value));
    names.add(name);
  }
  return { of, names };
}

/** The cells of a row after corrections and chosen words; undefined for a row that a word leaves out. */
function cellsOf(
  columns: readonly Column[],
  row: FileRow,
  plan: ImportPlan,
  edits: ReadonlyMap<string, string> | undefined,
): string[] | undefined {
  const cells: string[] = [];
  for (const { name, read } of columns) {
    const cell = read(row);
    const edited = name === null ? undefined : edits?.get(name);
    const words = name === null ? undefined : plan.values[name];
    const word = words && edited === undefined ? sameText(cell) : '';
    if (words && word !== '' && Object.hasOwn(words, word)) {
      const chosen = words[word];
      if (chosen === null || chosen === undefined) return undefined;
      cells.push(chosen);
    } else cells.push(edited ?? cell);
  }
  return cells;
}

const isAdded = (column: Column) => column.isAdded === true;

/** The file's own cells with their corrections, and the values for fields that it lacks. */
function ownCells(
  columns: readonly Column[],
  row: FileRow,
  count: number,
  edits: ReadonlyMap<string, string> | undefined,
): string[] {
  const cells = Array.from({ length: count }, (_, index) => row.cells[index] ?? '');
  for (const { name, place } of columns)
    if (name && place !== undefined && edits?.has(name)) cells[place] = edits.get(name) ?? '';
  return [...cells, ...columns.filter(isAdded).map(({ name, read }) => edits?.get(name ?? '') ?? read(row))];
}

const isDay = (kind: string | undefined) => kind === 'date' || kind === 'birthDate';
const shortDay = /^([0-9]{1,2}) ?[-/.] ?([0-9]{1,2}) ?[-/.] ?([0-9]{2}|[0-9]{4})$/;

/** Reads a column of days in the chosen order, with the century of short years. */
function dated(
  known: TableColumns,
  plan: ImportPlan,
  name: string,
  index: number,
  read: (row: FileRow) => string,
): (row: FileRow) => string {
  const kind = known.columns[name]?.kind;
  if (!isDay(kind)) return read;
  const isMonthFirst = plan.dates[name] === 'MDY';
  return (row) => {
    const cell = read(row);
    const found = row.days?.includes(index) ? null : shortDay.exec(cell.trim());
    if (!found) return cell;
    const [, one = '', two = '', year = ''] = found;
    const [day, month] = isMonthFirst ? [two, one] : [one, two];
    return dayOf(day, month, year);
  };
}

/** The value for all rows; a day is read as in the forms, day first. */
function sameFor({ columns }: TableColumns, { same }: ImportPlan, name: string): string {
  const value = same[name] ?? '';
  const found = isDay(columns[name]?.kind) ? shortDay.exec(cleanCode(value)) : null;
  return found ? dayOf(found[1], found[2], found[3]) : value;
}

const dayOf = (day = '', month = '', year = '') =>
  `${day.padStart(2, '0')}-${month.padStart(2, '0')}-${year.length === 4 ? year : longYear(year)}`;

/** "18" as 2018; what would lie ahead is of the last century. */
function longYear(short: string): string {
  const now = new Date().getFullYear();
  const year = 2000 + Number(short);
  return String(year > now + 1 ? year - 100 : year);
}

/** The kinds whose cells are words of a list. */
const chosenKinds = new Set(['oneOf', 'yesNo', 'ref']);

function wordsOf({ columns }: TableColumns, { names, rows }: Table): FileStage['words'] {
  return names.flatMap((name, index) => {
    if (!name || !chosenKinds.has(columns[name]?.kind ?? '')) return [];
    const counts = new Map<string, { word: string; count: number }>();
    let hasMore = false;
    for (const { cells } of rows) {
      const word = (cells[index] ?? '').trim();
      if (word === '' || word.length > 200) continue;
      const known = counts.get(sameText(word));
      if (known) known.count++;
      else if (counts.size < mostWords) counts.set(sameText(word), { word, count: 1 });
      else hasMore = true;
    }
    return [{ field: name, words: [...counts.values()].sort((one, other) => other.count - one.count), hasMore }];
  });
}

/** How the cells of a column of days can be read; with dots the day is always first. */
function readingsOf(rows: readonly FileRow[], index: number) {
  let [dayFirst, monthFirst] = [0, 0];
  let example = '';
  for (const { cells, days } of rows) {
    const cell = (cells[index] ?? '').trim();
    const found = days?.includes(index) ? null : shortDay.exec(cell);
    if (!found) continue;
    const [one, two] = [Number(found[1]), Number(found[2])];
    if (one > 12 || (cell.includes('.') && two <= 12)) dayFirst++;
    else if (two > 12) monthFirst++;
    else if (one !== two) example ||= cell;
  }
  return { dayFirst, monthFirst, example };
}

/** The columns of days that can be read in two ways; one column of a file decides about another. */
function datesOf({ columns }: TableColumns, { rows }: Parts, plan: ImportPlan, asked: ImportPlan | undefined) {
  const found = Object.entries(plan.columns).flatMap(([place, { to }]) =>
    isDay(columns[to]?.kind) ? [{ field: to, ...readingsOf(rows, Number(place)) }] : [],
  );
  const isDayFirst = found.some(({ dayFirst }) => dayFirst > 0) && found.every(({ monthFirst }) => monthFirst === 0);
  return found.flatMap(({ field, dayFirst, monthFirst, example }): FileStage['dates'] => {
    if (isDayFirst || (example === '' && monthFirst === 0)) return [];
    const proposal = monthFirst > dayFirst ? 'MDY' : dayFirst > 0 ? 'DMY' : null;
    return [{ field, example, proposal: asked?.dates[field] ?? proposal, isMixed: dayFirst > 0 && monthFirst > 0 }];
  });
}
