import type { FastifyRequest } from 'fastify';
import { AppError, malformed } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UploadRule } from '#kit/contract/uploads.ts';
import { type ReceivedFile, receiveFile } from '#kit/server/files/received-file.ts';

const mostFields = 80;
const longestName = 100;
const mostTextBytes = 100 * 1024;
/** Of one file so many bytes are counted before the rest is only thrown away. */
const mostRead = 16 * 1024 * 1024;
/** A request that announces more than this is not read at all: it is refused and its connection ends (D1). */
const mostAnnounced = 2 * mostRead;

const unreadable = (why: string) => malformed(`This request can’t be read: ${why}.`);

/** In the words of the file that is expected; it can be no other that is so large. */
function tooLarge(rules: Record<string, UploadRule>): AppError {
  const [first] = Object.entries(rules);
  if (!first) return new AppError('too_large', text`This request is too large.`);
  const [field, { tooLarge }] = first;
  return new AppError('too_large', tooLarge, { fields: { [field]: tooLarge } });
}

interface Received {
  fields: Record<string, unknown>;
  files: Map<string, ReceivedFile>;
}

/**
 * Reads a multipart request within fixed bounds (D1, D13): every text field once, at most one file of each name in `rules`,
 * large ones in `folder`. Of a file that is too large only its size is kept. `onFirstFile` is told the field of the first
 * file before it is read, and may refuse. Whoever calls drops the files. Throws `malformed`, and the system's error when the
 * disk is full.
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
        // A file input without a choice is sent as a part without name and bytes.
        if (file.name === '' && file.size === 0) continue;
        await count(part.fieldname);
        if (!rules[part.fieldname]) throw unreadable('it holds a file that is not expected');
        if (files.has(part.fieldname)) throw unreadable(`it holds two files named ${part.fieldname}`);
        files.set(part.fieldname, file);
        continue;
      }
      if (part.fieldname in fields) throw unreadable(`${part.fieldname.slice(0, 40)} comes twice`);
      if (part.fieldname.length > longestName || part.valueTruncated) throw unreadable('a field is too long');
      // A part that calls itself JSON is parsed by the plugin; no form sends one.
      if (typeof part.value !== 'string') throw unreadable(`${part.fieldname} is not text`);
      textBytes += Buffer.byteLength(part.value);
      if (textBytes > mostTextBytes) throw unreadable('it holds too much text');
      fields[part.fieldname] = part.value;
    }
  } catch (error) {
    // What still comes is thrown away, or the next request of this connection would wait behind it for ever.
    request.raw.unpipe();
    request.raw.resume();
    await dropAll(received);
    if (error instanceof AppError || error === refusal || isOfDisk(error)) throw error;
    throw unreadable('its parts are not in order');
  }
  if (Object.keys(fields).length + files.size === 0) throw unreadable('it holds nothing');
  return { fields: { ...fields }, files };
}

/** Forgets the bytes of files that came with a request. */
export const dropAll = (files: Iterable<ReceivedFile>) => Promise.all([...files].map(({ drop }) => drop()));

/** A failure of the file system, and none of the sender's. */
const isOfDisk = (error: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'EROFS', 'EACCES'].includes((error as { code?: string })?.code ?? '');
