import type { Logger } from 'pino';
import type { Database } from '#kit/server/database/database.ts';
import { withAdvisoryLock } from '#kit/server/job/jobs.ts';
import { starts } from './bytes.ts';
import type { FileStore } from './store.ts';

/** Younger bytes may belong to a request that has not committed its row yet. */
const oldEnough = 10 * 60 * 1000;
/** From this many on, bytes without rows are deleted only while most files have a row; fewer, while any has one. */
const manyStrangers = 100;

interface Check {
  db: Database;
  files: FileStore;
  now: () => Date;
  log: Pick<Logger, 'info' | 'error'>;
  /** Stops the check early, between two folders. */
  signal?: AbortSignal;
}

interface Found {
  /** Names of bytes without a row. */
  strangers: string[];
  /** Ids of rows without bytes. */
  missing: string[];
  /** The number of rows that have their bytes. */
  whole: number;
}

/**
 * Compares rows and bytes of all stored files (D10). Deletes bytes that had no row for ten minutes, left by failed
 * requests; reports rows without bytes as a loss. One process at a time; undefined in the others.
 */
export async function checkFiles({ db, files, now, log, signal }: Check): Promise<Found | undefined> {
  const found: Found = { strangers: [], missing: [], whole: 0 };
  const isDone = await withAdvisoryLock(db, 'file-check', async (locked) => {
    const before = new Date(now().getTime() - oldEnough);
    for (const start of starts) {
      if (signal?.aborted) return;
      await compare(locked, files, { start, before }, found);
    }
  });
  if (!isDone) return undefined;

  if (found.missing.length > 0) log.error({ ids: found.missing }, 'Stored files have lost their bytes');
  // With the wrong database, or an old copy of it, nearly all files would lack a row; of a young school's few, all.
  const areMany = found.strangers.length >= manyStrangers && found.strangers.length > found.whole;
  const areAll = found.strangers.length > 0 && found.whole === 0;
  if (areMany || areAll) {
    log.error({ files: found.strangers.length }, 'Most files have no row: is this their database? None was removed');
    return found;
  }
  for (const name of found.strangers) await files.remove(name);
  if (found.strangers.length > 0) log.info({ files: found.strangers.length }, 'Removed files that nothing refers to');
  return found;
}

async function compare(
  db: Database,
  files: FileStore,
  { start, before }: { start: string; before: Date },
  found: Found,
) {
  const rowsOf = () =>
    db
      .selectFrom('file')
      .where('id', '>=', `${start}000000-0000-0000-0000-000000000000`)
      .where('id', '<=', `${start}ffffff-ffff-ffff-ffff-ffffffffffff`)
      .select('id')
      .execute();

  // Bytes are written before their row and deleted after it. So a row read after the bytes shows which bytes have none,
  // and a row read before and again after them shows which rows lack bytes.
  const rowsBefore = await rowsOf();
  const stored = await files.list(start);
  const ids = new Set((await rowsOf()).map(({ id }) => id));
  const names = new Set(stored.map(({ name }) => name));
  for (const { name, writtenAt } of stored) {
    if (ids.has(name)) found.whole++;
    else if (writtenAt < before) found.strangers.push(name);
  }
  for (const { id } of rowsBefore) if (ids.has(id) && !names.has(id)) found.missing.push(id);
}
