import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Does a background job unless another instance is doing it at this moment (K8); says whether it was done. The lock is
 * the transaction's, so that an instance that dies gives it back. The job works with `db` again and again, since a
 * transaction that rests for 15 seconds is ended by the database.
 */
export async function alone(db: Database, job: string, act: (db: Database) => Promise<void>): Promise<boolean> {
  return db.transaction().execute(async (locked) => {
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`shala job ${job}`}, 0)) as "isOurs"
    `.execute(locked);
    if (!rows[0]?.isOurs) return false;
    await act(locked);
    return true;
  });
}
