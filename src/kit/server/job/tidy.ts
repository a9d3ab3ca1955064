import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';

/** Deletes expired data: answers to repeated requests after 7 days, counted attempts after their window, marks of lists after two years. */
export async function tidy(db: Database) {
  await db.deleteFrom('repeated_request').where('created_at', '<', sql<Date>`now() - interval '7 days'`).execute();
  await db.deleteFrom('taken_list').where('taken_at', '<', sql<Date>`now() - interval '2 years'`).execute();
  await db.deleteFrom('attempt').where('window_ends', '<', sql<Date>`now()`).execute();
}
