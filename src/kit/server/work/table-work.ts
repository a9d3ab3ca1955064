// Runs in a child process: parses an imported table.
import { AppError } from '#kit/contract/errors.ts';
import { readFile } from '#kit/server/import/read-csv.ts';
import { type Result, serve } from './serve.ts';

serve(parse);

function parse(sent: Buffer): Result {
  try {
    return { bytes: Buffer.from(JSON.stringify(readFile(sent.toString()))) };
  } catch (error) {
    if (error instanceof AppError) return { refused: error.fields.file ?? error.text };
    throw error;
  }
}
