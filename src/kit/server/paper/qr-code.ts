import { encode } from 'uqr';

/** A QR code as one path of unit squares, with the quiet zone that cameras need. */
export interface QrCode {
  /** What it says. */
  text: string;
  /** The side of the whole. */
  size: number;
  path: string;
}

export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return { text, size, path: squares.join('') };
}
