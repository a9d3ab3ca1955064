import type { FastifyRequest } from 'fastify';
import { AppError, malformed } from '#kit/contract/errors.ts';
import { verbatim } from '#kit/contract/text.ts';
import type { UploadRule } from '#kit/contract/uploads.ts';
import { type ReceivedFile, receiveFile } from '#kit/server/files/received-file.ts';

const mostFields = 80;
const longestName = 100;
const mostTextBytes = 100 * 1024;
/** Beyond this size a file's bytes are no longer counted, only discarded. */
const mostRead = 16 * 1024 * 1024;
/** A request that announces more is refused unread, and its connection ends (D1). */
const mostAnnounced = 2 * mostRead;

const unreadable = (why: string) => malformed(`This request can’t be read: ${why}.`);

/** With the message of the expected file: no other part can be this large. */
function tooLarge(rules: Record<string, UploadRule>): AppError {
  const [first] = Object.entries(rules);
  if (!first) return new AppError('too_large', verbatim('This request is too large.'));
  const [field, { tooLarge }] = first;
  return new AppError('too_large', tooLarge, { fields: { [field]: tooLarge } });
}

interface Received {
  fields: Record<string, unknown>;
  files: Map<string, ReceivedFile>;
}

/**
 * Parses a multipart request within limits (D1, D13): each field once, one file per name in `rules`. `onFirstFile` may
 * refuse before a file is read; the caller frees the files. Throws `malformed`, or the system's error of a full disk.
 */
export async function readMultipart(
  request: FastifyRequest,
  rules: Record<string, UploadRule>,
  { folder, onFirstFile }: { folder: string; onFirstFile: (field: string) => Promise<void> },
): Promise<Received> {
  let isCounted = false;
  let refusal: unknown;
  const count = async (field: string) => {
    if (isCounted) return;
    isCounted = true;
    await onFirstFile(field).catch((error: unknown) => {
      refusal = error;
      throw error;
    });
  };
  if (Number(request.headers['content-length'] ?? 0) > mostAnnounced) throw tooLarge(rules);
  const fields: Record<string, unknown> = Object.create(null);
  const files = new Map<string, ReceivedFile>();
  let textBytes = 0;
  const received: ReceivedFile[] = [];

  const limits = { fields: mostFields, fieldSize: mostTextBytes, files: 8, fileSize: mostRead };
  try {
    for await (const part of request.parts({ limits: { ...limits, parts: mostFields + limits.files } })) {
      if (part.type === 'file') {
        if (part.filename) await count(part.fieldname);
        const most = rules[part.fieldname]?.maxBytes ?? 0;
        const file = await receiveFile(part.filename ?? '', part.file, { most, folder });
        received.push(file);
        if (part.file.truncated) file.size = Math.max(file.size, mostRead) + 1;
        // A file input without a choice sends a part without name and bytes.
        if (file.name === '' && file.size === 0) continue;
        await count(part.fieldname);
        if (!rules[part.fieldname]) throw unreadable('it holds a file that is not expected');
        if (files.has(part.fieldname)) throw unreadable(`it holds two files named ${part.fieldname}`);
        files.set(part.fieldname, file);
        continue;
      }
      if (part.fieldname in fields) throw unreadable(`${part.fieldname.slice(0, 40)} comes twice`);
      if (part.fieldname.length > longestName || part.valueTruncated) throw unreadable('a field is too long');
      // The plugin parses a part with a JSON type; no form sends one.
      if (typeof part.value !== 'string') throw unreadable(`${part.fieldname} is not text`);
      textBytes += Buffer.byteLength(part.value);
      if (textBytes > mostTextBytes) throw unreadable('it holds too much text');
      fields[part.fieldname] = part.value;
    }
  } catch (error) {
    // The rest is discarded, or the connection's next request would wait for it forever.
    request.raw.unpipe();
    request.raw.resume();
    await dropAll(received);
    if (error instanceof AppError || error === refusal || isOfDisk(error)) throw error;
    throw unreadable('its parts are not in order');
  }
  if (Object.keys(fields).length + files.size === 0) throw unreadable('it holds nothing');
  return { fields: { ...fields }, files };
}

/** Frees the bytes of a request's files. */
export const dropAll = (files: Iterable<ReceivedFile>) => Promise.all([...files].map(({ drop }) => drop()));

/** An error of the file system, not of the sender. */
const isOfDisk = (error: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'EROFS', 'EACCES'].includes((error as { code?: string })?.code ?? '');
