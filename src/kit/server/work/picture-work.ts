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
const endOfJpeg = Buffer.from([0xff, 0xd9]);

sharp.concurrency(1);
sharp.cache(false);
serve(clean);

async function clean(sent: Buffer): Promise<Result> {
  const kind = kindOf(sent.subarray(0, headBytes));
  const needed = withoutExtras(sent);
  if (!needed) return { refused: uploadMessages.damaged };
  // Some programs drop the two bytes after the last pixel. With them added, a warning says that pixels are missing too.
  const isOpen = kind === 'jpeg' && needed.lastIndexOf(endOfJpeg) < 0;
  const bytes = isOpen ? Buffer.concat([needed, endOfJpeg]) : needed;
  try {
    const failOn = isOpen ? 'warning' : 'error';
    const picture = sharp(bytes, { failOn, limitInputPixels: mostPixels, pages: 1 });
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
