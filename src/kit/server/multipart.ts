import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#kit/contract/errors.ts';
import type { UploadRule } from '#kit/contract/uploads.ts';
import type { ReceivedFile } from './inspect.ts';

const mostFields = 80;
const longestName = 100;
const mostTextBytes = 100 * 1024;
/** Of one file so many bytes are counted before the rest is only thrown away. */
const mostRead = 16 * 1024 * 1024;
/** A request that announces more than this is not read at all: it is refused and its connection ends (D1). */
const mostAnnounced = 2 * mostRead;

const malformed = (why: string) => new AppError('malformed', `This request cannot be read: ${why}.`);

/** In the words of the file that is expected; it can be no other that is so large. */
function tooLarge(rules: Record<string, UploadRule>): AppError {
  const [first] = Object.entries(rules);
  if (!first) return new AppError('too_large', 'This request is too large.');
  const [field, { tooLarge }] = first;
  return new AppError('too_large', tooLarge, { fields: { [field]: tooLarge } });
}

interface Received {
  fields: Record<string, unknown>;
  files: Map<string, ReceivedFile>;
}

/**
 * Reads a multipart request into memory within fixed bounds (D1, D13): every text field once, at most one file of each
 * name in `rules`. Of a file that is too large only its size is kept. `onFirstFile` is told the field of the first file before
 * it is read, and may refuse. Throws `malformed`.
 */
export async function readMultipart(
  request: FastifyRequest,
  rules: Record<string, UploadRule>,
  onFirstFile: (field: string) => Promise<void>,
): Promise<Received> {
  let isCounted = false;
  const count = async (field: string) => {
    if (isCounted) return;
    isCounted = true;
    await onFirstFile(field);
  };
  if (Number(request.headers['content-length'] ?? 0) > mostAnnounced) throw tooLarge(rules);
  const fields: Record<string, unknown> = Object.create(null);
  const files = new Map<string, ReceivedFile>();
  let textBytes = 0;

  const limits = { fields: mostFields, fieldSize: mostTextBytes, files: 8, fileSize: mostRead };
  try {
    for await (const part of request.parts({ limits: { ...limits, parts: mostFields + limits.files } })) {
      if (part.type === 'file') {
        if (part.filename) await count(part.fieldname);
        const file = await readFile(part, rules[part.fieldname]?.maxBytes ?? 0);
        // A file input without a choice is sent as a part without name and bytes.
        if (file.name === '' && file.size === 0) continue;
        await count(part.fieldname);
        if (!rules[part.fieldname]) throw malformed('it holds a file that is not expected');
        if (files.has(part.fieldname)) throw malformed(`it holds two files named ${part.fieldname}`);
        files.set(part.fieldname, file);
        continue;
      }
      if (part.fieldname in fields) throw malformed(`${part.fieldname.slice(0, 40)} comes twice`);
      if (part.fieldname.length > longestName || part.valueTruncated) throw malformed('a field is too long');
      // A part that calls itself JSON is parsed by the plugin; no form sends one.
      if (typeof part.value !== 'string') throw malformed(`${part.fieldname} is not text`);
      textBytes += Buffer.byteLength(part.value);
      if (textBytes > mostTextBytes) throw malformed('it holds too much text');
      fields[part.fieldname] = part.value;
    }
  } catch (error) {
    // What still comes is thrown away, or the next request of this connection would wait behind it for ever.
    request.raw.unpipe();
    request.raw.resume();
    if (error instanceof AppError) throw error;
    throw malformed('its parts are not in order');
  }
  if (Object.keys(fields).length + files.size === 0) throw malformed('it holds nothing');
  return { fields: { ...fields }, files };
}

async function readFile(part: MultipartFile, maxBytes: number): Promise<ReceivedFile> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of part.file) {
    size += chunk.length;
    // Once too large nothing is kept but the first bytes, which say what kind of file it was.
    if (size <= maxBytes || chunks.length === 0) chunks.push(chunk);
  }
  if (part.file.truncated) size = Math.max(size, mostRead) + 1;
  return { name: part.filename ?? '', bytes: Buffer.concat(chunks), size };
}
