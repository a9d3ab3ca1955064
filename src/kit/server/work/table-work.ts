// Runs in a child process: parses an imported table.
import { AppError } from '#kit/contract/errors.ts';
import { readFile } from '#kit/server/import/read-table.ts';
import { type Result, serve } from './serve.ts';

serve(parse);

async function parse(sent: Buffer): Promise<Result> {
  try {
    return { bytes: Buffer.from(JSON.stringify(await readFile(sent.toString()))) };
  } catch (error) {
    if (error instanceof AppError) return { refused: error.fields.file ?? error.text };
    throw error;
  }
}
