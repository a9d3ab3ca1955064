import DataLoader from 'dataloader';
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** So many keys in one statement; a further one is begun for more. */
const mostKeys = 100;

/**
 * Makes a way to find one row by its key, which asks for all that are wanted at the same moment in one statement: a server
 * at work spends more on the way to the database and back than on the row (docs/decisions/0033). Nothing is kept. A
 * statement begins after whoever it is for has asked, so what was ended before that is not found; if it fails, it fails for
 * each of them.
 */
export function batched<Row extends { key: Buffer }>(
  findAll: (db: Database, given: { keys: readonly Buffer[] }) => Promise<Row[]>,
): (db: Database, key: Buffer) => Promise<Row | undefined> {
  const load = async (db: Database, keys: readonly Buffer[]) => {
    const rows = await findAll(db, { keys });
    const byKey = new Map(rows.map((row) => [row.key.toString('hex'), row]));
    return keys.map((key) => byKey.get(key.toString('hex')));
  };
  // The moment ends when all that had arrived was looked at.
  const options = { cache: false, maxBatchSize: mostKeys, batchScheduleFn: (go: () => void) => void setImmediate(go) };
  const loaders = new WeakMap<Database, DataLoader<Buffer, Row | undefined>>();
  return (db, key) => {
    const loader = loaders.get(db) ?? new DataLoader<Buffer, Row | undefined>((keys) => load(db, keys), options);
    loaders.set(db, loader);
    return loader.load(key);
  };
}

/** Any of these keys, to compare a column with: one statement for every number of them, unlike `in`. */
export const anyOf = (keys: readonly Buffer[]) => sql<Buffer>`any(${keys}::bytea[])`;
