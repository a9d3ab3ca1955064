import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { FileStore } from '#kit/server/files/store.ts';
import { type KeyRing, keyBytes, keyFile, proofOf, writtenRing } from '#kit/server/security/keys.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import { notUnder, type SealedColumn } from '#kit/server/security/sealed-column.ts';
import { allSealed } from './features.server.ts';

/** The answers kept for repeated requests, and the rows of imported files: they belong to no feature. */
const ofTheKit: SealedColumn[] = [
  {
    select: `select import_id || ' ' || line as key, 'file_import_line.cells:' || import_id || ':' || line as place,
      cells as sealed from file_import_line where ${notUnder('cells')}`,
    update: `update file_import_line set cells = $1 where import_id || ' ' || line = $2 and cells = $3`,
  },
  {
    select: `select import_id || ' ' || line as key, 'file_import_line.was:' || import_id || ':' || line as place,
      was as sealed from file_import_line where was is not null and ${notUnder('was')}`,
    update: `update file_import_line set was = $1 where import_id || ' ' || line = $2 and was = $3`,
  },
  {
    select: `select owner || ' ' || key as key, 'repeated_request:' || owner || ':' || key as place, answer as sealed
      from repeated_request where length(answer) > 0 and ${notUnder('answer')}`,
    update: `update repeated_request set answer = $1 where owner || ' ' || key = $2 and answer = $3`,
  },
];

interface Source {
  ownerUrl: string;
  folder: string;
  ring: KeyRing;
  files: FileStore;
}

/**
 * Creates a new current data key and re-encrypts everything under it while the servers keep serving: they notice the
 * new key file within a second. Returns the number of values. Links use another key and stay valid.
 */
export async function rotateDataKey({ ownerUrl, folder, ring, files }: Source): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const fresh = { id: `data${ring.all.length + 1}`, key: randomBytes(keyBytes) };
    await client.query('insert into key_check (name, key_id, proof) values ($1, $2, $3)', [
      'data',
      fresh.id,
      proofOf(fresh.key),
    ]);
    const file = keyFile(folder, 'data');
    writeFileSync(`${file}.new`, writtenRing([fresh, ...ring.all]), { mode: 0o600 });
    renameSync(`${file}.new`, file);

    // Two servers may have read the key file at different times; after this pause all write under the new key.
    await pause(2500);
    let sealedAnew = 0;
    for (const column of [...allSealed, ...ofTheKit]) sealedAnew += await sealColumn(client, ring, fresh.id, column);
    const { rows } = await client.query<{ id: string }>('select id from file order by id');
    for (const { id } of rows) sealedAnew += await files.sealAnew(id);
    return sealedAnew;
  } finally {
    await client.end();
  }
}

async function sealColumn(
  client: pg.Client,
  ring: KeyRing,
  freshId: string,
  { select, update, further }: SealedColumn,
) {
  for (let sealedAnew = 0; ; ) {
    const { rows } = await client.query<{ key: string; place: string; sealed: Buffer }>(select, [freshId]);
    if (rows.length === 0) return sealedAnew;
    for (const { key, place, sealed } of rows) {
      const plain = open(ring, place, sealed);
      const more = further ? [further(ring, plain)] : [];
      const { rowCount } = await client.query(update, [seal(ring, place, plain), key, sealed, ...more]);
      sealedAnew += rowCount ?? 0;
    }
  }
}
