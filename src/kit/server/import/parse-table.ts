import { AppError, fieldRefusal, problemMessage } from '#kit/contract/errors.ts';
import { tooMuchMessage } from '#kit/contract/import-limits.ts';
import type { Text } from '#kit/contract/text.ts';
import { openPool } from '#kit/server/work/pool.ts';
import { type Caller, openQueue } from '#kit/server/work/queue.ts';
import type { TableRequest } from '../work/table-work.ts';
import type { FileStage, PlannedTable } from './plan-table.ts';
import type { Table } from './read-table.ts';

const megabyte = 1024 * 1024;

const parse = openPool({
  program: new URL('../work/table-work.ts', import.meta.url),
  queue: openQueue(1, 20, 'table'),
  seconds: 30,
  // A workbook of 50 MB unpacked takes some 550 MB.
  memory: 700 * megabyte,
  // 5 MB of the shortest cells take three times as much. A workbook may repeat its texts without end.
  result: 16 * megabyte,
  jobs: 1,
  broken: tooMuchMessage,
  tooLarge: tooMuchMessage,
});

/**
 * Parses an imported table and matches its headings in a child process (W24). Throws `invalid` with the errors of the
 * file.
 */
export async function parseTable(file: string, request: TableRequest, caller: Caller): Promise<ParsedTable> {
  const answer = await parse(() => Buffer.from(`${JSON.stringify(request)}\n${file}`), caller);
  if ('refused' in answer) throw fieldRefusal('file', answer.refused);
  const table: ParsedTable | Refused = JSON.parse(answer.bytes.toString());
  if (!('refused' in table)) return table;
  throw new AppError('invalid', problemMessage, { fields: { file: table.refused }, data: table.data });
}

/** A table, or what the user decides on before it is read. */
export type ParsedTable = PlannedTable & { stage?: FileStage };

interface Refused {
  refused: Text;
  data: Record<string, unknown>;
}

/** A row of a table: its line, and its cells by field name. */
export interface TableRow {
  line: number;
  cells: Record<string, string>;
}

/** The rows with their cells by field name; columns that are left out are omitted. */
export const namedRows = ({ names, rows }: Table): TableRow[] =>
  rows.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(
      names.flatMap((name, index) => (name ? [[name, (cells[index] ?? '').trim()] as const] : [])),
    ),
  }));
