import { join } from 'node:path';
import { openAppLogin } from './app-login.ts';
import { findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { say } from './say.ts';

export const folder = process.env.SHALA_FOLDER ?? join(import.meta.dirname, '../var');

/**
 * Sees to it that DATABASE_URL names a running database: the given one, the embedded one that already runs, or the
 * embedded one started now, which has a login for its owner and one for the application. Gives how to stop what was started.
 */
export async function provideDatabase(): Promise<() => Promise<void>> {
  if (process.env.DATABASE_URL) {
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
  const { url, stop } = await startEmbeddedPostgres({ folder: cluster });
  await setAddresses(url);
  return stop;
}

async function setAddresses(ownerUrl: string) {
  process.env.DATABASE_OWNER_URL = ownerUrl;
  process.env.DATABASE_URL = await openAppLogin(ownerUrl);
}
