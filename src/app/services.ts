import { join } from 'node:path';
import type { Logger } from 'pino';
import { findLinkHolder } from '#features/admission/server/link.ts';
import type { Config } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { openDatabase } from '#kit/server/database.ts';
import { openFileStore } from '#kit/server/files.ts';
import { openKeys } from '#kit/server/keys.ts';
import { migrate } from '#kit/server/migrations.ts';

export interface OpenServices {
  services: Services;
  close: () => Promise<void>;
}

/** Opens everything a process works with: migrated database, keys, file store. Throws a plain sentence when it cannot. */
export async function openServices(config: Config, log: Logger): Promise<OpenServices> {
  await migrate(config.databaseOwnerUrl);
  const db = openDatabase({
    url: config.databaseUrl,
    named: config.namedStatements,
    onLost: (error) => log.warn({ error }, 'A connection to the database was lost'),
  });
  try {
    const keys = await openKeys(db, config);
    const files = openFileStore(join(config.folder, 'files'), keys.data);
    const services = { db, keys, files, now: () => new Date(), publicUrl: config.publicUrl, findLinkHolder };
    return { services, close: () => db.destroy() };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
