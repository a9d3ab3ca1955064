import { expect, test } from 'vitest';
import { isPlainSms, segmentsOf } from './segments.ts';

const partsOf = (sign: string, counts: readonly number[], rest = '') =>
  counts.map((count) => segmentsOf(sign.repeat(count - rest.length) + rest));

test('FM08 a text message of 160 letters is one part, and longer ones are parts of 153', () => {
  expect(partsOf('a', [1, 160, 161, 306, 307])).toEqual([1, 1, 2, 2, 3]);
  expect(segmentsOf('')).toBe(1);
  // A euro sign counts twice, and is not divided between two parts.
  expect([segmentsOf('€'.repeat(80)), segmentsOf(`${'€'.repeat(80)}a`)]).toEqual([1, 2]);
  expect(segmentsOf(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toBe(3);
});

test('FM08 one letter of another script makes parts of 70 and 67', () => {
  expect(partsOf('a', [70, 71, 134, 135], 'ક')).toEqual([1, 2, 2, 3]);
  expect([segmentsOf('😀'.repeat(35)), segmentsOf('😀'.repeat(36))]).toEqual([1, 2]);
  expect(['…', '₹', '’', 'é', 'Rs 500...'].map(isPlainSms)).toEqual([false, false, false, true, true]);
});
