// Runs in a process of its own: opens pictures and encodes them anew. Pictures come and go as frames on its standard
// streams; when they end, so does it.
import { spawnSync } from 'node:child_process';
import { setPriority } from 'node:os';
import sharp from 'sharp';
import { uploadMessages } from '#kit/contract/uploads.ts';
import { frame, readFrames } from './frames.ts';
import { answerKinds, type PictureKind, pictureKinds } from './picture-kinds.ts';

const secondsToDecode = 5;
const mostPixels = 40_000_000;
/** A picture a million wide and a few high has few pixels, and still takes seconds to make smaller. */
const mostSide = 20_000;
/** Enough to read an A4 page at 200 dots an inch; larger pictures are made smaller. */
const longestSide = 2400;

sharp.concurrency(1);
sharp.cache(false);
// A family that waits for a page comes before one that waits for an upload: at once where Linux's chrt is there, so that
// nobody waits for the end of a slice of time, and in the long run where it is not.
setPriority(10);
spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', `${process.pid}`]);

// It lives as long as the server, which finishes what is under way before it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
readFrames(process.stdin, async ({ number, tag, bytes }) => {
  const { kind, bytes: cleaned } = await clean(pictureKinds[tag] ?? 'png', bytes);
  for (const part of frame(number, answerKinds.indexOf(kind), cleaned)) process.stdout.write(part);
});
process.stdin.once('end', () => process.exit());

interface Cleaned {
  kind: (typeof answerKinds)[number];
  bytes: Buffer;
}

const refused = (message: string): Cleaned => ({ kind: 'refused', bytes: Buffer.from(message) });

async function clean(kind: PictureKind, bytes: Buffer): Promise<Cleaned> {
  const before = process.cpuUsage();
  try {
    const picture = sharp(bytes, { failOn: 'error', limitInputPixels: mostPixels, pages: 1 });
    const { format, width = 0, height = 0 } = await picture.metadata();
    if (format !== kind) return refused(uploadMessages.damaged);
    if (width * height > mostPixels || Math.max(width, height) > mostSide) return refused(uploadMessages.hugePicture);

    const upright = picture
      .rotate()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: secondsToDecode });
    // The best Huffman table would take a third of the time for a twelfth of the bytes.
    return kind === 'jpeg'
      ? { kind: 'image/jpeg', bytes: await upright.jpeg({ quality: 86, optimiseCoding: false }).toBuffer() }
      : { kind: 'image/png', bytes: await upright.png({ compressionLevel: 6 }).toBuffer() };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const { user, system } = process.cpuUsage(before);
    // Out of time without having worked for most of it: the machine was busy with others, and no fault is the picture's.
    if (/timeout/i.test(message) && user + system < 0.8 * secondsToDecode * 1e6)
      return { kind: 'late', bytes: Buffer.alloc(0) };
    return refused(/pixel limit/i.test(message) ? uploadMessages.hugePicture : uploadMessages.damaged);
  }
}
