import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test('initials are the first letters of the first and the last word, in any script', () => {
  expect(initialsOf('Asha Trivedi')).toBe('AT');
  expect(initialsOf('kiran d. parmar')).toBe('KP');
  expect(initialsOf(' Ravi ')).toBe('R');
  expect(initialsOf('મીના કિરણ')).toBe('મીકિ');
  expect(initialsOf('શ્રીમતી ક્ષત્રિય')).toBe('શક');
  expect(initialsOf('Ravi (2)')).toBe('R');
  expect(initialsOf('')).toBe('');
});
