import { kindOf } from '#kit/contract/uploads.ts';

/**
 * The chunks that a PNG's pixels, colours and orientation need. Every other chunk is text, a profile, or proprietary.
 */
const chunksKept = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'pHYs', 'eXIf'];
const mostExif = 64 * 1024;
/** A camera's colour profile has some kilobytes. */
const mostProfile = 128 * 1024;

/**
 * A picture without the parts that its pixels do not need, before a decoder reads it: a few kilobytes of compressed
 * text inflate to gigabytes (W5). Undefined for an invalid structure.
 */
export function withoutExtras(bytes: Buffer): Buffer | undefined {
  switch (kindOf(bytes)) {
    case 'png':
      return neededChunks(bytes);
    case 'jpeg':
      return neededSegments(bytes);
    default:
      return bytes;
  }
}

const pngHead = 8;

/** PNG: chunks of a length, a type, data and a checksum, from IHDR to IEND. */
function neededChunks(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, pngHead)];
  for (let at = pngHead; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length;
    if (end > bytes.length || (type === 'IHDR') !== (at === pngHead)) return undefined;
    if (chunksKept.includes(type) && (type !== 'eXIf' || length <= mostExif)) kept.push(bytes.subarray(at, end));
    if (type === 'IEND') return Buffer.concat(kept);
    at = end;
  }
  return undefined;
}

/** JPEG: segments of a marker, a length and data, up to the scan; the rest is kept unchanged. */
function neededSegments(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 2)];
  let profile = 0;
  let hasExif = false;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // Any number of fill bytes may stand before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === startOfScan) return Buffer.concat([...kept, bytes.subarray(at)]);
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return undefined;
    const segment = bytes.subarray(at, end);
    const startsWith = (text: string) => segment.toString('latin1', 4, 4 + text.length) === text;
    if (marker === exifSegment && startsWith('Exif\0') && !hasExif) {
      hasExif = true;
      kept.push(segment);
    } else if (marker === profileSegment && startsWith('ICC_PROFILE\0') && profile + segment.length <= mostProfile) {
      profile += segment.length;
      kept.push(segment);
    } else if (!isExtra(marker)) kept.push(segment);
    at = end;
  }
  return undefined;
}

const startOfScan = 0xda;
const exifSegment = 0xe1;
const profileSegment = 0xe2;
/** APP1 to APP13, APP15 and comments. APP0 is JFIF's own, and APP14 defines the colour transform. */
const isExtra = (marker: number) => (marker >= 0xe1 && marker <= 0xef && marker !== 0xee) || marker === 0xfe;
