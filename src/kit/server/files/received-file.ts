import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { headBytes } from '#kit/contract/uploads.ts';

/** A file as it came with a request, before anybody has looked into it. */
export interface ReceivedFile {
  /** What the sender calls it. */
  name: string;
  /** True size in bytes; more than can be read when the file was larger than it may be. */
  size: number;
  /** The first bytes, which say what kind of file it is. */
  head: Buffer;
  read: () => Promise<Buffer>;
  /** Forgets the bytes; must be called once in any case. */
  drop: () => Promise<void>;
}

/** Smaller files stay in memory. */
const mostInMemory = 64 * 1024;

/**
 * Takes a file in, keeping at most `most` bytes: from 64 kB on they lie in `folder`, so that a body that is still arriving
 * holds hardly any memory (W5). The file there has no name, belongs to this user alone, and is sealed with a key that only this
 * process has; it ends with the process. Throws the system's error when the disk is full.
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

/** A file in memory, as one that came with a request. */
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
