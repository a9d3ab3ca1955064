import { sql } from 'kysely';
import type { Database } from './database.ts';

const needed = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'];

/** The settings that are off although a power cut could then lose an acknowledged save (J1). */
export async function weakSettings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings where name = any(${needed}) and setting = 'off' order by name
  `.execute(db);
  return rows.map(({ name }) => name);
}
