import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { KeyEntry, KeyRing } from '#kit/server/security/keys.ts';
import { type Frame, frameBytes, readFrames, startFrames } from './frames.ts';

type PartKind = 'table' | 'file' | 'manifest';

/** Counts of a part as it passes: its bytes, its lines (a table's rows), and their SHA-256. */
export interface Sums {
  bytes: number;
  lines: number;
  sha256: string;
}

/** One part during reading; its bytes can be read once, in order. */
export interface ArchivePart {
  kind: PartKind;
  name: string;
  bytes: AsyncIterable<Buffer>;
}

interface ArchiveWriter {
  /** The temporary path until the archive is published. */
  draft: string;
  write: (kind: PartKind, name: string, bytes: AsyncIterable<Buffer> | Iterable<Buffer>) => Promise<Sums>;
  /**
   * Writes the last frame, syncs the file to disk, and returns the archive's bytes. It still has its temporary name.
   */
  finish: () => Promise<number>;
  publish: () => Promise<void>;
  /** Deletes what was written so far. */
  abandon: () => Promise<void>;
}

const letters: Record<PartKind, string> = { table: 'T', file: 'F', manifest: 'M' };
const data = 'D';
const end = 'E';

/** Starts an archive under a temporary name, readable by this user only; nothing is ever on disk unencrypted. */
export async function createArchive(path: string, key: KeyEntry): Promise<ArchiveWriter> {
  const draft = `${path}.part`;
  const file = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(`Another backup is writing ${draft}. Wait for it; if none is running, remove that file.`);
  });
  const writeFrame = await startFrames(file, key);
  return {
    draft,
    write: async (kind, name, bytes) => {
      await writeFrame({ kind: letters[kind], bytes: Buffer.from(name) });
      const sums = summing(bytes);
      for await (const chunk of inFrames(sums.passed)) await writeFrame({ kind: data, bytes: chunk });
      return sums.read();
    },
    finish: async () => {
      await writeFrame({ kind: end, bytes: Buffer.alloc(0) }, true);
      await file.sync();
      const { size } = await file.stat();
      await file.close();
      return size;
    },
    publish: async () => {
      await rename(draft, path);
      const folder = await open(dirname(path)); // The new name must survive a power cut too.
      await folder.sync();
      await folder.close();
    },
    abandon: async () => {
      await file.close().catch(() => undefined); // The incomplete file is deleted anyway.
      await rm(draft, { force: true });
    },
  };
}

/** Passes each part to `take`; throws a plain sentence when the archive is incomplete, which only its end shows. */
export async function readArchive(path: string, ring: KeyRing, take: (part: ArchivePart) => Promise<void>) {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`There is no file ${path}. Name the archive: npm run restore -- <archive>`);
  });
  try {
    const frames = readFrames(file, basename(path), ring);
    let frame = await nextOf(frames);
    while (frame && frame.kind !== end) {
      const kind = (Object.keys(letters) as PartKind[]).find((name) => letters[name] === frame?.kind);
      if (!kind)
        throw new Error(`${basename(path)} has a part this program does not know. Restore it with a newer one.`);
      const bytes = (async function* () {
        for (frame = await nextOf(frames); frame?.kind === data; frame = await nextOf(frames)) yield frame.bytes;
      })();
      await take({ kind, name: frame.bytes.toString(), bytes });
      for await (const _ of bytes); // Unread bytes are skipped, and so checked as well.
    }
  } finally {
    await file.close();
  }
}

const nextOf = async (frames: AsyncGenerator<Frame>): Promise<Frame | undefined> =>
  (await frames.next()).value as Frame | undefined;

/** Counts and hashes bytes as they pass. */
export function summing(bytes: AsyncIterable<Buffer> | Iterable<Buffer>) {
  const hash = createHash('sha256');
  const sums = { bytes: 0, lines: 0 };
  const passed = (async function* () {
    for await (const chunk of bytes) {
      hash.update(chunk);
      sums.bytes += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) sums.lines++;
      yield chunk;
    }
  })();
  return { passed, read: (): Sums => ({ ...sums, sha256: hash.digest('hex') }) };
}

/** Joins small pieces and splits large ones, so that each frame is worth its seal. */
async function* inFrames(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + frameBytes - size);
      at += piece.length;
      size += piece.length;
      waiting.push(piece);
      if (size < frameBytes) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(waiting);
}
