import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { type Asker, openLane } from '#kit/server/work/lane.ts';
import { openPool } from '#kit/server/work/pool.ts';
import type { FileRow } from './read-table.ts';

const megabyte = 1024 * 1024;
const unreadable = text`Too much data for one import. Import it in parts.`;

const parse = openPool({
  program: new URL('../work/table-work.ts', import.meta.url),
  lane: openLane(1, 20),
  seconds: 10,
  memory: 300 * megabyte,
  // 2 MB of the shortest cells take some 6 bytes of overhead each.
  result: 16 * megabyte,
  jobs: 1,

  broken: unreadable,
  tooLarge: unreadable,
});

/** Parses an imported table in a child process (W24). Throws `invalid` with the errors of the file. */
export async function parseTable(file: string, asker: Asker): Promise<FileRow[]> {
  const parsed = await parse(() => Buffer.from(file), asker);
  if ('refused' in parsed) throw fieldRefusal('file', parsed.refused);
  return JSON.parse(parsed.bytes.toString());
}
