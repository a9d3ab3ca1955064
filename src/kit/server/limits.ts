import { sql } from 'kysely';
import type { Database } from './database.ts';

interface Limit {
  kind: string;
  /** Most hits within the window. */
  most: number;
  windowSeconds: number;
}

/**
 * Counts one hit of `subject` and says how many seconds it must wait; 0 while it is within the limit. One statement,
 * so that requests at the same instant cannot pass together. The window starts with its first hit, by the database's clock.
 */
export async function countHit(db: Database, { kind, most, windowSeconds }: Limit, subject: string): Promise<number> {
  const { rows } = await sql<{ hits: number; wait: number }>`
    insert into attempt (kind, subject, hits, window_ends)
    values (${kind}, ${subject}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (kind, subject) do update set
      hits = case when attempt.window_ends < now() then 1 else attempt.hits + 1 end,
      window_ends = case when attempt.window_ends < now() then excluded.window_ends else attempt.window_ends end
    returning hits, ceil(extract(epoch from window_ends - now()))::integer as wait
  `.execute(db);
  const [row] = rows;
  return row && row.hits > most ? Math.max(1, row.wait) : 0;
}
