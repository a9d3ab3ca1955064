import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { headBytes } from '#kit/contract/uploads.ts';

/** A file as received, before any check of its content. */
export interface ReceivedFile {
  /** The sender's name for it. */
  name: string;
  /** Its full size in bytes; larger than the readable bytes when the file exceeds its limit. */
  size: number;
  /** The first bytes, which show the kind of file. */
  head: Buffer;
  read: () => Promise<Buffer>;
  /** Frees the bytes; must always be called once. */
  drop: () => Promise<void>;
}

/** Smaller files stay in memory. */
const mostInMemory = 64 * 1024;

/**
 * Receives a file, keeping at most `most` bytes: from 64 kB on in `folder`, so that it needs hardly any memory (W5).
 * That file has no name and is encrypted with this process's own key. Throws the system's error when the disk is full.
 */
export async function receiveFile(
  name: string,
  stream: AsyncIterable<Buffer>,
  { most, folder }: { most: number; folder: string },
): Promise<ReceivedFile> {
  let held: Buffer[] = [];
  let size = 0;
  let head = Buffer.alloc(0);
  let onDisk: Awaited<ReturnType<typeof openNameless>> | undefined;
  const drop = async () => {
    held = [];
    const closing = onDisk;
    onDisk = undefined;
    await closing?.close();
  };
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      if (size > most) {
        await drop();
        continue;
      }
      if (!onDisk && size <= mostInMemory) {
        held.push(chunk);
        continue;
      }
      onDisk ??= await openNameless(folder);
      for (const part of [...held, chunk]) await onDisk.write(part);
      held = [];
    }
  } catch (error) {
    await drop();
    throw error;
  }
  return { name, size, head, drop, read: async () => (onDisk ? onDisk.read() : Buffer.concat(held)) };
}

/** A file in memory, in the form of a received one. */
export const fileOfBytes = (name: string, bytes: Buffer): ReceivedFile => ({
  name,
  size: bytes.length,
  head: bytes.subarray(0, headBytes),
  read: async () => bytes,
  drop: async () => undefined,
});

async function openNameless(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
  } catch (error) {
    await handle.close();
    throw error;
  }
  const [key, start] = [randomBytes(32), randomBytes(16)];
  const cipher = createCipheriv('aes-256-ctr', key, start);
  let length = 0;
  return {
    write: async (part: Buffer) => {
      const sealed = cipher.update(part);
      await handle.writeFile(sealed);
      length += sealed.length;
    },
    read: async () => {
      const sealed = Buffer.allocUnsafeSlow(length);
      for (let at = 0; at < length; ) {
        const { bytesRead } = await handle.read(sealed, at, length - at, at);
        if (bytesRead === 0) throw new Error('A temporary file is shorter than it was written.');
        at += bytesRead;
      }
      return createDecipheriv('aes-256-ctr', key, start).update(sealed);
    },
    close: () => handle.close(),
  };
}
