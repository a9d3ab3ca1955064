import { expect, test } from 'vitest';
import { halfOfGst } from './gst.ts';

test('W39 GST of 18 % is in the amount, in two equal halves, and part payments total the tax of the whole', () => {
  const partsOf = (before: number, amount: number) => {
    const half = halfOfGst(before, amount, 1800);
    return [amount - 2 * half, half];
  };
  expect(partsOf(0, 118_000)).toEqual([100_000, 9_000]);
  expect(partsOf(0, 100_000)).toEqual([84_746, 7_627]);
  expect(partsOf(0, 99_999)).toEqual([84_745, 7_627]);
  expect(partsOf(0, 33_333)).toEqual([28_249, 2_542]);
  expect(partsOf(33_333, 66_667)).toEqual([56_497, 5_085]);
});
