import { basename } from 'node:path';
import pg from 'pg';
import type { Config } from '#kit/server/config.ts';
import {
  type Migration,
  makeTables,
  migrate,
  migrationsFolder,
  prepareServer,
  startersLock,
} from '#kit/server/database/migrations.ts';
import { openBytes } from '#kit/server/files/open-bytes.ts';
import { type FileStore, openFileStore } from '#kit/server/files/store.ts';
import { type KeyRing, openBackupKey, openKnownKeys } from '#kit/server/security/keys.ts';
import { readArchive } from './archive.ts';
import { auditCommand, type ChainEnd, findChainEnd, type Manifest } from './manifest.ts';
import {
  emptyTable,
  findAnyTable,
  listTables,
  loadTable,
  openForLoading,
  setSequences,
  type Table,
  writeAlike,
} from './tables.ts';
import { allOf, checkFiles, checkTables, migrationsOf, readManifest } from './verify.ts';

/** What was put back, in figures. */
interface RestoreFigures {
  madeAt: string;
  tables: number;
  rows: number;
  files: number;
  /** Files whose bytes were missing or damaged when the backup was made. */
  lost: string[];
  /** Tables of the archive that no migration creates; they were not restored. */
  strange: string[];
  /** Migrations that this program has beyond the archive's, run after the restore. */
  migrated: number;
  /** The end of the audit log's chain of seals when the backup was made. */
  audit: ChainEnd;
}

/**
 * Tables whose rows sign people in. Sessions and codes that ended after the backup would work again, so a restore
 * deletes them all.
 */
export const endedTables = ['sign_in_session', 'sign_in_device', 'sign_in_code', 'sign_in_reset', 'sign_in_contact'];

interface Options {
  signal?: AbortSignal;
  /** Another folder of migrations; for the tests. */
  migrations?: string;
}

interface Source {
  path: string;
  ring: KeyRing;
  manifest: Manifest;
  signal?: AbortSignal;
}

/**
 * Restores an archive into an empty database and an empty store. It reads and checks the archive first, restores the
 * tables in one transaction, compares everything, and deletes the stored files if anything fails.
 */
export async function restore(config: Config, path: string, options: Options = {}): Promise<RestoreFigures> {
  const folder = options.migrations ?? migrationsFolder;
  const ring = openBackupKey(config);
  const manifest = await readManifest(path, ring, options.signal);
  const migrations = migrationsOf(manifest, folder);
  const known = manifest.keys.map(({ name, id, proof }) => ({ name, key_id: id, proof: Buffer.from(proof, 'base64') }));
  const files = openFileStore(openBytes(config), openKnownKeys(known, config).data);
  if (!(await files.isEmpty())) {
    const other = config.bucket ? 'S3_BUCKET' : 'SHALA_FOLDER';
    throw new Error(`The file store is not empty (${files.place}). Empty it, or name another ${other}.`);
  }

  const client = new pg.Client({ connectionString: config.databaseOwnerUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // The running statement fails with the same message.
  await client.connect();
  const source = { path, ring, manifest, signal: options.signal };
  const figures = await putBack(client, files, source, migrations).finally(() => client.end());
  const migrated = await migrate(config.databaseOwnerUrl, { folder }).catch((error: Error) => {
    throw new Error(`Everything was put back, but then this happened: ${error.message}`);
  });
  return { ...figures, lost: manifest.lost, migrated };
}

async function putBack(client: pg.Client, files: FileStore, source: Source, migrations: Migration[]) {
  const { path, manifest, signal } = source;
  const stored: string[] = [];
  await client.query('select pg_advisory_lock($1)', [startersLock]); // A server that starts now waits for the restore.
  const found = await findAnyTable(client);
  if (found) {
    throw new Error(
      `The database is not empty: it has "${found}". Restore into a new database, or a new SHALA_FOLDER.`,
    );
  }
  await prepareServer(client);
  await client.query('begin');
  try {
    await writeAlike(client);
    await makeTables(client, migrations);
    const tables = await listTables(client);
    await fill(client, tables, files, source, stored);
    await checkTables(client, tables, manifest);
    const checked = await checkFiles(client, files, manifest.lost, signal);
    const audit = await checkChain(client, manifest);
    await endSessions(client, tables);

    const names = tables.map(({ name }) => name);
    const rows = names.reduce((sum, name) => sum + (manifest.tables[name]?.rows ?? 0), 0);
    const figures = { madeAt: manifest.madeAt, tables: tables.length, rows, files: checked };
    const details = { archive: basename(path), ...figures, head: audit.head };
    await auditCommand(client, { action: 'backup.restored', command: 'npm run restore', details });
    await client.query('analyze');
    await client.query('commit');
    return { ...figures, audit, strange: Object.keys(manifest.tables).filter((name) => !names.includes(name)) };
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // A broken connection has rolled back already.
    for (const id of stored) await files.remove(id);
    throw error;
  }
}

/** Checks that the audit log ends with the seal that the manifest names. */
async function checkChain(client: pg.Client, { audit }: Manifest): Promise<ChainEnd> {
  const found = await findChainEnd(client);
  if (!audit || (audit.sealed === found.sealed && audit.head === found.head)) return found;
  throw new Error(
    `The audit log ends in seal ${found.sealed} (${found.head.slice(0, 8)}), but the manifest names seal ${audit.sealed} ` +
      `(${audit.head.slice(0, 8)}). Take another archive.`,
  );
}

/** Ends every session, and voids every code and link that signs people in. An older archive has fewer tables. */
async function endSessions(client: pg.Client, tables: Table[]) {
  for (const table of tables) {
    if (endedTables.includes(table.name)) await emptyTable(client, table);
  }
}

/** Fills tables and store while the archive is read; `stored` gets the id of every started file. */
async function fill(client: pg.Client, tables: Table[], files: FileStore, source: Source, stored: string[]) {
  const { path, ring, manifest, signal } = source;
  const closeAgain = await openForLoading(client, tables);
  await readArchive(path, ring, async (part) => {
    signal?.throwIfAborted();
    const table = part.kind === 'table' && tables.find(({ name }) => name === part.name);
    if (table) await loadTable(client, table, part.bytes);
    if (part.kind === 'file' && manifest.files[part.name]) {
      stored.push(part.name); // First, so that a half-written file is deleted too.
      await files.putSealed(part.name, await allOf(part));
    }
  });
  await setSequences(client, manifest.sequences);
  await closeAgain();
}
