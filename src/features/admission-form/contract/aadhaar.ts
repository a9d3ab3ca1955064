import { cleanCode } from '#kit/contract/typed.ts';

// Tables of Verhoeff's check digit: multiplication in the dihedral group of ten, and the permutation by position.
const product = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const permutation = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

/** The digits of an Aadhaar number, of any script and with words around them; '' for a text without twelve digits. */
export function aadhaarDigits(value: string): string {
  const digits = cleanCode(value).replace(/[^0-9]/g, '');
  return digits.length === 12 ? digits : '';
}

/** Whether this is a well-formed Aadhaar number: 12 digits, the first 2 to 9, with a right check digit (A10). */
export function isAadhaar(value: string): boolean {
  const digits = aadhaarDigits(value);
  if (!/^[2-9][0-9]{11}$/.test(digits)) return false;
  const check = [...digits].reverse().reduce((sum, digit, place) => {
    const moved = permutation[place % 8]?.[Number(digit)] ?? '0';
    return product[Number(sum)]?.[Number(moved)] ?? '0';
  }, '0');
  return check === '0';
}
