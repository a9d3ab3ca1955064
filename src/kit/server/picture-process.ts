// Runs in a process of its own: opens pictures and encodes them anew.
import { setPriority } from 'node:os';
import sharp from 'sharp';
import { type FileKind, uploadMessages } from '#kit/contract/uploads.ts';

export type PictureKind = Exclude<FileKind, 'pdf'>;

export interface PictureTask {
  number: number;
  kind: PictureKind;
  bytes: Uint8Array;
}

/** What may be stored, or the words it is refused with. */
export type Cleaned = { bytes: Buffer; mediaType: string } | { refused: string };

export interface PictureAnswer {
  number: number;
  cleaned: Cleaned;
}

const secondsToDecode = 5;
const mostPixels = 40_000_000;
/** A picture a million wide and a few high has few pixels, and still takes seconds to make smaller. */
const mostSide = 20_000;
/** Enough to read an A4 page at 200 dots an inch; larger pictures are made smaller. */
const longestSide = 2400;

sharp.concurrency(1);
sharp.cache(false);
// A family that waits for a page comes before one that waits for an upload.
setPriority(10);

process.on('message', async ({ number, kind, bytes }: PictureTask) => {
  const answer: PictureAnswer = { number, cleaned: await clean(kind, Buffer.from(bytes)) };
  process.send?.(answer);
});
// It lives as long as the server, which finishes what is under way before it ends.
process.once('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

async function clean(kind: PictureKind, bytes: Buffer): Promise<Cleaned> {
  try {
    const picture = sharp(bytes, { failOn: 'error', limitInputPixels: mostPixels, pages: 1 });
    const { format, width = 0, height = 0 } = await picture.metadata();
    if (format !== kind) return { refused: uploadMessages.damaged };
    if (width * height > mostPixels || Math.max(width, height) > mostSide)
      return { refused: uploadMessages.hugePicture };

    const upright = picture
      .rotate()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: secondsToDecode });
    // The best Huffman table would take a third of the time for a twelfth of the bytes.
    return kind === 'jpeg'
      ? { bytes: await upright.jpeg({ quality: 86, optimiseCoding: false }).toBuffer(), mediaType: 'image/jpeg' }
      : { bytes: await upright.png({ compressionLevel: 6 }).toBuffer(), mediaType: 'image/png' };
  } catch (error) {
    const isHuge = error instanceof Error && /pixel limit/i.test(error.message);
    return { refused: isHuge ? uploadMessages.hugePicture : uploadMessages.damaged };
  }
}
