import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that survives a power cut: writes and syncs a temporary file, renames it, and syncs its folder (D10). A
 * reader sees all of it or none. Only this user can read it; a failed write is deleted.
 */
export async function writeDurably(file: string, bytes: Buffer) {
  const folder = dirname(file);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.new`;
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
  // A folder that was just created is an entry in its parent, which is synced too.
  if (made) await syncFolder(dirname(made));
}

async function syncFolder(folder: string) {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
