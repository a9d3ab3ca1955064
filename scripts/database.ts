import { join } from 'node:path';
import { openAppLogin } from './app-login.ts';
import { findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { say } from './say.ts';

export const folder = process.env.SHALA_FOLDER ?? join(import.meta.dirname, '../var');

/**
 * Makes DATABASE_URL name a running database: the given one, the embedded one if it runs already, or else the embedded
 * one started now, with logins for owner and application. Returns a function that stops it.
 */
export async function provideDatabase(): Promise<() => Promise<void>> {
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE) {
    say('Using the PostgreSQL that DATABASE_URL names');
    return async () => undefined;
  }
  const cluster = join(folder, 'postgres');
  const running = await findRunningPostgres(cluster);
  if (running) {
    await setAddresses(running);
    return async () => undefined;
  }
  say('Starting PostgreSQL');
  const { url, stop } = await startEmbeddedPostgres({ folder: cluster, restarts: true });
  await setAddresses(url);
  return stop;
}

async function setAddresses(ownerUrl: string) {
  process.env.DATABASE_OWNER_URL = ownerUrl;
  process.env.DATABASE_URL = await openAppLogin(ownerUrl);
}
