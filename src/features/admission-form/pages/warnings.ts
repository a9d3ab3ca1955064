import { normalMobile } from '#kit/contract/fields.ts';

// Values that are accepted but look like a mistake: warn, never refuse.

/** Indian mobile numbers begin with 6 to 9 (A15). */
export const oddMobile = (words: string) => (value: string) =>
  /^[0-5][0-9]{9}$/.test(normalMobile(value)) ? words : undefined;

/** An Indian PIN code has six digits and no leading 0 (A16). */
export const oddPinCode = (country: unknown, words: string) => (value: string) =>
  value && /^\s*(india|bharat)\s*$/i.test(String(country)) && !/^[1-9][0-9]{5}$/.test(value.replace(/\s/g, ''))
    ? words
    : undefined;
