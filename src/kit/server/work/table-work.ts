// Runs in a child process: parses an imported table and matches its headings with columns.
import type { TableColumns } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import { readPlanned, readStage } from '#kit/server/import/plan-table.ts';
import { readFileTable } from '#kit/server/import/read-table.ts';
import { type Result, serve } from './serve.ts';

/** The first line of a payload; the file follows. */
export interface TableRequest {
  known: TableColumns;
  plan?: ImportPlan | undefined;
}

const none = { heads: [], names: [], rows: [] };

serve(parse);

async function parse(sent: Buffer): Promise<Result> {
  const end = sent.indexOf('\n');
  const { known, plan }: TableRequest = JSON.parse(sent.toString('utf8', 0, end));
  return { bytes: Buffer.from(JSON.stringify(await parsed(sent.toString('utf8', end + 1)))) };

  async function parsed(file: string) {
    try {
      if (known.reads === 'stage') return { ...none, stage: await readStage(file, known, plan) };
      if (!plan) return await readFileTable(file, known);
      return await readPlanned(file, known, plan, known.reads === 'own');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { refused: error.fields.file ?? error.text, data: error.data };
    }
  }
}
