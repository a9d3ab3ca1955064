import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file so that it is there, whole, after a power cut: under another name first, its bytes synced, then renamed,
 * and the folder that names it synced too (D10). Whoever reads at any instant finds the whole file or none. Only this
 * user can read it. What was half written is taken away when it fails.
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
  // A folder that was made just now has its own name in the one above.
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
