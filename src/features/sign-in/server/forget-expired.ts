import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';
import { isAlive } from './session.ts';

/** Deletes ended sessions, codes and links a day after they expire, and browsers unused for 400 days. */
export async function forgetExpired(db: Database) {
  await db.deleteFrom('sign_in_session as session').where(sql<boolean>`not (${isAlive})`).execute();
  for (const table of ['sign_in_code', 'sign_in_contact', 'sign_in_reset'] as const) {
    await db.deleteFrom(table).where('expires_at', '<', sql<Date>`now() - interval '1 day'`).execute();
  }
  // Messages to addresses without an account.
  await db
    .deleteFrom('outbox')
    .where('status', '=', 'expired')
    .where('template', 'in', ['sign-in-code', 'sign-in-reset'])
    .where('queued_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
  await db.deleteFrom('sign_in_device').where('used_at', '<', sql<Date>`now() - interval '400 days'`).execute();
}
