import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { aadhaarHash } from '#features/admission-form/server/aadhaar.ts';
import type { FileStore } from '#kit/server/files/store.ts';
import { type KeyRing, keyBytes, keyFile, proofOf, writtenRing } from '#kit/server/security/keys.ts';
import { open, seal } from '#kit/server/security/sealed.ts';

interface SealedColumn {
  /**
   * Selects `key` (which identifies the row), `place` (which the value is sealed to) and `sealed`, for rows not under
   * key $1.
   */
  select: string;
  /** Puts the newly sealed value $1 into the row $2, if it still holds $3. */
  update: string;
  /** Computes a further value from the decrypted one, as $4. */
  further?: (ring: KeyRing, plain: Buffer) => unknown;
}

const notUnder = (column: string) =>
  `convert_from(substring(${column} from 2 for get_byte(${column}, 0)), 'UTF8') <> $1 limit 200`;

/** Every sealed column of the database. A new sealed column needs a line here, or the old key can never be removed. */
const sealedColumns: SealedColumn[] = [
  {
    select: `select inquiry_id::text as key, 'admission_basic_info.aadhaar:' || inquiry_id as place, aadhaar as sealed
      from admission_basic_info where ${notUnder('aadhaar')}`,
    update: `update admission_basic_info set aadhaar = $1, aadhaar_hash = $4 where inquiry_id = $2::integer and aadhaar = $3`,
    further: (ring, plain) => aadhaarHash(ring, plain.toString()),
  },
  {
    select: `select inquiry_id::text as key, 'admission_health.answers:' || inquiry_id as place, answers as sealed
      from admission_health where ${notUnder('answers')}`,
    update: `update admission_health set answers = $1 where inquiry_id = $2::integer and answers = $3`,
  },
  {
    select: `select id::text as key, 'admission_submission.copy:' || inquiry_id as place, copy as sealed
      from admission_submission where ${notUnder('copy')}`,
    update: `update admission_submission set copy = $1 where id = $2::integer and copy = $3`,
  },
  {
    select: `select inquiry_id || ' ' || page as key, 'admission_draft.answers:' || inquiry_id || ':' || page as place,
      answers as sealed from admission_draft where answers is not null and ${notUnder('answers')}`,
    update: `update admission_draft set answers = $1 where inquiry_id || ' ' || page = $2 and answers = $3`,
  },
  {
    select: `select id::text as key, 'admission_message.text:' || inquiry_id as place, text as sealed
      from admission_message where ${notUnder('text')}`,
    update: `update admission_message set text = $1 where id = $2::integer and text = $3`,
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
    for (const column of sealedColumns) sealedAnew += await sealColumn(client, ring, fresh.id, column);
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
