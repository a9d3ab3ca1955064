// Runs in a child process: makes a picture as small as it is printed on a card.
import sharp from 'sharp';
import { uploadMessages } from '#kit/contract/uploads.ts';
import { type Result, serve } from './serve.ts';

/** 300 dots an inch on a card. */
const size = { width: 250, height: 321 };

sharp.concurrency(1);
sharp.cache(false);
serve(shrink);

async function shrink(stored: Buffer): Promise<Result> {
  try {
    // A face is in the upper part of a picture that is too high.
    const small = sharp(stored, { failOn: 'error' }).resize({ ...size, fit: 'cover', position: 'top' });
    return { bytes: await small.flatten({ background: '#ffffff' }).jpeg({ quality: 82 }).toBuffer() };
  } catch {
    return { refused: uploadMessages.damaged };
  }
}
