import { createHash } from 'node:crypto';
import { AppError, malformed, problemMessage } from '#kit/contract/errors.ts';
import { isSame, type Text } from '#kit/contract/text.ts';
import { kindOf, pdfStart, refusal, type UploadRule, uploadMessages } from '#kit/contract/uploads.ts';
import { openPool } from '#kit/server/work/pool.ts';
import { type Caller, openQueue } from '#kit/server/work/queue.ts';
import type { ReceivedFile } from './received-file.ts';

/** A file as it will be stored: opened and cleaned, with no unchecked content. */
export interface CheckedUpload {
  /** The original name, as text for display; never used as a path. */
  name: string;
  mediaType: string;
  bytes: Buffer;
  sha256: Buffer;
}

const megabyte = 1024 * 1024;
/**
 * The limits of every upload: an open picture of 40 megapixels needs some 160 MB. A queue of 160 usual pictures takes
 * two seconds.
 */
const limits = { queue: openQueue(2, 160, 'upload'), seconds: 5, shortSeconds: 0.5, memory: 300 * megabyte };

/**
 * Pictures are usually harmless, so a process opens 1000 of them: starting one costs as much as eight pictures, and the
 * first ones in a new process cost twice as much.
 */
const cleanPicture = openPool({
  ...limits,
  program: new URL('../work/picture-work.ts', import.meta.url),
  result: 32 * megabyte,
  jobs: 1000,
  isNative: true,
  broken: uploadMessages.damaged,
  tooLarge: uploadMessages.hugePicture,
});

/** Of a GIF only the first frame is kept, as PNG. */
const storedTypes = { png: 'image/png', gif: 'image/png', jpeg: 'image/jpeg', pdf: 'application/pdf' } as const;

const checkPdf = openPool({
  ...limits,
  program: new URL('../work/pdf-work.ts', import.meta.url),
  result: 1024,
  jobs: 1,
  broken: uploadMessages.damaged,
  tooLarge: uploadMessages.damaged,
});

/**
 * Opens a received file and returns what may be stored: re-encoded pictures (no EXIF, GPS, text or trailing bytes), and
 * PDFs from their head on, otherwise unchanged, if they parse and have no program or file. Throws `too_large` or `invalid` at `field`.
 */
export async function inspect(
  field: string,
  rule: UploadRule,
  { file, caller }: { file: ReceivedFile; caller: Caller },
): Promise<CheckedUpload> {
  const refuse = (message: Text, code: 'invalid' | 'too_large' = 'invalid') =>
    new AppError(code, message, { fields: { [field]: message } });
  const refused = refusal(rule, file);
  if (refused) throw refuse(refused, isSame(refused, rule.tooLarge) ? 'too_large' : 'invalid');

  const kind = kindOf(file.head);
  if (!kind) throw refuse(rule.wrongType);
  const read = kind === 'pdf' ? () => file.read().then(fromHead) : file.read;
  const cleaned = await (kind === 'pdf' ? checkPdf : cleanPicture)(read, caller);
  if ('refused' in cleaned) throw refuse(cleaned.refused);

  const bytes = kind === 'pdf' ? await read() : cleaned.bytes;
  const mediaType = storedTypes[kind];
  const sha256 = createHash('sha256').update(bytes).digest();
  return { name: shownName(file.name, mediaType), mediaType, bytes, sha256 };
}

/** What stands before the head could be another kind of file. */
const fromHead = (bytes: Buffer) => bytes.subarray(pdfStart(bytes));

/** For the files of one request: the accepted files, and all refusals together, each at its field. */
export async function inspectAll(
  rules: Record<string, UploadRule>,
  { files, caller }: { files: ReadonlyMap<string, ReceivedFile>; caller: Caller },
): Promise<{ uploads: Record<string, CheckedUpload>; refused?: AppError }> {
  const uploads: Record<string, CheckedUpload> = {};
  const refusals: AppError[] = [];
  for (const [field, file] of files) {
    const rule = rules[field];
    if (!rule) throw malformed(`No file named ${field} is expected here.`);
    try {
      uploads[field] = await inspect(field, rule, { file, caller });
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      refusals.push(error);
    }
  }
  const [first] = refusals;
  if (!first) return { uploads };
  const code = refusals.find((refused) => refused.code === 'too_large')?.code ?? first.code;
  const message = refusals.length === 1 ? first.text : problemMessage;
  const fields = Object.assign({}, ...refusals.map((refused) => refused.fields));
  return { uploads, refused: new AppError(code, message, { fields }) };
}

const shownNameMax = 200;

/** The client's file name without path and control characters, with the ending of its content. */
function shownName(value: string, mediaType: string): string {
  const base = value.replace(/^.*[/\\]/s, '').replace(/\.[^.]*$/, '');
  const plain = [...base.toWellFormed()].filter(isShowable).join('').trim().slice(0, shownNameMax).toWellFormed();
  return `${plain || 'file'}.${mediaType.replace(/^.*\//, '').replace('jpeg', 'jpg')}`;
}

// Control characters and characters that change direction could make a name look like another.
const isShowable = (character: string) => !/[\p{Cc}\p{Cf}"<>|:*?]/u.test(character);
