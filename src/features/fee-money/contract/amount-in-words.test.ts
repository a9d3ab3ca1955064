import { expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import { amountInWords } from './amount-in-words.ts';

test.each([
  [0, 'Zero rupees only'],
  [100, 'One rupee only'],
  [150, 'One rupee and fifty paise only'],
  [1, 'Zero rupees and one paisa only'],
  [7_000_00, 'Seven thousand rupees only'],
  [1_25_000_50, 'One lakh twenty five thousand rupees and fifty paise only'],
  [12_34_56_789_00, 'Twelve crore thirty four lakh fifty six thousand seven hundred eighty nine rupees only'],
])('%i paise are spelled out as “%s”', (amount, words) => expect(english(amountInWords(amount))).toBe(words));

test('paise are spelled out beside any number of rupees', () => {
  expect(english(amountInWords(9_007_199_254_740_991))).toMatch(
    /^Nine neel .+ forty seven rupees and .+ paise only$|ninety one paise only$/,
  );
});
