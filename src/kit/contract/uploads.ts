import { type Text, text } from './text.ts';

/** All kinds of file that the system accepts. */
export type FileKind = 'png' | 'jpeg' | 'gif' | 'pdf';

/** What a file field accepts, and its messages for refusals. */
export interface UploadRule {
  /** The file's name in buttons and messages: "Child Photo". */
  label: Text;
  kinds: readonly FileKind[];
  /** Largest size in bytes, inclusive. */
  maxBytes: number;
  wrongType: Text;
  tooLarge: Text;
  /** The longer side in pixels of a picture that the phone shrinks; 1600 by default. */
  longestSide?: number;
}

export const megabyte = 1024 * 1024;

const endings: Record<FileKind, readonly string[]> = {
  png: ['png'],
  jpeg: ['jpg', 'jpeg'],
  gif: ['gif'],
  pdf: ['pdf'],
};

const mediaTypes: Record<FileKind, string> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  pdf: 'application/pdf',
};

export const uploadMessages = {
  failed: text`The file could not be uploaded. Try again.`,
  notSmaller: text`This picture is too large. Choose a smaller one.`,
  empty: text`This file is empty or damaged. Choose another one.`,
  heic: text`This is an iPhone HEIC picture. Take the photo here or save it as JPG first.`,
  damaged: text`This file is empty or damaged. Choose another one.`,
  hugePicture: text`This picture is too large. Choose a smaller one.`,
  activePdf: text`This PDF may be unsafe. Print it to a new PDF and upload that.`,
  unclearPdf: text`This PDF may be unsafe. Print it to a new PDF and upload that.`,
  lockedPdf: text`This PDF has a password. Open it, print it to a new PDF and upload that.`,
} as const;

/** The file endings of a rule, for `accept` of a file input. */
export const accepted = ({ kinds }: UploadRule): string =>
  kinds.flatMap((kind) => [mediaTypes[kind], ...endings[kind].map((ending) => `.${ending}`)]).join(',');

/** Whether a file that is too large may be shrunk: a picture, where JPEG is accepted. */
export const canShrink = ({ kinds }: UploadRule, head: Uint8Array): boolean => {
  const kind = kindOf(head);
  return kind !== undefined && kind !== 'pdf' && kinds.includes('jpeg');
};

/** The number of first bytes that `refusal` needs: readers find the head of a PDF within this many. */
export const headBytes = 1024;

interface Candidate {
  /** Size in bytes. */
  size: number;
  head: Uint8Array;
}

/**
 * The reason that a file is refused, or undefined when its first bytes and size are valid; phones give files any name.
 * Both sides use it; the server also opens the file. The first failing check decides.
 */
export function refusal(rule: UploadRule, { size, head }: Candidate): Text | undefined {
  if (size === 0) return uploadMessages.empty;
  if (isHeic(head) && rule.kinds.includes('jpeg')) return uploadMessages.heic;
  const kind = kindOf(head);
  if (!kind || !rule.kinds.includes(kind)) return rule.wrongType;
  if (size > rule.maxBytes) return rule.tooLarge;
  return undefined;
}

/** The kind of file by its first bytes, whatever its name. */
export function kindOf(head: Uint8Array): FileKind | undefined {
  if (startsWith(head, [0x89, 0x50, 0x4e, 0x47])) return 'png';
  if (startsWith(head, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(head, [0x47, 0x49, 0x46, 0x38])) return 'gif';
  return pdfStart(head) < 0 ? undefined : 'pdf';
}

/** The place of the head of a PDF, which mail programs and scanners put bytes before; -1 without one. */
export function pdfStart(bytes: Uint8Array): number {
  const last = Math.min(bytes.length, headBytes) - pdfHead.length;
  for (let at = 0; at <= last; at++) if (pdfHead.every((byte, index) => bytes[at + index] === byte)) return at;
  return -1;
}

const pdfHead = [0x25, 0x50, 0x44, 0x46, 0x2d];

const startsWith = (head: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, index) => head[index] === byte);

/** HEIC and related formats have "ftyp" and one of these brands at byte 4. */
const heicBrands = ['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1'];

function isHeic(head: Uint8Array): boolean {
  const brand = String.fromCharCode(...head.slice(4, 12));
  return heicBrands.some((name) => brand === `ftyp${name}`);
}
