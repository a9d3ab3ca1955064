import { aadhaarDigits, isAadhaar } from '#kit/contract/aadhaar.ts';
import { cleanCode } from '#kit/contract/typed.ts';
import type { Keys } from './keys.ts';
import { searchHash } from './sealed.ts';

/**
 * A keyed mark of the text as it was entered, in hex: different marks show a change that equal masks hide. Under the
 * link key, since marks made before and after a rotation of the data key are compared.
 */
export const aadhaarMark = ({ link }: Keys, value: string) => searchHash(link, 'aadhaar', value).toString('hex');

/**
 * For refusing a number that another record has; null where it is not a valid Aadhaar number. Under the link key, as
 * numbers that were entered before and after a rotation of the data key are compared.
 */
export const aadhaarKey = ({ link }: Keys, value: string) =>
  isAadhaar(value) ? searchHash(link, 'aadhaar-key', aadhaarDigits(value)) : null;

/** Whether this looks like a mask that `maskAadhaar` made. */
export const isMask = (value: string) => /^X[X ]*[^X ]{0,4}$/.test(value);

/**
 * XXXX XXXX 1234 for twelve digits of any script; the last four characters of another number; words such as "Applied for" and masks
 * stay unchanged (I2).
 */
export function maskAadhaar(plain: string): string {
  if (isMask(plain)) return plain;
  const bare = cleanCode(plain).replace(/[\s-]/g, '');
  if (!/[0-9]/.test(bare)) return plain;
  const digits = aadhaarDigits(bare);
  if (digits) return `XXXX XXXX ${digits.slice(-4)}`;
  const shown = bare.length > 6 ? 4 : 1;
  return 'X'.repeat(bare.length - shown) + bare.slice(-shown);
}
