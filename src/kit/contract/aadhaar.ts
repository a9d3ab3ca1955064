import { cleanCode } from './typed.ts';

/** Verhoeff's check digit multiplies in the dihedral group of ten, the symmetries of a pentagon: 5 to 9 are its mirrors. */
function product(one: number, other: number): number {
  const turn = (one < 5 ? one + other : one - other + 5) % 5;
  return one < 5 === other < 5 ? turn : turn + 5;
}

/** Each place is permuted once more than the one at its right. */
const permuted = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

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
    let moved = Number(digit);
    for (let times = 0; times < place % 8; times++) moved = permuted[moved] ?? 0;
    return product(sum, moved);
  }, 0);
  return check === 0;
}
