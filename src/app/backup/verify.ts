import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type pg from 'pg';
import { type Migration, readMigrations } from '#kit/server/database/migrations.ts';
import type { FileStore } from '#kit/server/files/store.ts';
import type { KeyRing } from '#kit/server/security/keys.ts';
import { type ArchivePart, readArchive, type Sums, summing } from './archive.ts';
import type { Manifest } from './manifest.ts';
import { dumpTable, type Table } from './tables.ts';

/** All bytes of one part; only for a file or the manifest, which are small. */
export async function allOf({ bytes }: ArchivePart): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Reads an archive to its end and returns its manifest; throws a plain sentence unless every part is there and
 * complete.
 */
export async function readManifest(path: string, ring: KeyRing, signal?: AbortSignal): Promise<Manifest> {
  const tables: Record<string, Sums> = {};
  const files: Record<string, Sums> = {};
  let manifest: Manifest | undefined;
  await readArchive(path, ring, async (part) => {
    signal?.throwIfAborted();
    if (part.kind === 'manifest') {
      manifest = JSON.parse((await allOf(part)).toString());
      return;
    }
    const { passed, read } = summing(part.bytes);
    for await (const _ of passed); // Counted as it passes.
    (part.kind === 'table' ? tables : files)[part.name] = read();
  });

  const name = basename(path);
  if (!manifest) throw new Error(`${name} has no manifest, so nobody can say what is missing. Take another archive.`);
  for (const [table, { rows, sha256 }] of Object.entries(manifest.tables)) {
    const found = tables[table];
    if (found?.lines !== rows || found.sha256 !== sha256) throw new Error(unlike(name, `the table ${table}`));
  }
  for (const [file, { bytes, sha256 }] of Object.entries(manifest.files)) {
    const found = files[file];
    if (found?.bytes !== bytes || found.sha256 !== sha256) throw new Error(unlike(name, `the file ${file}`));
  }
  return manifest;
}

const unlike = (name: string, what: string) =>
  `${name} does not hold ${what} as its manifest says. Take another archive.`;

/** Checks that this program has the archive's migrations unchanged. */
export function migrationsOf(manifest: Manifest, folder: string): Migration[] {
  const ours = new Map(readMigrations(folder).map((migration) => [migration.name, migration]));
  return manifest.migrations.map(({ name, checksum }) => {
    const migration = ours.get(name);
    if (!migration) {
      throw new Error(
        `The archive is newer than this program: it has ${name}. Restore it with version ${manifest.program} or newer.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new Error(
        `The archive was made with another ${name} than this program has. Restore it with version ${manifest.program}.`,
      );
    }
    return migration;
  });
}

/** Reads the tables back from the database: each must hold exactly the rows that were backed up. */
export async function checkTables(client: pg.Client, tables: Table[], manifest: Manifest) {
  for (const table of tables) {
    const { passed, read } = summing(dumpTable(client, table));
    for await (const _ of passed); // Counted as it passes.
    const { lines, sha256 } = read();
    const wanted = manifest.tables[table.name];
    if (wanted?.rows !== lines || wanted.sha256 !== sha256) {
      throw new Error(
        `The table ${table.name} did not come back as it was backed up. Report this as a fault of Shala.`,
      );
    }
  }
}

const rowsAtOnce = 1000;

/** Opens every stored file with the data key and compares it with its row. Returns the number of files. */
export async function checkFiles(client: pg.Client, files: FileStore, lost: string[], signal?: AbortSignal) {
  let last = '00000000-0000-0000-0000-000000000000';
  for (let checked = 0; ; ) {
    const { rows } = await client.query<{ id: string; bytes: number; sha256: Buffer }>(
      'select id::text, bytes, sha256 from public.file where id > $1 order by id limit $2',
      [last, rowsAtOnce],
    );
    for (const { id, bytes, sha256 } of rows) {
      signal?.throwIfAborted();
      last = id;
      if (lost.includes(id)) continue;
      const opened = await files.get(id).catch(() => undefined);
      const isSame = opened?.length === bytes && createHash('sha256').update(opened).digest().equals(sha256);
      if (!isSame) {
        throw new Error(
          `The file ${id} is not what its row says, or the data key does not open it. Take another archive.`,
        );
      }
      checked++;
    }
    if (rows.length < rowsAtOnce) return checked;
  }
}
