import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { AppError, problemMessage } from '#kit/contract/errors.ts';
import { headBytes, kindOf, refusal, type UploadRule, uploadMessages } from '#kit/contract/uploads.ts';
import { type Cleaned, cleanPicture } from './pictures.ts';
import { slots } from './slots.ts';

/** A file as it will be stored: opened, cleaned, and nothing in it that was not looked at. */
export interface CheckedUpload {
  /** What the file was called, as text to show; never used as a path. */
  name: string;
  mediaType: string;
  bytes: Buffer;
  sha256: Buffer;
}

export interface ReceivedFile {
  name: string;
  bytes: Buffer;
  /** True size in bytes; larger than `bytes` when the rest was thrown away. */
  size: number;
}

/** Decoding is work for few hands at a time: 40 megapixels take some 160 MB while they are open. */
const inSlot = slots(2, 40);
const secondsToDecode = 5;

/**
 * Opens a received file and gives what may be stored: pictures encoded anew (no EXIF, GPS, text or trailing bytes; of
 * a GIF the first frame), PDFs as they came once they parse and hold no program or file. Throws `too_large` or `invalid`
 * with the message beside `field`.
 */
export async function inspect(field: string, rule: UploadRule, file: ReceivedFile): Promise<CheckedUpload> {
  const refuse = (message: string, code: 'invalid' | 'too_large' = 'invalid') =>
    new AppError(code, message, { fields: { [field]: message } });
  const head = file.bytes.subarray(0, headBytes);
  const refused = refusal(rule, { name: file.name, size: file.size, head });
  if (refused) throw refuse(refused, refused === rule.tooLarge ? 'too_large' : 'invalid');

  const kind = kindOf(head);
  if (!kind) throw refuse(rule.wrongType);
  const cleaned =
    kind === 'pdf' ? await inSlot(() => cleanPdf(file.bytes)) : await inSlot(() => cleanPicture(kind, file.bytes));
  if ('refused' in cleaned) throw refuse(cleaned.refused);

  const { bytes, mediaType } = cleaned;
  const sha256 = createHash('sha256').update(bytes).digest();
  return { name: shownName(file.name, mediaType), mediaType, bytes, sha256 };
}

/** For the files of one request: what passed, and every refusal together, each beside its field. */
export async function inspectAll(
  rules: Record<string, UploadRule>,
  files: ReadonlyMap<string, ReceivedFile>,
): Promise<{ uploads: Record<string, CheckedUpload>; refused?: AppError }> {
  const uploads: Record<string, CheckedUpload> = {};
  const refusals: AppError[] = [];
  for (const [field, file] of files) {
    const rule = rules[field];
    if (!rule) throw new AppError('malformed', `No file named ${field} is expected here.`);
    try {
      uploads[field] = await inspect(field, rule, file);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      refusals.push(error);
    }
  }
  const [first] = refusals;
  if (!first) return { uploads };
  const code = refusals.find((refused) => refused.code === 'too_large')?.code ?? first.code;
  const message = refusals.length === 1 ? first.message : problemMessage;
  const fields = Object.assign({}, ...refusals.map((refused) => refused.fields));
  return { uploads, refused: new AppError(code, message, { fields }) };
}

/** A PDF is opened in a thread of its own, which is ended when it takes too long or too much. */
function cleanPdf(bytes: Buffer): Promise<Cleaned> {
  return new Promise((done, fail) => {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      workerData: new Uint8Array(bytes),
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      stdout: true,
      stderr: true,
    });
    const finish = (verdict: unknown) => {
      clearTimeout(timer);
      void worker.terminate();
      if (verdict === 'clean') return done({ bytes, mediaType: 'application/pdf' });
      done({ refused: verdict === 'active' ? uploadMessages.activePdf : uploadMessages.damaged });
    };
    const timer = setTimeout(() => finish('slow'), secondsToDecode * 1000);
    worker.once('message', finish).once('exit', finish);
    worker.once('error', (error: NodeJS.ErrnoException) => {
      // A PDF that needs more memory than it may have is refused; anything else is a bug of ours.
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') fail(error);
      finish('large');
    });
  });
}

const shownNameMax = 200;

/** The client's name for the file without path and control signs, with the ending its content has. */
export function shownName(given: string, mediaType: string): string {
  const base = given.replace(/^.*[/\\]/s, '').replace(/\.[^.]*$/, '');
  const plain = [...base.toWellFormed()].filter(isShowable).join('').trim().slice(0, shownNameMax).toWellFormed();
  return `${plain || 'file'}.${mediaType.replace(/^.*\//, '').replace('jpeg', 'jpg')}`;
}

// Control and direction-changing signs could make a name read as another one.
const isShowable = (sign: string) => !/[\p{Cc}\p{Cf}"<>|:*?]/u.test(sign);
