import { join } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { readSchoolHead } from '#features/academic/shared.ts';
import { findLinkHolder } from '#features/admission/server/link.ts';
import { findUser, reportAct } from '#features/sign-in/shared.ts';
import type { Config } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { appRole, type Database, openDatabase } from '#kit/server/database.ts';
import { openFileStore } from '#kit/server/files.ts';
import { openKeys } from '#kit/server/keys.ts';
import { migrate } from '#kit/server/migrations.ts';

export interface OpenServices {
  services: Services;
  close: () => Promise<void>;
}

/** A pooler, or options in the address, may drop the role a connection asks for; then nothing would keep the audit safe. */
async function checkRole(db: Database) {
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db);
  if (rows[0]?.role === appRole) return;
  throw new Error(
    `Connections of DATABASE_URL do not work as ${appRole}. Remove options from it, or let them through.`,
  );
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
    await checkRole(db);
    const keys = await openKeys(db, config);
    const files = openFileStore(join(config.folder, 'files'), keys.data);
    const services = {
      db,
      keys,
      files,
      now: () => new Date(),
      publicUrl: config.publicUrl,
      google: config.google,
      readPaperHead: readSchoolHead,
      reportAct,
      findLinkHolder,
      findUser,
    };
    return { services, close: () => db.destroy() };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
