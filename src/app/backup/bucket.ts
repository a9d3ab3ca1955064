import { open, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { listNames, wordIn } from '#kit/server/files/bucket.ts';
import { type BucketSettings, openS3, type S3 } from '#kit/server/files/s3.ts';

/** All archives of a school begin so, apart from its files. */
const archives = 'backups/';
/** Bytes of a piece: a lost connection costs one of them. A bucket takes 10,000, so archives of 160 GB. */
const pieceBytes = 16 * 1024 * 1024;
/** Milliseconds in which a piece is tried again: nobody waits for it. */
const within = 120_000;

/** How often the pieces of an archive are put together again. */
const mostTries = 5;

/** A bucket of archives. */
export interface ArchiveBucket {
  pathOf: (name: string) => string;
  names: () => Promise<string[]>;
  remove: (name: string) => Promise<void>;
  /** The bytes of an archive; undefined where there is none. */
  sizeOf: (name: string) => Promise<number | undefined>;
  /** Copies an archive into the bucket piece by piece. It gets its name, and counts, only when all are there. */
  send: (path: string, name: string, signal?: AbortSignal) => Promise<void>;
  /** Copies an archive out of it, into a file of this machine. */
  fetch: (name: string, path: string, signal?: AbortSignal) => Promise<void>;
}

export function openArchiveBucket(settings: BucketSettings): ArchiveBucket {
  const s3 = openS3(settings);
  const nameOf = (name: string) => `${archives}${name}`;
  const bucket: ArchiveBucket = {
    pathOf: (name) => `${s3.place}${archives}${name}`,
    names: async () => (await listNames(s3, settings.folder, archives)).map(({ name }) => name),
    remove: async (name) => void (await s3.send({ method: 'DELETE', name: nameOf(name), within })),
    sizeOf: async (name) => {
      const { status, headers } = await s3.send({ method: 'HEAD', name: nameOf(name), within });
      return status === 404 ? undefined : Number(headers.get('content-length'));
    },
    send: async (path, name, signal) => {
      const { bytes } = await s3.send({ method: 'POST', name: nameOf(name), query: { uploads: '' }, within });
      const uploadId = wordIn(bytes.toString(), 'UploadId');
      if (!uploadId) throw new Error(`${s3.place} did not say where to send the archive.`);
      const upload = { s3, name: nameOf(name), uploadId, signal };
      try {
        const { tags, size } = await sendPieces(upload, path);
        for (let tries = 1; ; tries++) {
          const failed = await complete(upload, tags).catch((error: Error) => error);
          // The answer may have been lost, or say that it was done before.
          if (!failed || (await bucket.sizeOf(name)) === size) break;
          if (tries === mostTries) throw failed;
          await pause(1000 * tries, undefined, { signal });
        }
      } catch (error) {
        // Pieces that cannot be removed now are removed by the bucket's own rule (docs/run/machines.md).
        await s3.send({ method: 'DELETE', name: upload.name, query: { uploadId } }).catch(() => undefined);
        throw error;
      }
    },
    fetch: async (name, path, signal) => {
      const size = await bucket.sizeOf(name);
      if (size === undefined) throw new Error(`There is no archive ${bucket.pathOf(name)}.`);
      const file = await open(path, 'wx', 0o600);
      try {
        for (let from = 0; from < size; from += pieceBytes) {
          signal?.throwIfAborted();
          const to = Math.min(size, from + pieceBytes) - 1;
          const headers = { range: `bytes=${from}-${to}` };
          const { bytes } = await s3.send({ method: 'GET', name: nameOf(name), headers, within });
          if (bytes.length !== to - from + 1) throw new Error(`${bucket.pathOf(name)} changed while it was read.`);
          await file.writeFile(bytes);
        }
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      } finally {
        await file.close();
      }
    },
  };
  return bucket;
}

interface Upload {
  s3: S3;
  name: string;
  uploadId: string;
  signal?: AbortSignal;
}

async function sendPieces({ s3, name, uploadId, signal }: Upload, path: string) {
  const tags: string[] = [];
  let size = 0;
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(pieceBytes), 0, pieceBytes, size);
      if (bytesRead === 0) return { tags, size };
      signal?.throwIfAborted();
      const query = { partNumber: String(tags.length + 1), uploadId };
      const body = buffer.subarray(0, bytesRead);
      const { status, headers } = await s3.send({ method: 'PUT', name, query, body, within });
      if (status === 404) throw new Error(`${s3.place} no longer knows the archive that is sent.`);
      tags.push(headers.get('etag') ?? '');
      size += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Puts the pieces together; returns what went wrong. A server may say so in an answer that begins well. */
async function complete({ s3, name, uploadId }: Upload, tags: string[]): Promise<Error | undefined> {
  const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
  const { status, bytes } = await s3.send({ method: 'POST', name, query: { uploadId }, body, within, isOnce: true });
  const isDone = status === 200 && !bytes.includes('<Error>');
  return isDone ? undefined : new Error(`${s3.place} did not keep the archive (${status}).`);
}
