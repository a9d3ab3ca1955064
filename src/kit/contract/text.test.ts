import { expect, test } from 'vitest';
import { english, isSame, text, verbatim, withLabel } from './text.ts';

test('a text is its English words, with the values beside them', () => {
  expect(text`${{ free }} seats are free in ${{ section: 'A' }}.`).toEqual({
    id: '{free} seats are free in {section}.',
    values: { free: 3, section: 'A' },
  });
  expect(text`Saved.`).toEqual({ id: 'Saved.' });
});
const free = 3;

test.each([
  [0, '0 rows were added.'],
  [1, 'One row was added.'],
  [2, '2 rows were added.'],
  [100_000, '1,00,000 rows were added.'],
])('a plural of %d reads as English and Indian numbers do', (n, words) => {
  const added = text({ message: '{n, plural, =1 {One row was added.} other {# rows were added.}}' }, { n });
  expect(english(added)).toBe(words);
});

test('a plural holds other values', () => {
  const names = (n: number) =>
    text({ message: '{n, plural, one {# student of {grade}} other {# students of {grade}}}' }, { n, grade: 'Grade 1' });
  expect([names(1), names(40)].map(english)).toEqual(['1 student of Grade 1', '40 students of Grade 1']);
});

test('a label within a text is a text of its own', () => {
  const label = text`First Name`;
  expect(english(text`${{ label }} is required.`)).toBe('First Name is required.');
});

test('a homonym has a key of its own, and reads the same in English', () => {
  const [ofAddress, ofRequest] = [text({ message: 'State', context: 'address' }), text`State`];
  expect(isSame(ofAddress, ofRequest)).toBe(false);
  expect([ofAddress, ofRequest].map(english)).toEqual(['State', 'State']);
});

test('braces in a value stay as they are', () => {
  expect(english(text`Use ${{ part: '{seq}' }} once.`)).toBe('Use {seq} once.');
  expect(english(verbatim('{seq, plural, one {x} other {y}}'))).toBe('{seq, plural, one {x} other {y}}');
});

test('a label is put before a message, but not before one that says it, as a statement too', () => {
  const sector = text`Which sector?`;
  const words = { 'Which sector?': 'કયું ક્ષેત્ર?', 'Sector is required': 'કયું ક્ષેત્ર તે જરૂરી છે', 'Too long.': 'લાંબું છે.' };
  const gujarati = ({ id }: { id: string }) => words[id as keyof typeof words];
  expect(withLabel(text`Sector is required`, sector, gujarati)).toBe('કયું ક્ષેત્ર તે જરૂરી છે');
  expect(withLabel(text`Too long.`, sector, gujarati)).toBe('કયું ક્ષેત્ર? લાંબું છે.');
  expect(withLabel(text`Too long.`, text`Name`, english)).toBe('Name: Too long.');
  expect(withLabel(text`Name is required.`, text`Name`, english)).toBe('Name is required.');
});
