import { fieldRefusal } from '#kit/contract/errors.ts';
import { tooMuchMessage } from '#kit/contract/import-limits.ts';
import { type Asker, openLane } from '#kit/server/work/lane.ts';
import { openPool } from '#kit/server/work/pool.ts';
import type { FileRow } from './read-table.ts';

const megabyte = 1024 * 1024;

const parse = openPool({
  program: new URL('../work/table-work.ts', import.meta.url),
  lane: openLane(1, 20),
  seconds: 30,
  // A workbook of 50 MB unpacked takes some 550 MB.
  memory: 700 * megabyte,
  // 5 MB of the shortest cells take three times as much. A workbook may repeat its texts without end.
  result: 16 * megabyte,
  jobs: 1,
  broken: tooMuchMessage,
  tooLarge: tooMuchMessage,
});

/** Parses an imported table in a child process (W24). Throws `invalid` with the errors of the file. */
export async function parseTable(file: string, asker: Asker): Promise<FileRow[]> {
  const parsed = await parse(() => Buffer.from(file), asker);
  if ('refused' in parsed) throw fieldRefusal('file', parsed.refused);
  return JSON.parse(parsed.bytes.toString());
}
