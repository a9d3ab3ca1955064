import { ToWords as ToGujarati } from 'to-words/gu-IN';
import { ToWords as ToHindi } from 'to-words/hi-IN';
import { expect, test } from 'vitest';
import { numberInWords } from './number-words.ts';

test('LG11 numbers are spelled with lakh and crore in Gujarati and Hindi', () => {
  const words = (count: number) => [numberInWords(count, 'gu'), numberInWords(count, 'hi')];
  expect(words(125_019)).toEqual(['એક લાખ પચીસ હજાર ઓગણીસ', 'एक लाख पच्चीस हज़ार उन्नीस']);
  expect(words(0)).toEqual(['શૂન્ય', 'शून्य']);
  expect(words(100)).toEqual(['એકસો', 'एक सौ']);
  expect(words(2200)).toEqual(['બે હજાર બસો', 'दो हज़ार दो सौ']);
  expect(words(10_000_000)).toEqual(['એક કરોડ', 'एक करोड़']);
  expect(words(1_234_567_899)).toEqual([
    'એકસો ત્રેવીસ કરોડ પિસ્તાલીસ લાખ સડસઠ હજાર આઠસો નવ્વાણું',
    'एक सौ तेईस करोड़ पैंतालीस लाख सड़सठ हज़ार आठ सौ निन्यानवे',
  ]);
});

test('each word below a hundred is its own, and a second source spells all but these few the same', () => {
  const numbers = Array.from({ length: 100 }, (_, count) => count);
  const differing = (language: 'gu' | 'hi', second: { convert: (count: number) => string }) =>
    numbers.filter((count) => numberInWords(count, language) !== second.convert(count));
  for (const language of ['gu', 'hi'] as const)
    expect(new Set(numbers.map((count) => numberInWords(count, language))).size).toBe(100);
  expect(differing('gu', new ToGujarati())).toEqual([19, 23, 25, 26, 43, 60, 69, 74, 85, 87, 88]);
  expect(differing('hi', new ToHindi())).toEqual([5, 44, 51, 53, 79, 88, 91, 95]);
});
