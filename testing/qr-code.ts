import jsqr from 'jsqr';

type Read = (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null;
// The types declare a default export, which Node has already taken.
const read = ((jsqr as unknown as { default?: Read }).default ?? jsqr) as unknown as Read;

/** Pixels of a unit square. */
const scale = 4;

/** What a camera reads from a QR code that is drawn as unit squares; '' where it reads nothing. */
export function readQrCode({ size, path }: { size: number; path: string }): string {
  const side = size * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < scale; row++) {
      const start = ((Number(y) * scale + row) * side + Number(x) * scale) * 4;
      for (let pixel = 0; pixel < scale; pixel++) pixels.set([0, 0, 0], start + pixel * 4);
    }
  }
  return read(pixels, side, side)?.data ?? '';
}
