import { expect, test } from 'vitest';
import { splitLetter } from './letter-pair.ts';

test.each([
  ['5-A', '5', 'A'],
  ['V A', 'V', 'A'],
  ['5th-A', '5th', 'A'],
  ['5A', '5', 'A'],
  ['STD.V/A', 'STD.V', 'A'],
  ['Std 5 – b', 'Std 5', 'B'],
  ['Sr. KG B', 'Sr. KG', 'B'],
  ['X (I)', 'X', 'I'],
  ['XII Sci A', 'XII Sci', 'A'],
  ['Nursery A', 'Nursery', 'A'],
])('%s is %s and %s', (cell, first, second) => {
  expect(splitLetter(cell)).toEqual([first, second]);
});

test.each(['Std V', 'Class X', 'V', 'HKG', 'Nursery', '5', 'A', 'Grade 5', '', '-'])('%s has one part', (cell) => {
  expect(splitLetter(cell)).toBeUndefined();
});
