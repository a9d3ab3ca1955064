// Runs in a process of the pool: parses a table that was sent for import.
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
