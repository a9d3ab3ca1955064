import { mkdirSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from './bytes.ts';
import { writeDurably } from './durable-write.ts';

/** Bytes in a folder that only this user can read. */
export function openFolder(folder: string): Bytes {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The first two hex digits of the id make 256 folders, so that none grows too large.
  const pathOf = (id: string) => join(folder, id.slice(0, 2), id);
  return {
    place: folder,
    put: (id, bytes) => writeDurably(pathOf(id), bytes),
    get: (id) => readFile(pathOf(id)).catch(unlessAbsent(undefined)),
    remove: (id) => rm(pathOf(id), { force: true }),
    list: async (start) => {
      const names = await readdir(join(folder, start)).catch(unlessAbsent([]));
      const stored = await Promise.all(
        names.map(async (name) => {
          const found = await stat(join(folder, start, name)).catch(unlessAbsent(undefined));
          return found ? [{ name, writtenAt: found.mtime }] : [];
        }),
      );
      return stored.flat();
    },
    isEmpty: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).every((entry) => !entry.isFile()),
  };
}

/** A folder that never had a file does not exist, and a file may be deleted while it is read. */
const unlessAbsent =
  <Instead>(instead: Instead) =>
  (error: NodeJS.ErrnoException): Instead => {
    if (error.code !== 'ENOENT') throw error;
    return instead;
  };
