import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { KeyRing } from '#kit/server/security/keys.ts';
import { keyIdOf, open, seal } from '#kit/server/security/sealed.ts';
import { writeDurably } from './durable-write.ts';

/** Stores bytes under ids, encrypted. The driver decides where (a folder, later S3). */
export interface FileStore {
  /** Resolves once the bytes would survive a power cut. */
  put: (id: string, bytes: Buffer) => Promise<void>;
  get: (id: string) => Promise<Buffer>;
  remove: (id: string) => Promise<void>;
  /** The stored bytes, still encrypted; undefined when there are none. For a backup. */
  getSealed: (id: string) => Promise<Buffer | undefined>;
  putSealed: (id: string, sealed: Buffer) => Promise<void>;
  /** Decrypts stored bytes; throws when they are damaged. */
  openSealed: (id: string, sealed: Buffer) => Buffer;
  isEmpty: () => Promise<boolean>;
  /** All stored names with these first two hex digits, including incomplete files. */
  list: (start: string) => Promise<Stored[]>;
  /** Re-encrypts a file under the current key if it is under another one; returns 1 if it was. */
  sealAnew: (id: string) => Promise<number>;
  /** Writes, reads and deletes a few bytes; throws when the store is unreachable or full. */
  check: () => Promise<void>;
}

/** A name in the store, and the time its bytes were written. */
interface Stored {
  name: string;
  writtenAt: Date;
}

/** A store in a folder that only this user can read; every file is sealed to its id. */
export function openFileStore(folder: string, ring: KeyRing): FileStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  // The first two hex digits of the id make 256 folders, so that none grows too large.
  const keyOf = (id: string) => `${id.slice(0, 2)}/${id}`;

  const store: FileStore = {
    put: (id, bytes) => store.putSealed(id, seal(ring, `file:${id}`, bytes)),
    get: async (id) => store.openSealed(id, Buffer.from(await disk.getBytes(keyOf(id)))),
    openSealed: (id, sealed) => open(ring, `file:${id}`, sealed),
    remove: (id) => disk.delete(keyOf(id)),
    getSealed: async (id) => {
      try {
        return Buffer.from(await disk.getBytes(keyOf(id)));
      } catch (error) {
        if (await disk.exists(keyOf(id))) throw error; // The file exists but cannot be read, which is another failure.
        return undefined;
      }
    },
    // Not the driver's own put, which neither syncs nor hides an incomplete file.
    putSealed: (id, sealed) => writeDurably(join(folder, keyOf(id)), sealed),
    isEmpty: async () => {
      for (const { isFile } of (await disk.listAll('', { recursive: true })).objects) if (isFile) return false;
      return true;
    },
    list: async (start) => {
      const names = await readdir(join(folder, start)).catch(noneIfAbsent);
      const stored = await Promise.all(
        names.map(async (name) => {
          const found = await stat(join(folder, start, name)).catch(noneIfAbsent);
          return 'mtime' in found ? [{ name, writtenAt: found.mtime }] : [];
        }),
      );
      return stored.flat();
    },
    sealAnew: async (id) => {
      const sealed = await disk.getBytes(keyOf(id)).then(Buffer.from, () => undefined);
      // The file was deleted in the meantime, with its row.
      if (!sealed || keyIdOf(sealed) === ring.current.id) return 0;
      await store.put(id, open(ring, `file:${id}`, sealed));
      return 1;
    },
    check: async () => {
      const id = randomUUID();
      await store.put(id, Buffer.from('ready'));
      await store.get(id);
      await store.remove(id);
    },
  };
  return store;
}

/** A folder that never had a file does not exist, and a file may be deleted while it is read. */
function noneIfAbsent(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}
