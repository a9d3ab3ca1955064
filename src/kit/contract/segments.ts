/** The letters of a text message of seven bits, each of which counts once, and those that count twice. */
const single = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ!"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const double = new Set('\f^{}\\[~]|€');

/** Whether every letter of a text message is of the alphabet that holds 160 in a part; one other makes it 70. */
export const isPlainSms = (text: string): boolean => [...text].every((sign) => single.has(sign) || double.has(sign));

/** In how many parts operators send, and bill, a text message. A letter that counts twice is not divided. */
export function segmentsOf(text: string): number {
  const isPlain = isPlainSms(text);
  const [alone, each] = isPlain ? [160, 153] : [70, 67];
  const widths = [...text].map((sign) => (isPlain ? (double.has(sign) ? 2 : 1) : sign.length));
  if (widths.reduce((sum, width) => sum + width, 0) <= alone) return 1;
  let parts = 1;
  let filled = 0;
  for (const width of widths) {
    if (filled + width > each) {
      parts += 1;
      filled = 0;
    }
    filled += width;
  }
  return parts;
}
