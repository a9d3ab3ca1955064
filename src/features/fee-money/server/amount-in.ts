import { isSpelled, numberInWords } from '#features/school/contract/number-words.ts';
import type { Language } from '#kit/contract/languages.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { amountInWords, inRupees } from '../contract/amount-in-words.ts';

/** An amount in paise, spelled out for a reader of a language; in English where numbers have no words in it. */
export function amountIn(language: Language, amount: number): Text {
  if (!isSpelled(language)) return amountInWords(amount);
  const spell = (count: number) => numberInWords(count, language);
  const [whole, paise] = inRupees(amount);
  const rupees = spell(whole);
  return paise === 0
    ? text`${{ rupees }} rupees only`
    : text`${{ rupees }} rupees and ${{ paise: spell(paise) }} paise only`;
}
