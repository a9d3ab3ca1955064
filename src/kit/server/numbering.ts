import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * The next number of a series, starting at 1. Its row stays locked until the caller's transaction ends, so numbers
 * neither repeat nor skip; take it as late in the transaction as possible.
 */
export async function nextNumber(db: Database, series: string): Promise<number> {
  const { last } = await db
    .insertInto('counter')
    .values({ name: series, last: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ last: sql`counter.last + 1` }))
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}
