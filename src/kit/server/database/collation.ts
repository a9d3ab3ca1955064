import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * The order of names in this database, where it is not the one that every school has (docs/guide/operate.md):
 * C.UTF-8, of PostgreSQL itself or of the system.
 */
export async function findOtherOrder(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ order: string }>`
    select coalesce(datlocale, datcollate) as "order" from pg_database where datname = current_database()
      and not (datlocprovider in ('b', 'c') and coalesce(datlocale, datcollate) ~* '^C[.]UTF-?8$')`.execute(db);
  return rows[0]?.order;
}
