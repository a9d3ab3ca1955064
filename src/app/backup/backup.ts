import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import pg from 'pg';
import type { Config } from '#kit/server/config.ts';
import { openDatabase } from '#kit/server/database/database.ts';
import { startersLock } from '#kit/server/database/migrations.ts';
import { openBytes } from '#kit/server/files/open-bytes.ts';
import { type FileStore, openFileStore } from '#kit/server/files/store.ts';
import { openKeys } from '#kit/server/security/keys.ts';
import { programVersion } from '#kit/server/version.ts';
import { createArchive } from './archive.ts';
import type { ArchiveBucket } from './bucket.ts';
import { type AppliedMigration, auditCommand, type ChainEnd, findChainEnd, type Manifest } from './manifest.ts';
import { dumpTable, listSequences, listTables, writeAlike } from './tables.ts';
import { readManifest } from './verify.ts';

type Archive = Awaited<ReturnType<typeof createArchive>>;

export interface BackupFigures {
  tables: number;
  rows: number;
  files: number;
  /** Files whose bytes are missing or damaged in the store; the archive holds only their rows. */
  lost: string[];
  /** The size of the archive in bytes. */
  bytes: number;
  /** The id of the key it is encrypted with. */
  keyId: string;
  /** The end of the audit log's chain of seals. */
  audit: ChainEnd;
}

interface Options {
  signal?: AbortSignal;
  /** The program that makes it, for the audit log. */
  command?: string;
  /** The caller holds `startersLock`, as a start that is about to migrate does. */
  isLocked?: boolean;
  /** Where the archive is kept; then the path is that of its draft. */
  bucket?: ArchiveBucket;
}

/**
 * Writes an encrypted archive as of one moment while the servers keep serving: the tables of one snapshot and every
 * file they name, without the keys (docs/decisions/0014). It gets its name only after it was read back in full.
 */
export async function backUp(
  config: Config,
  path: string,
  { signal, command = 'npm run backup', isLocked = false, bucket }: Options = {},
): Promise<BackupFigures> {
  const isThere = bucket ? (await bucket.sizeOf(basename(path))) !== undefined : existsSync(path);
  if (isThere)
    throw new Error(`${bucket?.pathOf(basename(path)) ?? path} is there already. Give another name, or move it away.`);
  const client = new pg.Client({ connectionString: config.databaseOwnerUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // The running statement fails with the same message.
  await client.connect();
  // A running statement may take long or wait: closing its connection ends it.
  const leave = () => void client.end();
  signal?.addEventListener('abort', leave);
  try {
    const keys = await openKeysOf(client, config);
    const files = openFileStore(openBytes(config), keys.data);
    makeArchiveFolder(dirname(path));
    const archive = await createArchive(path, keys.backup.current);
    try {
      const { manifest, ...figures } = await writeParts(client, archive, files, { signal, isLocked });
      await archive.write('manifest', 'manifest', [Buffer.from(JSON.stringify(manifest))]);
      const bytes = await archive.finish();
      await readManifest(archive.draft, keys.backup, signal);
      const { lost, audit, ...counts } = figures;
      const details = {
        archive: basename(path),
        bytes,
        ...counts,
        lost: lost.length,
        key: keys.backup.current.id,
        head: audit.head,
      };
      const record = () => auditCommand(client, { action: 'backup.made', command, details });
      if (bucket) await keepIn(bucket, archive, basename(path), record, signal);
      else {
        await record(); // Before the archive gets its name, so that no archive lacks its audit row.
        await archive.publish();
      }
      return { ...figures, bytes, keyId: keys.backup.current.id };
    } catch (error) {
      await archive.abandon();
      signal?.throwIfAborted(); // Instead of the error that the connection has ended.
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (code !== 'ENOSPC' || !syscall) throw error;
      throw new Error(
        `The disk is full: ${dirname(path)} has no room for the archive. Free some, or name another folder.`,
      );
    }
  } finally {
    signal?.removeEventListener('abort', leave);
    await client.end();
  }
}

/**
 * Moves a finished archive into a bucket. Its audit row follows: a bucket that fails now must not leave a row that says
 * the school was backed up.
 */
async function keepIn(
  bucket: ArchiveBucket,
  archive: Archive,
  name: string,
  record: () => Promise<void>,
  signal?: AbortSignal,
) {
  await bucket.send(archive.draft, name, signal);
  await record().catch(async (error: unknown) => {
    await bucket.remove(name);
    throw error;
  });
  await archive.abandon();
}

export function makeArchiveFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`No archive can be written into ${folder} (${code}). Check the folder, or name another one.`);
  }
}

async function openKeysOf(client: pg.Client, config: Config) {
  const { rows } = await client.query<{ name: string | null }>(`select to_regclass('public.key_check')::text as name`);
  if (!rows[0]?.name) throw new Error('There is no school in this database yet, so there is nothing to back up.');
  const { databaseUrl: url, namedStatements: named, patience } = config;
  const db = openDatabase({ url, named, patience, onLost: () => undefined });
  try {
    return await openKeys(db, config);
  } finally {
    await db.destroy();
  }
}

/**
 * Copies files first, then the tables. Families keep adding and removing files, so it takes snapshots until every file
 * of one is in the archive. Copied files without a row in that snapshot stay out of the manifest.
 */
async function writeParts(
  client: pg.Client,
  archive: Archive,
  files: FileStore,
  { signal, isLocked }: Pick<Options, 'signal' | 'isLocked'>,
) {
  const copied = new Map<string, Manifest['files'][string]>();
  const copyAll = async (rows: FileRow[], onMissing: (id: string) => void) => {
    for (const row of rows) {
      if (copied.has(row.id)) continue;
      signal?.throwIfAborted();
      const sealed = await findWhole(files, row);
      if (!sealed) onMissing(row.id);
      else {
        const { bytes, sha256 } = await archive.write('file', row.id, [sealed]);
        copied.set(row.id, { bytes, sha256 });
      }
    }
  };

  const missed = new Set<string>();
  await copyAll(await fileRows(client), (id) => missed.add(id));
  for (;;) {
    if (!isLocked) await lockTables(client);
    await beginSnapshot(client);
    const rows = await fileRows(client);
    const lost: string[] = [];
    let isWhole = true;
    await copyAll(rows, (id) => {
      // Bytes are deleted only after their row: bytes that were missing before this snapshot while their row is still
      // in it are lost.
      if (missed.has(id)) lost.push(id);
      else isWhole = false;
      missed.add(id);
    });
    if (isWhole) {
      const inSnapshot = new Set(rows.map(({ id }) => id));
      const named = Object.fromEntries([...copied].filter(([id]) => inSnapshot.has(id)));
      const written = await writeTables(client, archive, named, lost, signal);
      return { ...written, files: Object.keys(named).length, lost };
    }
    await endSnapshot(client);
  }
}

interface FileRow {
  id: string;
  sha256: Buffer;
}

async function fileRows(client: pg.Client): Promise<FileRow[]> {
  const { rows } = await client.query<FileRow>('select id::text, sha256 from public.file order by id');
  return rows;
}

/** The sealed bytes of a file if they exist and match its row. So damage is noticed while older archives are kept. */
async function findWhole(files: FileStore, { id, sha256 }: FileRow): Promise<Buffer | undefined> {
  const sealed = await files.getSealed(id);
  if (!sealed) return undefined;
  try {
    return createHash('sha256').update(files.openSealed(id, sealed)).digest().equals(sha256) ? sealed : undefined;
  } catch {
    return undefined; // Damaged bytes do not open; they count as missing.
  }
}

/** A migration would change the tables under the snapshot, so it waits until they are copied. */
const lockTables = (client: pg.Client) => client.query('select pg_advisory_lock_shared($1)', [startersLock]);

async function beginSnapshot(client: pg.Client) {
  await client.query('begin isolation level repeatable read read only');
  await writeAlike(client);
}

async function endSnapshot(client: pg.Client) {
  await client.query('commit');
  await client.query('select pg_advisory_unlock_all()');
}

async function writeTables(
  client: pg.Client,
  archive: Archive,
  files: Manifest['files'],
  lost: string[],
  signal?: AbortSignal,
) {
  const { rows: moment } = await client.query<{ at: Date }>('select now() as at');
  const { rows: migrations } = await client.query<AppliedMigration>(
    'select name, checksum from public.migration order by name',
  );
  const { rows: known } = await client.query<{ name: string; id: string; proof: string }>(
    `select name, key_id as id, encode(proof, 'base64') as proof from public.key_check order by name, key_id`,
  );
  const tables: Manifest['tables'] = {};
  for (const table of await listTables(client)) {
    signal?.throwIfAborted();
    const { lines, sha256 } = await archive.write('table', table.name, dumpTable(client, table));
    tables[table.name] = { rows: lines, sha256 };
  }
  const audit = await findChainEnd(client);
  const sequences = await listSequences(client);
  await endSnapshot(client);

  const counts = Object.values(tables).map(({ rows }) => rows);
  const madeAt = moment[0]?.at.toISOString() ?? '';
  const head = { format: 1, madeAt, program: programVersion(), migrations, keys: known } as const;
  const manifest: Manifest = { ...head, tables, sequences, files, lost, audit };
  return { manifest, audit, tables: counts.length, rows: counts.reduce((sum, count) => sum + count, 0) };
}
