import type { LinkContext } from '#kit/server/context.ts';
import type { KeyRing, Keys } from '#kit/server/security/keys.ts';
import { open, seal, searchHash } from '#kit/server/security/sealed.ts';
import { isAadhaar } from '../contract/aadhaar.ts';

const place = (inquiryId: number) => `admission_basic_info.aadhaar:${inquiryId}`;

/** Encrypted for this row, with a search hash only where it is a valid Aadhaar number. */
export const sealAadhaar = ({ keys, inquiry }: LinkContext, value: string) => ({
  aadhaar: seal(keys.data, place(inquiry.id), value),
  aadhaar_hash: aadhaarHash(keys.data, value),
});

/** For finding duplicates; null where the number is not a valid Aadhaar number. */
export const aadhaarHash = (ring: KeyRing, value: string) =>
  isAadhaar(value) ? searchHash(ring, 'aadhaar', value.replace(/\D/g, '')) : null;

/**
 * A keyed mark of the text as it was entered, in hex: different marks show a change that equal masks hide. Under the
 * link key, since marks made before and after a rotation of the data key are compared.
 */
export const aadhaarMark = ({ link }: Keys, value: string) => searchHash(link, 'aadhaar', value).toString('hex');

export const openAadhaar = ({ keys }: Pick<LinkContext, 'keys'>, inquiryId: number, sealed: Buffer): string =>
  open(keys.data, place(inquiryId), sealed).toString();

/** Whether this looks like a mask that `maskAadhaar` made. */
export const isMask = (value: string) => /^X[X ]*[^X ]{0,4}$/.test(value);

/**
 * XXXX XXXX 1234 for twelve digits; the last four characters of another number; words such as "Applied for" and masks
 * stay unchanged (I2).
 */
export function maskAadhaar(plain: string): string {
  if (isMask(plain)) return plain;
  const bare = plain.replace(/[\s-]/g, '');
  if (!/[0-9]/.test(bare)) return plain;
  if (/^[0-9]{12}$/.test(bare)) return `XXXX XXXX ${bare.slice(-4)}`;
  const shown = bare.length > 6 ? 4 : 1;
  return 'X'.repeat(bare.length - shown) + bare.slice(-shown);
}
