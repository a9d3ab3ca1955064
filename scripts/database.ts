import { join } from 'node:path';
import { findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { say } from './say.ts';

export const folder = process.env.SHALA_FOLDER ?? join(import.meta.dirname, '../var');

/**
 * Sees to it that DATABASE_URL names a running database: the given one, the embedded one that already runs, or the
 * embedded one started now. Gives how to stop what was started.
 */
export async function provideDatabase(): Promise<() => Promise<void>> {
  if (process.env.DATABASE_URL) {
    say('Using the PostgreSQL that DATABASE_URL names');
    return async () => undefined;
  }
  const cluster = join(folder, 'postgres');
  const running = await findRunningPostgres(cluster);
  if (running) {
    process.env.DATABASE_URL = running;
    return async () => undefined;
  }
  say('Starting PostgreSQL');
  const { url, stop } = await startEmbeddedPostgres({ folder: cluster });
  process.env.DATABASE_URL = url;
  return stop;
}
