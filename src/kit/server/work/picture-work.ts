// Runs in a child process: opens pictures and encodes them again.
import sharp from 'sharp';
import { headBytes, kindOf, uploadMessages } from '#kit/contract/uploads.ts';
import { withoutExtras } from './picture-parts.ts';
import { type Result, serve } from './serve.ts';

const mostPixels = 40_000_000;
/** A picture a million pixels wide and a few high has few pixels, and still takes seconds to shrink. */
const mostSide = 20_000;
/** Enough to read an A4 page at 200 dots an inch; larger pictures are shrunk. */
const longestSide = 2400;

sharp.concurrency(1);
sharp.cache(false);
serve(clean);

async function clean(sent: Buffer): Promise<Result> {
  const kind = kindOf(sent.subarray(0, headBytes));
  const bytes = withoutExtras(sent);
  if (!bytes) return { refused: uploadMessages.damaged };
  try {
    const picture = sharp(bytes, { failOn: 'error', limitInputPixels: mostPixels, pages: 1 });
    const { format, width = 0, height = 0 } = await picture.metadata();
    if (format !== kind) return { refused: uploadMessages.damaged };
    if (width * height > mostPixels || Math.max(width, height) > mostSide)
      return { refused: uploadMessages.hugePicture };

    const upright = picture
      .rotate()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true });
    // Optimal Huffman tables would take a third of the time for a twelfth of the bytes.
    return kind === 'jpeg'
      ? { bytes: await upright.jpeg({ quality: 86, optimiseCoding: false }).toBuffer() }
      : { bytes: await upright.png({ compressionLevel: 6 }).toBuffer() };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return { refused: /pixel limit/i.test(message) ? uploadMessages.hugePicture : uploadMessages.damaged };
  }
}
