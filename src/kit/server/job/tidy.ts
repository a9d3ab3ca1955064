import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';

/** Deletes expired data: answers to repeated requests after 7 days, counted attempts after their window. */
export async function tidy(db: Database) {
  await db.deleteFrom('repeated_request').where('created_at', '<', sql<Date>`now() - interval '7 days'`).execute();
  await db.deleteFrom('attempt').where('window_ends', '<', sql<Date>`now()`).execute();
}
