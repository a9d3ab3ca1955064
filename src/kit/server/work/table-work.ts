// Runs in a child process: parses an imported table and matches its headings with columns.
import type { TableColumns } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { readFileTable } from '#kit/server/import/read-table.ts';
import { type Result, serve } from './serve.ts';

/** The first line of a payload; the file follows. */
export interface TableRequest {
  known: TableColumns;
  matched: Record<string, string>;
}

serve(parse);

async function parse(sent: Buffer): Promise<Result> {
  const end = sent.indexOf('\n');
  const { known, matched }: TableRequest = JSON.parse(sent.toString('utf8', 0, end));
  return { bytes: Buffer.from(JSON.stringify(await parsed(sent.toString('utf8', end + 1)))) };

  async function parsed(file: string) {
    try {
      return await readFileTable(file, known, new Map(Object.entries(matched)));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { refused: error.fields.file ?? error.text, data: error.data };
    }
  }
}
