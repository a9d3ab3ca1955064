import { ToWords as ToGujarati } from 'to-words/gu-IN';
import { ToWords as ToHindi } from 'to-words/hi-IN';
import type { Language } from '#kit/contract/languages.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { amountInWords, inRupees } from '../contract/amount-in-words.ts';

const spellers = { gu: new ToGujarati(), hi: new ToHindi() };

/** An amount in paise, spelled out for a reader of a language. */
export function amountIn(language: Language, amount: number): Text {
  if (language === 'en') return amountInWords(amount);
  const spell = (count: number) => spellers[language].convert(count);
  const [whole, paise] = inRupees(amount);
  const rupees = spell(whole);
  return paise === 0
    ? text`${{ rupees }} rupees only`
    : text`${{ rupees }} rupees and ${{ paise: spell(paise) }} paise only`;
}
