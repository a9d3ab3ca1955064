import { expect, test } from 'vitest';
import { isAadhaar } from './aadhaar.ts';

test('RA10 a number with a right check digit is an Aadhaar number, and with any other last digit it is not', () => {
  const ending = [...'0123456789'].filter((digit) => isAadhaar(`23412341234${digit}`));
  expect(ending).toHaveLength(1);
});

test('RA10 a slip of one digit, or two neighbours exchanged, is noticed', () => {
  const number = [...'0123456789'].map((digit) => `23412341234${digit}`).find(isAadhaar) ?? '';
  for (let place = 0; place < 12; place++) {
    const other = String((Number(number[place]) + 3) % 10);
    expect(isAadhaar(number.slice(0, place) + other + number.slice(place + 1))).toBe(false);
  }
  expect(isAadhaar(number.replace('34', '43'))).toBe(false);
});

test.each(['012345678901', '112345678901', '23412341234', '2341234123411', 'abcdefghijkl', ''])(
  'RA10 %s is not an Aadhaar number',
  (value) => expect(isAadhaar(value)).toBe(false),
);
