import { randomUUID } from 'node:crypto';
import type { KeyRing } from '#kit/server/security/keys.ts';
import { keyIdOf, open, seal } from '#kit/server/security/sealed.ts';
import type { Bytes, Stored } from './bytes.ts';

/** Stores bytes under ids, encrypted, in a folder or a bucket. */
export interface FileStore {
  /** Where, for people. */
  place: string;
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

/** A store in which every file is sealed to its id. */
export function openFileStore(bytes: Bytes, ring: KeyRing): FileStore {
  const store: FileStore = {
    place: bytes.place,
    put: (id, plain) => bytes.put(id, seal(ring, `file:${id}`, plain)),
    get: async (id) => {
      const sealed = await bytes.get(id);
      if (!sealed) throw new Error(`The file ${id} is not in ${bytes.place}.`);
      return store.openSealed(id, sealed);
    },
    openSealed: (id, sealed) => open(ring, `file:${id}`, sealed),
    remove: bytes.remove,
    getSealed: bytes.get,
    putSealed: bytes.put,
    isEmpty: bytes.isEmpty,
    list: bytes.list,
    sealAnew: async (id) => {
      const sealed = await bytes.get(id);
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
