import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { DB } from '#database/types.ts';

/** The purposes of keys; each has its own. */
export const keyNames = ['link', 'data', 'code', 'backup'] as const;
type KeyName = (typeof keyNames)[number];

/** One key, and the id that values store to name it. */
export interface KeyEntry {
  id: string;
  key: Buffer;
}

/** The keys of one purpose: new values use `current`, old ones are read with the key of their id. */
export interface KeyRing {
  readonly current: KeyEntry;
  /** Every key, the current one first. */
  readonly all: readonly KeyEntry[];
  find: (id: string) => Buffer | undefined;
}

export type Keys = Record<KeyName, KeyRing>;

export const keyBytes = 32;

/** The database's record of a key (`key_check`). */
export interface KnownKey {
  name: string;
  key_id: string;
  proof: Buffer;
}

export interface KeySource {
  folder: string;
  keys: Partial<Record<KeyName, string | undefined>>;
}

/**
 * Loads the keys from the configuration (`id:base64`, the current one first), else from `folder`/keys. Creates them
 * only on the first start: throws a plain sentence when a key that the data was written with is missing or different.
 */
export async function openKeys(db: Kysely<DB>, source: KeySource): Promise<Keys> {
  const known = await db.selectFrom('key_check').select(['name', 'key_id', 'proof']).execute();
  const keys = openKnownKeys(known, source);
  for (const name of keyNames) {
    for (const { id, key } of keys[name].all) {
      await db
        .insertInto('key_check')
        .values({ name, key_id: id, proof: proofOf(key) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
  return keys;
}

/** The same without a database: every key in `known` must be present and match. */
export function openKnownKeys(known: KnownKey[], source: KeySource): Keys {
  const rings = keyNames.map((name) => {
    const knownIds = known.filter((row) => row.name === name);
    const ring = openRing(name, source, knownIds.length > 0);
    for (const { key_id, proof } of knownIds) {
      const key = ring.find(key_id);
      if (!key)
        throw new Error(`The ${name} key "${key_id}" is missing. Put it back (${where(name)}) and start again.`);
      if (!timingSafeEqual(proofOf(key), proof)) {
        throw new Error(`The ${name} key "${key_id}" is not the one this database was written with (${where(name)}).`);
      }
    }
    return [name, ring] as const;
  });
  return Object.fromEntries(rings) as Keys;
}

/** The backup key alone, which must exist; for opening an archive before anything else is known. */
export const openBackupKey = (source: KeySource): KeyRing => openRing('backup', source, true);

const where = (name: KeyName) => `SHALA_${name.toUpperCase()}_KEY or var/keys/${name}`;

/** The database's record of a key: enough to recognise it, not to decrypt. */
export const proofOf = (key: Buffer) => createHmac('sha256', key).update('shala key check').digest();

function readOrMake(name: KeyName, folder: string, isKnown: boolean): string {
  const file = keyFile(folder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (isKnown) throw new Error(`The ${name} key is missing. Put it back (${where(name)}) and start again.`);

  mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o700 });
  const made = `${name}1:${randomBytes(keyBytes).toString('base64')}`;
  try {
    writeFileSync(file, made, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another process of the same first start was faster; its key is used.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readFileSync(file, 'utf8').trim();
    throw error;
  }
  chmodSync(file, 0o600);
  return made;
}

/** `npm run rotate-key` may replace a key file while servers run; they notice within this time. */
const lookAgainAfter = 1000;

function openRing(name: KeyName, { folder, keys }: KeySource, isKnown: boolean): KeyRing {
  const configured = keys[name];
  let entries = parseRing(name, configured ?? readOrMake(name, folder, isKnown));
  // A monotonic clock: with one that can be set back, a new key would stay unnoticed (J15).
  let readAt = performance.now();
  const lookAgain = () => {
    readAt = performance.now();
    const file = keyFile(folder, name);
    if (configured === undefined && existsSync(file)) entries = parseRing(name, readFileSync(file, 'utf8').trim());
  };
  const find = (id: string) => entries.find((entry) => entry.id === id)?.key;
  return {
    get current() {
      if (performance.now() - readAt > lookAgainAfter) lookAgain();
      return entries[0];
    },
    get all() {
      return entries;
    },
    find: (id) => {
      if (!find(id)) lookAgain();
      return find(id);
    },
  };
}

export const keyFile = (folder: string, name: KeyName) => join(folder, 'keys', name);

/** The text form of a key ring: `id:base64` of each key, the current one first. */
export const writtenRing = (entries: readonly KeyEntry[]) =>
  entries.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');

function parseRing(name: KeyName, value: string): [KeyEntry, ...KeyEntry[]] {
  const entries = value.split(',').map((entry) => {
    const [id = '', encoded = ''] = entry.trim().split(':');
    const key = Buffer.from(encoded, 'base64');
    if (!/^[A-Za-z0-9]{1,16}$/.test(id) || key.length !== keyBytes) {
      throw new Error(`The ${name} key must read id:base64 with 32 bytes behind the colon (${where(name)}).`);
    }
    return { id, key };
  });
  return entries as [KeyEntry, ...KeyEntry[]]; // Splitting a text returns at least one part.
}

/** Whether the database answers and knows the current keys; for readiness. */
export async function knowsKeys(db: Kysely<DB>, keys: Keys): Promise<boolean> {
  const ids = keyNames.map((name) => keys[name].current.id);
  const { rows } = await sql<{ known: number }>`
    select count(*)::integer as known from key_check where key_id = any(${ids}) and name = any(${[...keyNames]})
  `.execute(db);
  return (rows[0]?.known ?? 0) >= keyNames.length;
}
