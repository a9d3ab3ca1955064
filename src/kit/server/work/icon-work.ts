// Runs in a child process: draws a school's logo as the icon of a phone's home screen; without a logo, the product's.
import sharp from 'sharp';
import { uploadMessages } from '#kit/contract/uploads.ts';
import { type Result, serve } from './serve.ts';

const side = 512;
/** What a phone may cut off at each edge when it makes the icon round, plus some air. */
const edge = 72;

const house = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M8 22V11l8-4 8 4v11M13 22v-7h6v7" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/></svg>`;

sharp.concurrency(1);
sharp.cache(false);
serve(draw);

async function draw(logo: Buffer): Promise<Result> {
  const hasLogo = logo.length > 0;
  const background = hasLogo ? '#ffffff' : '#0b6e6e';
  const box = side - 2 * edge;
  try {
    const bytes = await sharp(hasLogo ? logo : Buffer.from(house), { failOn: 'error', density: 1152 })
      .resize({ width: box, height: box, fit: 'contain', background })
      .flatten({ background })
      .extend({ top: edge, bottom: edge, left: edge, right: edge, background })
      .png()
      .toBuffer();
    return { bytes };
  } catch {
    return { refused: uploadMessages.damaged };
  }
}
